import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { orderedRows } from '../../../src/frame/table/check-table.js'
import { decode } from '../../../src/frame/table/decode.js'
import { cellOf } from '../../../src/frame/table/values.js'
import { extent, generate } from '../../../src/research/sample/generate-sample.js'
import type { SampleOptions } from '../../../src/research/sample/sample-plan.js'

const sizes: readonly SampleOptions[] = [
  {},
  { seed: 1, days: 1, symbols: 1 },
  { seed: 7, days: 23, symbols: 13, start: '20230626' },
]

test.each(sizes)('every batch keeps its contract: %o', (options) => {
  const seen = new Set<string>()
  let batches = 0
  for (const batch of generate(options)) {
    batches++
    if ('ticks' in batch) continue
    const dataset = datasetOf(batch.dataset)
    expect(batch.fields).toEqual([...Object.keys(dataset.columns), ...Object.keys(dataset.stored ?? {})])
    const columns = decode(dataset, batch.fields, batch.rows)
    expect(columns.length).toBeGreaterThan(0)
    const stored = Object.entries(dataset.stored ?? {}).flatMap(([name, column]) => (column.key ? [name] : []))
    const key = [...dataset.key, ...stored]
    expect(orderedRows(columns, [...dataset.order, ...key]), `${batch.dataset} ${batch.partition}`).toBeUndefined()
    for (let row = 0; row < columns.length; row++) {
      const cells = key.map((name) => cellOf(columns.columns.get(name) as never, row))
      const id = `${batch.dataset} ${JSON.stringify(cells)}`
      expect(seen.has(id), id).toBe(false)
      seen.add(id)
    }
    const size = dataset.partition === 'month' ? 6 : 8
    const days = columns.columns.get(dataset.day ?? '')
    if (days?.type === 'dictionary' && batch.partition !== 'whole')
      expect(new Set(days.dictionary.map((day) => day.slice(0, size)))).toEqual(new Set([batch.partition]))
  }
  expect(batches).toBe(extent(options).batches)
})
