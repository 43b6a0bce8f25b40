import { dateOf, dayNumber } from '../../contract/date.js'
import { invalid } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { TradingRules } from '../../contract/trading-rules.js'
import type { Data } from '../../frame/data.js'
import { numbers } from '../../frame/read-columns.js'
import { instrumentRows } from './cash-flows.js'
import type { Delisting, PanelParts } from './panel.js'

/** Columns that a panel has by its `terms`. */
export type TermColumn = 'days_to_maturity' | 'called'

/** Of a table of terms that may be there. */
export type TermsOf<T> = [T] extends [never] ? never : TermColumn

/**
 * Terms of bonds: a row of `code` with what is known of `maturity`, `last_trade_day`, `redemption_price` (yuan a bond, as the holder gets it;
 * the last close unless given) and `announced_on`, the day of the announcement that it is called.
 */
export function readTerms(given: Data, symbols: readonly string[], rules: TradingRules) {
  const { data, codes, places, tells, days, notes } = instrumentRows(given, 'terms', symbols, rules)
  const [last, maturity, announced] = [days('last_trade_day'), days('maturity'), days('announced_on')]
  const prices = tells('redemption_price') ? numbers(data, 'redemption_price') : undefined
  const rowOf = new Map<number, number>()
  places.forEach((place, row) => {
    if (place >= 0 && rowOf.has(place)) throw invalid(sentence`panel: two rows of terms of ${codes[row]}`)
    if (place >= 0) rowOf.set(place, row)
  })
  const delistings = [...rowOf].flatMap(([place, row]): Delisting[] => {
    const until = last[row] ?? maturity[row]
    const price = prices?.[row] ?? Number.NaN
    if (until === undefined) return []
    const day = dateOf(dayNumber(until) + 1)
    return [{ symbol: symbols[place] as string, day, ...(!Number.isNaN(price) && { price }) }]
  })
  const addTo = <C extends string>(parts: PanelParts<C>): PanelParts<C> => {
    const perDay = parts.minutes.length * symbols.length
    const column = (name: TermColumn, of: (row: number, day: string) => number): Float64Array => {
      if (Object.hasOwn(parts.cols, name))
        throw invalid(sentence`panel: terms give the column '${name}'; leave it out of columns`)
      const values = new Float64Array(parts.present.length).fill(Number.NaN)
      for (const [place, row] of rowOf)
        for (let cell = place; cell < values.length; cell += symbols.length)
          values[cell] = of(row, parts.days[Math.floor(cell / perDay)] as string)
      return values
    }
    const left = (row: number, day: string): number =>
      maturity[row] === undefined ? Number.NaN : dayNumber(maturity[row] as string) - dayNumber(day)
    const cols = {
      ...parts.cols,
      days_to_maturity: column('days_to_maturity', left),
      called: column('called', (row, day) => (day > (announced[row] ?? '9') ? 1 : 0)),
    }
    return { ...parts, cols, known: new Map([...parts.known, ['days_to_maturity', 'open'], ['called', 'open']]) }
  }
  return { delistings, notes, addTo }
}
