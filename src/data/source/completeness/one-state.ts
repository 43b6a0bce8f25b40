import { sentence } from '../../../contract/sentence.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { describeOf, distinctCodes, type QueryRange } from '../plan/query-range.js'
import type { QueryRequests } from '../query-requests.js'
import { unlessRefused } from '../source-error.js'
import { ContradictionError, comparedWith } from './absent-cells.js'
import type { ObservedSizes, RangeReply } from './reply-sizes.js'

/** Rows that are asked for once more. */
const sampled = 2000
/** Multiples of it spread over a list without a period. */
const golden = (Math.sqrt(5) - 1) / 2

/** Rows to ask for once more, and whether a reply to it is as small as some that were answered. */
interface Sample {
  readonly range: QueryRange
  readonly isAnswered: boolean
}

/** Some codes of every part over all of its days; of one day alone, and twice, where a request can't be for several. */
function sampleOf({ asked }: PlannedQuery, sizes: ObservedSizes, parts: readonly RangeReply[]): Sample {
  const { symbols: _, minute: __, days, ...base } = (parts[parts.length >> 1] as RangeReply).range
  const own = parts.filter(({ range }) => range.day === base.day)
  const on = [...new Set(own.flatMap(({ counts }) => counts.days))].sort()
  const codes = distinctCodes([...new Set(own.flatMap(({ counts }) => counts.symbols))])
  const perCode = on.length * (asked.closes?.length ?? 1)
  const most = Math.floor(Math.min(sampled, sizes.rows) / perCode)
  const share = Math.max(1, Math.min(most, sizes.codes)) / codes.length
  const symbols = codes.filter((_, at) => (at * golden) % 1 < share)
  const isAnswered =
    sizes.answersCodes(symbols.length) && sizes.answersDays(on) && Math.max(1, symbols.length) * perCode < sizes.rows
  const range = {
    ...base,
    ...(codes.length > 0 && { symbols }),
    ...(days && { days: { from: on[0] as string, to: on.at(-1) as string } }),
  }
  return { range, isAnswered }
}

/**
 * Asks for some rows of all parts once more when all are there: two states of a service, which answers from them by turns, do
 * not both go with the same rows. What an archive names the state of, and what is still new, is not asked for.
 * @throws ContradictionError where other rows come
 */
export async function checkOneState(requests: QueryRequests, replies: readonly RangeReply[]): Promise<void> {
  const { planned, sizes } = requests
  const parts = replies.filter(({ counts, range }) => {
    return counts.days.length > 0 && !range.sources && counts.days.every((day) => day < planned.today)
  })
  const isUnproven = replies.some(({ truncated, unproven }) => truncated !== undefined || unproven !== undefined)
  const isNamed = parts.every(({ chunk }) => chunk.archive?.state !== undefined)
  if (parts.length < 2 || isNamed || isUnproven || planned.plan.strategy !== 'ranges') return
  const { range, isAnswered } = sampleOf(planned, sizes, parts)
  const isOfAll = parts.every((part) => part.range.day === range.day)
  for (let turn = isOfAll ? 1 : 0; turn < 2; turn++) {
    const again = await unlessRefused(() => requests.send(range))
    const found = again && comparedWith(planned, { range, holes: [], of: parts }, [again])
    if (found === 'other' || found === 'more' || (found === 'less' && isAnswered))
      throw new ContradictionError(sentence`other rows${describeOf(range)}, asked for once more`, range)
  }
}
