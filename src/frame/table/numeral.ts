import { isDate } from '../../contract/date.js'

/** A decimal numeral that is nothing else: no leading zero, no plus, an exponent only with its sign. */
const numeral = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d+)?$/i

/** Whole numbers from here on are written with an exponent: as plain digits they would look like an id. */
const long = 1e15

/** A finite number in the fewest characters that give the same double back, the sign of zero too. */
export function numeralOf(value: number): string {
  if (value === 0) return 1 / value < 0 ? '-0.0' : '0'
  return (value >= long || value <= -long) && Number.isInteger(value) ? value.toExponential() : `${value}`
}

function slow(text: string, wide: boolean): number | undefined {
  if (!numeral.test(text)) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  if (/[.e]/i.test(text) || text.replace('-', '').length <= 15) return value
  return wide && Number.isSafeInteger(value) ? value : undefined
}

/**
 * The number that a plain decimal numeral stands for; undefined for any other text (`000001`, `+1`, `1,000`, `1e5`, ` 1`)
 * and for whole numbers of more than 15 digits, which are ids.
 * @param wide whole numbers up to 2^53 are taken too
 */
export function numberIn(text: string, wide = false): number | undefined {
  const { length } = text
  let at = text.charCodeAt(0) === 45 ? 1 : 0
  const first = text.charCodeAt(at)
  if (!(first >= 48 && first <= 57)) return undefined
  if (length > 15) return slow(text, wide)
  if (first === 48 && length > at + 1 && text.charCodeAt(at + 1) !== 46) return slow(text, wide)
  let points = 0
  for (at++; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46 && at < length - 1) points++
    else if (!(code >= 48 && code <= 57)) return slow(text, wide)
  }
  return points > 1 ? undefined : Number(text)
}

/** Whether a number's digits are those of a date: 20260701. */
export function looksLikeDate(value: number): boolean {
  return value >= 10_000_101 && value <= 99_991_231 && Number.isInteger(value) && isDate(`${value}`)
}
