import { dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { ContractError } from '../../../contract/error.js'
import type { MissingBars, Proof } from '../../../frame/table/provenance.js'
import { contradictionError, countRows, fetchRange, latestDayOf, splitByRows } from '../fetch-range.js'
import { paramWithRole } from '../plan/query-days.js'
import { barsPerDay, bucketsOf, mostProbes, type PlannedQuery, rangesWithin } from '../plan/query-plan.js'
import { codeGroups, describeOf, describeRange, type QueryRange, splitRange } from '../plan/query-range.js'
import type { QueryRequests } from '../query-requests.js'
import { symbolColumn } from '../reply/join-replies.js'
import { SourceError, TruncatedError } from '../source-error.js'
import {
  absentBars,
  ContradictionError,
  comparedWith,
  filledHoles,
  type GridReply,
  type Hole,
  type HoleRequest,
  holeRequests,
  isAsked,
} from './grid-holes.js'
import {
  type ExpectedKeys,
  expectedKeys,
  type ObservedSizes,
  oddDay,
  proofByCount,
  type RangeReply,
} from './reply-sizes.js'

/** A reply, and what it has to answer for. */
interface CountedReply extends RangeReply {
  readonly expected: ExpectedKeys
  /** The range of what it has to answer for: its own, without what smaller requests answered. */
  readonly remaining: QueryRange
  /** Other requests showed that nothing of it is missing, as far as they were asked. */
  readonly isProbed?: true
  /** Its rows were found again in smaller replies. */
  readonly isWhole?: true
}

/** Requests that are sent in the place of replies that lack rows of the grid, before the answer is left unproven. */
const mostMended = 2000

/** Trading days of a year, about. */
const tradingYear = 243

/** What requests bring. Undefined for refusals and for answers to another question: they say nothing about the rows. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const isRefusal = error instanceof SourceError && !(error instanceof TruncatedError) && !error.retryable
    if (isRefusal || error instanceof ContractError) return undefined
    throw error
  }
}

/** A range of some of its codes and days; the dates beside its trading days stay in it where it was not made smaller. */
function remainingRange(range: QueryRange, all: ExpectedKeys, left: ExpectedKeys): QueryRange {
  const { days: interval } = range
  const codes = left.codes ? { symbols: left.codes } : {}
  const [from, to] = [left.days?.[0], left.days?.at(-1)]
  if (!interval || from === undefined || to === undefined) return { ...range, ...codes }
  const isToEnd = to === all.days?.at(-1)
  const days = {
    from: from === all.days?.[0] ? interval.from : from,
    to: isToEnd && interval.to > to ? interval.to : to,
    ...(isToEnd && interval.open ? { open: interval.open } : {}),
  }
  return { ...range, ...codes, days }
}

/** The range of what a reply still answers for, without the days between that smaller requests answered. */
function keptRanges({ remaining, expected }: CountedReply, all: readonly string[] = []): QueryRange[] {
  const { days: interval } = remaining
  const kept = new Set(expected.days)
  const runs: string[][] = []
  for (const [at, day] of all.entries()) {
    if (!kept.has(day)) continue
    if (kept.has(all[at - 1] ?? '')) runs.at(-1)?.push(day)
    else runs.push([day])
  }
  if (!interval || runs.length < 2) return [remaining]
  return runs.map((run, i) => {
    const from = i === 0 ? interval.from : (run[0] as string)
    if (i === runs.length - 1) return { ...remaining, days: { ...interval, from } }
    return { ...remaining, days: { from, to: run.at(-1) as string } }
  })
}

function keyOf({ code, day, close }: Hole): string {
  return `${code} ${day} ${close}`
}

function coveringReplies({ of, holes }: HoleRequest): readonly GridReply[] {
  return of.filter(({ range, remaining = range }) => holes.some((hole) => isAsked(remaining, hole)))
}

function isOpen({ truncated, unproven }: RangeReply): boolean {
  return truncated === undefined && unproven === undefined
}

/**
 * Shows of replies that nothing of them is missing, or says why not. It takes for granted that a service which keeps back
 * rows does so by caps that do not change: on rows, on codes, on the days of a range. What the calendar, the codes asked for
 * and the grid of bars say to be there is compared; what is missing is asked for again, no more of it at once than some
 * reply has held; and a reply that is smaller than another one was not cut.
 */
export class Prover {
  readonly #requests: QueryRequests
  readonly #planned: PlannedQuery
  readonly #sizes: ObservedSizes
  /** Requests in the place of replies that lacked rows of the grid. */
  #mended = 0
  /** Holes of the grid that were asked for by themselves and are not there. */
  readonly #settled = new Map<string, Hole>()
  #left: number
  /** Rows were found missing: what is asked from then on is needed for the answer. */
  #isMending = false

  constructor(requests: QueryRequests) {
    this.#requests = requests
    this.#planned = requests.planned
    this.#sizes = requests.sizes
    this.#left = mostProbes(requests.planned.plan)
  }

  async prove(parts: readonly RangeReply[]): Promise<readonly RangeReply[]> {
    const replies = await this.#fill(await this.#narrowAll(parts))
    await this.#widen(replies)
    return (await this.#fill(await this.#shrinkAll(replies))).map((reply) => this.#judge(reply))
  }

  /** Bars and days that codes lack between others, though each was asked for by itself. */
  get missingBars(): readonly MissingBars[] {
    return absentBars([...this.#settled.values()])
  }

  /** Asks for every hole of the grid by itself; replies that should have held what then comes are asked for again in parts. */
  async #fill(first: readonly CountedReply[]): Promise<readonly CountedReply[]> {
    let replies = first
    for (;;) {
      if (replies.every((reply) => isOpen(reply) === false || this.#evident(reply))) return replies
      const all = holeRequests(this.#planned, replies, (hole) => this.#settled.has(keyOf(hole)))
      const requests = all.filter((request) => coveringReplies(request).some(isOpen))
      if (requests.length === 0) return replies
      const answers = await Promise.all(requests.map((request) => this.#askHoles(request)))
      const cut = new Map<GridReply, boolean>()
      const unasked = new Map<GridReply, number>()
      for (const [i, request] of requests.entries()) {
        const answer = answers[i]
        const filled = typeof answer === 'object' ? coveringReplies({ ...request, holes: answer }).filter(isOpen) : []
        for (const reply of filled) cut.set(reply, request.isSlot)
        for (const reply of coveringReplies(request)) {
          if (answer !== 'same' && filled.length === 0)
            unasked.set(reply, request.holes.length + (unasked.get(reply) ?? 0))
        }
      }
      if (cut.size > 0) {
        this.#isMending = true
        replies = (
          await Promise.all(replies.map((one) => (cut.has(one) ? this.#mend(one, cut.get(one)) : [one])))
        ).flat()
      } else {
        replies = replies.map((one) => {
          const count = unasked.get(one)
          const unproven = `${count} cells of the grid${describeOf(one.range)} have no row, and were not asked for one by one`
          return count === undefined ? one : { ...one, unproven }
        })
        // What several codes lack together is settled where none of them has it by itself.
        for (const [i, { holes }] of requests.entries()) {
          if (answers[i] === 'same') for (const hole of holes) this.#settled.set(keyOf(hole), hole)
        }
      }
    }
  }

  /** The replies to parts of a range whose reply lacks rows that another one holds. */
  async #mend(reply: CountedReply, isSlot: boolean | undefined): Promise<readonly CountedReply[]> {
    const { dataset, query } = this.#planned
    const { range, remaining } = reply
    const closes = dataset.columns.trademin && range.minute === undefined ? bucketsOf(query) : undefined
    const byBar = closes?.map((minute) => ({ ...remaining, minute }))
    const halves = splitByRows({ ...reply, range: remaining }, this.#planned) ?? splitRange(remaining)
    const ranges = (isSlot ? byBar : undefined) ?? halves ?? byBar
    if (!ranges || this.#mended > mostMended)
      return [{ ...reply, unproven: `rows${describeOf(range)} are missing in its reply and came in another one` }]
    this.#mended += ranges.length
    this.#requests.split(ranges.length)
    return this.#fetch(ranges)
  }

  /** The holes that are none, or `same`; undefined when asking was refused or shows nothing. @throws ContradictionError */
  async #askHoles(request: HoleRequest): Promise<'same' | readonly Hole[] | undefined> {
    if (!this.#spend(1)) return undefined
    const parts = await unlessRefused(() => fetchRange(request.range, this.#requests))
    const answer = parts && comparedWith(this.#planned, request, parts)
    if (answer === 'other') throw new ContradictionError(`other cells${describeOf(request.range)}, asked for once more`)
    if (answer === 'more') {
      const filled = filledHoles(this.#planned.dataset, request, parts ?? [])
      return filled.length > 0 ? filled : undefined
    }
    if (answer !== 'less') return answer
    const found = await Promise.all((request.bySlot ?? []).map((one) => this.#askHoles(one)))
    const filled = found.flatMap((one) => (typeof one === 'object' ? one : []))
    if (filled.length > 0) return filled
    return found.length === 0 || found.includes(undefined) ? undefined : 'same'
  }

  #count(part: RangeReply): CountedReply {
    const { dataset, query } = this.#planned
    const day = latestDayOf(this.#planned, part)
    const range = day === undefined ? part.range : { ...part.range, day }
    const expected = expectedKeys(dataset, query, range, part.counts)
    return { ...part, range, expected, remaining: remainingRange(range, expected, expected) }
  }

  /** What shows by itself that a reply is whole: the count of an archive, or as many rows as there can be. */
  #evident({ chunk, expected, counts }: CountedReply): Proof | undefined {
    if (chunk.archive?.total === chunk.columns.length) return 'total'
    return proofByCount(this.#planned, expected, counts)
  }

  #mayBeCut(reply: CountedReply): boolean {
    const { rows } = reply.counts
    return rows > 0 && this.#sizes.isLargest(reply.counts) && !reply.isWhole && !this.#evident(reply)
  }

  #mayLackCodes(reply: CountedReply): boolean {
    const { rows, symbols } = reply.counts
    if (reply.range.symbols || symbolColumn(this.#planned.dataset) === undefined || rows === 0) return false
    return symbols.length >= this.#sizes.market && !this.#evident(reply)
  }

  #spend(requests: number): boolean {
    if (this.#isMending) return true
    if (this.#left < requests) return false
    this.#left -= requests
    return true
  }

  async #fetch(ranges: readonly QueryRange[]): Promise<CountedReply[]> {
    const replies = ranges.map(async (range) => this.#narrowAll(await fetchRange(range, this.#requests)))
    return (await Promise.all(replies)).flat()
  }

  /**
   * What is missing in a reply and was not shown to be answered: named codes and trading days of a range without a row. Of a
   * reply without rows, where it is larger than any that is known to be answered. With ranges to ask for it, none larger than
   * what replies are known to answer.
   */
  #missing({ range, expected, counts }: CountedReply) {
    const sizes = this.#sizes
    const { codes: named, days = [] } = expected
    const hasNone = counts.rows === 0
    const codes =
      !named || (hasNone && sizes.answersCodes(named.length)) ? [] : named.filter((code) => !counts.isThere(code))
    const isAnswered = !range.days || (hasNone && sizes.answersDays(days))
    const isDue = (day: string): boolean => day <= this.#planned.today || !sizes.answersDays(days)
    const gone = new Set(isAnswered ? [] : days.filter((day) => !counts.perDay.has(day) && isDue(day)))
    const left = {
      codes: named?.filter((code) => !codes.includes(code)),
      days: expected.days?.filter((day) => !gone.has(day)),
    }
    const groups = codes.length === 0 ? [] : codeGroups(codes, Math.max(1, sizes.codes))
    const runs = left.codes?.length === 0 ? [] : sizes.runs(days, (day) => gone.has(day))
    const own = left.codes ? { symbols: left.codes } : {}
    const ranges: QueryRange[] = [
      ...runs.map((run) => ({ ...range, ...own, days: { from: run[0] as string, to: run.at(-1) as string } })),
      ...groups.map((symbols) => ({ ...range, symbols })),
    ]
    return { ranges, left, what: codes.length > 0 ? `${codes.length} codes` : `${gone.size} days` }
  }

  async #narrowAll(parts: readonly RangeReply[]): Promise<CountedReply[]> {
    return (await Promise.all(parts.map((part) => this.#narrow(this.#count(part))))).flat()
  }

  /** Asks again for what is missing in a reply: whole codes, and the days at both ends of its range. */
  async #narrow(reply: CountedReply): Promise<CountedReply[]> {
    if (reply.truncated || this.#evident(reply)) return [reply]
    const { range, expected, counts } = reply
    const { ranges, left, what } = this.#missing(reply)
    if (ranges.length === 0) return [reply]
    const isSame = ranges.some(({ symbols, days }) => symbols?.length === range.symbols?.length && days === range.days)
    const own = { ...reply, expected: left, remaining: remainingRange(range, expected, left) }
    const found = isSame ? undefined : await this.#fetchMissing(own, ranges)
    if (found === 'cut') return this.#shrink(reply)
    if (!found) {
      const unproven = `${what} of ${describeRange(range)} have no row, and were not asked for one by one`
      return [{ ...reply, unproven }]
    }
    if (!found.some((more) => more.counts.rows > 0)) return [{ ...own, isProbed: true }, ...found]
    if (counts.rows === 0) return found
    // A reply that left something out is asked for again, no larger than what it was seen to hold.
    return [...(this.#evident(own) ? [own] : await this.#fetch(keptRanges(own, expected.days))), ...found]
  }

  /** The replies to ranges of what is missing; `cut` when the first shows that the reply ended at a cap of rows. */
  async #fetchMissing(
    reply: CountedReply,
    [first, ...others]: readonly QueryRange[],
  ): Promise<CountedReply[] | 'cut' | undefined> {
    if (!first || !this.#spend(1)) return undefined
    return unlessRefused(async () => {
      const parts = await fetchRange(first, this.#requests)
      const rows = countRows(parts)
      if (rows > 0) this.#isMending = true
      if (rows > 0 && rows === reply.counts.rows && rows === this.#sizes.rows && !this.#evident(reply)) {
        this.#sizes.cap = rows
        return 'cut'
      }
      if (!this.#spend(others.length)) return undefined
      const more = await this.#fetch(others)
      return [...(await this.#narrowAll(parts)), ...more]
    })
  }

  /**
   * Larger requests: where one of them brings more rows, or more codes, the others were not cut there. Of codes that nobody
   * named there may have been more a year ago.
   */
  async #widen(replies: readonly CountedReply[]): Promise<void> {
    const sizes = this.#sizes
    for (const back of [0, tradingYear]) {
      const suspect = replies.filter(
        (reply) =>
          (!sizes.unexceeded.has(reply.counts.symbols.length) && this.#mayLackCodes(reply)) ||
          (back === 0 && this.#mayBeCut(reply)),
      )
      const most = Math.max(0, ...suspect.map(({ counts }) => counts.rows))
      const largest = suspect.find(({ counts }) => counts.rows === most)
      const range = largest && most < sizes.cap ? longerRange(largest, this.#requests, back) : undefined
      if (range && this.#spend(1)) await unlessRefused(() => this.#requests.send(range))
    }
    for (const reply of replies) if (this.#mayLackCodes(reply)) sizes.unexceeded.add(reply.counts.symbols.length)
  }

  /** The ranges to ask in place of one whose reply may be cut: below a cap that is known, or its halves. */
  #smaller(reply: CountedReply): readonly QueryRange[] | undefined {
    const { remaining, counts } = reply
    const { cap, daily } = this.#sizes
    if (counts.rows >= cap) {
      const size = { most: Math.max(1, cap - 1), bars: barsPerDay(this.#planned.query), daily }
      const ranges = rangesWithin(remaining, size)
      if (ranges.length > 1) return ranges
    }
    return splitByRows({ ...reply, range: remaining }, this.#planned)
  }

  async #shrinkAll(replies: readonly CountedReply[]): Promise<CountedReply[]> {
    const out: CountedReply[] = []
    for (const reply of replies) out.push(...(await this.#shrink(reply)))
    return out
  }

  /** The replies in the place of one that may have been cut. Together they hold at least as many rows as it did. */
  async #shrink(reply: CountedReply): Promise<CountedReply[]> {
    const { range, chunk, counts } = reply
    const sizes = this.#sizes
    const had = chunk.columns.length
    for (let isSecond = false; ; isSecond = true) {
      const ranges = this.#mayBeCut(reply) ? this.#smaller(reply) : undefined
      if (!ranges || !this.#spend(ranges.length)) return [reply]
      this.#requests.split(ranges.length)
      const found = await unlessRefused(() => this.#fetch(ranges))
      if (!found) return [reply]
      const rows = countRows(found)
      if (rows < had) {
        if (isSecond) throw contradictionError(reply, rows, undefined, this.#planned)
        continue
      }
      if (rows === had && range.sources) return [{ ...reply, isWhole: true }]
      if (rows > had) {
        sizes.cap = Math.min(sizes.cap, counts.rows)
        this.#isMending = true
      }
      return this.#shrinkAll(found)
    }
  }

  /** A part with what shows that it is whole, or why nothing does. */
  #judge(reply: CountedReply): RangeReply {
    const { range, chunk, counts, truncated, isProbed } = reply
    const part = { range, chunk, counts, ...(truncated === undefined ? {} : { truncated }) }
    const evident = this.#evident(reply)
    if (evident) return { ...part, proof: isProbed ? 'probes' : evident }
    const unproven = this.#unprovenNote(reply)
    return unproven === undefined ? { ...part, proof: 'probes' } : { ...part, unproven }
  }

  #unprovenNote(reply: CountedReply): string | undefined {
    const { counts, range, unproven } = reply
    const of = describeOf(range)
    if (unproven) return unproven
    if (this.#mayBeCut(reply))
      return `${counts.rows} rows${of} may be as many as a reply holds: no larger or smaller one shows it`
    const odd = range.symbols ? undefined : oddDay(this.#planned.dataset, counts)
    if (odd !== undefined) return `the list of ${odd} has ${counts.perDay.get(odd)} rows, not ten of each channel`
    if (this.#sizes.isUneven)
      return `replies were found cut at ${this.#sizes.cap} rows and others hold up to ${this.#sizes.rows}: no cap that does not change`
    if (!this.#mayLackCodes(reply)) return undefined
    return `nothing shows that the ${counts.symbols.length} codes${of} are all: nobody named them, and no reply held more`
  }
}

/** Trading days that a request is made longer by, where the contract states no cap. */
const longer = 20
/** Calendar days in which there are at least so many trading days. */
const calendarDays = (trading: number): number => 2 * trading + 12

/** A request like that of a reply, over more days; `back`: so many trading days before it. Undefined where there is none. */
function longerRange(
  { range, expected, counts }: CountedReply,
  { planned: { dataset, plan }, sizes }: QueryRequests,
  back: number,
): QueryRange | undefined {
  const [first, last] = [expected.days?.[0], expected.days?.at(-1)]
  if (dataset.openRange || paramWithRole(dataset, 'from') === undefined || !first || !last) return undefined
  const days = expected.days?.length ?? 1
  const cap = Math.min(plan.cap ?? Number.POSITIVE_INFINITY, sizes.cap)
  const below = Math.floor((cap - 1) / (counts.rows / Math.max(1, counts.days.length))) - days
  const more = Math.max(1, Math.min(below, Math.max(longer, days)))
  const before = daysBetween(dateOf(dayNumber(first) - calendarDays(more + back)), dateOf(dayNumber(first) - 1))
  const from = before.slice(-(more + back)).find((day) => day >= (dataset.since ?? ''))
  const to = back === 0 ? last : before.at(-back)
  if (from === undefined || to === undefined || from > to) return undefined
  const { day: _, ...rest } = range
  return { ...rest, days: { from, to } }
}
