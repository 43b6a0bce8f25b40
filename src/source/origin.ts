import type { Dataset } from '../contract/dataset.js'
import { daysBetween } from '../contract/day-list.js'
import { stateOf } from '../table/provenance.js'
import { distinctValues } from './answer/words.js'
import type { RangeReply } from './gather.js'
import type { Completeness } from './verdict.js'

/** What an archive says of rows that came from cut replies; a service over it says the same. */
export const partialNote = 'some of its rows were imported from replies that had been cut'

/**
 * Why archives do not know rows to be all. A range without an end goes to the latest day with rows: a part that has rows on
 * every trading day up to it lacks none.
 */
function unprovenIn({ day = '' }: Dataset, parts: readonly RangeReply[]): string[] {
  const isOpen = parts.some(({ range }) => range.days?.open)
  const latest = isOpen
    ? parts
        .flatMap(({ chunk }) => distinctValues(chunk.columns, day))
        .sort()
        .at(-1)
    : undefined
  const isAllToLatest = ({ range, chunk }: RangeReply): boolean => {
    if (latest === undefined || !range.days || range.days.to <= latest) return false
    const there = new Set(distinctValues(chunk.columns, day))
    return daysBetween(range.days.from, latest).every((one) => there.has(one))
  }
  const notes = parts.flatMap((part) => (isAllToLatest(part) ? [] : (part.chunk.archive?.unproven ?? [])))
  return [...new Set(notes)]
}

/**
 * What the replies tell of the archive behind them, where they tell it: its state when all are of the same, and that rows
 * of the dataset are missing there already.
 */
export function withOrigin(
  verdict: Completeness,
  dataset: Dataset,
  parts: readonly RangeReply[],
): Completeness & { readonly state?: string } {
  const origins = parts.map(({ chunk }) => chunk.archive)
  const { state, note: changed } = stateOf(
    origins.map((archive) => ({ ...(archive?.state === undefined ? {} : { state: archive.state }) })),
  )
  const isPartial = origins.some((archive) => archive?.partial?.includes(dataset.name))
  const own = isPartial ? [partialNote] : unprovenIn(dataset, parts)
  const isUnproven = own.length > 0
  const said = isUnproven && verdict.complete ? own : verdict.note === undefined ? [] : [verdict.note]
  const note = [...said, ...(changed === undefined ? [] : [changed])].join('; ')
  const { proof, note: _, ...rest } = verdict
  return {
    ...rest,
    complete: verdict.complete && !isUnproven,
    ...(proof && !isUnproven ? { proof } : {}),
    ...(note === '' ? {} : { note }),
    ...(state === undefined ? {} : { state }),
  }
}
