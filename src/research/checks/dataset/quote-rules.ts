import { sentence, type Words } from '../../../contract/sentence.js'
import { exactDifference, percentOver } from '../exact/decimal.js'
import { divide, type Interval, intersect, multiply, point, rounded, subtract } from '../exact/interval.js'
import { isDifference, isPercentChange } from '../exact/rounding-tests.js'
import { finding, inColumns, mismatch, type RowFinding, unverifiable, warn } from '../findings.js'

/** A number of a row, and the decimals that it is published with. */
export interface QuoteCell {
  readonly value: number
  readonly places: number
}

const closes = ['close', 'pre_close'] as const

type Cells<N extends string> = Readonly<Record<N, QuoteCell>>

function span({ value, places }: QuoteCell): Interval {
  return rounded(value, places)
}

/**
 * Change and percentage of a day against its two closes.
 * @param formula of the percentage
 * @param areRounded the closes may be rounded themselves, as points are; prices are what was traded
 */
export function* changeFindings(
  row: number,
  { close, pre_close: before, change, pct_chg: percent }: Cells<'close' | 'pre_close' | 'change' | 'pct_chg'>,
  formula: string,
  areRounded: boolean,
): Iterable<RowFinding> {
  if (!Number.isFinite(close.value) || !Number.isFinite(before.value)) return
  if (Number.isFinite(change.value) && !isDifference(change.value, close.value, before.value, change.places)) {
    const isRounding = areRounded && intersect(subtract(span(close), span(before)), span(change)) !== undefined
    const due = exactDifference(close.value, before.value)
    if (isRounding)
      yield finding(
        'within-rounding',
        row,
        'change',
        sentence`change is close - pre_close before rounding`,
        change.value,
        due,
      )
    else
      yield inColumns(
        ['change', ...closes],
        mismatch(row, 'change', sentence`change is not close - pre_close`, change.value, due),
      )
  }
  if (!Number.isFinite(percent.value)) return
  if (before.value === 0) yield warn(row, 'pct_chg', sentence`pct_chg is there though pre_close is 0`)
  else if (!isPercentChange(percent.value, close.value, before.value, percent.places)) {
    const exact = multiply(subtract(divide(span(close), span(before)), point(1)), point(100))
    const isRounding = areRounded && intersect(exact, span(percent)) !== undefined
    const due = percentOver(close.value, before.value, percent.places)
    if (isRounding)
      yield finding(
        'within-rounding',
        row,
        'pct_chg',
        sentence`pct_chg is ${formula} before rounding`,
        percent.value,
        due,
      )
    else
      yield inColumns(
        ['pct_chg', ...closes],
        mismatch(row, 'pct_chg', sentence`pct_chg is not ${formula}`, percent.value, due),
      )
  }
}

/** Surely above: by more than the rounding of the one with fewer decimals. */
function isAbove(a: QuoteCell, b: QuoteCell): boolean {
  if (!(a.value > b.value)) return false
  return a.places === b.places || exactDifference(a.value, b.value) > 0.5 * 10 ** -Math.min(a.places, b.places)
}

/** Open and close within low and high. @param verdict of those that are not */
export function* rangeFindings(
  row: number,
  { open, high, low, close }: Cells<'open' | 'high' | 'low' | 'close'>,
  verdict: 'warn' | 'mismatch',
): Iterable<RowFinding> {
  if (isAbove(low, high)) {
    yield inColumns(['high', 'low'], mismatch(row, 'range', sentence`high is below low`, high.value, low.value))
    return
  }
  for (const [name, one] of Object.entries({ open, close })) {
    if (isAbove(one, high)) {
      const why = sentence`${name} is above high`
      yield inColumns([name, 'high'], finding(verdict, row, 'range', why, one.value, high.value))
    } else if (isAbove(low, one)) {
      const why = sentence`${name} is below low`
      yield inColumns([name, 'low'], finding(verdict, row, 'range', why, one.value, low.value))
    }
  }
}

/** Numbers of a row that are missing. */
export function* nullFindings(row: number, missing: readonly string[]): Iterable<RowFinding> {
  if (missing.length === 0) return
  const why: readonly Words[] = [sentence`null: ${missing.join(', ')}`, sentence`the rest was checked`]
  yield unverifiable(row, 'null', why)
}
