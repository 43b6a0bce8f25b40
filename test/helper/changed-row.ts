import { datasetOf } from '../../src/contract/catalogue.js'
import { Archive } from '../../src/data/archive/archive.js'
import { derive } from '../../src/frame/verb/derive.js'
import { toCsv } from '../../src/frame/write-data.js'
import { tempFile } from './temp.js'

const bonds = datasetOf('convertible_daily')

/** A row of the sample with another close, as a file to import. */
export async function changedRow(dir: string, code: string, close: number): Promise<string> {
  const table = await new Archive(dir, 'copy').query(bonds, { symbols: [code], tradedate: '20260729' })
  return tempFile('row.csv', toCsv(derive(table, { close: () => close })))
}
