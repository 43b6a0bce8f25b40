import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { connect } from '../../src/connect.js'
import { type DatasetName, datasetOf } from '../../src/contract/catalogue.js'
import { columnsOf, objectsOf } from '../../src/frame/read-columns.js'
import type { Market } from '../../src/market.js'
import { gatherRows } from '../../src/table/gather-cells.js'
import { fromParquet } from '../../src/table/parquet.js'
import { tempDir } from '../helper/temp.js'

type Keep = (row: Readonly<Record<string, unknown>>) => boolean

/** A market over an archive of its own, with the rows of the sample archive that are kept, dataset by dataset. */
export async function cutOfSample(keep: Partial<Record<DatasetName, Keep>>): Promise<Market> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  for (const [name, isKept] of Object.entries(keep) as [DatasetName, Keep][]) {
    for (const file of readdirSync(join('data', 'sample', name))) {
      const table = await fromParquet(readFileSync(join('data', 'sample', name, file)))
      const rows = objectsOf(table).flatMap((row, place) => (isKept(row) ? [place] : []))
      if (rows.length > 0) await writer.put(datasetOf(name), gatherRows(columnsOf(table), rows), 'test')
    }
  }
  await writer.commit()
  return connect({ archive: dir })
}
