import { QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** An argument in the words of a message, whatever it is. */
export function described(given: unknown): Words {
  if (Array.isArray(given)) return sentence`an array`
  return typeof given === 'object' && given !== null
    ? sentence`an object`
    : typeof given === 'string'
      ? `'${given}'`
      : String(given)
}

/** What to throw for an argument of another shape than the one that is taken. */
export function wrongShape(what: Words, right: Words, given: unknown): QuotebookError {
  return new QuotebookError('USAGE', sentence`${what} must be ${right}, not ${described(given)}`)
}

/** @throws QuotebookError INVALID_VALUE for what is no bytes, as the path of a file */
export function checkBytes(given: unknown, what: string): void {
  if (given instanceof Uint8Array) return
  const right = sentence`a Uint8Array: of an ArrayBuffer new Uint8Array(buffer), of a file readFileSync(path)`
  throw new QuotebookError('INVALID_VALUE', sentence`${what} takes bytes, ${right}; not ${described(given)}`)
}

/** Options, or whatever else has names and values. @throws QuotebookError USAGE for anything that is no object of that kind */
export function namedIn<T extends object>(given: T, what: Words, right: Words): T {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  throw wrongShape(what, right, given)
}

/** @throws QuotebookError INVALID_VALUE for a value of an option that is none of the words for it */
export function checkChoice(given: string, words: readonly string[], what: string): void {
  if (words.includes(given)) return
  const right = sentence`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  throw new QuotebookError('INVALID_VALUE', sentence`${what} must be ${right}, not ${described(given)}`)
}

/** @throws QuotebookError INVALID_VALUE for what is none of the operations, or of whatever `what` says */
export function checkKnown(given: string, words: readonly string[], what: Words): void {
  if (words.includes(given)) return
  throw new QuotebookError('INVALID_VALUE', sentence`${what} ${described(given)}; there are ${words.join(', ')}`)
}

/** What to throw for a column that a table or a DataFrame does not have: its name, and the nearest or all others. */
export function missingColumn(name: string, names: readonly string[], isFrame: boolean): QuotebookError {
  const whose = isFrame ? sentence`the DataFrame` : sentence`the table`
  return new QuotebookError('MISSING_COLUMN', sentence`${whose} has no column '${name}'; ${nameHint(name, names)}`)
}

/** The first of names that stands a second time. */
export function twiceIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
