import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { groupItems } from '../../frame/table/group-items.js'
import type { RecordColumns } from '../../frame/table/values.js'
import { announcementSheet } from './announcement-sheet.js'
import { anomalyForecastSheet } from './anomaly-sheet.js'
import { auctionTicks } from './auction-tick-sheet.js'
import { convertibleDailySheet } from './convertible-daily-sheet.js'
import { hotstockSheet } from './hotstock-sheet.js'
import { convertibleMinuteSheet, etfMinuteSheet } from './minute-sheets.js'
import { type NewsMeta, newsMetaOf, newsSheet } from './news-sheet.js'
import { qaSheet } from './qa-sheet.js'
import type { Day } from './sample-days.js'
import { planSample, type Sample, type SampleOptions } from './sample-plan.js'
import { fieldsOf, type Sheet } from './sample-sheet.js'
import { sectorMembersSheet } from './sector-members-sheet.js'
import { southboundSheet } from './southbound-sheet.js'
import { stSheet } from './st-sheet.js'
import { themeDailySheet } from './theme-daily-sheet.js'
import { themeDetailSheet } from './theme-detail-sheet.js'
import { transferFinancingSheet } from './transfer-financing-sheet.js'

/** One partition of a dataset: rows in wire form with the stored columns, in the order of the contract. */
export interface DatasetBatch {
  readonly dataset: DatasetName
  /** `YYYYMMDD`, `YYYYMM` or `whole`, as the catalogue's `partition` says, or `whole` where all is made at once. */
  readonly partition: string
  readonly fields: readonly string[]
  readonly rows: unknown[][]
}

/** The auction ticks of one day; their columns are described by `auctionTickColumns`. */
interface TickBatch {
  readonly ticks: string
  readonly columns: RecordColumns
}

export type Batch = DatasetBatch | TickBatch

/** Every dataset but the share of tick files, which stands for files and has no rows of its own. */
const byDataset: Readonly<Record<Exclude<DatasetName, 'file_download'>, Sheet>> = {
  news: newsSheet,
  theme_lib_detail_kp: themeDetailSheet,
  hotstock: hotstockSheet,
  st: stSheet,
  convertible_minute: convertibleMinuteSheet,
  etf_minute: etfMinuteSheet,
  theme_daily: themeDailySheet,
  convertible_daily: convertibleDailySheet,
  transfer_financing: transferFinancingSheet,
  thememembers_jx: sectorMembersSheet,
  southbound_top10: southboundSheet,
  anomaly_forecast: anomalyForecastSheet,
  finance_announcement: announcementSheet,
  interactive_qa: qaSheet,
}
const sheets = Object.values(byDataset)

/** The days of a sheet, cut into its partitions, ascending. */
function partitionsOf(sheet: Sheet, sample: Sample): Map<string, Day[]> {
  const { partition } = datasetOf(sheet.dataset)
  const length = partition === 'month' ? 6 : 8
  return groupItems(sheet.days(sample), ({ date }) => (sheet.isWhole ? 'whole' : date.slice(0, length)))
}

/**
 * The synthetic sample, partition by partition: dataset after dataset, days ascending, the ticks last. Nothing is
 * kept between batches. The same options give the same batches on every machine, at any time, in any time zone.
 * @throws QuotebookError INVALID_VALUE for a size out of range or days that the trading calendar does not know
 */
export function* generate(options: SampleOptions = {}): Generator<Batch, void, undefined> {
  const sample = planSample(options)
  for (const sheet of sheets) {
    const fields = fieldsOf(sheet.dataset)
    for (const [partition, days] of partitionsOf(sheet, sample)) {
      yield { dataset: sheet.dataset, partition, fields, rows: sheet.rows(sample, days) }
    }
  }
  for (const day of sample.days) yield { ticks: day.date, columns: auctionTicks(sample, day) }
}

/** How large a sample will be, before any of it is made. */
interface Extent {
  /** Batches that `generate` yields. */
  readonly batches: number
  /** First and last trading day. */
  readonly from: string
  readonly to: string
}

export function extent(options: SampleOptions = {}): Extent {
  const sample = planSample(options)
  const parts = sheets.reduce((sum, sheet) => sum + partitionsOf(sheet, sample).size, 0)
  const from = sample.days[0]?.date ?? ''
  return { batches: parts + sample.days.length, from, to: sample.latest.date }
}

/** The meta object that belongs to the sample's news. */
export function newsMeta(options: SampleOptions = {}): NewsMeta {
  return newsMetaOf(planSample(options))
}
