import { fork, signed } from './random.js'

/**
 * Hidden paths as value noise: independent knots, one every `period` days, joined by smoothstep, summed over octaves.
 * The level of any day follows from its number alone. So a longer sample repeats a shorter one day for day, and
 * nothing needs to be remembered while rows stream out. Only + - x /: every engine gives the same bits.
 */
const octaves = [
  { period: 64, size: 0.12 },
  { period: 16, size: 0.05 },
  { period: 5, size: 0.02 },
  { period: 1, size: 0.008 },
] as const

/** No wave leaves [-maxWave, maxWave]. */
export const maxWave = 0.198

/** Height of a path on day t, in [-maxWave, maxWave]; steps between neighbouring days stay below 0.043. */
export function wave(root: number, t: number): number {
  let height = 0
  for (const { period, size } of octaves) {
    const knot = Math.floor(t / period)
    const part = (t - knot * period) / period
    const own = fork(root, period)
    const left = signed(fork(own, knot))
    const right = period === 1 ? left : signed(fork(own, knot + 1))
    height += size * (left + (right - left) * part * part * (3 - 2 * part))
  }
  return height
}

/** A price in whole ticks: base x (1 + swing x wave). */
export function level(root: number, t: number, base: number, swing = 1): number {
  return Math.round(base * (1 + swing * wave(root, t)))
}
