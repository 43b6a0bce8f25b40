import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import { chinaRules, type InstrumentClass, inForce } from '../../../contract/trading-rules.js'
import { dictionaryToRead, has, numbers, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { numberColumn } from '../check-columns.js'
import { decimalToNumber, quotientHalfUp, toDecimal } from '../exact/decimal.js'
import { usualPlaces } from '../exact/precision.js'
import { isDifference, isPercentChange, placesIn } from '../exact/rounding-tests.js'
import { type CellsOf, cellsByRow, inColumns, mismatch, type RowFinding, warn } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { chainFinding, daysInside, rowsBefore } from './earlier-rows.js'
import { namePairs } from './name-pairs.js'
import { changeFindings, nullFindings, rangeFindings } from './quote-rules.js'

/** Issue price, which is the previous close of a bond's first day. */
const issuePrice = 100

interface Limits {
  readonly up: number
  readonly down: number
  /** What they are of the previous close, in words. */
  readonly told: Words
}

/** previous close x (100 + percent) %, ROUND_HALF_UP to the tick of 0.001 yuan. */
function limit(previous: number, percent: number): number {
  const { digits, scale } = toDecimal(previous)
  const thousandths = BigInt(Math.round((100 + percent) * 10))
  return decimalToNumber(quotientHalfUp(digits * thousandths, 10n ** BigInt(scale)), 3)
}

const bond: InstrumentClass = 'convertible bond'
/** The least limit of any time, as a share of 1. */
const leastLimit =
  Math.min(...chinaRules.limits.flatMap(({ boards, percent }) => (boards.includes(bond) ? [percent] : []))) / 100
const inWords = (up = 0, down = 0): string => `+${up} / ${down} %`

/**
 * The limits of a bond's day in yuan, by the rules in force; undefined before there were any.
 * @param first whether no earlier row of the bond is known; its first day is one with a previous close of 100 as well
 */
export function bondLimits(date: string, previous: number, first: boolean): Limits | undefined {
  const [usual] = inForce(chinaRules.limits, bond, date)
  if (!usual || !(previous > 0) || !Number.isFinite(previous)) return undefined
  const [listing] = first && previous === issuePrice ? inForce(chinaRules.listings, bond, date) : []
  const { up = usual.percent, down = -usual.percent } = listing ?? {}
  const told = listing ? sentence`${inWords(up, down)} of a first day` : `${usual.percent} %`
  return { up: limit(previous, up), down: limit(previous, down), told }
}

/** The limits that hold now, as the rule of the check names them. */
function limitText(): string {
  const [usual] = inForce(chinaRules.limits, bond, '99991231')
  const [listing] = inForce(chinaRules.listings, bond, '99991231')
  const since = usual?.from.replace(/(....)(..)(..)/, '$1-$2-$3')
  return `${usual?.percent} % (${inWords(listing?.up, listing?.down)} on a first day) since ${since}`
}

const names = ['pre_close', 'open', 'high', 'low', 'close', 'change', 'pct_chg', 'vol', 'amount'] as const
type Cells = CellsOf<(typeof names)[number], 'tradedate'>

/** 0 in the place of a price is a day without trade, or wrong. */
function* zeroRules(cells: Cells): Iterable<RowFinding> {
  for (const name of ['pre_close', 'open', 'high', 'low', 'close'] as const) {
    if (cells[name] !== 0) continue
    if (cells.vol === 0 && name !== 'pre_close')
      yield warn(cells.row, 'sign', sentence`${name} is 0 on a day without trade`, 0)
    else yield inColumns([name], mismatch(cells.row, 'sign', sentence`${name} is 0`, 0))
  }
}

/** Rows whose code and symbol are not those of one bond. */
function* codeFindings(table: Table): Iterable<RowFinding> {
  if (!has(table, 'symbol')) return
  const [codes, symbols] = [dictionaryToRead(table, 'code'), dictionaryToRead(table, 'symbol')]
  const places = new Map(symbols.words.map((word, code) => [word, code]))
  const due = codes.words.map((code) => places.get(parseCode(code).bare))
  for (const [row, code] of codes.codes.entries()) {
    const symbol = symbols.codes[row] as number
    if (code < 0 || symbol < 0 || due[code] === symbol) continue
    yield mismatch(row, 'code', sentence`symbol ${symbols.words[symbol]} is not the number of ${codes.words[code]}`)
  }
}

/** What rounding a turnover can make up: a cent, or a whole yuan where it has no decimals. */
function slack(amount: number): number {
  return Number.isInteger(amount) ? 1 : 0.01
}

/**
 * The turnover of a day lies between its volume at the low and at the high; a lot is 10 bonds, and volume may be rounded
 * to whole lots either way. Deals outside the matching (negotiated ones) can be counted too, so this contradicts nothing.
 */
function* averageRule({ row, vol, amount, low, high }: Cells): Iterable<RowFinding> {
  if (!(vol >= 0 && amount >= 0 && low > 0 && high >= low) || ![vol, amount, high].every(Number.isFinite)) return
  const [least, most] = [10 * low * Math.max(0, vol - 1), 10 * high * (vol + 1)]
  // 10^-12 of the terms is beyond what three operations on doubles leave.
  const margin = slack(amount) + 1e-12 * (most + amount)
  if (amount >= least - margin && amount <= most + margin) return
  const why = sentence`amount / (vol x 10) lies outside low and high by more than a lot`
  yield warn(row, 'average price', why, amount, amount < least ? least : most)
}

function* limitRule(cells: Cells, isFirst: boolean): Iterable<RowFinding> {
  const near = 0.95 * leastLimit * cells.pre_close
  if (cells.high < cells.pre_close + near && cells.low > cells.pre_close - near) return
  const limits = bondLimits(cells.tradedate ?? '', cells.pre_close, isFirst)
  if (!limits) return
  for (const name of ['high', 'low', 'close'] as const) {
    const price = cells[name]
    if (!(price > 0) || (price <= limits.up && price >= limits.down)) continue
    const due = price > limits.up ? limits.up : limits.down
    yield warn(cells.row, 'limit', sentence`${name} is beyond the limit of ${limits.told}`, price, due)
    return
  }
}

/** The latest day before a row on which the bond has a close; undefined where there is none. */
function closedBefore(days: readonly Cells[], before: Int32Array, row: number): Cells | undefined {
  let earlier = before[row] as number
  while (earlier >= 0 && !((days[earlier] as Cells).close > 0)) earlier = before[earlier] as number
  return days[earlier]
}

function* chainRule(one: Cells, earlier: Cells | undefined, inside: (from: string, to: string) => number) {
  if (!earlier || !(one.pre_close > 0) || one.pre_close === earlier.close) return
  const from = earlier.tradedate ?? ''
  const why = sentence`pre_close is not the close of ${from}, the bond's row before`
  const days = inside(from, one.tradedate ?? '')
  yield chainFinding(one.row, 'pre_close', why, [one.pre_close, earlier.close], days, sentence`a close`)
}

/** Decimals that change and percentage are published with. */
type Places = Readonly<Record<'change' | 'pct_chg', number>>

/** Whether change and range of a day contradict nothing and no number is missing, as on nearly all days. */
function isUsual(cells: Cells, usual: Places): boolean {
  const { open, high, low, close, pre_close: before, change, pct_chg: percent, vol, amount } = cells
  const isOrdered = low > 0 && low <= open && low <= close && open <= high && close <= high
  if (!isOrdered || !Number.isFinite(high) || !Number.isFinite(vol + amount) || !(before > 0)) return false
  return (
    isDifference(change, close, before, placesIn(change, usual.change)) &&
    isPercentChange(percent, close, before, placesIn(percent, usual.pct_chg))
  )
}

function* changeAndRange(cells: Cells, usual: Places): Iterable<RowFinding> {
  const price = (name: (typeof names)[number]) => ({ value: cells[name] || Number.NaN, places: 0 })
  const computed = (name: keyof Places) => ({ value: cells[name], places: placesIn(cells[name], usual[name]) })
  const prices = { open: price('open'), high: price('high'), low: price('low'), close: price('close') }
  yield* zeroRules(cells)
  if (cells.close > 0 && cells.pre_close > 0) {
    const quote = {
      ...prices,
      pre_close: price('pre_close'),
      change: computed('change'),
      pct_chg: computed('pct_chg'),
    }
    yield* changeFindings(cells.row, quote, 'change / pre_close x 100', false)
  }
  yield* rangeFindings(cells.row, prices, 'mismatch')
}

function* findings(table: Table, days: readonly Cells[], before: Int32Array): Iterable<RowFinding> {
  yield* codeFindings(table)
  yield* namePairs(table, 'code', 'tradedate')
  const inside = daysInside()
  const usual = { change: usualPlaces(numbers(table, 'change')), pct_chg: usualPlaces(numbers(table, 'pct_chg')) }
  for (const [row, cells] of days.entries()) {
    const isOdd = !isUsual(cells, usual)
    if (isOdd) yield* changeAndRange(cells, usual)
    yield* averageRule(cells)
    yield* chainRule(cells, closedBefore(days, before, row), inside)
    yield* limitRule(cells, (before[row] as number) < 0)
    const missing = isOdd ? names.filter((name) => Number.isNaN(cells[name])) : []
    yield* nullFindings(row, missing)
  }
}

/**
 * Daily quotes of convertible bonds against their own row and the bond's row before; prices are what was traded,
 * exact, and computed numbers may be rounded to the decimals that their column is published with, whichever way ties go.
 *
 * - change = close - pre_close, pct_chg = (close / pre_close - 1) x 100; low <= open, close <= high.
 * - no number below 0, no price of 0; amount between vol x 10 at the low and at the high, up to a lot either way.
 * - symbol is the number of code, where there is a column of it.
 * - pre_close = close of the bond's row before, across days on which it did not trade.
 * - high, low and close within the limits of the trading rules in force.
 */
export const convertibleDailyCheck = rowCheck({
  name: 'convertible day',
  summary: 'daily quotes of bonds: change, previous close, range, limits',
  dataset: 'convertible_daily',
  rule: `change and pct_chg are recomputed from close and pre_close, pre_close is compared with the bond's close before, open and close against low and high, amount against volume at those prices, and prices against the limit of ${limitText()}.`,
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Change, range, turnover and previous close agree, within the rounding of the published numbers.`),
    unverifiable: leavesOpen(sentence`A number is null; the rest of the row was checked.`),
    gap: leavesOpen(sentence`pre_close is not the bond's close before, and trading days between have no row of it.`),
    warn: leavesOpen(sentence`Beyond a price limit, an average price outside the range of the day (deals outside the matching can explain it), or 0 for a price on a day without trade.`),
    duplicate: fails(sentence`The bond has two rows of the day.`),
    mismatch: fails(sentence`A number is not what the others give, or symbol and code are of two bonds.`),
  },
  confirmedAs: 'recomputed to the published decimals',
  compares: true,
  twice: () => sentence`the bond has two rows of this day`,
  read: (table) => {
    const days = cellsByRow(table, names, ['tradedate'])
    const before = rowsBefore(strings(table, 'code'), strings(table, 'tradedate'))
    const closed = Float64Array.from(days, (_, row) => closedBefore(days, before, row)?.close ?? Number.NaN)
    return {
      findings: findings(table, days, before),
      columns: {
        ...givenColumns(table, 'convertible_daily', 'tradedate', 'code'),
        before: numberColumn('yuan', 'Close of the bond before the day; null when the table has none.', closed),
        ...givenColumns(table, 'convertible_daily', 'pre_close', 'close'),
      },
    }
  },
})
