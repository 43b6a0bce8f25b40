import { expect, test, vi } from 'vitest'
import { connect } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { changedRow } from '../../helper/changed-row.js'
import { runService } from '../../helper/running-service.js'
import { archiveCopy } from '../../helper/served.js'

const bonds = datasetOf('convertible_daily')

test('a watch over our own service: rows pass once, then only what changed the question', async () => {
  const dir = archiveCopy()
  const service = await runService({ dir })
  const market = await connect({ nodes: [service.url], apikey: 'any' })
  const stop = new AbortController()
  const watch = market.watch('convertible_daily', { tradedate: '20260729' }, { every: 0.02, signal: stop.signal })
  const first = (await watch.next()).value
  expect(first).toMatchObject({ isFirst: true, newest: '2026-07-29', state: await service.archive.state() })
  const next = watch.next()
  while (service.entries.length < 20) await new Promise((resolve) => setTimeout(resolve, 10))
  const quiet = service.entries.slice(2).reduce((sum, { rows = 0, bytes }) => sum + rows + bytes, 0)
  expect(quiet).toBe(0)
  await importFiles(dir, bonds, [await changedRow(dir, '123124.SZ', 150.5)])
  const change = (await next).value
  expect([change?.added.numRows, change?.gone.numRows, change?.columns]).toEqual([0, 0, [['close']]])
  expect(change?.before.getChild('close')?.get(0)).toBe(148.875)
  expect(change?.changed.getChild('close')?.get(0)).toBe(150.5)
  const last = watch.next()
  stop.abort()
  expect(await last).toEqual({ done: true, value: undefined })
  await Promise.all([market.close(), service.close()])
})

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
