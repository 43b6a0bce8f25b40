import { decimalPlaces, roundHalfUp } from './decimal.js'

const least = 2
const most = 6
/** What arithmetic of doubles leaves behind, relative to the number: 85.42070000000004 was 85.4207. */
export const noise = 1e-12
/** Below this, numbers of six decimals and less are told from each other by more than the noise. */
const plain = 1e5

/**
 * Decimals that a published number carries, 2 to 6: the fewest that give it up to the noise that arithmetic of doubles
 * leaves. NaN and infinities carry two.
 */
export function publishedPlaces(x: number): number {
  if (Math.abs(x) < plain) {
    for (let places = least; places <= most; places++)
      if (Math.round(x * 10 ** places) / 10 ** places === x) return places
  }
  const own = decimalPlaces(x)
  if (own <= least) return least
  for (let places = least; places < most; places++) {
    if (Math.abs(roundHalfUp(x, places) - x) <= noise * Math.max(1, Math.abs(x))) return places
  }
  return most
}

/**
 * Decimals that a column is published with, 2 to 6: the fewest that more than half of its numbers need no more than.
 * NaN, which is null, is not counted; a column without numbers has two. A single number with more decimals does not make
 * the others precise; it is to be judged by `cellPlaces`.
 */
export function usualPlaces(column: ArrayLike<number>): number {
  const places = new Uint8Array(column.length)
  let count = 0
  for (let row = 0; row < column.length; row++)
    if (Number.isFinite(column[row])) places[count++] = publishedPlaces(column[row] as number)
  return places.subarray(0, count).sort()[count >> 1] ?? least
}

/** Decimals by which one number of a column is judged: those usual in it, or its own if it has more. */
export function cellPlaces(x: number, usual: number): number {
  return Math.max(usual, publishedPlaces(x))
}
