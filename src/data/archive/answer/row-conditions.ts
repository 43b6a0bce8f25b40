import type { Dataset } from '../../../contract/dataset.js'
import { codeMatcher, type Exchange, ownExchange, parseCode } from '../../../contract/symbol.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { cellOf, type RecordColumns, type Text } from '../../../frame/table/values.js'
import type { AskedCodes, LoadedCodes, ManifestPart, Snapshot } from '../snapshot.js'
import { memoized } from './memoized.js'
import { type RowSlice, rowNumbers, sliceLength, wholeSlice } from './row-slices.js'

/** A test of rows by their number, of some columns: those of a part where one is given. */
export type RowTest = (columns: RecordColumns, part?: ManifestPart) => (row: number) => boolean

/** A test of rows, and how to find those that pass without a look at each. */
export interface Indexed {
  readonly test: RowTest
  /** The words that pass; undefined for columns that have no index. */
  find?(columns: RecordColumns): WordRows | undefined
  /** The codes of which a row has one, where that is the test. */
  readonly asked?: AskedCodes
  /** Whether every row of a part passes. */
  holdsFor?(part: ManifestPart): boolean
}

export type Condition = RowTest | Indexed

/** The rows of each word of a text column, and the words by their spelling. */
interface WordIndex {
  /** Rows of word i, ascending: rows[starts[i]] up to rows[starts[i + 1]]. */
  readonly starts: Int32Array
  readonly rows: Int32Array
  /** Numbers of a word by its spelling; of a code by its spelling without the exchange. */
  readonly numbers: ReadonlyMap<string, readonly number[]>
  /** The exchange of each code. */
  readonly exchanges: readonly (Exchange | undefined)[]
  /** Numbers of the words of codes that were looked up, as they were spelt. */
  readonly found: Map<string, readonly number[]>
  /** The word of each row, -1 where it is missing. */
  readonly data: Int32Array
}

/** Some words of an index, by their numbers, and how many rows have them. */
interface WordRows {
  readonly index: WordIndex
  readonly words: readonly number[]
  readonly count: number
}

