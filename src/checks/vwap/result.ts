import { LabelBuilder, numberColumn, type ResultColumns } from '../columns.js'
import { exactDifference, shifted } from '../exact/decimal.js'
import type { Ends, Judged, VwapVerdict } from './judge.js'

/** What the check writes, row by row of the input. Rows that nothing is written to are as most rows are. */
export class Result {
  readonly verdict: LabelBuilder
  readonly why: LabelBuilder
  readonly off: Float64Array
  readonly ticks: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array

  /** @param usual the verdict of rows that are not set, and their difference */
  constructor(rows: number, usual: { readonly verdict: VwapVerdict; readonly off: number }) {
    this.verdict = new LabelBuilder(rows)
    this.why = new LabelBuilder(rows)
    this.off = new Float64Array(rows).fill(usual.off)
    this.ticks = new Float64Array(rows).fill(usual.off)
    this.low = new Float64Array(rows).fill(Number.NaN)
    this.high = new Float64Array(rows).fill(Number.NaN)
    if (rows > 0) this.verdict.set(0, usual.verdict)
    this.verdict.codes.fill(0)
  }

  set(row: number, { verdict, why }: Judged): void {
    this.verdict.set(row, verdict)
    this.why.set(row, why)
  }

  /** What is published less what is due, in yuan and in ticks. `due` has three decimals, or as many as are published. */
  differ(row: number, published: number, due: number, { low, high }: Ends): void {
    this.low[row] = low
    this.high[row] = high
    const thousandths = Math.round(published * 1000)
    const plain = thousandths / 1000 === published && Math.abs(published) < 1e12 && due < 1e12
    this.ticks[row] = plain ? thousandths - Math.round(due * 1000) : shifted(exactDifference(published, due), 3)
    this.off[row] = plain ? (this.ticks[row] as number) / 1000 : exactDifference(published, due)
  }

  /** A row that has no difference. */
  without(row: number): void {
    this.off[row] = Number.NaN
    this.ticks[row] = Number.NaN
  }
}

/** The columns of the check. */
export function columnsOf(given: Float64Array, recomputed: Float64Array, result: Result): ResultColumns {
  return {
    given: numberColumn('yuan', 'The published average price; null where there is none.', given),
    recomputed: numberColumn(
      'yuan',
      'Cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals, or as many as `given` has beyond them; null before the first trade and where it cannot be known.',
      recomputed,
    ),
    difference: numberColumn('yuan', 'given - recomputed.', result.off),
    ticks: numberColumn('0.001 yuan', 'The difference in steps of the third decimal.', result.ticks),
    low: numberColumn(
      'yuan',
      'Least value that a volume rounded to whole lots can explain; null where none was asked for: only lot-bound and mismatch have it.',
      result.low,
    ),
    high: numberColumn('yuan', 'Greatest such value; null also where nothing bounds it.', result.high),
  }
}
