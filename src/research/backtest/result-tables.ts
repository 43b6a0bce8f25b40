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

/** A column of records: its name, its unit or the kind of its texts, its meaning, and how a record gives its cell. */
type Field<R> =
  | readonly [name: string, unit: 'yuan' | 'share', meaning: string, of: (row: R) => number]
  | readonly [name: string, kind: 'label' | 'code' | 'date', meaning: string, of: (row: R) => string]

export function fieldColumns<R>(rows: readonly R[], fields: readonly Field<R>[]): CheckColumns {
  const columnOf = ([, form, meaning, of]: Field<R>): CheckColumns[string] =>
    form === 'yuan' || form === 'share'
      ? numberColumn(form, meaning, Float64Array.from(rows, of as (row: R) => number))
      : textColumn(form, meaning, rows.map(of as (row: R) => string))
  return Object.fromEntries(fields.map((field) => [field[0], columnOf(field)]))
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

/** A row a day: what the account was worth, and what it paid. */
export function accountTable(panel: Panel, run: Simulation): Table {
  const { begin } = panel
  const money = (meaning: string, values: Float64Array) =>
    numberColumn('yuan', meaning, values.subarray(begin).map(yuan))
  return resultTable({
    tradedate: textColumn('date', 'Trading day.', panel.days.slice(begin)),
    equity: money('Cash, what is owed, and holdings at their last close.', run.equity),
    cash: money('Cash.', run.cash),
    owed: money('Dividends and coupons whose pay day is still to come.', run.owed),
    exposure: numberColumn(
      'ratio',
      'Holdings as a share of equity.',
      run.equity
        .map((all, day) => (all === 0 ? 0 : 1 - ((run.cash[day] as number) + (run.owed[day] as number)) / all))
        .subarray(begin),
    ),
    traded: money('Bought and sold.', run.traded),
    commission: money('Commission.', run.costs.commission),
    stamp: money('Stamp duty.', run.costs.stamp),
    transfer: money('Transfer fee.', run.costs.transfer),
  })
}

export function fillsTable(panel: Panel, { fills }: Simulation): Table {
  return resultTable({
    ...places(panel, fills),
    ...fieldColumns(fills, [
      ['side', 'label', 'buy or sell.', ({ side }) => side],
      ['shares', 'share', 'Shares, bonds or units.', ({ shares }) => shares],
      ['price', 'yuan', 'Price after slippage.', ({ price }) => price / 1000],
      ['amount', 'yuan', 'Shares x price.', ({ amount }) => yuan(amount)],
      ['commission', 'yuan', 'Commission.', ({ commission }) => yuan(commission)],
      ['stamp', 'yuan', 'Stamp duty.', ({ stamp }) => yuan(stamp)],
      ['transfer', 'yuan', 'Transfer fee.', ({ transfer }) => yuan(transfer)],
    ]),
  })
}

export function rejectedTable(panel: Panel, { rejected }: Simulation): Table {
  return resultTable({
    ...places(panel, rejected),
    ...fieldColumns(rejected, [
      ['side', 'label', 'buy or sell.', ({ side }) => side],
      ['wanted', 'share', 'Shares of the order; 0 where not one lot was wanted.', ({ wanted }) => wanted],
      ['filled', 'share', 'Shares that were filled.', ({ filled }) => filled],
      ['reason', 'label', 'Why the rest was not filled.', ({ reason }) => reason],
    ]),
  })
}

const ofMark = 'today, or stale where the last close is of an earlier day.'

export function positionsTable(panel: Panel, { holdings }: Simulation): Table {
  const rows = holdings.map((one) => ({ ...one, time: one.day * panel.minutes.length }))
  const { trademin: _, ...placed } = places(panel, rows)
  return resultTable({
    ...placed,
    ...fieldColumns(holdings, [
      ['shares', 'share', 'Shares, bonds or units at the close.', ({ shares }) => shares],
      ['sellable', 'share', 'Of them, what may be sold the same day.', ({ sellable }) => sellable],
      ['value', 'yuan', 'Value at the last close.', ({ value }) => yuan(value)],
      ['marked', 'label', ofMark, ({ stale }) => (stale ? 'stale' : 'today')],
    ]),
  })
}

export function tripsTable(panel: Panel, { account }: Simulation): Table {
  const day = (time: number): string => panel.days[Math.floor(time / panel.minutes.length)] ?? ''
  return resultTable(
    fieldColumns(account.trips, [
      ['symbol', 'code', 'Code.', ({ symbol }) => panel.symbols[symbol] ?? ''],
      ['opened', 'date', 'Day of the first purchase.', ({ opened }) => day(opened)],
      ['closed', 'date', 'Day on which the last share went.', ({ closed }) => day(closed)],
      ['pnl', 'yuan', 'All cash between, net of costs.', ({ pnl }) => yuan(pnl)],
    ]),
  )
}

const ofEvent =
  'ex-rights, dividend, coupon, tax, end (redemption or delisting), or stopped at a gap that nothing explains.'

export function eventsTable(panel: Panel, { events }: Simulation): Table {
  return resultTable({
    ...places(panel, events),
    ...fieldColumns(events, [
      ['event', 'label', ofEvent, ({ event }) => event],
      ['before', 'share', 'Shares before.', ({ before }) => before],
      ['after', 'share', 'Shares after.', ({ after }) => after],
      ['cash', 'yuan', 'Cash that came, or is owed; tax is below 0.', ({ cash }) => yuan(cash)],
    ]),
  })
}
