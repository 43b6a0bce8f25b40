import type { Data } from '../../frame/data.js'
import { before, besideOf, ofDay, refuseTwice } from './beside.js'
import { pricesIn } from './float.js'

export interface Close {
  /** Yuan. */
  readonly close: number
  readonly day: string
}

/** Closes by security and day. */
export interface Closes {
  /** The close of the last day before a day that has one; undefined when there is none. */
  before(symbol: string, day: string): Close | undefined
  /** The close of a day; NaN when there is none. */
  on(symbol: string, day: string): number
}

/**
 * Closes from a table with tradedate, code or symbol, and close. A close that is null or not above 0 is none.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day that can't be read, and, when it is asked for, for a security with
 * two rows on a day
 */
export function closesOf(data: Data): Closes {
  const beside = besideOf('closes', data)
  const close = pricesIn(data, 'close')
  const one = (symbol: string, rows: Int32Array, day: string): number => {
    const own = ofDay(beside, rows, day)
    if (own.length > 1) refuseTwice('closes', symbol, day, own)
    const [row] = own
    return row === undefined ? Number.NaN : (close[row] as number)
  }
  return {
    before(symbol, day) {
      const rows = beside.of(symbol)
      for (let at = before(beside, rows, day) - 1; at >= 0; at--) {
        const own = beside.dayOf(rows[at] as number)
        const found = one(symbol, rows, own)
        if (!Number.isNaN(found)) return { close: found, day: own }
      }
      return undefined
    },
    on: (symbol, day) => one(symbol, beside.of(symbol), day),
  }
}
