import { messageOf, QuotebookError } from '../contract/error.js'
import { nearest } from '../contract/nearest.js'
import { outOfMemory } from './memory-limit.js'

/** What DuckDB says is wrong, in one line: without its own guesses, with the line of the text where it is known. */
function oneLine(message: string): string {
  const [said = '', ...place] = message.replace(/^Failed to extract statements: /, '').split(/\n\s*LINE /)
  const line = /^(\d+)/.exec(place[0] ?? '')?.[1]
  const text = said.trim().replace(/\s*\n\s*/g, ' ')
  return line === undefined || line === '1' ? text : `${text} (line ${line})`
}

/**
 * An error of DuckDB as ours.
 * @param relations the tables that a query may name
 * @param memory bytes that it might take
 */
export function sqlError(error: unknown, relations: readonly string[], memory: number): unknown {
  if (error instanceof QuotebookError) return error
  const message = messageOf(error)
  if (/^Out of Memory Error|bad_alloc/i.test(message)) return outOfMemory(memory, error)
  const unknown = /^Catalog Error: Table with name ([\s\S]*?) does not exist!/.exec(message)?.[1]
  if (unknown === undefined) return new QuotebookError('SQL', oneLine(message), { cause: error })
  if (/[/.]/.test(unknown)) {
    const right = 'SQL opens no files: hand over a table, as in { tables: { bars } }'
    return new QuotebookError('SQL', `unknown table '${unknown}'; ${right}`, { cause: error })
  }
  const near = nearest(unknown, relations)
  const known = relations.length > 0 ? `it knows: ${relations.join(', ')}` : 'hand it over: { tables: { … } }'
  const hint = near === undefined ? known : `did you mean '${near}'?`
  return new QuotebookError('SQL', `unknown table '${unknown}'; ${hint}`, { cause: error })
}
