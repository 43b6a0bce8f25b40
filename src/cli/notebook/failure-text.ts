import type { Say } from '../../contract/say.js'
import { received } from '../../contract/sentence.js'
import type { CellFailure } from './kernel-event.js'

/** What went wrong: `type error`, `RangeError`, `unhandled rejection: Error`. */
export function failureName({ kind, name }: Pick<CellFailure, 'kind' | 'name'>): string {
  if (name === undefined) return kind
  return kind === 'error' ? name : `${kind}: ${name}`
}

/** What went wrong in a cell, why, and below it the line: as a page and Jupyter show it. */
export function failureText(failure: Omit<CellFailure, 'expected'>, say: Say): string {
  const { cell, message, more = [], at } = failure
  const isElsewhere = at?.cell !== undefined && at.cell !== cell
  const where = at ? `\nline ${at.line}${isElsewhere ? ` of cell ${at.cell}` : ''}: ${at.text.trim()}` : ''
  return `${failureName(failure)}: ${[say(received(message)), ...more].join('\n  ')}${where}`
}
