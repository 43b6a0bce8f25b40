import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveStatus, type ScopeStatus, type StatusOptions } from '../../../src/data/archive/archive-status.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
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
