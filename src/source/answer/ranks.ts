import type { ColumnData, RecordColumns } from '../../table/values.js'

/** A column as whole numbers that compare as its cells do; missing cells last. */
interface Ranks {
  readonly of: Int32Array
  /** All are below it. */
  readonly size: number
}

function ofWords(
  { data, dictionary: words }: Extract<ColumnData, { type: 'dictionary' }>,
  isDescending: boolean,
): Ranks {
  const sorted = [...new Set(words)].sort()
  if (isDescending) sorted.reverse()
  const place = new Map(sorted.map((word, i) => [word, i]))
  const rank = Int32Array.from(words, (word) => place.get(word) as number)
  const size = sorted.length + 1
  const of = new Int32Array(data.length)
  for (let row = 0; row < of.length; row++) {
    const code = data[row] as number
    of[row] = code < 0 ? size - 1 : (rank[code] as number)
  }
  return { of, size }
}

/**
 * Rows as single numbers that compare as the rows do by the given columns, a leading `-` turning one round; undefined where
 * a column is no dictionary, or the numbers would outgrow what a double holds exactly.
 */
export function rowRanks(columns: RecordColumns, order: readonly string[]): Float64Array | undefined {
  const out = new Float64Array(columns.length)
  let size = 1
  for (const text of order) {
    const values = columns.columns.get(text.replace(/^-/, ''))
    if (values?.type !== 'dictionary') return undefined
    const ranks = ofWords(values, text.startsWith('-'))
    size *= ranks.size
    if (size * Math.max(1, columns.length) > Number.MAX_SAFE_INTEGER) return undefined
    for (let row = 0; row < out.length; row++) out[row] = (out[row] as number) * ranks.size + (ranks.of[row] as number)
  }
  return out
}

/** Rows in the order of their numbers, equal ones as they stand; undefined when they are in order already. */
export function sortedRows(ranks: Float64Array): Int32Array | undefined {
  let row = 1
  while (row < ranks.length && (ranks[row - 1] as number) <= (ranks[row] as number)) row++
  if (row >= ranks.length) return undefined
  const { length } = ranks
  const packed = ranks.map((rank, i) => rank * length + i).sort()
  return Int32Array.from(packed, (value) => value % length)
}