const indexOf = memoized(({ data, dictionary }: Text, isCode: boolean): WordIndex => {
  const starts = new Int32Array(dictionary.length + 1)
  for (const word of data) if (word >= 0) starts[word + 1] = (starts[word + 1] as number) + 1
  for (let i = 0; i < dictionary.length; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  const next = starts.slice()
  const rows = new Int32Array(starts[dictionary.length] as number)
  data.forEach((word, row) => {
    if (word < 0) return
    const at = next[word] as number
    rows[at] = row
    next[word] = at + 1
  })
  const codes = isCode ? dictionary.map(parseCode) : []
  const numbers = new Map<string, number[]>()
  dictionary.forEach((word, number) => {
    const spelling = codes[number]?.bare ?? word
    const list = numbers.get(spelling)
    if (list) list.push(number)
    else numbers.set(spelling, [number])
  })
  return { starts, rows, numbers, exchanges: codes.map(ownExchange), found: new Map(), data }
})

/** Words by the index of a column, which is built at its first use; undefined for a column that is no dictionary. */
function findWords(
  { columns }: RecordColumns,
  name: string,
  isCode: boolean,
  numbersOf: (index: WordIndex) => readonly number[],
): WordRows | undefined {
  const values = columns.get(name)
  if (values?.type !== 'dictionary') return undefined
  const index = indexOf(values, isCode)
  const words = numbersOf(index)
  const { starts } = index
  let count = 0
  for (const word of words) count += (starts[word + 1] as number) - (starts[word] as number)
  return { index, words, count }
}

/** The rows of words, ascending. To be read only. Words of which one follows the other are one run of rows. */
function rowsOfWords({ index: { starts, rows }, words, count }: WordRows): Int32Array {
  const runs: Int32Array[] = []
  for (let i = 0; i < words.length; ) {
    const first = words[i] as number
    let next = first + 1
    for (i++; i < words.length && words[i] === next; i++) next++
    runs.push(rows.subarray(starts[first], starts[next]))
  }
  const out = runs.length === 1 ? (runs[0] as Int32Array) : new Int32Array(count)
  if (runs.length > 1) {
    let at = 0
    for (const run of runs) {
      out.set(run, at)
      at += run.length
    }
  }
  for (let i = 1; i < count; i++) if ((out[i] as number) < (out[i - 1] as number)) return out.slice().sort()
  return out
}

/** Whether a row has one of the words. */
function hasWord({ index: { data }, words }: WordRows): (row: number) => boolean {
  const [only] = words
  if (words.length === 1) return (row) => data[row] === only
  if (words.length < 8) return (row) => words.includes(data[row] as number)
  const set = new Set(words)
  return (row) => set.has(data[row] as number)
}

/** A condition on the text of a column. On a dictionary each distinct word is tested once. */
export function where(name: string, test: (word: string | null) => boolean): RowTest {
  return (columns) => {
    const values = columns.columns.get(name)
    if (!values) return () => false
    if (values.type === 'dictionary') {
      const passes = Uint8Array.from(values.dictionary, (word) => (test(word) ? 1 : 0))
      const missing = test(null)
      return (row) => {
        const word = values.data[row] as number
        return word < 0 ? missing : passes[word] === 1
      }
    }
    return (row) => {
      const cell = cellOf(values, row)
      return test(cell === null ? null : String(cell))
    }
  }
}

/** A condition that a column has one of some words: on a dictionary their rows are looked up. */
export function whereWord(name: string, words: readonly string[]): Condition {
  return {
    test: where(name, (word) => word !== null && words.includes(word)),
    find: (columns) =>
      findWords(columns, name, false, ({ numbers }) => words.flatMap((word) => numbers.get(word) ?? [])),
  }
}

/** Spellings of a code that an index keeps, times its words: a code has some four. */
const keptSpellings = 8

/** The words of a code in either spelling. Where both sides name or tell an exchange they agree: see `codeMatcher`. */
function wordsOfCode(index: WordIndex, code: string): readonly number[] {
  const known = index.found.get(code)
  if (known) return known
  const { numbers, exchanges, found } = index
  const { bare, exchange } = parseCode(code)
  const all = numbers.get(bare) ?? []
  const words =
    exchange === undefined ? all : all.filter((word) => exchanges[word] === undefined || exchanges[word] === exchange)
  if (words.length > 0 && found.size < keptSpellings * exchanges.length) found.set(code, words)
  return words
}

/** The words of some codes, each once. */
function wordsOfAll(index: WordIndex, codes: readonly string[]): readonly number[] {
  const words: number[] = []
  let isAscending = true
  for (const code of codes) {
    for (const word of wordsOfCode(index, code)) {
      isAscending &&= words.length === 0 || word > (words.at(-1) as number)
      words.push(word)
    }
  }
  return isAscending ? words : [...new Set(words)]
}

/** The numbers of the words of a column that are one of some codes, in either spelling, each once. */
export function wordsOfCodes({ columns }: RecordColumns, name: string, codes: readonly string[]): readonly number[] {
  return wordsOfAll(indexOf(columns.get(name) as Text, true), codes)
}

/** A condition that a column has one of some codes, in either spelling: see `codeMatcher`. */
export function whereCode(name: string, codes: readonly string[]): Condition {
  return {
    asked: { column: name, codes },
    test: (columns) => {
      const isCode = codeMatcher(codes)
      return where(name, (word) => word !== null && isCode(word))(columns)
    },
    find: (columns) => findWords(columns, name, true, (index) => wordsOfAll(index, codes)),
  }
}

/** The rows for which every condition holds, ascending: those of the rarest words, as far as they pass the other tests. */
export function matchingSlice(columns: RecordColumns, conditions: readonly Condition[], part?: ManifestPart): RowSlice {
  const all = conditions.map((condition) =>
    typeof condition === 'function' ? { test: condition } : { test: condition.test, words: condition.find?.(columns) },
  )
  const best = all
    .flatMap(({ words }) => words ?? [])
    .reduce<WordRows | undefined>((a, b) => (a && a.count <= b.count ? a : b), undefined)
  if (best?.count === 0) return { columns, rows: new Int32Array() }
  const tests = all.flatMap(({ test, words }) => {
    if (!words) return [test(columns, part)]
    return words === best || words.count === columns.length ? [] : [hasWord(words)]
  })
  const listed = best && rowsOfWords(best)
  if (tests.length === 0) return listed ? { columns, rows: listed } : wholeSlice(columns)
  const count = listed ? listed.length : columns.length
  const rows = new Int32Array(count)
  let found = 0
  next: for (let i = 0; i < count; i++) {
    const row = listed ? (listed[i] as number) : i
    for (const test of tests) if (!test(row)) continue next
    rows[found++] = row
  }
  return found === columns.length ? wholeSlice(columns) : { columns, rows: rows.subarray(0, found) }
}

/** The rows for which not every condition holds. */
export function unmatched(columns: RecordColumns, conditions: readonly Condition[]): RecordColumns {
  const gone = new Set(rowNumbers(matchingSlice(columns, conditions).rows))
  if (gone.size === 0) return columns
  return gatherRows(
    columns,
    rowNumbers({ from: 0, to: columns.length }).filter((row) => !gone.has(row)),
  )
}

/** Told after each part: how many were read of how many, and the rows that were found so far. */
export type OnPart = (done: number, of: number, rows: number) => void

/** Codes that decide which rows of a part are read. Of records with versions all are: which is the newest goes by its place. */
function askedCodes({ versions }: Dataset, conditions: readonly Condition[]): AskedCodes | undefined {
  if (versions !== undefined) return undefined
  return conditions.flatMap((one) => (typeof one === 'function' ? [] : (one.asked ?? [])))[0]
}

/** Rows of the given parts for which every condition holds, part by part. */
export async function selectSlices(
  snapshot: Snapshot,
  dataset: Dataset,
  parts: readonly ManifestPart[],
  conditions: readonly Condition[],
  onPart: OnPart | undefined = undefined,
): Promise<RowSlice[]> {
  const slices: RowSlice[] = []
  const asked = askedCodes(dataset, conditions)
  const load = (part: ManifestPart | undefined) => {
    if (!part) return undefined
    const own = asked && snapshot.loadCodes?.(dataset.name, part, asked)
    const loaded = own ?? snapshot.load(dataset.name, part)
    // It is awaited in its turn, unless one before it fails.
    if (loaded instanceof Promise) loaded.catch(() => undefined)
    return loaded
  }
  let rows = 0
  let ahead = load(parts[0])
  for (const [at, part] of parts.entries()) {
    const loaded = ahead as LoadedCodes | Promise<LoadedCodes>
    // One part is read from the disk while another is decoded.
    ahead = load(parts[at + 1])
    const own = loaded instanceof Promise ? await loaded : loaded
    const open = conditions.filter((one) => typeof one === 'function' || !one.holdsFor?.(part))
    const isWhole = 'columns' in own
    const left = isWhole ? open : open.filter((one) => typeof one === 'function' || one.asked !== asked)
    for (const columns of isWhole ? [own] : own) {
      const slice = matchingSlice(columns, left, part)
      rows += sliceLength(slice)
      if (sliceLength(slice) > 0) slices.push(slice)
    }
    onPart?.(at + 1, parts.length, rows)
  }
  return slices
}
