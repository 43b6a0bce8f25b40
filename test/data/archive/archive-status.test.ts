import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveStatus, type ScopeStatus, type StatusOptions } from '../../../src/data/archive/archive-status.js'
import { rangesOfDays } from '../../../src/data/archive/coverage/day-ranges.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import '../../helper/seed.js'
import { tempDir, tempFile } from '../../helper/temp.js'

type Row = Readonly<Record<string, unknown>>
const rows: Partial<Record<DatasetName, (day: string) => Row>> = {
  theme_daily: (tradedate) => ({ tradedate, symbol: '880001', type: 'tj' }),
  convertible_daily: (tradedate) => ({ tradedate, symbol: '110059', code: '110059.SH' }),
  transfer_financing: (tradedate) => ({ trade_date: tradedate, tradedate }),
}

async function archiveOf(days: Partial<Record<DatasetName, readonly string[]>>): Promise<string> {
  const dir = join(tempDir(), 'archive')
  for (const [name, all] of Object.entries(days) as [DatasetName, readonly string[]][]) {
    const body = JSON.stringify(all.map((day) => rows[name]?.(day)))
    await importFiles(dir, datasetOf(name), [tempFile('rows.json', body)])
  }
  return dir
}

async function statusOf(dir: string, options?: StatusOptions): Promise<readonly ScopeStatus[]> {
  return new Archive(dir, 'test').read((snapshot) => archiveStatus(snapshot, options))
}

async function cover(dir: string, name: DatasetName, days: readonly string[], asked?: string): Promise<void> {
  const writer = await ArchiveWriter.open(dir)
  const about = { scope: '', symbols: 'all' as const, days: rangesOfDays(days), ...(asked ? { asked } : {}) }
  writer.markCovered(datasetOf(name), about)
  await writer.commit()
}

test('any days and any coverage: covered and missing are those of a brute force', async () => {
  const all = tradingDays('20260601', '20260710')
  const some = fc.subarray(all, { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(some, fc.subarray(all), fc.constantFrom(...all), async (there, covered, due) => {
      const dir = await archiveOf({ theme_daily: there })
      if (covered.length > 0) await cover(dir, 'theme_daily', covered)
      const [own] = await statusOf(dir, { dueBy: due })
      const first = covered[0] ?? there[0] ?? ''
      const missing = all.filter((day) => day >= first && day <= due && !there.includes(day) && !covered.includes(day))
      expect(own).toMatchObject({ first: there[0], last: there.at(-1), days: there.length, missing: missing.length })
      expect(own?.covered).toBe(covered.length || null)
      expect(own?.why === null).toBe(missing.length === 0)
    }),
    { numRuns: 20 },
  )
})

test('what is due goes by the hour of the dataset, and a year without notice is never due', async () => {
  const dir = await archiveOf({ theme_daily: ['20260701', '20260702'] })
  const missing = async (dueBy: string) => (await statusOf(dir, { dueBy }))[0]?.missing
  expect(await missing('2026-07-03T10:00:00')).toBe(0)
  expect(await missing('2026-07-03T10:00:00Z'), 'in Beijing it is evening').toBe(1)
  expect(await missing('20260703')).toBe(1)
  expect(await missing('20260705'), 'a Sunday').toBe(1)
  const late = await archiveOf({ theme_daily: ['20261231'] })
  expect((await statusOf(late, { dueBy: '20270104' }))[0]).toMatchObject({
    missing: 0,
    why: 'inferred from weekdays: 20270101..20270104',
  })
  await expect(statusOf(dir, { dueBy: 'tomorrow' })).rejects.toThrow("dueBy must be a date or a time, not 'tomorrow'")
})

test('sectors have a row for each level, themes one for all of them, whatever was asked', async () => {
  const dir = join(tempDir(), 'synced')
  const time = (): number => Date.UTC(2026, 6, 29, 14)
  const datasets = ['thememembers_jx', 'theme_lib_detail_kp']
  await (await connect()).sync({ archive: dir, datasets, themes: ['1001', '1002'], time })
  const all = await statusOf(dir)
  expect(all.map(({ dataset, scope, covered }) => [dataset, scope, covered])).toEqual([
    ['theme_lib_detail_kp', '', null],
    ['thememembers_jx', 'child', 1],
    ['thememembers_jx', 'parent', 1],
  ])
  expect(all.every(({ rows, days }) => rows > 0 && days === 1)).toBe(true)
})
