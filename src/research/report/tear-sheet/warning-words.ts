import { isFact, type Words } from '../../../contract/sentence.js'

/** Codes of warnings that the box has an item of its own for. */
const told = ['FILLED_AT_CLOSE', 'LOOK_AHEAD', 'LOOK_AHEAD_CHECK', 'STALE_VALUES', 'NO_HISTORY']

/** Warnings that the box has no item of its own for. */
export function otherWarnings(warnings: readonly Words[]): readonly Words[] {
  return warnings.filter((one) => !isFact(one) || !told.includes(one.code ?? ''))
}

/** Datasets of which only today's list is known and that decisions of the past used nevertheless. */
export function withoutHistory(warnings: readonly Words[]): string[] {
  return warnings.flatMap((one) => (isFact(one) && one.code === 'NO_HISTORY' ? String(one.values.dataset) : []))
}
