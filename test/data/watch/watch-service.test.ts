import { expect, test, vi } from 'vitest'
import { connect } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { changedRow } from '../../helper/changed-row.js'
import { archiveCopy } from '../../helper/served.js'

const bonds = datasetOf('convertible_daily')

test('of an archive in a directory nothing is read while its state stays', async () => {
  const dir = archiveCopy()
  const market = await connect({ archive: dir })
  const query = vi.spyOn(market.source, 'query')
  let answers = 0
  const stop = new AbortController()
  const onAnswer = (): unknown => answers++
  const options = { every: 0.02, signal: stop.signal, onAnswer, fields: ['close'] } as const
  const watch = market.watch('convertible_daily', { symbols: ['123124'] }, options)
  expect((await watch.next()).value?.rows.schema.names).toEqual(['tradedate', 'code', 'close'])
  const next = watch.next()
  while (answers < 8) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(query).toHaveBeenCalledTimes(1)
  await importFiles(dir, bonds, [await changedRow(dir, '127018.SZ', 1)])
  await importFiles(dir, bonds, [await changedRow(dir, '123124.SZ', 150.5)])
  expect((await next).value?.columns).toEqual([['close']])
  expect(query.mock.calls.length).toBeLessThanOrEqual(3)
  stop.abort()
  expect(await watch.next()).toEqual({ done: true, value: undefined })
})
