import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { asTable } from '../../frame/as-table.js'
import { numbers, texts } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo/types.js'
import { correlation } from '../../frame/verb/statistics.js'
import { countColumn, numberColumn, tableOf, textColumn } from '../columns.js'
import { difference, sumDecimals } from '../exact/decimal.js'
import { groupBy } from '../group.js'
import { type Channel, channels, filledCells, readChannels } from './channel.js'

export interface FlowsOptions {
  /** A table of theme_daily that holds the index to join. */
  readonly index?: Table | DataFrame
  /** Symbol or name of the index in it. Default 全A等权. */
  readonly of?: string
}

export interface Correlation {
  readonly channel: '2' | '4' | 'both'
  /** Pearson's, of the day's net buys and the day's change of the index; null below three days or without variation. */
  readonly value: number | null
  /** Days that have both numbers. */
  readonly days: number
}

export interface Flows {
  /** One row for each day and channel, by day, then 2, 4, both. */
  readonly table: Table
  /** Of both channels together. */
  readonly correlation: number | null
  readonly days: number
  /** Of each channel. */
  readonly correlations: readonly Correlation[]
  /** The index that was joined; null when none was given. */
  readonly index: { readonly symbol: string; readonly name: string | null } | null
}

interface Flow {
  readonly date: string
  readonly channel: '2' | '4' | 'both'
  readonly buy: number
  readonly sell: number
  readonly stocks: number
}

/**
 * A stock's buy and sell of one channel on one day, yuan; NaN where its rows contradict each other, a number is null, or a
 * row of the channel itself lacks the channel's numbers.
 */
interface Share {
  readonly buy: number
  readonly sell: number
}

/** Undefined for a stock that is not in the channel's top ten, as far as its rows tell. */
function shareOf(channel: Channel, rows: readonly number[], market: readonly (string | null)[]): Share | undefined {
  const filled = rows.filter((row) => filledCells(channel, row) > 0)
  const unknown = rows.some((row) => market[row] === channel.code && filledCells(channel, row) === 0)
  if (unknown) return { buy: Number.NaN, sell: Number.NaN }
  if (filled.length === 0) return undefined
  const one = (column: Float64Array): number => {
    const [first = Number.NaN, ...more] = rows.map((row) => column[row] as number)
    return more.every((other) => other === first) ? first : Number.NaN
  }
  return { buy: one(channel.buy), sell: one(channel.sell) }
}

function flowOf(date: string, channel: Flow['channel'], shares: readonly Share[], stocks: number): Flow {
  return {
    date,
    channel,
    buy: sumDecimals(shares.map(({ buy }) => buy)),
    sell: sumDecimals(shares.map(({ sell }) => sell)),
    stocks,
  }
}

function flowsOn(
  date: string,
  rows: readonly number[],
  code: readonly (string | null)[],
  pair: readonly [Channel, Channel],
  market: readonly (string | null)[],
): Flow[] {
  const stocks = [...groupBy(rows, (row) => code[row] ?? '').values()]
  const share = (channel: Channel, own: readonly number[]): Share | undefined => shareOf(channel, own, market)
  const present = pair.filter((channel) => rows.some((row) => market[row] === channel.code))
  const shares = new Map(present.map((channel) => [channel.code, stocks.flatMap((own) => share(channel, own) ?? [])]))
  const flows = Array.from(shares, ([channel, list]) => flowOf(date, channel, list, list.length))
  if (present.length < 2) return flows
  const either = stocks.filter((own) => pair.some((channel) => share(channel, own) !== undefined))
  return [...flows, flowOf(date, 'both', [...shares.values()].flat(), either.length)]
}

interface Quote {
  readonly close: number
  readonly change: number
}

interface Index {
  readonly symbol: string
  readonly name: string | null
  readonly quotes: ReadonlyMap<string, Quote>
}

/** The quotes of one index by day, found by symbol or name. */
function readIndex(table: Table, wanted: string): Index {
  const [date, symbol, name] = [texts(table, 'tradedate'), texts(table, 'symbol'), texts(table, 'name')]
  const [close, change] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  const quotes = new Map<string, Quote>()
  const symbols = new Set<string>()
  date.forEach((day, row) => {
    if (day === null || (symbol[row] !== wanted && name[row] !== wanted)) return
    symbols.add(symbol[row] ?? '')
    if (quotes.has(day) || symbols.size > 1) {
      throw new QuotebookError('INVALID_VALUE', `the index table has more than one row of ${wanted} on ${day}`)
    }
    quotes.set(day, { close: close[row] ?? Number.NaN, change: change[row] ?? Number.NaN })
  })
  const [found] = symbols
  if (found === undefined) {
    const known = [...new Set([...name, ...symbol].filter((text) => text !== null))]
    const near = nearest(wanted, known)
    const hint = near ? `did you mean '${near}'?` : `it has ${known.slice(0, 10).join(', ') || 'no row'}`
    throw new QuotebookError('INVALID_VALUE', `the index table has no index '${wanted}'; ${hint}`)
  }
  return { symbol: found, name: name[symbol.indexOf(found)] ?? null, quotes }
}

