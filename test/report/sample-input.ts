import type { Table } from 'apache-arrow'
import { joinIndex } from '../../src/analysis/southbound/index-join.js'
import { southboundFlows } from '../../src/analysis/southbound/southbound-flows.js'
import { checkAll } from '../../src/checks/all-checks.js'
import { type DatasetName, datasetOf } from '../../src/contract/catalogue.js'
import type { ReportInput } from '../../src/report/report-tables.js'
import { auctionTickColumns } from '../../src/sample/auction-tick-sheet.js'
import { generate } from '../../src/sample/generate-sample.js'
import type { SampleOptions } from '../../src/sample/sample-plan.js'
import { toTable } from '../../src/table/arrow.js'
import { decode } from '../../src/table/decode.js'

/** A small synthetic sample as a report takes it, with the analyses that the product runs. */
export function sampleInput(options: SampleOptions): ReportInput {
  const parts = new Map<DatasetName, { fields: readonly string[]; rows: unknown[][] }>()
  let ticks: ReportInput['ticks']
  for (const batch of generate(options)) {
    if ('ticks' in batch) ticks = { day: batch.ticks, table: toTable(batch.columns, auctionTickColumns) }
    else {
      const part = parts.get(batch.dataset) ?? { fields: batch.fields, rows: [] }
      for (const row of batch.rows) part.rows.push(row)
      parts.set(batch.dataset, part)
    }
  }
  const tables: { [N in DatasetName]?: Table } = {}
  for (const [name, { fields, rows }] of parts) {
    const dataset = datasetOf(name)
    tables[name] = toTable(decode(dataset, fields, rows), { ...dataset.columns, ...dataset.stored })
  }
  const { etf_minute: etf, anomaly_forecast: candidates, southbound_top10: top, theme_daily: index } = tables
  if (!etf || !candidates || !top || !index) throw new Error('the sample lacks a dataset')
  const flows = southboundFlows(top)
  return {
    source: { name: 'sample', inputs: [] },
    tables,
    ticks,
    checks: checkAll(Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, [table]]))),
    flows: {
      flows,
      sameDay: joinIndex(flows, index, { on: '全A等权', lag: 0 }),
      nextDay: joinIndex(flows, index, { on: '全A等权' }),
    },
  }
}
