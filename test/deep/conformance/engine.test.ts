// Deep: needs a ClickHouse server.
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { storeOf } from '../../../src/data/archive/store/store-of.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { toIpc } from '../../../src/frame/write-data.js'
import type { Market } from '../../../src/market.js'
import { report } from '../../../src/research/report/load/market-report.js'
import { type EngineCopy, engineCopy, hasEngine } from '../../helper/engine-copy.js'
import { hostileArchive } from '../../helper/hostile-archive.js'
import { serviceOver } from '../../helper/own-service.js'
import { tempDir } from '../../helper/temp.js'

describe.skipIf(!hasEngine)('a market over ClickHouse', () => {
  let engine: EngineCopy
  let dir: string
  let directory: Market
  let stored: Market

  beforeAll(async () => {
    dir = await hostileArchive()
    engine = await engineCopy(dir)
    directory = await connect({ archive: dir })
    stored = await connect({ clickhouse: { url: engine.url, database: engine.database } })
  })
  afterAll(async () => {
    await stored?.close()
    await engine?.stop()
  })

  test('gives the report of the directory, byte for byte', async () => {
    expect(await report(stored, { days: 12 })).toBe(await report(directory, { days: 12 }))
  })

  test('reads the ticks of each day', async () => {
    const days = await stored.ticks.days()
    expect(days).toEqual(await directory.ticks.days())
    for (const day of days.slice(0, 6)) {
      const [one, other] = await Promise.all([directory.ticks.read(day), stored.ticks.read(day)])
      expect(other.numRows).toBe(one.numRows)
      expect(other.schema.fields.map((field) => `${field.name} ${field.type}`)).toEqual(
        one.schema.fields.map((field) => `${field.name} ${field.type}`),
      )
      expect(other.toArray().map(String)).toEqual(one.toArray().map(String))
    }
    expect(toIpc(await stored.query('st')).length).toBe(toIpc(await directory.query('st')).length)
  })

  test('is brought up to a source as a directory is, and tells what was known then', async () => {
    const service = await serviceOver(new Archive(dir, 'archive sample'))
    const time = (): number => Date.UTC(2026, 6, 30, 14)
    const source = await connect({ nodes: [service.url], apikey: 'k', time })
    const places = [join(tempDir(), 'synced'), `clickhouse://${new URL(engine.url).host}/synced`]
    try {
      const asked = { datasets: ['st', 'convertible_daily', 'hotstock'], from: '20260720', time }
      const results = []
      for (const archive of places) results.push(await source.sync({ ...asked, archive }))
      expect(results[1]).toEqual(results[0])
      const again = await source.sync({ ...asked, archive: places[1] as string })
      expect(again.rows).toBeLessThan(results[0]?.rows ?? 0)
      const [one, other] = await Promise.all(places.map((place) => storeOf(place).read()))
      const rows = (found: typeof one) =>
        Object.entries(found?.manifest.datasets ?? {}).map(([name, { parts }]) => [
          name,
          parts.map(({ partition, sha256 }) => [partition, sha256]),
        ])
      expect(rows(other)).toEqual(rows(one))
      const then = await Promise.all(places.map((archive) => connect({ archive, asOf: '2026-07-31' })))
      const [known, same] = await Promise.all(then.map((market) => market.query('hotstock', { type: 'ths&normal' })))
      expect(toObjects(same as Table)).toEqual(toObjects(known as Table))
      expect(known?.numRows).toBeGreaterThan(0)
    } finally {
      await source.close()
      await service.close()
    }
  })
})
