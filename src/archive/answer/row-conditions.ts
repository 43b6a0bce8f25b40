import type { Dataset } from '../../contract/dataset.js'
import { codeMatcher, type Exchange, ownExchange, parseCode } from '../../contract/symbol.js'
import { gatherRows } from '../../table/gather-rows.js'
import { cellOf, type RecordColumns, type Text } from '../../table/values.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { type RowSlice, type Rows, rowNumbers, sliceLength } from './row-slices.js'

/** The rows of each word of a text column, and the words by their spelling: what finds a few rows without a look at all. */
interface Lookup {
  /** Rows of word i, ascending: rows[starts[i]] up to rows[starts[i + 1]]. */
  readonly starts: Int32Array
  readonly rows: Int32Array
  /** Places of a word by its spelling; of a code by its spelling without the exchange. */
  readonly places: ReadonlyMap<string, readonly number[]>
  readonly exchanges: readonly (Exchange | undefined)[]
  /** Places of a code by the spelling that it was asked for in; filled as codes are asked for. */
  readonly asked: Map<string, readonly number[]>
  /** The word of each row, -1 where it is missing. */
  readonly data: Int32Array
}

const known = new WeakMap<RecordColumns, Map<string, Lookup>>()

function made({ data, dictionary: words }: Text, isCode: boolean): Lookup {
  const starts = new Int32Array(words.length + 1)
  for (const code of data) if (code >= 0) starts[code + 1] = (starts[code + 1] as number) + 1
  for (let i = 0; i < words.length; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  const next = starts.slice()
  const rows = new Int32Array(starts[words.length] as number)
  for (let row = 0; row < data.length; row++) {
    const code = data[row] as number
    if (code < 0) continue
    const at = next[code] as number
    rows[at] = row
    next[code] = at + 1
  }
  const places = new Map<string, number[]>()
  const exchanges: (Exchange | undefined)[] = []
  words.forEach((word, place) => {
    const code = isCode ? parseCode(word) : undefined
    if (code) exchanges.push(ownExchange(code))
    const spelling = code?.bare ?? word
    const list = places.get(spelling)
    if (list) list.push(place)
    else places.set(spelling, [place])
  })
  return { starts, rows, places, exchanges, asked: new Map(), data }
}

/** The lookup of a column, made at its first use; undefined for a column that is no dictionary. */
function lookupOf(columns: RecordColumns, name: string, isCode: boolean): Lookup | undefined {
  const values = columns.columns.get(name)
  if (values?.type !== 'dictionary') return undefined
  let all = known.get(columns)
  if (!all) {
    all = new Map()
    known.set(columns, all)
  }
  let lookup = all.get(name)
  if (!lookup) {
    lookup = made(values, isCode)
    all.set(name, lookup)
  }
  return lookup
}

/** The places of a code in either spelling. Where both sides name or tell an exchange they agree: see `codeMatcher`. */
function placesOfCode({ places, exchanges, asked }: Lookup, code: string): readonly number[] {
  const known = asked.get(code)
  if (known) return known
  const { bare, exchange } = parseCode(code)
  const found = (places.get(bare) ?? []).filter((place) => {
    const own = exchanges[place]
    return own === undefined || exchange === undefined || own === exchange
  })
  // A code that is not there is not kept: anybody could think up any number of them.
  if (found.length > 0) asked.set(code, found)
  return found
}

/** How many rows the places hold. */
export function countAt({ starts }: Lookup, places: readonly number[]): number {
  let count = 0
  for (const place of places) count += (starts[place + 1] as number) - (starts[place] as number)
  return count
}

/** The rows at the places, ascending. To be read only. */
function rowsAt(lookup: Lookup, places: readonly number[]): Int32Array {
  const { starts, rows } = lookup
  const [first] = places
  if (first === undefined) return new Int32Array()
  if (places.length === 1) return rows.subarray(starts[first], starts[first + 1])
  const out = new Int32Array(countAt(lookup, places))
  let at = 0
  let isAscending = true
  for (const place of places) {
    const to = starts[place + 1] as number
    for (let i = starts[place] as number; i < to; i++) {
      const row = rows[i] as number
      if (at > 0 && row < (out[at - 1] as number)) isAscending = false
      out[at++] = row
    }
  }
  return isAscending ? out : out.sort()
}

/** Tells of the rows of some columns, those of a part where one is given, whether they are wanted. */
export type RowTest = (columns: RecordColumns, part?: ManifestPart) => (row: number) => boolean

/** Words of a column that are wanted, by their places in its lookup. */
interface Hit {
  readonly lookup: Lookup
  readonly places: readonly number[]
}

/** Which rows are wanted, and how to find them without a look at each. */
export interface Indexed {
  readonly test: RowTest
  /** The words wanted that are there; undefined for columns that have no lookup. */
  find?(columns: RecordColumns): Hit | undefined
  /** Whether it holds for every row of a part. */
  holdsFor?(part: ManifestPart): boolean
}

export type Condition = RowTest | Indexed

/** A condition on the text of a column. On a dictionary it is asked once for each distinct word. */
export function where(name: string, test: (word: string | null) => boolean): RowTest {
  return (columns) => {
    const values = columns.columns.get(name)
    if (!values) return () => false
    if (values.type === 'dictionary') {
      const wanted = Uint8Array.from(values.dictionary, (word) => (test(word) ? 1 : 0))
      const missing = test(null)
      return (row) => {
        const code = values.data[row] as number
        return code < 0 ? missing : wanted[code] === 1
      }
    }
    return (row) => {
      const cell = cellOf(values, row)
      return test(cell === null ? null : String(cell))
    }
  }
}

class Words implements Indexed {
  readonly #name: string
  readonly #wanted: readonly string[]

  constructor(name: string, wanted: readonly string[]) {
    this.#name = name
    this.#wanted = wanted
  }

  get test(): RowTest {
    const wanted = new Set<string | null>(this.#wanted)
    return where(this.#name, (word) => wanted.has(word))
  }

  find(columns: RecordColumns): Hit | undefined {
    const lookup = lookupOf(columns, this.#name, false)
    if (!lookup) return undefined
    const places: number[] = []
    for (const word of this.#wanted) for (const place of lookup.places.get(word) ?? []) places.push(place)
    return { lookup, places }
  }
}

class Codes implements Indexed {
  readonly #name: string
  readonly #wanted: readonly string[]
  #isCode: ((code: string) => boolean) | undefined

  constructor(name: string, wanted: readonly string[]) {
    this.#name = name
    this.#wanted = wanted
  }

  get test(): RowTest {
    return where(this.#name, (word) => word !== null && this.#matcher(word))
  }

  get #matcher(): (code: string) => boolean {
    this.#isCode ??= codeMatcher(this.#wanted)
    return this.#isCode
  }

  find(columns: RecordColumns): Hit | undefined {
    const lookup = lookupOf(columns, this.#name, true)
    if (!lookup) return undefined
    const places: number[] = []
    const { dictionary: words } = columns.columns.get(this.#name) as Text
    if (this.#wanted.length > words.length) {
      words.forEach((word, place) => {
        if (this.#matcher(word)) places.push(place)
      })
      return { lookup, places }
    }
    for (const code of this.#wanted) for (const place of placesOfCode(lookup, code)) places.push(place)
    return { lookup, places: this.#wanted.length === 1 ? places : [...new Set(places)] }
  }
}

/** A condition that a column has one of some words: on a dictionary their rows are looked up. */
export function whereWord(name: string, wanted: readonly string[]): Condition {
  return new Words(name, wanted)
}

/** A condition that a column has one of some codes, in either spelling: see `codeMatcher`. */
export function whereCode(name: string, wanted: readonly string[]): Condition {
  return new Codes(name, wanted)
}

/** Whether a row has one of the words at the places. */
function hasWord({ lookup: { data }, places }: Hit): (row: number) => boolean {
  const [only] = places
  if (places.length === 1) return (row) => data[row] === only
  if (places.length < 8) return (row) => places.includes(data[row] as number)
  const wanted = new Set(places)
  return (row) => wanted.has(data[row] as number)
}

/** The rows that the most selective lookup leaves, and the tests that they must still pass. */
function narrowed(
  columns: RecordColumns,
  conditions: readonly Condition[],
  part: ManifestPart | undefined,
): { rows: Rows; tests: ((row: number) => boolean)[] } {
  let best: Hit | undefined
  let least = Infinity
  const hits = conditions.map((condition) => {
    const hit = typeof condition === 'function' ? undefined : condition.find?.(columns)
    const count = hit ? countAt(hit.lookup, hit.places) : Infinity
    if (count < least) [best, least] = [hit, count]
    return hit
  })
  const tests: ((row: number) => boolean)[] = []
  for (let i = 0; i < hits.length; i++) {
    const hit = hits[i]
    const condition = conditions[i] as Condition
    if (hit === undefined) tests.push((typeof condition === 'function' ? condition : condition.test)(columns, part))
    else if (hit !== best && countAt(hit.lookup, hit.places) < columns.length) tests.push(hasWord(hit))
  }
  return { rows: best ? rowsAt(best.lookup, best.places) : { from: 0, to: columns.length }, tests }
}

/** Rows of a part for which every condition holds, ascending. */
export function matching(columns: RecordColumns, conditions: readonly Condition[], part?: ManifestPart): Rows {
  if (conditions.length === 0) return { from: 0, to: columns.length }
  const { rows, tests } = narrowed(columns, conditions, part)
  if (tests.length === 0 || sliceLength({ columns, rows }) === 0) return rows
  const isList = rows instanceof Int32Array
  const count = isList ? rows.length : rows.to
  const out = new Int32Array(count)
  let found = 0
  next: for (let i = 0; i < count; i++) {
    const row = isList ? (rows[i] as number) : i
    for (const test of tests) if (!test(row)) continue next
    out[found++] = row
  }
  return out.subarray(0, found)
}

/** The rows for which not every condition holds. */
export function unmatched(columns: RecordColumns, conditions: readonly Condition[]): RecordColumns {
  const gone = new Set(rowNumbers(matching(columns, conditions)))
  if (gone.size === 0) return columns
  const rows = Array.from({ length: columns.length }, (_, row) => row)
  return gatherRows(
    columns,
    rows.filter((row) => !gone.has(row)),
  )
}

/** Whether any row of a part meets the conditions. */
export function anyMatch(columns: RecordColumns, conditions: readonly Condition[]): boolean {
  return sliceLength({ columns, rows: matching(columns, conditions) }) > 0
}

/** Rows of the given parts for which every condition holds, part by part. */
export async function selectSlices(
  snapshot: Snapshot,
  dataset: Dataset,
  parts: readonly ManifestPart[],
  conditions: readonly Condition[],
): Promise<RowSlice[]> {
  const slices: RowSlice[] = []
  for (const part of parts) {
    const loaded = snapshot.load(dataset.name, part)
    const columns = loaded instanceof Promise ? await loaded : loaded
    const asked = conditions.filter((one) => typeof one === 'function' || !one.holdsFor?.(part))
    const slice = { columns, rows: matching(columns, asked, part) }
    if (sliceLength(slice) > 0) slices.push(slice)
  }
  return slices
}

/** The rows for which every condition holds. */
export function matchingSlice(columns: RecordColumns, conditions: readonly Condition[]): RowSlice {
  return { columns, rows: matching(columns, conditions) }
}
