import type { Table } from 'apache-arrow'
import { numbers } from '../../frame/read-columns.js'
import { sumDecimals } from '../exact/decimal.js'

/** What came of comparing one column: the same, not the same, or one side is not known. */
type Agreement = 'same' | 'differs' | 'unknown'

/** One column of a comparison. */
export interface Compared {
  readonly name: string
  readonly agreement: Agreement
  /** The two numbers; empty where they are the same. */
  readonly why: string
}

type PriceName = 'open' | 'high' | 'low' | 'close'
const priceNames: readonly PriceName[] = ['open', 'high', 'low', 'close']

/** Bars as columns. */
export type BarColumns = Readonly<Record<PriceName | 'vol' | 'amount', Float64Array>>

/** The columns of a table of bars, or of daily quotes, that are compared. @throws QuotebookError MISSING_COLUMN */
export function barColumnsOf(table: Table): BarColumns {
  return {
    open: numbers(table, 'open'),
    high: numbers(table, 'high'),
    low: numbers(table, 'low'),
    close: numbers(table, 'close'),
    vol: numbers(table, 'vol'),
    amount: numbers(table, 'amount'),
  }
}

const text = (x: number): string => (Number.isNaN(x) ? 'null' : String(x))

/**
 * Compares two numbers. Null on both sides is the same where a null may be right, as with the prices of bars that did not
 * trade; else a null makes the comparison unknown.
 */
export function compared(name: string, whole: number, parts: number, nulls: 'same' | 'unknown'): Compared {
  if (whole === parts) return { name, agreement: 'same', why: '' }
  const [a, b] = [Number.isNaN(whole), Number.isNaN(parts)]
  if (a && b && nulls === 'same') return { name, agreement: 'same', why: '' }
  return { name, agreement: a || b ? 'unknown' : 'differs', why: `${name} ${text(whole)} against ${text(parts)}` }
}

/** Prices of the given rows as one bar: the first open, the greatest high, the least low, the last close. */
function joined(bars: BarColumns, rows: readonly number[]): Record<PriceName, number> {
  const of = (name: PriceName): number[] => rows.map((row) => bars[name][row] as number)
  return {
    open: of('open')[0] ?? Number.NaN,
    high: Math.max(...of('high'), Number.NEGATIVE_INFINITY),
    low: Math.min(...of('low'), Number.POSITIVE_INFINITY),
    close: of('close').at(-1) ?? Number.NaN,
  }
}

/** The rows of which it is known that they traded, and those that may have. */
export function tradedOf(
  bars: BarColumns,
  rows: readonly number[],
): { readonly known: number[]; readonly maybe: number[] } {
  return {
    known: rows.filter((row) => (bars.vol[row] as number) > 0),
    maybe: rows.filter((row) => bars.vol[row] !== 0),
  }
}

/**
 * The prices of a bar against those of its parts, where it is not known which of some choices of parts makes the bar: a
 * price agrees if it does with one of the choices. Each choice has the parts of the one before it and maybe more; choices
 * without parts are passed over.
 */
export function comparePrices(
  whole: BarColumns,
  row: number,
  parts: BarColumns,
  choices: readonly (readonly number[])[],
  nulls: 'same' | 'unknown',
): Compared[] {
  const others = choices.filter((rows, i) => rows.length > (choices[i - 1]?.length ?? 0))
  const made = others.map((rows) => joined(parts, rows))
  return priceNames.flatMap((name) => {
    const found = made.map((prices) => compared(name, whole[name][row] as number, prices[name], nulls))
    const best =
      found.find(({ agreement }) => agreement === 'same') ?? found.find(({ agreement }) => agreement === 'unknown')
    return best ?? found[0] ?? []
  })
}

/** Sum of a column over rows, without drift; NaN where one is null. */
export function summed(column: Float64Array, rows: readonly number[]): number {
  return sumDecimals(rows.map((row) => column[row] as number))
}
