import type { FooterChunk, FooterColumn } from '../../table/parquet-file/footer.js'
import { type ColumnData, cellOf } from '../../table/values.js'

/** Types whose bounds can be held against cells as they are. */
const plain = /^(int(8|16|32|64)|float|double|string)$/

function isBound(bound: unknown): bound is number | bigint | string {
  if (typeof bound === 'string') return !bound.includes('\uFFFD')
  return typeof bound === 'bigint' || (typeof bound === 'number' && !Number.isNaN(bound))
}

function isBelow(a: number | string, b: number | bigint | string): boolean {
  if (!(a < b)) return false
  // Parquet orders text by its bytes, JavaScript by its halves of characters.
  return typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0
}

function isAbove(a: number | string, b: number | bigint | string): boolean {
  if (!(a > b)) return false
  return typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) > 0
}

/** The least and greatest cell; undefined where there is none, or cells have no order. */
function rangeOf(values: ColumnData): readonly [number | string, number | string] | undefined {
  let range: [number | string, number | string] | undefined
  const widen = (cell: number | string): void => {
    if (Number.isNaN(cell)) return
    range ??= [cell, cell]
    if (cell < range[0]) range[0] = cell
    if (cell > range[1]) range[1] = cell
  }
  if (values.type === 'dictionary') {
    const used = new Uint8Array(values.dictionary.length)
    for (const code of values.data) if (code >= 0) used[code] = 1
    values.dictionary.forEach((word, code) => {
      if (used[code] === 1) widen(word)
    })
  } else
    for (let row = 0; row < values.data.length; row++) {
      const cell = cellOf(values, row)
      if (typeof cell === 'number' || typeof cell === 'string') widen(cell)
    }
  return range
}

/** What the footer says of the cells of a column, held against them: a reader that skips row groups believes it. */
export function boundsCheck({ type }: FooterColumn, { column, min, max, nulls }: FooterChunk, group: number) {
  let missing = 0
  let wrong: string | undefined
  let [isHeld, isTaken] = [false, false]
  return {
    take(values: ColumnData, missingHere: number): void {
      missing += missingHere
      isTaken = true
      const range = plain.test(type) && (isBound(min) || isBound(max)) ? rangeOf(values) : undefined
      if (!range || wrong !== undefined) return
      isHeld = true
      const [least, greatest] = range
      const isText = typeof least === 'string'
      const where = `${column} in row group ${group}`
      if (isBound(min) && (typeof min === 'string') === isText && isBelow(least, min))
        wrong = `${where} holds ${JSON.stringify(least)}, its footer says from ${String(min)}`
      else if (isBound(max) && (typeof max === 'string') === isText && isAbove(greatest, max))
        wrong = `${where} holds ${JSON.stringify(greatest)}, its footer says up to ${String(max)}`
    },
    /** The footer tells something that can be held against cells, and was. */
    isMade: (): boolean => isTaken && (nulls !== undefined || isHeld),
    wrong(): readonly string[] {
      if (wrong !== undefined) return [wrong]
      if (nulls === undefined || nulls === missing) return []
      return [`${column} in row group ${group} has ${missing} nulls, its footer says ${nulls}`]
    },
  }
}
