import { uniformInt, xoroshiro128plus } from '#statistics'
import { quantileOfSorted } from '../../../frame/table/quantiles.js'

/** Ends of an interval that holds with 95 %. */
export interface BootstrapInterval {
  readonly low: number
  readonly high: number
}

/**
 * Samples of rows by the stationary bootstrap of Politis and Romano (1994): blocks of random rows that follow each other,
 * the last row followed by the first, of geometric length with the mean `block`. So days that resemble the days before
 * stay together. The same seed gives the same rows.
 */
export function eachResample(
  rows: number,
  { resamples, seed, block }: { readonly resamples: number; readonly seed: number; readonly block: number },
  use: (rows: Int32Array) => void,
): void {
  const generator = xoroshiro128plus(seed)
  const sample = new Int32Array(rows)
  for (let round = 0; round < resamples; round++) {
    let row = uniformInt(generator, 0, rows - 1)
    for (let at = 0; at < rows; at++) {
      sample[at] = row
      // one draw decides both: with a chance of 1 in `block` it is a row, where a block begins
      const next = uniformInt(generator, 0, rows * block - 1)
      row = next < rows ? next : (row + 1) % rows
    }
    use(sample)
  }
}

/** The middle 95 % of resampled figures; those that could not be computed do not count. */
export function middleOf(figures: readonly number[]): BootstrapInterval {
  const sorted = Float64Array.from(figures.filter((one) => !Number.isNaN(one))).sort()
  return { low: quantileOfSorted(sorted, 0.025), high: quantileOfSorted(sorted, 0.975) }
}
