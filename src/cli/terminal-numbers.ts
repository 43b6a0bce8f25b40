import type { ColumnInfo } from '../frame/show/describe-data.js'
import type { TerminalReading } from '../frame/show/show-data.js'
import { hasColours } from '../frame/show/terminal.js'
import { fixed, plain, signedTwo } from '../research/report/format-number.js'

/** Numbers that count nothing: a year or a day, in a column that does not say what its numbers are. */
function areNames(numbers: readonly number[]): boolean {
  const areYears = numbers.every((value) => Number.isInteger(value) && Math.abs(value) < 10_000)
  return areYears || numbers.every((value) => /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(String(value)))
}

/** From here on a double is written with an exponent, or has digits that nobody sent. */
const largest = 1e15

/**
 * How the numbers of a column are written at a terminal: `,` between thousands; a percentage of a dataset as on pages,
 * with two decimals and its sign; a plus before a rise. Everything else keeps each digit.
 */
export function terminalNumbers(
  { unit, ownUnit, isChange }: ColumnInfo,
  numbers: readonly number[],
): (value: number) => string {
  if (ownUnit === 'percent') return (value) => `${isChange ? signedTwo(value) : fixed(value, 2)}%`
  const isBare = ownUnit === 'Unix second' || (unit === undefined && areNames(numbers))
  return (value) => {
    if (isBare || !(Math.abs(value) < largest)) return String(value)
    return isChange && value > 0 ? `+${plain(value)}` : plain(value)
  }
}

/** What a table at the terminal is written by; undefined where the output is none. */
export function terminalReading(): TerminalReading | undefined {
  return process.stdout.isTTY ? { write: terminalNumbers, tints: hasColours() } : undefined
}
