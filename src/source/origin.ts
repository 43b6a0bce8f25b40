import type { Dataset } from '../contract/dataset.js'
import { daysBetween } from '../contract/days.js'
import { stateOf } from '../table/provenance.js'
import { wordsIn } from './answer/words.js'
import type { Part } from './gather.js'
import type { Verdict } from './verdict.js'

/** What an archive says of rows that came from cut replies; a service over it says the same. */
export const partialNote = 'some of its rows were imported from replies that had been cut'

/**
 * Why archives do not know rows to be all. A range without an end goes to the latest day with rows: a part that has rows on
 * every trading day up to it lacks none.
 */
function unprovenIn({ day = '' }: Dataset, parts: readonly Part[]): string[] {
  const isOpen = parts.some(({ box }) => box.days?.open)
  const latest = isOpen
    ? parts
        .flatMap(({ piece }) => wordsIn(piece.columns, day))
        .sort()
        .at(-1)
    : undefined
  const isAllToLatest = ({ box, piece }: Part): boolean => {
    if (latest === undefined || !box.days || box.days.to <= latest) return false
    const there = new Set(wordsIn(piece.columns, day))
    return daysBetween(box.days.from, latest).every((one) => there.has(one))
  }
  const notes = parts.flatMap((part) => (isAllToLatest(part) ? [] : (part.piece.archive?.unproven ?? [])))
  return [...new Set(notes)]
}

/**
 * What the replies tell of the archive behind them, where they tell it: its state when all are of the same, and that rows
 * of the dataset are missing there already.
 */
export function withOrigin(
  verdict: Verdict,
  dataset: Dataset,
  parts: readonly Part[],
): Verdict & { readonly state?: string } {
  const origins = parts.map(({ piece }) => piece.archive)
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
