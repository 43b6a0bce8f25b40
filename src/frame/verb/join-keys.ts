import { spelledCode } from '../../contract/code-spelling.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import type { KeyColumns } from '../table/group-rows.js'
import { isBlank } from '../table/present-cells.js'
import { wrongShape } from '../table/shape.js'
import { type ColumnData, textIn } from '../table/values.js'
import { checkNames, type VerbInput } from './verb-input.js'
import type { VerbOutput } from './verb-output.js'

/** Names of the key columns of both sides, in pairs. */
export interface KeyPairs {
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/** `'a'`, `['a', 'b']` or `{ left: 'right' }`. @throws QuotebookError MISSING_COLUMN; INVALID_VALUE */
export function keyPairs(left: VerbInput, right: VerbInput, on: unknown): KeyPairs {
  if (typeof on !== 'string' && (typeof on !== 'object' || on === null)) {
    throw new QuotebookError('INVALID_VALUE', sentence`\`on\` must be a column, a list of columns or { left: 'right' }`)
  }
  const same = typeof on === 'string' || Array.isArray(on)
  const own = same ? (on as string | readonly string[]) : Object.keys(on)
  const others = same ? own : (Object.values(on) as string[])
  return { left: checkNames(left, own), right: checkNames(right, others) }
}

/** @throws QuotebookError USAGE for a suffix that is no text */
export function checkSuffix(suffix: unknown): void {
  if (typeof suffix !== 'string') throw wrongShape('suffix', sentence`text, such as '_right'`, suffix)
}

/** The cells of both sides. */
export function keyColumns(left: VerbInput, right: VerbInput, pairs: KeyPairs): KeyColumns {
  return pairs.left.map((name, at) => {
    const other = pairs.right[at] as string
    return { sides: [left.cells(name), right.cells(other)], names: [name, other] }
  })
}

/** Puts the right's columns, without `dropped`, beside the left's; a name that is taken gets the suffix. */
export function addRightColumns(
  output: VerbOutput,
  right: VerbInput,
  rows: Int32Array,
  dropped: readonly string[],
  suffix: string,
): void {
  const holes = rows.includes(-1)
  for (const name of right.names) {
    if (dropped.includes(name)) continue
    const own = output.has(name) ? name + suffix : name
    if (output.has(own) || (own !== name && right.names.includes(own) && !dropped.includes(own))) {
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`two columns would be named '${own}'; give another suffix, or rename one`,
      )
    }
    output.copy(right, name, rows, own, holes)
  }
}

/** Spellings of one thing that equal each other never. */
const families: readonly Readonly<Record<string, RegExp>>[] = [
  {
    'days as YYYYMMDD': /^(19|20)\d{6}$/,
    'days as YYYY-MM-DD': /^\d{4}-\d{2}-\d{2}$/,
    'days as YYYY/MM/DD': /^\d{4}\/\d{1,2}\/\d{1,2}$/,
  },
  {
    'codes without exchange': /^\d{5,6}$/,
    'codes with exchange behind': /^\d{5,6}\.[A-Za-z]{2,4}$/,
    'codes with exchange before': /^[A-Za-z]{2,4}[.#]?\d{5,6}$/,
  },
  { 'minutes as HHmm': /^\d{4}$/, 'minutes as HH:mm': /^\d{2}:\d{2}$/, 'times as HH:mm:ss': /^\d{2}:\d{2}:\d{2}/ },
]

/** Distinct texts of a column; of a shared dictionary also those that no row has. */
function wordsOf(values: ColumnData): readonly string[] {
  return textIn(values)?.dictionary ?? []
}

function spellingOf(word: string | undefined, family: Readonly<Record<string, RegExp>>): string | undefined {
  return word === undefined ? undefined : Object.keys(family).find((name) => family[name]?.test(word))
}

function refuse(names: readonly string[], left: string, right: string): never {
  const wrong = sentence`the keys are spelled differently: '${names[0] ?? ''}' holds ${left}, '${names[1] ?? ''}' ${right}`
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`${wrong}; they would match nowhere: write both in one spelling first`,
  )
}

/** The instrument that a word is a code of, in whatever spelling. */
function instrumentOf(word: string): string | undefined {
  const code = /\d{5}/.test(word) ? parseCode(spelledCode(word, {}) ?? '') : undefined
  return code && /^\d{5,6}$/.test(code.bare) ? `${code.bare}.${ownExchange(code) ?? ''}` : undefined
}

/** Refuses an instrument that both sides have, and under no common spelling. */
function checkInstruments(own: readonly string[], others: readonly string[], names: readonly string[]): void {
  if (instrumentOf(own[0] ?? '') === undefined || instrumentOf(others[0] ?? '') === undefined) return
  const [left, right] = [new Set(own), new Set(others)]
  const met = new Set(own.flatMap((word) => (right.has(word) ? (instrumentOf(word) ?? []) : [])))
  const alone = new Map(own.flatMap((word) => (right.has(word) ? [] : [[instrumentOf(word), word] as const])))
  for (const word of others) {
    const instrument = left.has(word) ? undefined : instrumentOf(word)
    const other = instrument === undefined || met.has(instrument) ? undefined : alone.get(instrument)
    if (other !== undefined) refuse(names, other, word)
  }
}

/**
 * Refuses keys that are one thing in two spellings, which would match nowhere and say nothing.
 * @throws QuotebookError INVALID_VALUE
 */
export function checkSpelling(keys: KeyColumns): void {
  for (const { sides, names } of keys) {
    if (sides.some(isBlank)) continue
    const [own, others] = sides.map(wordsOf) as [readonly string[], readonly string[]]
    for (const family of families) {
      const [left, right] = [spellingOf(own[0], family), spellingOf(others[0], family)]
      if (left === undefined || right === undefined || left === right) continue
      const [one, two] = [family[left], family[right]]
      if (own.every((word) => one?.test(word)) && others.every((word) => two?.test(word))) refuse(names, left, right)
    }
    checkInstruments(own, others, names)
  }
}
