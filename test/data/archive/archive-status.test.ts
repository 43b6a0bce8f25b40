import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveStatus, type ScopeStatus, type StatusOptions } from '../../../src/data/archive/archive-status.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { contractVersion } from '../../../src/data/archive/manifest.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { editManifest } from '../../helper/manifest.js'
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

test('a day that may have no rows is no gap for a week, however late the dataset is', async () => {
  const dir = await archiveOf({ theme_daily: ['20260701', '20260717'], transfer_financing: ['20260701', '20260708'] })
  const covered = { scope: '', symbols: 'all' as const, days: [['20260701', '20260701'] as const], proof: 'total' }
  const kept = { contract: contractVersion(datasetOf('transfer_financing')), from: [] }
  const statusBy = async (dueBy: string, latest?: string) => {
    editManifest(dir, ({ datasets }) =>
      Object.assign(datasets.transfer_financing ?? {}, {
        ledger: [covered],
        kept: { ...kept, latest: latest ? { '': latest } : {} },
      }),
    )
    const { missing, why } = (await statusOf(dir, { dueBy })).find((one) => one.dataset === 'transfer_financing') ?? {}
    return [missing, why]
  }
  expect(await statusBy('20260707')).toEqual([0, 'no rows yet, may have none: 20260702..20260707'])
  expect(await statusBy('20260710')).toEqual([
    1,
    'not covered: 20260702; no rows yet, may have none: 20260703..20260707 20260709..20260710',
  ])
  // Its own latest day is not a week old for it.
  expect(await statusBy('20260716', '20260708')).toEqual([
    0,
    'no rows yet, may have none: 20260702..20260707 20260709..20260716',
  ])
})

test('what a sync was asked for and has not brought is there from its beginning', async () => {
  const dir = await archiveOf({ theme_daily: ['20260701', '20260702'] })
  const writer = await ArchiveWriter.open(dir)
  for (const name of ['st', 'southbound_top10', 'etf_minute', 'news'] as const)
    writer.wantSince(datasetOf(name), ['http://127.0.0.1'], '20260701')
  await writer.commit()
  const found = (await statusOf(dir)).map(({ dataset, scope, missing, why }) => [dataset, scope, missing, why])
  expect(found.filter(([name]) => name !== 'theme_daily')).toEqual([
    ['news', '', null, 'not brought yet'],
    ['st', '', 2, 'not brought yet: 20260701..20260702'],
    ['etf_minute', '15m', 2, 'not brought yet: 20260701..20260702'],
    ['etf_minute', '30m', 2, 'not brought yet: 20260701..20260702'],
    ['southbound_top10', '', 2, 'not brought yet: 20260701..20260702'],
  ])
  // What was asked for and may have no rows is no gap.
  const asked = { scope: '', symbols: 'all', days: [['20260702', '20260702']], asked: '2026-07-02T20:00:00+08:00' }
  editManifest(dir, ({ datasets }) => Object.assign(datasets.southbound_top10 ?? {}, { ledger: [asked] }))
  const answered = (await statusOf(dir)).find(({ dataset }) => dataset === 'southbound_top10')
  expect(answered?.missing).toBe(0)
})
