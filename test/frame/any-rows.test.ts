import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { asTable } from '../../src/frame/as-table.js'
import { rowsOf, toObjects } from '../../src/frame/read-columns.js'
import { toTable } from '../../src/frame/table/arrow.js'
import { fromCsv } from '../../src/frame/table/csv.js'
import { decode } from '../../src/frame/table/decode.js'
import { fromRows } from '../../src/frame/table/from-rows.js'
import { fromIpc } from '../../src/frame/table/ipc.js'
import { fromJson } from '../../src/frame/table/json.js'
import { fromParquet } from '../../src/frame/table/parquet.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { toCsv, toIpc, toJson, toParquet } from '../../src/frame/write-data.js'
import { arbitraryRows } from '../helper/arbitrary-rows.js'

test.each(datasets.map((dataset): [string, Dataset] => [dataset.name, dataset]))(
  'any rows of %s go through danfo and every format and back, as a table and as a frame',
  async (_, dataset) => {
    const names = Object.keys(dataset.columns)
    await fc.assert(
      fc.asyncProperty(arbitraryRows(dataset, { minLength: 1 }), async (rows) => {
        const table = toTable(decode(dataset, names, rows), dataset.columns)
        const frame = toDataFrame(table)
        expect([frame.shape, frame.columns]).toEqual([[rows.length, names.length], names])
        const back = asTable(frame, dataset)
        expect(rowsOf(back)).toEqual(rows)
        expect(back.schema.fields.map(String)).toEqual(table.schema.fields.map(String))
        for (const data of [table, frame]) {
          expect(rowsOf(fromCsv(toCsv(data), { dataset }))).toEqual(rows)
          expect(rowsOf(fromJson(toJson(data), { dataset }))).toEqual(rows)
          expect(rowsOf(fromIpc(toIpc(data)))).toEqual(rows)
          expect(rowsOf(await fromParquet(await toParquet(data)))).toEqual(rows)
          expect(rowsOf(fromRows(toObjects(data), { dataset }))).toEqual(rows)
          expect(rowsOf(data)).toEqual(rows)
        }
      }),
      { numRuns: 3 },
    )
  },
)
