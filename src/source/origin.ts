import type { Dataset } from '../contract/dataset.js'
import { stateOf } from '../frame/provenance.js'
import type { Piece } from './answer/piece.js'
import type { Verdict } from './verdict.js'

/** What an archive says of rows that came from cut replies; a service over it says the same. */
export const partialNote = 'some of its rows were imported from replies that had been cut'

/**
 * What the replies tell of the archive behind them, where they tell it: its state when all are of the same, and that rows
 * of the dataset are missing there already.
 */
export function withOrigin(
  verdict: Verdict,
  { name }: Dataset,
  pieces: readonly Piece[],
): Verdict & { readonly state?: string } {
  const origins = pieces.map(({ archive }) => archive)
  const { state, note: changed } = stateOf(
    origins.map((archive) => ({ ...(archive?.state === undefined ? {} : { state: archive.state }) })),
  )
  const isPartial = origins.some((archive) => archive?.partial?.includes(name))
  const unproven = [...new Set(origins.flatMap((archive) => archive?.unproven ?? []))]
  const own = isPartial ? [partialNote] : unproven
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
