import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { asTable } from '../../src/frame/as-table.js'
import { rowsOf } from '../../src/frame/read-columns.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { toTable } from '../../src/table/arrow.js'
import { decode } from '../../src/table/decode.js'
import { arbitraryRows } from '../helper/arbitrary-rows.js'

test.each(datasets.map((dataset): [string, Dataset] => [dataset.name, dataset]))(
  'any rows of %s go to danfo and back unchanged',
  async (_, dataset) => {
    const names = Object.keys(dataset.columns)
    await fc.assert(
      fc.asyncProperty(arbitraryRows(dataset), async (rows) => {
        const table = toTable(decode(dataset, names, rows), dataset.columns)
        const frame = await toDataFrame(table)
        expect(frame.shape).toEqual([rows.length, names.length])
        expect(frame.columns).toEqual(names)
        const back = asTable(frame, dataset)
        expect(rowsOf(back)).toEqual(rows)
        expect(back.schema.fields.map(String)).toEqual(table.schema.fields.map(String))
        expect(rowsOf(asTable(frame)).length).toBe(rows.length)
      }),
      { numRuns: 30 },
    )
  },
)
