import { cpSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { readManifest } from '../../../src/data/archive/manifest.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { digest } from '../../../src/frame/table/digest.js'
import { editManifest } from '../../helper/manifest.js'
import { tempDir, tempFile } from '../../helper/temp.js'

const bond = datasetOf('convertible_daily')
const etf = datasetOf('etf_minute')
const span = { startdate: '20260601', enddate: '20260731' }
let original = ''

beforeAll(async () => {
  original = join(tempDir(), 'archive')
  const days = ['20260629', '20260630', '20260701', '20260702', '20260730']
  const rows = days.flatMap((day) => [1, 2].map((n) => `${day},00000${n},00000${n}.SZ,${n}.5`))
  await importFiles(original, bond, [tempFile('b.csv', `tradedate,symbol,code,close\n${rows.join('\n')}\n`)])
  const bars = ['0930', '1000'].map((at) => `20260701,510300.SH,${at},10:00:00`)
  await importFiles(original, etf, [tempFile('e.csv', `tradedate,symbol,trademin,time\n${bars.join('\n')}\n`)])
  const writer = await ArchiveWriter.open(original)
  await writer.putTicks('20260105', Buffer.from('some bytes'), 1)
  await writer.commit()
})

function copy(): string {
  const dir = join(tempDir(), 'copy')
  cpSync(original, dir, { recursive: true })
  return dir
}

/** All that the archive answers: each day alone, the whole range, and the ticks. */
async function answers(dir: string): Promise<string> {
  const archive = new Archive(dir, 'test')
  const days = ['20260629', '20260702', '20260730'].map((tradedate) => ({ tradedate }))
  const told: unknown[] = []
  for (const params of [span, ...days]) told.push(digest(await archive.query(bond, params, { whole: true })))
  told.push(digest(await archive.query(etf, { tradedate: '20260701', symbols: '510300' })))
  for (const { day, rows, bytes, file, sha256 } of (await archive.manifest()).ticks) {
    told.push([day, rows, bytes === (await archive.bytes(file, sha256)).length])
  }
  return JSON.stringify(told)
}

test.each<[what: string, edit: (manifest: Parameters<Parameters<typeof editManifest>[1]>[0]) => unknown]>([
  [
    'a path out of the archive',
    ({ datasets }) => Object.assign(datasets.convertible_daily?.parts[0] ?? {}, { file: '../x.parquet' }),
  ],
  [
    'a path of another dataset',
    ({ datasets }) =>
      Object.assign(datasets.convertible_daily?.parts[0] ?? {}, { file: 'etf_minute/202606.0123456789ab.parquet' }),
  ],
  ['a tick file elsewhere', ({ ticks }) => Object.assign(ticks[0] ?? {}, { file: 'ticks/../../x_aucde.parquet' })],
  [
    'a partition twice',
    ({ datasets }) => datasets.convertible_daily?.parts.push(datasets.convertible_daily.parts[0] as never),
  ],
  ['no checksum', ({ datasets }) => Object.assign(datasets.convertible_daily?.parts[0] ?? {}, { sha256: 'x' })],
  [
    'rows that are no number',
    ({ datasets }) => Object.assign(datasets.convertible_daily?.parts[0] ?? {}, { rows: null }),
  ],
  ['no parts', ({ datasets }) => Object.assign(datasets.convertible_daily ?? {}, { parts: undefined })],
])('%s under a right checksum is refused', async (_, edit) => {
  const dir = copy()
  editManifest(dir, edit)
  await expect(answers(dir)).rejects.toMatchObject({ code: 'ARCHIVE', message: expect.stringContaining('is damaged') })
})

test('links out of the archive are not followed, neither of files nor of folders', async () => {
  const dir = copy()
  const file = (await readManifest(dir))?.manifest.datasets['convertible_daily']?.parts[0]?.file ?? ''
  renameSync(join(dir, file), join(dir, '..', 'part'))
  symlinkSync('../../part', join(dir, file))
  await expect(answers(dir)).rejects.toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining('regular file'),
  })
  const other = copy()
  renameSync(join(other, 'convertible_daily'), join(other, '..', 'elsewhere'))
  symlinkSync('../elsewhere', join(other, 'convertible_daily'))
  await expect(answers(other)).rejects.toMatchObject({ code: 'ARCHIVE', message: expect.stringContaining('links') })
})
