import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { numbersToRead } from '../../../frame/read-columns.js'
import { type CheckResult, type Concluded, conclude } from '../check.js'
import { type CheckColumns, LabelBuilder, labelColumn, nanColumn, numberColumn } from '../check-columns.js'
import { exactDifference, sumDecimals } from '../exact/decimal.js'
import { ReasonBuilder } from '../reasons.js'

/** One column of a comparison in which the two do not agree, or one side is not known. */
export interface Compared {
  readonly name: string
  readonly agreement: 'differs' | 'unknown'
  /** The two numbers. */
  readonly why: Words
}

const priceNames = ['open', 'high', 'low', 'close'] as const

/** The columns of a bar's own numbers. */
export const barNumbers = [...priceNames, 'vol', 'amount'] as const

/** Bars as columns. */
export type BarColumns = Readonly<Record<(typeof barNumbers)[number], Float64Array>>

/** The columns of a table of bars, or of daily quotes, that are compared. @throws QuotebookError MISSING_COLUMN */
export function barColumnsOf(table: Table): BarColumns {
  return Object.fromEntries(barNumbers.map((name) => [name, numbersToRead(table, name)])) as BarColumns
}

function against(name: string, whole: number, parts: number): Words {
  if (Number.isNaN(whole))
    return Number.isNaN(parts) ? sentence`${name} null against null` : sentence`${name} null against ${parts}`
  return Number.isNaN(parts) ? sentence`${name} ${whole} against null` : sentence`${name} ${whole} against ${parts}`
}

/**
 * Compares two numbers; undefined where they are the same. Null on both sides is the same where a null may be right, as with the
 * prices of bars that did not trade; else a null makes the comparison unknown.
 */
export function compared(name: string, whole: number, parts: number, nulls: 'same' | 'unknown'): Compared | undefined {
  if (whole === parts) return undefined
  const [a, b] = [Number.isNaN(whole), Number.isNaN(parts)]
  if (a && b && nulls === 'same') return undefined
  return {
    name,
    agreement: a || b ? 'unknown' : 'differs',
    why: against(name, whole, parts),
  }
}

/** Prices of the given rows as one bar: the first open, the greatest high, the least low, the last close. */
function joined(bars: BarColumns, rows: readonly number[]): Record<(typeof priceNames)[number], number> {
  let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const row of rows) {
    high = Math.max(high, bars.high[row] as number)
    low = Math.min(low, bars.low[row] as number)
  }
  const [first = -1, last = -1] = [rows[0], rows.at(-1)]
  return { open: bars.open[first] ?? Number.NaN, high, low, close: bars.close[last] ?? Number.NaN }
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
  const [vols, amounts, traded, maybeTraded]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (const row of rows) {
    const own = vol[row] as number
    vols.push(own)
    amounts.push(amount[row] as number)
    if (own > 0) traded.push(row)
    if (own !== 0) maybeTraded.push(row)
  }
  return { rows, vol: sumDecimals(vols), amount: sumDecimals(amounts), traded, maybeTraded }
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
  const tried: (Compared | undefined)[][] = []
  for (const [i, rows] of choices.entries()) {
    if (rows.length <= (choices[i - 1]?.length ?? 0)) continue
    const prices = joined(parts, rows)
    const all = priceNames.map((name) => compared(name, whole[name][row] as number, prices[name], nulls))
    if (all.every((one) => one === undefined)) return []
    tried.push(all)
  }
  return priceNames.flatMap((_, at) => {
    const all = tried.map((one) => one[at])
    return all.includes(undefined) ? [] : (all.find((one) => one?.agreement === 'unknown') ?? all[0] ?? [])
  })
}

/** What the numbers of columns say, and in which way; `why` has nothing where all agree. */
export interface Verdict<V extends string> {
  readonly verdict: V
  readonly why: readonly Words[]
  /** Columns that do not agree. */
  readonly columns?: readonly string[] | undefined
}

/** The verdict of compared columns: one that differs counts before one that is unknown. */
export function verdictOf(all: readonly Compared[]): Verdict<'equal' | 'unverifiable' | 'mismatch'> {
  if (all.length === 0) return { verdict: 'equal', why: [] }
  const wrong = all.filter(({ agreement }) => agreement === 'differs')
  if (wrong.length > 0)
    return { verdict: 'mismatch', why: wrong.map(({ why }) => why), columns: wrong.map(({ name }) => name) }
  return { verdict: 'unverifiable', why: all.map(({ why }) => why) }
}

/** A bar or a day, and what it was compared with; a number that is not known is left out. */
export interface Comparison<V extends string> extends Verdict<V> {
  readonly vol?: number | undefined
  readonly amount?: number | undefined
  readonly parts?: { readonly vol: number; readonly amount: number } | undefined
}

/** A comparison of numbers that are known; there are as many as bars, so that all have one shape. */
export function comparison<V extends string>(
  { verdict, why, columns }: Verdict<V>,
  vol: number,
  amount: number,
  parts?: BarParts,
): Comparison<V> {
  return { verdict, why, columns, vol, amount, parts }
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
  check: Concluded<V>,
  count: number,
  comparisonAt: (at: number) => Comparison<V>,
  keys: CheckColumns,
  words: ComparisonWords,
): CheckResult<V> {
  const [verdict, why, columns] = [new LabelBuilder(count), new ReasonBuilder(count), new LabelBuilder(count)]
  const [vol, amount, volSum] = [nanColumn(count), nanColumn(count), nanColumn(count)]
  const [amountSum, difference] = [nanColumn(count), nanColumn(count)]
  for (let at = 0; at < count; at++) {
    const one = comparisonAt(at)
    verdict.set(at, one.verdict)
    why.set(at, one.why)
    if (one.columns) columns.set(at, one.columns.join(', '))
    if (one.vol !== undefined) vol[at] = one.vol
    if (one.amount !== undefined) amount[at] = one.amount
    if (!one.parts) continue
    volSum[at] = one.parts.vol
    amountSum[at] = one.parts.amount
    difference[at] = exactDifference(amount[at] as number, one.parts.amount)
  }
  return conclude(check, verdict, why, difference, {
    ...keys,
    vol: numberColumn(words.unit, words.vol, vol),
    [`vol_${words.suffix}`]: numberColumn(words.unit, words.sum, volSum),
    amount: numberColumn('yuan', words.amount, amount),
    [`amount_${words.suffix}`]: numberColumn('yuan', words.sum, amountSum),
    difference: numberColumn('yuan', `amount - amount_${words.suffix}.`, difference),
    columns: labelColumn('label', 'Columns that do not agree.', columns),
  })
}