function dayOf(date: readonly (string | null)[], row: number): string {
  const day = date[row]
  if (day === undefined || day === null) {
    throw new QuotebookError('INVALID_VALUE', `row ${row + 1}: trade_date is null`)
  }
  return day
}

function correlate(flows: readonly Flow[], channel: Flow['channel'], index: Index | undefined): Correlation {
  const pairs = flows.flatMap((flow): [number, number][] => {
    const change = index?.quotes.get(flow.date)?.change ?? Number.NaN
    const net = difference(flow.buy, flow.sell)
    return flow.channel === channel && !Number.isNaN(net) && !Number.isNaN(change) ? [[net, change]] : []
  })
  const value = correlation(
    pairs.map(([net]) => net),
    pairs.map(([, change]) => change),
  )
  return { channel, value: pairs.length < 3 || Number.isNaN(value) ? null : value, days: pairs.length }
}

function tableOfFlows(flows: readonly Flow[], index: Index | undefined): Table {
  const column = (of: (flow: Flow) => number): Float64Array => Float64Array.from(flows, of)
  const quote = (of: (quote: Quote) => number): Float64Array =>
    column(({ date }) => {
      const found = index?.quotes.get(date)
      return found ? of(found) : Number.NaN
    })
  return tableOf({
    trade_date: textColumn(
      'date',
      'Trading day.',
      flows.map(({ date }) => date),
    ),
    channel: textColumn(
      'label',
      '2 Shanghai, 4 Shenzhen, both: the two together.',
      flows.map(({ channel }) => channel),
    ),
    buy: numberColumn(
      'yuan',
      'Buys of the top ten; null where a stock of theirs is unknown.',
      column(({ buy }) => buy),
    ),
    sell: numberColumn(
      'yuan',
      'Sells of the top ten.',
      column(({ sell }) => sell),
    ),
    net: numberColumn(
      'yuan',
      'buy - sell.',
      column(({ buy, sell }) => difference(buy, sell)),
    ),
    turnover: numberColumn(
      'yuan',
      'buy + sell.',
      column(({ buy, sell }) => sumDecimals([buy, sell])),
    ),
    stocks: countColumn(
      'stock',
      'Different stocks counted.',
      Int32Array.from(flows, ({ stocks }) => stocks),
    ),
    index_close: numberColumn(
      'point',
      'Close of the index; null when it has no row of the day.',
      quote(({ close }) => close),
    ),
    index_pct_chg: numberColumn(
      'percent',
      'Change of the index on the day.',
      quote(({ change }) => change),
    ),
  })
}

/**
 * Southbound flows of the top ten by day and channel, beside an index.
 *
 * A stock that stands in both channels has two rows that carry the numbers of both; each channel of it is counted once.
 * Net and turnover are taken from buys and sells, never from `amount`, which may count a channel twice. Sums are exact.
 * A channel has a row on a day only if the table holds rows of it: a table asked with `market_type` 2 alone knows too
 * little of Shenzhen. Where the rows of a stock contradict each other, or a number of a channel is missing, all four in a
 * row of that channel included, the sums that need it are null. Amounts are yuan as the contract says; the exchange publishes Hong Kong dollars.
 *
 * The correlation says how net buys and the index moved on the same days, nothing more.
 * @throws QuotebookError INVALID_VALUE when the index is not in its table or stands there twice, or a trade_date is null;
 * MISSING_COLUMN
 */
export function southboundFlows(input: Table | DataFrame, options: FlowsOptions = {}): Flows {
  const table = asTable(input)
  const [date, code, market] = [texts(table, 'trade_date'), texts(table, 'code'), texts(table, 'market_type')]
  const pair = readChannels(table)
  const index = options.index && readIndex(asTable(options.index), options.of ?? '全A等权')
  const days = [...groupBy(date.keys(), (row) => dayOf(date, row))].sort(([a], [b]) => (a < b ? -1 : 1))
  const flows = days.flatMap(([day, rows]) => flowsOn(day, rows, code, pair, market))
  const correlations = [...channels.map(({ code: channel }) => channel), 'both' as const].map((channel) =>
    correlate(flows, channel, index),
  )
  const both = correlations.at(-1)
  return {
    table: tableOfFlows(flows, index),
    correlation: both?.value ?? null,
    days: both?.days ?? 0,
    correlations,
    index: index ? { symbol: index.symbol, name: index.name } : null,
  }
}
