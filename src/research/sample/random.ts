import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** MurmurHash3's finalizer: every bit of the result hangs on every bit of the input. */
function scramble(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function numberOf(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h
}

/**
 * A root of its own for a part of the sample: a dataset, then a symbol, then a day. What is drawn from one root
 * never depends on how much was drawn from another, so a new symbol or day leaves the rest as it is.
 */
export function fork(root: number, key: number | string): number {
  const own = typeof key === 'string' ? numberOf(key) : key
  return scramble(Math.imul(root, 0x9e3779b1) ^ scramble(own ^ 0x3c6ef372))
}

/** A root as a number from -1 (included) to 1 (excluded). */
export function signedUnit(root: number): number {
  return (root | 0) / 0x80000000
}

/** A whole number from 0 to below `size`, the same for a root at any time. */
export function below(root: number, size: number): number {
  return (root >>> 0) % size
}

/** Whether a root is the one in `parts` that lot picks. */
export function isChosen(root: number, parts: number): boolean {
  return below(fork(root, 'chosen'), parts) === 0
}

/** A stream of draws. */
export interface Draw {
  /** A whole number, both ends included. */
  int(from: number, to: number): number
  /** True once in `times` on average. */
  once(times: number): boolean
  pick<T>(list: readonly T[]): T
}

export function drawsFrom(root: number): Draw {
  const generator = xoroshiro128plus(root)
  const int = (from: number, to: number): number => uniformInt(generator, from, to)
  return {
    int,
    once: (times) => int(1, times) === 1,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
  }
}

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
    const left = signedUnit(fork(own, knot))
    const right = period === 1 ? left : signedUnit(fork(own, knot + 1))
    height += size * (left + (right - left) * part * part * (3 - 2 * part))
  }
  return height
}

/** A price in whole ticks: base x (1 + swing x wave). */
export function level(root: number, t: number, base: number, swing = 1): number {
  return Math.round(base * (1 + swing * wave(root, t)))
}
