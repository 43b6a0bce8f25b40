import type { Table } from 'apache-arrow'
import { joinIndex } from '../analysis/southbound/index-join.js'
import { southboundFlows } from '../analysis/southbound/southbound-flows.js'
import { checkAll } from '../checks/all-checks.js'
import type { DatasetName } from '../contract/catalogue.js'
import { texts } from '../frame/read-columns.js'
import type { Market } from '../market.js'
import { type ReportInput, titleOf } from '../report/report-tables.js'
import { digest } from '../table/digest.js'
import { daysOf } from './load.js'
import { originOf } from './origin.js'
import { lawTables, loadable, loadTables, type MoreTable, type Tables } from './tables.js'
import { latestTicks } from './tick-day.js'

export interface ReportOptions {
  readonly title?: string
  /** Trading days up to the latest one of the source. Default 60. */
  readonly days?: number
  /** Called when a step begins: how many steps are done, of how many, and what comes. */
  readonly onStep?: (done: number, of: number, what: string) => void
}

type Inputs = ReportInput['source']['inputs']
/** The index that the flows are held against, where the source has it. */
const index = '全A等权'

function flowsOf({ southbound_top10: top, theme_daily: indices }: Tables): ReportInput['flows'] {
  if (!top) return undefined
  const flows = southboundFlows(top)
  if (!indices || !['name', 'symbol'].some((column) => texts(indices, column).includes(index))) return { flows }
  const joined = (lag: number) => joinIndex(flows, indices, { on: index, lag })
  return { flows, sameDay: joined(0), nextDay: joined(1) }
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
  const steps = loadable.length + 3
  const step = (done: number, what: string): void => options.onStep?.(done, steps, what)
  step(0, 'days')
  const asked = options.days ?? 60
  const days = await daysOf(market, asked)
  // Between questions to the source: where these are of one state of it, the ticks are too.
  step(1, 'auction ticks')
  const found = await latestTicks(market, days)
  const loaded = await loadTables(market, days, loadable, (done, name) => step(done + 2, name))
  const { tables, more } = loaded
  step(loadable.length + 2, 'checks')
  const origin = await originOf(market, [...(days.shown ?? []), ...loaded.answers])
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
    checks: checkAll(lawTables(loaded)),
    flows: flowsOf(tables),
  }
}
