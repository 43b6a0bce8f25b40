/*
 * The five functions that danfo takes from mathjs. They skip missing values (null, undefined, NaN), count true as 1
 * and false as 0, and give NaN where there is nothing to compute from.
 */

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

function average(numbers: readonly number[]): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum / numbers.length
}

/** Arithmetic mean; NaN of nothing. */
export function mean(cells: Cells): number {
  return average(present(cells))
}

/** Sample variance: squared deviations from the mean over n - 1. NaN of fewer than two values, as in pandas. */
export function variance(cells: Cells): number {
  const numbers = present(cells)
  if (numbers.length < 2) return Number.NaN
  const middle = average(numbers)
  let squares = 0
  for (const number of numbers) squares += (number - middle) ** 2
  return squares / (numbers.length - 1)
}

/** Sample standard deviation, the root of the variance. */
export function std(cells: Cells): number {
  return Math.sqrt(variance(cells))
}

/** Middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(cells: Cells): number {
  const sorted = Float64Array.from(present(cells)).sort()
  if (sorted.length === 0) return Number.NaN
  const half = sorted.length >> 1
  const upper = sorted[half] as number
  return sorted.length % 2 ? upper : ((sorted[half - 1] as number) + upper) / 2
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
