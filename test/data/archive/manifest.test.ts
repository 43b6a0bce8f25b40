import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { QuotebookError } from '../../../src/contract/error.js'
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

function isTold(error: unknown): boolean {
  return error instanceof QuotebookError && error.code === 'ARCHIVE' && error.message.length > 20
}

type Place = readonly (string | number)[]

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))]
}

const values = [
  null,
  -1,
  0.5,
  0,
  2 ** 60,
  '',
  'x',
  '../x.parquet',
  '20260701',
  true,
  {},
  [],
  [null],
  [[]],
  'absent',
  'twice',
]

function mutate(root: object, at: Place, value: unknown): void {
  const last = at.at(-1) as string
  const holder = at.slice(0, -1).reduce<Record<string, unknown>>((one, key) => one[key] as never, root as never)
  const own = holder[last]
  if (value === 'twice') {
    if (Array.isArray(own)) own.push(own[0])
    else if (typeof own === 'number') holder[last] = own + 1
    else holder[last] = [own, own]
  } else if (value === 'absent') delete holder[last]
  else holder[last] = value
}

test('every field that says something else under a right checksum is told, or changes no answer', async () => {
  const dir = copy()
  const truth = await answers(dir)
  const text = readFileSync(join(dir, 'manifest.json'), 'utf8')
  const places = placesIn(JSON.parse(text)).filter((at) => at.length > 0 && at[0] !== 'sha256')
  const wrong: string[] = []
  let told = 0
  for (const [i, at] of places.entries()) {
    // Every third, another third in the next place.
    for (const value of values.filter((_, k) => (k + i) % 3 === 0)) {
      writeFileSync(join(dir, 'manifest.json'), text)
      editManifest(dir, (manifest) => mutate(manifest, at, value))
      const what = `${at.join('.')} = ${JSON.stringify(value)}`
      try {
        if ((await answers(dir)) !== truth) wrong.push(what)
      } catch (error) {
        if (isTold(error)) told++
        else wrong.push(`${what}: ${error}`)
      }
    }
  }
  // What is left out whole is another archive; its checksum is then of the one who left it out. So are counts of ticks.
  const isOther =
    /^(datasets(\.\w+(\.parts(\.\d+)?)?)?|ticks(\.\d+)?) = ("absent"|\{\}|\[\])$|^ticks\.0\.(rows|bytes) = /
  expect(wrong.filter((what) => !isOther.test(what))).toEqual([])
  expect(told).toBeGreaterThan(places.length * 2.6)
})

test('rows that are not those of the entry are refused by reader and writer', async () => {
  for (const facts of [{ rows: 4 }, { first: ['20260701', '000002.SZ'] }, { last: ['20260730', '000003.SZ'] }]) {
    const dir = copy()
    editManifest(dir, ({ datasets }) => Object.assign(datasets.convertible_daily?.parts[1] ?? {}, facts))
    const told = { code: 'ARCHIVE', message: expect.stringContaining('not those of its entry') }
    await expect(answers(dir)).rejects.toMatchObject(told)
    const more = tempFile('m.csv', 'tradedate,symbol,code,close\n20260703,000001,000001.SZ,1.5\n')
    await expect(importFiles(dir, bond, [more])).rejects.toMatchObject(told)
  }
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
