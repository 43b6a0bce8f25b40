/*
 * The five functions that danfo takes from mathjs, computed by simple-statistics. They skip missing values (null,
 * undefined, NaN), count true as 1 and false as 0, and give NaN where there is nothing to compute from.
 */
import * as statistics from 'simple-statistics'

type Cells = readonly unknown[]

function present(cells: Cells): number[] {
  const out: number[] = []
  for (const cell of cells) {
    if (cell === null || cell === undefined || Number.isNaN(cell)) continue
    if (typeof cell !== 'number' && typeof cell !== 'boolean') throw new TypeError(`not a number: ${String(cell)}`)
    out.push(Number(cell))
  }
  return out
}

/** Sum of numbers without rounding errors that add up; the compensation of those is NaN beside an infinity. */
export function sum(numbers: readonly number[]): number {
  const total = statistics.sum(numbers as number[])
  return Number.isNaN(total) ? numbers.reduce((so, number) => so + number, 0) : total
}

/** Arithmetic mean; NaN of nothing. */
export function mean(cells: Cells): number {
  const numbers = present(cells)
  return numbers.length === 0 ? Number.NaN : sum(numbers) / numbers.length
}

/** Sample variance: squared deviations from the mean over n - 1. NaN of fewer than two values, as in pandas. */
export function variance(cells: Cells): number {
  const numbers = present(cells)
  return numbers.length < 2 ? Number.NaN : statistics.sampleVariance(numbers)
}

/** Sample standard deviation, the root of the variance. */
export function std(cells: Cells): number {
  return Math.sqrt(variance(cells))
}

/** Middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(cells: Cells): number {
  const numbers = present(cells)
  return numbers.length === 0 ? Number.NaN : statistics.median(numbers)
}

/** The most frequent values, in the order in which they first appear; text is counted like anything else. */
export function mode(cells: Cells): unknown[] {
  const counts = new Map<unknown, number>()
  let most = 0
  for (const cell of cells) {
    if (cell === null || cell === undefined || Number.isNaN(cell)) continue
    const count = (counts.get(cell) ?? 0) + 1
    counts.set(cell, count)
    most = Math.max(most, count)
  }
  return [...counts].flatMap(([cell, count]) => (count === most ? [cell] : []))
}
