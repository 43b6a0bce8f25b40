import { type Fraction, unitsDown, unitsHalfUp, unitsUp } from './fraction.js'

/** Beyond this a double is no longer much finer than the unit that is rounded to. */
const largest = 2 ** 40

/**
 * A number in whole units of 10^-`places`, halves away from zero. `value` is the number in doubles and `error` what it
 * may be off by; the exact number is asked only where a boundary lies within reach.
 */
export function halfUp(value: number, error: number, places: number, exact: () => Fraction): number {
  const scale = 10 ** places
  const size = Math.abs(value * scale)
  const slack = error * scale + size * 2 ** -50
  const whole = Math.floor(size)
  if (!(size < largest) || !(Math.abs(size - whole - 0.5) > slack)) return Number(unitsHalfUp(exact(), places))
  const rounded = Math.floor(size + 0.5)
  return value < 0 && rounded > 0 ? -rounded : rounded
}

/** A number in whole units of 10^-`places`, rounded up (`up`) or down; otherwise as `halfUp`. */
export function outward(value: number, error: number, places: number, up: boolean, exact: () => Fraction): number {
  const scale = 10 ** places
  const scaled = value * scale
  const slack = error * scale + Math.abs(scaled) * 2 ** -50
  const near = Math.abs(scaled - Math.round(scaled))
  if (!(Math.abs(scaled) < largest) || !(near > slack)) {
    return Number(up ? unitsUp(exact(), places) : unitsDown(exact(), places))
  }
  return up ? Math.ceil(scaled) : Math.floor(scaled)
}
