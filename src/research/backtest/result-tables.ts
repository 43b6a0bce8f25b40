import type { Table } from 'apache-arrow'
import { fillArray } from '../../frame/table/fresh-array.js'
import { type CheckColumns, labelColumn, numberColumn, resultTable, textColumn } from '../checks/check-columns.js'
import { recordColumns } from '../checks/record-columns.js'
import type { LifeEvent } from './account.js'
import type { tripsOf } from './lot-book.js'
import type { Panel } from './panel.js'
import type { Simulation } from './run-account.js'

/** The days, bars and codes of a panel, by whose places its records go. */
export type PanelPlaces = Pick<Panel, 'days' | 'minutes' | 'symbols'>

const yuan = (fen: number): number => fen / 100

/** Words of a list by their places in it, in the order in which they come; null where the list has none. */
function wordsAt(places: Float64Array, list: readonly string[]) {
  const known = new Int32Array(list.length).fill(-1)
  const words: string[] = []
  const codes = fillArray(new Int32Array(places.length), (row) => {
    const place = places[row] as number
    const word = list[place]
    if (word !== undefined && (known[place] as number) < 0) known[place] = words.push(word) - 1
    return known[place] ?? -1
  })
  return { codes, words }
}

/** Day, minute where there is one, and code of rows at times of instruments. */
function places(panel: PanelPlaces, times: Float64Array, symbols: Float64Array): CheckColumns {
  const perDay = panel.minutes.length
  const dayAt = times.map((time) => Math.floor(time / perDay))
  const minuteAt = times.map((time) => time % perDay)
  const trademin = labelColumn('minute', 'Closing minute of the bar.', wordsAt(minuteAt, panel.minutes))
  return {
    tradedate: labelColumn('date', 'Trading day.', wordsAt(dayAt, panel.days)),
    ...(perDay > 1 && { trademin }),
    symbol: labelColumn('code', 'Code.', wordsAt(symbols, panel.symbols)),
  }
}

/** The same of records. */
function placesOf(
  panel: PanelPlaces,
  rows: readonly { readonly time: number; readonly symbol: number }[],
): CheckColumns {
  const of = (name: 'time' | 'symbol'): Float64Array => Float64Array.from(rows, (row) => row[name])
  return places(panel, of('time'), of('symbol'))
}

const shareColumn = (meaning: string, values: Float64Array) => numberColumn('share', meaning, values)
const yuanColumn = (meaning: string, fen: Float64Array) => numberColumn('yuan', meaning, fen.map(yuan))

/** A row a day: what the account was worth, and what it paid. */
export function accountTable(
  panel: Pick<Panel, 'days' | 'begin'>,
  run: Pick<Simulation, 'equity' | 'cash' | 'owed' | 'traded' | 'costs'>,
): Table {
  const { begin } = panel
  const exposure = run.equity.map((all, day) =>
    all === 0 ? 0 : 1 - ((run.cash[day] as number) + (run.owed[day] as number)) / all,
  )
  const money = (meaning: string, values: Float64Array) => yuanColumn(meaning, values.subarray(begin))
  return resultTable({
    tradedate: textColumn('date', 'Trading day.', panel.days.slice(begin)),
    equity: money('Cash, what is owed, and holdings at their last close.', run.equity),
    cash: money('Cash.', run.cash),
    owed: money('Dividends and coupons whose pay day is still to come.', run.owed),
    exposure: numberColumn('ratio', 'Holdings as a share of equity.', exposure.subarray(begin)),
    traded: money('Bought and sold.', run.traded),
    commission: money('Commission.', run.costs.commission),
    stamp: money('Stamp duty.', run.costs.stamp),
    transfer: money('Transfer fee.', run.costs.transfer),
  })
}

export function fillsTable(panel: PanelPlaces, { fillRows: fills }: Pick<Simulation, 'fillRows'>): Table {
  const price = fills.column('price').map((mills) => mills / 1000)
  return resultTable({
    ...places(panel, fills.column('time'), fills.column('symbol')),
    side: labelColumn('label', 'buy or sell.', wordsAt(fills.column('isBuy'), ['sell', 'buy'])),
    shares: shareColumn('Shares, bonds or units.', fills.column('shares')),
    price: numberColumn('yuan', 'Price after slippage.', price),
    amount: yuanColumn('Shares x price.', fills.column('amount')),
    commission: yuanColumn('Commission.', fills.column('commission')),
    stamp: yuanColumn('Stamp duty.', fills.column('stamp')),
    transfer: yuanColumn('Transfer fee.', fills.column('transfer')),
  })
}

export function rejectedTable(panel: Panel, { rejected }: Simulation): Table {
  const { text, number } = recordColumns(rejected)
  return resultTable({
    ...placesOf(panel, rejected),
    side: text('label', 'buy or sell.', ({ side }) => side),
    wanted: number('share', 'Shares of the order; 0 where not one lot was wanted.', ({ wanted }) => wanted),
    filled: number('share', 'Shares that were filled.', ({ filled }) => filled),
    reason: text('label', 'Why the rest was not filled.', ({ reason }) => reason),
  })
}

const ofMark = 'today, or stale where the last close is of an earlier day.'

export function positionsTable(panel: PanelPlaces, { holdings }: Pick<Simulation, 'holdings'>): Table {
  return resultTable({
    tradedate: labelColumn('date', 'Trading day.', wordsAt(holdings.column('day'), panel.days)),
    symbol: labelColumn('code', 'Code.', wordsAt(holdings.column('symbol'), panel.symbols)),
    shares: shareColumn('Shares, bonds or units at the close.', holdings.column('shares')),
    sellable: shareColumn('Of them, what may be sold the same day.', holdings.column('sellable')),
    value: yuanColumn('Value at the last close.', holdings.column('value')),
    marked: labelColumn('label', ofMark, wordsAt(holdings.column('isStale'), ['today', 'stale'])),
  })
}

export function tripsTable(panel: PanelPlaces, trips: ReturnType<typeof tripsOf>): Table {
  const dayOf = (time: number): number => Math.floor(time / panel.minutes.length)
  const dayAt = (name: 'opened' | 'closed') => wordsAt(trips.column(name).map(dayOf), panel.days)
  return resultTable({
    symbol: labelColumn('code', 'Code.', wordsAt(trips.column('symbol'), panel.symbols)),
    opened: labelColumn('date', 'Day of the purchase, flat to flat of the first one.', dayAt('opened')),
    closed: labelColumn('date', 'Day of the sale, flat to flat of the last share.', dayAt('closed')),
    pnl: yuanColumn('All cash between, net of costs.', trips.column('pnl')),
  })
}

const ofEvent =
  'ex-rights, dividend, coupon, tax, end (redemption or delisting), or stopped at a gap that nothing explains.'

export function eventsTable(
  panel: PanelPlaces,
  { events }: { readonly events: readonly (Omit<LifeEvent, 'event'> & { readonly event: string })[] },
): Table {
  const { text, number } = recordColumns(events)
  return resultTable({
    ...placesOf(panel, events),
    event: text('label', ofEvent, ({ event }) => event),
    before: number('share', 'Shares before.', ({ before }) => before),
    after: number('share', 'Shares after.', ({ after }) => after),
    cash: number('yuan', 'Cash that came, or is owed; tax is below 0.', ({ cash }) => yuan(cash)),
  })
}
