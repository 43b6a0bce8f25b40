import type { Table } from 'apache-arrow'
import { type DatasetName, datasetOf } from '../contract/catalogue.js'
import { bucketCloses } from '../contract/session.js'
import type { Market } from '../market.js'
import { concatTables } from '../table/concat-tables.js'

export type BarDataset = Extract<DatasetName, 'etf_minute' | 'convertible_minute'>

/**
 * Every bar of a day, all instruments: one question for each bucket, since without `symbols` the service answers a
 * bucket at a time. They are asked side by side, as fast as the source's pace allows; the rows come bucket by bucket.
 */
export async function barsOfDay(
  market: Market,
  name: BarDataset,
  tradedate: string | undefined,
  period: '15m' | '30m' = '30m',
): Promise<Table> {
  const day = tradedate === undefined ? {} : { tradedate }
  const buckets = await Promise.all(
    bucketCloses[period].map((trademin) => market.query(name, { ...day, trademin, period })),
  )
  return concatTables(datasetOf(name), buckets)
}
