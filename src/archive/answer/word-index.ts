import { type Exchange, ownExchange, parseCode } from '../../contract/symbol.js'
import type { RecordColumns, Text } from '../../table/values.js'

/** The rows of each word of a text column, and the words by their spelling: what finds a few rows without a look at all. */
export interface Lookup {
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
export function lookupOf(columns: RecordColumns, name: string, isCode: boolean): Lookup | undefined {
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
export function placesOfCode({ places, exchanges, asked }: Lookup, code: string): readonly number[] {
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
export function rowsAt(lookup: Lookup, places: readonly number[]): Int32Array {
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
