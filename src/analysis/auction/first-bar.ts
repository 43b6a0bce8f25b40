import { QuotebookError } from '../../contract/error.js'
import { has, namesOf, words } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'
import { besideOf, ofDay, refuseTwice } from './beside.js'
import { pricesIn } from './float.js'

/** The first bar of a security's day. */
export interface FirstBar {
  /** Its minute, as the bars have it. */
  readonly minute: string
  /** open where there is one, else close, else vwap; NaN where the bar has none of them. Yuan. */
  readonly price: number
  /** Which of them it is. */
  readonly of: 'open' | 'close' | 'vwap' | null
  readonly low: number
  readonly high: number
}

const given = ['open', 'close', 'vwap'] as const

/**
 * First bars from a table as etf_minute and convertible_minute are: tradedate, symbol or code, trademin, and one of open,
 * close and vwap at least; low and high where they are there. A price that is null or not above 0 is none.
 * @returns a function of symbol and day; undefined where there is no bar
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day or a minute that can't be read, and, when it is asked for, for
 * a day that has two first bars which differ
 */
export function firstBarsOf(data: Data): (symbol: string, day: string) => FirstBar | undefined {
  const beside = besideOf('bars', data)
  const minute = words(data, 'trademin')
  const odd = minute.codes.findIndex((code) => !/^([01]\d|2[0-3])[0-5]\d$/.test(minute.words[code] ?? ''))
  if (odd >= 0) {
    const has = minute.words[minute.codes[odd] as number]?.slice(0, 40) ?? 'null'
    throw new QuotebookError('INVALID_VALUE', `bars, row ${odd + 1}: trademin is ${has}, not a minute as 0930`)
  }
  if (!given.some((name) => has(data, name))) {
    const all = namesOf(data).join(', ')
    throw new QuotebookError('MISSING_COLUMN', `the bars need one of open, close and vwap; they have: ${all}`)
  }
  const none = new Float64Array(0)
  const column = (name: string): Float64Array => (has(data, name) ? pricesIn(data, name) : none)
  const prices = given.map((name) => ({ name, values: column(name) }))
  const [low, high] = [column('low'), column('high')]
  const priceAt = (values: Float64Array, row: number): number => values[row] ?? Number.NaN
  const barAt = (row: number): FirstBar => {
    const found = prices.find(({ values }) => !Number.isNaN(priceAt(values, row)))
    return {
      minute: minute.words[minute.codes[row] as number] ?? '',
      price: found ? priceAt(found.values, row) : Number.NaN,
      of: found?.name ?? null,
      low: priceAt(low, row),
      high: priceAt(high, row),
    }
  }
  return (symbol, day) => {
    const rows = ofDay(beside, beside.of(symbol), day)
    let first = ''
    for (const row of rows) {
      const own = minute.words[minute.codes[row] as number] ?? ''
      if (first === '' || own < first) first = own
    }
    const same = rows.filter((row) => minute.words[minute.codes[row] as number] === first)
    const [one, ...others] = [...same].map(barAt)
    const differs = others.some((other) =>
      (['price', 'of', 'low', 'high'] as const).some((key) => !Object.is(other[key], one?.[key])),
    )
    if (differs) refuseTwice('bars', symbol, `${day} ${first}`, same)
    return one
  }
}
