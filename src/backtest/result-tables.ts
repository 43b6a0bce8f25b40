import type { Table } from 'apache-arrow'
import {
  type CheckColumns,
  LabelBuilder,
  labelColumn,
  numberColumn,
  resultTable,
  textColumn,
} from '../checks/check-columns.js'
import type { Panel } from './panel.js'
import type { Simulation } from './run-account.js'

const yuan = (fen: number): number => fen / 100

function column<R>(rows: readonly R[], of: (row: R) => number): Float64Array {
  return Float64Array.from(rows, of)
}

/** Day, minute where there is one, and code of records. */
function places(panel: Panel, rows: readonly { readonly time: number; readonly symbol: number }[]): CheckColumns {
  const [days, minutes, codes] = [
    new LabelBuilder(rows.length),
    new LabelBuilder(rows.length),
    new LabelBuilder(rows.length),
  ]
  const perDay = panel.minutes.length
  rows.forEach(({ time, symbol }, row) => {
    days.set(row, panel.days[Math.floor(time / perDay)] ?? null)
    minutes.set(row, panel.minutes[time % perDay] ?? null)
    codes.set(row, panel.symbols[symbol] ?? null)
  })
  const minute = perDay > 1 ? { trademin: labelColumn('minute', 'Closing minute of the bar.', minutes) } : {}
  return {
    tradedate: labelColumn('date', 'Trading day.', days),
    ...minute,
    symbol: labelColumn('code', 'Code.', codes),
  }
}

function label<R>(rows: readonly R[], meaning: string, of: (row: R) => string): CheckColumns[string] {
  return textColumn('label', meaning, rows.map(of))
}

/** A row a day: what the account was worth, and what it paid. */
export function accountTable(panel: Panel, run: Simulation): Table {
  const money = (meaning: string, values: Float64Array) => numberColumn('yuan', meaning, values.map(yuan))
  return resultTable({
    tradedate: textColumn('date', 'Trading day.', panel.days),
    equity: money('Cash and holdings at their last close.', run.equity),
    cash: money('Cash.', run.cash),
    exposure: numberColumn(
      'ratio',
      'Holdings as a share of equity.',
      run.equity.map((all, day) => (all === 0 ? 0 : 1 - (run.cash[day] as number) / all)),
    ),
    traded: money('Bought and sold.', run.traded),
    commission: money('Commission.', run.costs.commission),
    stamp: money('Stamp duty.', run.costs.stamp),
    transfer: money('Transfer fee.', run.costs.transfer),
  })
}

export function fillsTable(panel: Panel, { fills }: Simulation): Table {
  const money = (meaning: string, of: (fill: Simulation['fills'][number]) => number) =>
    numberColumn(
      'yuan',
      meaning,
      column(fills, (fill) => yuan(of(fill))),
    )
  return resultTable({
    ...places(panel, fills),
    side: label(fills, 'buy or sell.', ({ side }) => side),
    shares: numberColumn(
      'share',
      'Shares, bonds or units.',
      column(fills, ({ shares }) => shares),
    ),
    price: numberColumn(
      'yuan',
      'Price after slippage.',
      column(fills, ({ price }) => price / 1000),
    ),
    amount: money('Shares x price.', ({ amount }) => amount),
    commission: money('Commission.', ({ commission }) => commission),
    stamp: money('Stamp duty.', ({ stamp }) => stamp),
    transfer: money('Transfer fee.', ({ transfer }) => transfer),
  })
}

export function rejectedTable(panel: Panel, { rejected }: Simulation): Table {
  return resultTable({
    ...places(panel, rejected),
    side: label(rejected, 'buy or sell.', ({ side }) => side),
    wanted: numberColumn(
      'share',
      'Shares of the order; 0 where not one lot was wanted.',
      column(rejected, ({ wanted }) => wanted),
    ),
    filled: numberColumn(
      'share',
      'Shares that were filled.',
      column(rejected, ({ filled }) => filled),
    ),
    reason: label(rejected, 'Why the rest was not filled.', ({ reason }) => reason),
  })
}

export function positionsTable(panel: Panel, { holdings }: Simulation): Table {
  const rows = holdings.map((one) => ({ ...one, time: one.day * panel.minutes.length }))
  const { tradedate, symbol } = places(panel, rows) as { tradedate: CheckColumns[string]; symbol: CheckColumns[string] }
  return resultTable({
    tradedate,
    symbol,
    shares: numberColumn(
      'share',
      'Shares, bonds or units at the close.',
      column(holdings, ({ shares }) => shares),
    ),
    sellable: numberColumn(
      'share',
      'Of them, what may be sold the same day.',
      column(holdings, ({ sellable }) => sellable),
    ),
    value: numberColumn(
      'yuan',
      'Value at the last close.',
      column(holdings, ({ value }) => yuan(value)),
    ),
    marked: label(holdings, 'today, or stale where the last close is of an earlier day.', ({ stale }) =>
      stale ? 'stale' : 'today',
    ),
  })
}

export function tripsTable(panel: Panel, { account }: Simulation): Table {
  const { trips } = account
  const day = (time: number): string => panel.days[Math.floor(time / panel.minutes.length)] ?? ''
  return resultTable({
    symbol: textColumn(
      'code',
      'Code.',
      trips.map(({ symbol }) => panel.symbols[symbol] ?? ''),
    ),
    opened: textColumn(
      'date',
      'Day of the first purchase.',
      trips.map(({ opened }) => day(opened)),
    ),
    closed: textColumn(
      'date',
      'Day on which the last share went.',
      trips.map(({ closed }) => day(closed)),
    ),
    pnl: numberColumn(
      'yuan',
      'All cash between, net of costs.',
      column(trips, ({ pnl }) => yuan(pnl)),
    ),
  })
}

export function eventsTable(panel: Panel, { events }: Simulation): Table {
  return resultTable({
    ...places(panel, events),
    event: label(
      events,
      'ex-rights, end (redemption or delisting), or stopped at a gap that nothing explains.',
      ({ event }) => event,
    ),
    before: numberColumn(
      'share',
      'Shares before.',
      column(events, ({ before }) => before),
    ),
    after: numberColumn(
      'share',
      'Shares after.',
      column(events, ({ after }) => after),
    ),
    cash: numberColumn(
      'yuan',
      'Cash that came.',
      column(events, ({ cash }) => yuan(cash)),
    ),
  })
}
