import type { Table } from 'apache-arrow'
import { checkAnomaly } from '../analysis/anomaly/check.js'
import { checkPremium } from '../analysis/laws/premium.js'
import { checkSouthbound, southboundFlows } from '../analysis/southbound/check.js'
import { checkVwap } from '../analysis/vwap/vwap.js'
import type { DatasetName } from '../contract/catalogue.js'
import { texts } from '../frame/column.js'
import { digest } from '../frame/digest.js'
import type { Market } from '../market.js'
import { type ReportInput, titleOf } from '../report/input.js'
import { barsOf, candidatesOf, type Days, daysOf, hotListsOf, membersOf, rangeOf } from './load.js'
import { originOf } from './origin.js'
import { latestTicks, shareOfYear } from './tick-day.js'

export interface ReportOptions {
  readonly title?: string
  /** Trading days up to the latest one of the source. Default 60. */
  readonly days?: number
  /** Called when a step begins: how many steps are done, of how many, and what comes. */
  readonly onStep?: (done: number, of: number, what: string) => void
}

type Tables = { [N in DatasetName]?: Table }
type Inputs = ReportInput['source']['inputs']
type MoreTable = NonNullable<ReportInput['more']>[number]
type Load = (market: Market, days: Days) => Promise<Table | undefined>

const range =
  (name: DatasetName): Load =>
  (market, days) =>
    rangeOf(market, name, days)
const whole =
  (name: DatasetName): Load =>
  (market) =>
    market.query(name)

/** How a report loads each dataset. `theme_lib_detail_kp` is not here: the service has no list of theme ids to ask for. */
const loads: Readonly<Partial<Record<DatasetName, Load>>> = {
  news: whole('news'),
  hotstock: hotListsOf,
  st: range('st'),
  convertible_minute: (market, days) => barsOf(market, 'convertible_minute', days, '30m'),
  etf_minute: (market, days) => barsOf(market, 'etf_minute', days, '15m'),
  theme_daily: range('theme_daily'),
  convertible_daily: range('convertible_daily'),
  transfer_financing: range('transfer_financing'),
  thememembers_jx: membersOf,
  southbound_top10: range('southbound_top10'),
  anomaly_forecast: candidatesOf,
  file_download: shareOfYear,
  finance_announcement: whole('finance_announcement'),
  interactive_qa: whole('interactive_qa'),
}

function checksOf(tables: Tables, etf30: Table | undefined): ReportInput['checks'] {
  const bars = [
    { dataset: 'etf_minute, 15m', table: tables.etf_minute, factor: 100 },
    { dataset: 'etf_minute, 30m', table: etf30, factor: 100 },
    { dataset: 'convertible_minute, 30m', table: tables.convertible_minute, factor: 10 },
  ]
  return {
    vwap: bars.flatMap(({ dataset, table, factor }) =>
      table ? [{ dataset, check: checkVwap(table, { factor }) }] : [],
    ),
    anomaly: tables.anomaly_forecast && checkAnomaly(tables.anomaly_forecast),
    southbound: tables.southbound_top10 && checkSouthbound(tables.southbound_top10),
    premium: premiumChecksOf(tables.convertible_daily),
  }
}

function premiumChecksOf(bonds: Table | undefined): ReportInput['checks']['premium'] {
  return bonds && (['cb', 'bond'] as const).map((premium) => ({ premium, check: checkPremium(bonds, premium) }))
}

/** The index that the flows are held against, where the source has it. */
const index = '全A等权'

function flowsOf({ southbound_top10: top, theme_daily: indices }: Tables): ReportInput['flows'] {
  const there = indices && ['name', 'symbol'].some((column) => texts(indices, column).includes(index))
  return top && southboundFlows(top, there ? { index: indices, of: index } : {})
}

/** What stands in the list of inputs: the name, the size and the checksum of each table. */
function inputsOf(tables: Tables, more: readonly MoreTable[], ticks: ReportInput['ticks']): Inputs {
  const one = (dataset: string, table: Table): Inputs[number] => ({
    dataset,
    rows: table.numRows,
    sha256: digest(table),
  })
  return [
    ...(Object.entries(tables) as [DatasetName, Table][]).flatMap(([name, table]) => [
      one(titleOf(name, table), table),
      ...more.filter(({ dataset }) => dataset === name).map((other) => one(titleOf(name, other.table), other.table)),
    ]),
    ...(ticks ? [one('auction ticks', ticks.table)] : []),
  ]
}

/** All that a report of a source is made from: the tables of its last days, and the checks over them. */
export async function reportInput(market: Market, options: ReportOptions = {}): Promise<ReportInput> {
  const entries = Object.entries(loads) as [DatasetName, Load][]
  const steps = entries.length + 3
  const step = (done: number, what: string): void => options.onStep?.(done, steps, what)
  step(0, 'days')
  const asked = options.days ?? 60
  const days = await daysOf(market, asked)
  // Between questions to the source: where these are of one state of it, the ticks are too.
  step(1, 'auction ticks')
  const found = await latestTicks(market, days)
  const loaded = [...(days.shown ?? [])]
  const tables: Tables = {}
  for (const [i, [name, load]] of entries.entries()) {
    step(i + 2, name)
    const table = await load(market, days)
    if (table) loaded.push(table)
    if (table && table.numRows > 0) tables[name] = table
  }
  step(entries.length + 2, 'checks')
  const etf30 = tables.etf_minute && (await barsOf(market, 'etf_minute', days, '30m'))
  const more = etf30 && etf30.numRows > 0 ? [{ dataset: 'etf_minute' as const, table: etf30 }] : []
  const origin = await originOf(market, etf30 ? [...loaded, etf30] : loaded)
  return {
    ...(options.title === undefined ? {} : { title: options.title }),
    source: {
      ...origin,
      inputs: inputsOf(tables, more, found.ticks),
    },
    asked,
    tables,
    more,
    ...found,
    checks: checksOf(tables, etf30),
    flows: flowsOf(tables),
  }
}
