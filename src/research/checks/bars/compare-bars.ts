import type { Table } from 'apache-arrow'
import { numbers } from '../../../frame/read-columns.js'
import { type CheckResult, conclude, type Severities } from '../check.js'
import { type CheckColumns, LabelBuilder, numberColumn } from '../check-columns.js'
import { exactDifference, sumDecimals } from '../exact/decimal.js'
import { recordColumns } from '../record-columns.js'

/** What came of comparing one column: the same, not the same, or one side is not known. */
type Agreement = 'same' | 'differs' | 'unknown'

/** One column of a comparison. */
export interface Compared {
  readonly name: string
  readonly agreement: Agreement
  /** The two numbers; empty where they are the same. */
  readonly why: string
}

const priceNames = ['open', 'high', 'low', 'close'] as const

/** The columns of a bar's own numbers. */
export const barNumbers = [...priceNames, 'vol', 'amount'] as const

/** Bars as columns. */
export type BarColumns = Readonly<Record<(typeof barNumbers)[number], Float64Array>>

/** The columns of a table of bars, or of daily quotes, that are compared. @throws QuotebookError MISSING_COLUMN */
export function barColumnsOf(table: Table): BarColumns {
  return Object.fromEntries(barNumbers.map((name) => [name, numbers(table, name)])) as BarColumns
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
function joined(bars: BarColumns, rows: readonly number[]): Record<(typeof priceNames)[number], number> {
  const of = (name: keyof BarColumns): number[] => rows.map((row) => bars[name][row] as number)
  return {
    open: of('open')[0] ?? Number.NaN,
    high: Math.max(...of('high'), Number.NEGATIVE_INFINITY),
    low: Math.min(...of('low'), Number.POSITIVE_INFINITY),
    close: of('close').at(-1) ?? Number.NaN,
  }
}

/** Bars that together make one: sums without drift, NaN where a number is null, and which of them traded. */
export interface BarParts {
  readonly rows: readonly number[]
  readonly vol: number
  readonly amount: number
  /** Rows that traded. */
  readonly traded: readonly number[]
  /** Rows that traded or whose volume is null. */
  readonly maybeTraded: readonly number[]
}

export function addUp({ vol, amount }: BarColumns, rows: readonly number[]): BarParts {
  const sum = (column: Float64Array): number => sumDecimals(rows.map((row) => column[row] as number))
  const traded = rows.filter((row) => (vol[row] as number) > 0)
  return { rows, vol: sum(vol), amount: sum(amount), traded, maybeTraded: rows.filter((row) => vol[row] !== 0) }
}

/**
 * The prices of a bar against those of its parts, where it is not known which of some choices of parts makes the bar: a
 * price agrees if it does with one of the choices. Each choice has the parts of the one before it and maybe more; choices
 * without parts are skipped.
 */
export function comparePrices(
  whole: BarColumns,
  row: number,
  parts: BarColumns,
  choices: readonly (readonly number[])[],
  nulls: 'same' | 'unknown',
): Compared[] {
  const others = choices.filter((rows, i) => rows.length > (choices[i - 1]?.length ?? 0))
  const bars = others.map((rows) => joined(parts, rows))
  return priceNames.flatMap((name) => {
    const all = bars.map((prices) => compared(name, whole[name][row] as number, prices[name], nulls))
    const best = (['same', 'unknown'] as const).map((one) => all.find(({ agreement }) => agreement === one))
    return best[0] ?? best[1] ?? all[0] ?? []
  })
}

/** What the numbers of columns say, and in which way; `why` is null where all agree. */
export interface Verdict<V extends string> {
  readonly verdict: V
  readonly why: string | null
  /** Columns that do not agree. */
  readonly columns?: readonly string[]
}

export const reasons = (some: readonly Compared[]): string => some.map(({ why }) => why).join('; ')

/** The verdict of compared columns: one that differs counts before one that is unknown. */
export function verdictOf(all: readonly Compared[]): Verdict<'equal' | 'unverifiable' | 'mismatch'> {
  const wrong = all.filter(({ agreement }) => agreement === 'differs')
  if (wrong.length > 0) return { verdict: 'mismatch', why: reasons(wrong), columns: wrong.map(({ name }) => name) }
  const unknown = all.filter(({ agreement }) => agreement === 'unknown')
  return unknown.length > 0 ? { verdict: 'unverifiable', why: reasons(unknown) } : { verdict: 'equal', why: null }
}

/** A bar or a day, and what it was compared with; a number that is not known is left out. */
export interface Comparison<V extends string> extends Verdict<V> {
  readonly vol?: number | undefined
  readonly amount?: number | undefined
  readonly parts?: { readonly vol: number; readonly amount: number }
}

/** Names and meanings of the columns of a comparison. */
interface ComparisonWords {
  readonly unit?: string
  readonly vol: string
  readonly amount: string
  /** How the columns of the sums end. */
  readonly suffix: string
  readonly sum: string
}

/** One row for each comparison, under its keys. */
export function concludeComparisons<V extends string>(
  name: string,
  severities: Severities<V>,
  all: readonly Comparison<V>[],
  keys: CheckColumns,
  words: ComparisonWords,
): CheckResult<V> {
  const [verdict, why] = [new LabelBuilder(all.length), new LabelBuilder(all.length)]
  all.forEach((one, row) => {
    verdict.set(row, one.verdict)
    why.set(row, one.why)
  })
  const difference = Float64Array.from(all, ({ amount = Number.NaN, parts }) =>
    parts ? exactDifference(amount, parts.amount) : Number.NaN,
  )
  const { text, number } = recordColumns(all)
  return conclude(name, severities, verdict, why, difference, {
    ...keys,
    vol: number(words.unit, words.vol, ({ vol }) => vol ?? null),
    [`vol_${words.suffix}`]: number(words.unit, words.sum, ({ parts }) => parts?.vol ?? null),
    amount: number('yuan', words.amount, ({ amount }) => amount ?? null),
    [`amount_${words.suffix}`]: number('yuan', words.sum, ({ parts }) => parts?.amount ?? null),
    difference: numberColumn('yuan', `amount - amount_${words.suffix}.`, difference),
    columns: text('label', 'Columns that do not agree.', (one) => one.columns?.join(', ') ?? null),
  })
}
