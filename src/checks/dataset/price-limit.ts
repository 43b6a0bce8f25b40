import { numberOf, quotientHalfUp, toDecimal } from '../exact/decimal.js'

/**
 * Price limits of convertible bonds on both exchanges, in percent of the previous close; 100 yuan on the first day.
 * Source: implementing rules for trading in convertible corporate bonds, Shanghai and Shenzhen, published 2022-07-29, in
 * force since 2022-08-01. Before that day there was no limit.
 */
const since = '20220801'
const usual = { up: 1200n, down: 800n }
const firstDay = { up: 1573n, down: 567n }
/** Issue price, which is the previous close of a bond's first day. */
const issuePrice = 100

export interface Limits {
  readonly up: number
  readonly down: number
  readonly first: boolean
}

/** previous close x thousandths, ROUND_HALF_UP to the tick of 0.001 yuan. */
function limit(previous: number, thousandths: bigint): number {
  const { digits, scale } = toDecimal(previous)
  return numberOf(quotientHalfUp(digits * thousandths, 10n ** BigInt(scale)), 3)
}

/**
 * The limits of a bond's day in yuan; undefined before there were any.
 * @param first whether no earlier row of the bond is known; its first day is one with a previous close of 100 as well
 */
export function limitsOf(date: string, previous: number, first: boolean): Limits | undefined {
  if (date < since || !(previous > 0) || !Number.isFinite(previous)) return undefined
  const listed = first && previous === issuePrice
  const { up, down } = listed ? firstDay : usual
  return { up: limit(previous, up), down: limit(previous, down), first: listed }
}
