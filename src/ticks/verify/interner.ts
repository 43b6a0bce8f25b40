import { type ColumnData, cellOf } from '../../table/values.js'

export type CellValue = string | number

/** The distinct cells of a column, in the order in which they first appear. */
export interface ValueIndex {
  readonly words: readonly CellValue[]
  /** Rows that hold each word. */
  readonly counts: readonly number[]
  /** The first of them, from 1. */
  readonly first: readonly number[]
  /** Rows without a cell. */
  readonly nulls: number
  /** The places in `words` of the cells of the next rows; -1 where missing. `row` is that of the first of them. */
  take(values: ColumnData, row: number): Int32Array
}

function wordOf(cell: ReturnType<typeof cellOf>): CellValue | null {
  if (cell === null || typeof cell === 'number' || typeof cell === 'string') return cell
  return JSON.stringify(cell)
}

export function valueIndex(): ValueIndex {
  const words: CellValue[] = []
  const counts: number[] = []
  const first: number[] = []
  const places = new Map<CellValue, number>()
  let nulls = 0
  const placeOf = (word: CellValue): number => {
    const known = places.get(word)
    if (known !== undefined) return known
    places.set(word, words.length)
    counts.push(0)
    first.push(0)
    return words.push(word) - 1
  }
  const placesIn = (values: ColumnData): Int32Array => {
    if (values.type !== 'dictionary')
      return Int32Array.from({ length: values.data.length }, (_, at) => {
        const word = wordOf(cellOf(values, at))
        return word === null ? -1 : placeOf(word)
      })
    const known = new Int32Array(values.dictionary.length).fill(-1)
    return values.data.map((code) => {
      if (code < 0) return -1
      if (known[code] === -1) known[code] = placeOf(values.dictionary[code] as string)
      return known[code] as number
    })
  }
  return {
    words,
    counts,
    first,
    get nulls() {
      return nulls
    },
    take(values, row) {
      const found = placesIn(values)
      for (let at = 0; at < found.length; at++) {
        const place = found[at] as number
        if (place < 0) nulls++
        else {
          if (counts[place] === 0) first[place] = row + at
          counts[place] = (counts[place] ?? 0) + 1
        }
      }
      return found
    },
  }
}
