import type { Table } from 'apache-arrow'
import { indexNames } from '../../contract/catalogue/theme-daily.js'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { asTable } from '../../frame/as-table.js'
import { has, numbers, words } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo-types.js'

/** One of the indices of theme_daily. */
export interface IndexName {
  readonly symbol: string
  readonly name: string | null
}

export interface IndexDay {
  readonly close: number
  /** Percent, from the close before; NaN where null. */
  readonly change: number
  /** The snapshot's time of a day that was not over when it was taken. */
  readonly unfinished: string | undefined
}

export interface IndexQuotes {
  readonly index: IndexName
  readonly days: ReadonlyMap<string, IndexDay>
  /** Days on which the table has a row of any index: the mainland traded. */
  readonly traded: ReadonlySet<string>
}

function unknownIndex(wanted: string, known: readonly string[]): QuotebookError {
  if (indexNames.includes(wanted)) {
    const has = known.length > 0 ? `it has ${known.slice(0, 10).join(', ')}` : 'it has no row'
    return new QuotebookError('INVALID_VALUE', `the index table has no row of '${wanted}'; ${has}`)
  }
  const near = nearest(wanted, [...new Set([...known, ...indexNames])])
  const hint = near ? `did you mean '${near}'?` : `it has ${known.slice(0, 10).join(', ') || 'no row'}`
  return new QuotebookError('INVALID_VALUE', `the index table has no index '${wanted}'; ${hint}`)
}

/** Where a day's row was taken before the close, its close and change are not the day's. */
const close = '15:00:00'

/**
 * The quotes of one index by day, found by name or symbol.
 * @throws QuotebookError INVALID_VALUE when it is not there, stands there twice on a day, or its name is that of two symbols
 */
export function readIndex(input: Table | DataFrame, wanted: string): IndexQuotes {
  if (typeof wanted !== 'string') {
    throw new QuotebookError('INVALID_VALUE', `on must be the name or symbol of an index, not ${String(wanted)}`)
  }
  const table = asTable(input)
  const [date, symbol, name] = [words(table, 'tradedate'), words(table, 'symbol'), words(table, 'name')]
  const [closes, changes] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  const clock = has(table, 'servertime') ? words(table, 'servertime') : undefined
  const [bySymbol, byName] = [symbol.words.indexOf(wanted), name.words.indexOf(wanted)]
  const days = new Map<string, IndexDay>()
  const traded = new Set<string>()
  let found: IndexName | undefined
  for (let row = 0; row < date.codes.length; row++) {
    const day = date.words[date.codes[row] as number]
    if (day === undefined) continue
    traded.add(day)
    const [own, called] = [symbol.codes[row] as number, name.codes[row] as number]
    if ((bySymbol < 0 || own !== bySymbol) && (byName < 0 || called !== byName)) continue
    const one = { symbol: symbol.words[own] ?? '', name: name.words[called] ?? null }
    if (found && found.symbol !== one.symbol) {
      const both = `${found.symbol} and ${one.symbol}`
      throw new QuotebookError('INVALID_VALUE', `the index table has two indices '${wanted}', ${both}; give the symbol`)
    }
    if (days.has(day)) {
      throw new QuotebookError('INVALID_VALUE', `the index table has more than one row of ${wanted} on ${day}`)
    }
    found = { symbol: one.symbol, name: one.name ?? found?.name ?? null }
    const time = clock?.words[clock.codes[row] as number]
    const unfinished = time !== undefined && time < close ? time : undefined
    days.set(day, { close: closes[row] as number, change: changes[row] as number, unfinished })
  }
  if (!found) throw unknownIndex(wanted, [...name.words, ...symbol.words])
  return { index: found, days, traded }
}
