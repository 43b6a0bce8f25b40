// Deep: each file in a process of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { emptyManifest, readManifest } from '../../../../src/data/archive/manifest.js'
import { bundled } from '../../../helper/bundle.js'
import { tempDir, tempFile } from '../../../helper/temp.js'

/** What lies where a file belongs, each made under a path. */
const kinds: Record<string, (path: string) => void> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a device': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
}

const program = `
import { Archive } from './src/data/archive/archive.js'
import { importFiles } from './src/data/archive/import/import-files.js'
import { repairArchive } from './src/data/archive/repair-archive.js'
import { ArchiveWriter } from './src/data/archive/writer.js'
import { datasetOf } from './src/contract/catalogue.js'
import { readKeyFileText } from './src/server/service/keys/key-file.js'
import { archiveSql } from './src/data/sql/sql.js'
import { archiveShare } from './src/data/ticks/share/local-share.js'
import { localTicks } from './src/data/ticks/tick-files.js'
import { TickReader } from './src/data/ticks/read/tick-reader.js'
import { reopenStaged } from './src/data/ticks/fetch/staged-file.js'
const [dir, file] = process.argv.slice(2)
const bond = datasetOf('convertible_daily')
const archive = new Archive(dir, 'x')
const say = async (what, action) => {
  try {
    await action()
    console.log(what, 'done')
  } catch (error) {
    console.log(what, error.code, error.name)
  }
}
await say('query', () => archive.query(bond, { tradedate: '20260701' }))
await say('sql', () => archiveSql(archive, 'select count(*) from convertible_daily'))
await say('ticks', async () => { for await (const _ of new TickReader(localTicks(archive)).read(['20260105'], {})) {} })
await say('share', async () => { for await (const _ of (await archiveShare(archive).open('20260105')).body) {} })
await say('stage', () => reopenStaged(dir, '20260105', undefined, undefined))
await say('keys', () => readKeyFileText(dir + '/keys.json'))
await say('import', () => importFiles(dir, bond, [file], { waitMs: 1 }))
await say('repair', () => repairArchive(dir))
process.exit(0)
`

const bond = datasetOf('convertible_daily')

/** Where something odd lies, and what is to be told then. */
const places: readonly (readonly [string, Record<string, string>])[] = [
  ['manifest.json', { query: 'ARCHIVE', sql: 'ARCHIVE', ticks: 'ARCHIVE', import: 'ARCHIVE', repair: 'ARCHIVE' }],
  ['part', { query: 'ARCHIVE', sql: 'ARCHIVE', import: 'ARCHIVE', repair: 'done' }],
  ['ticks', { ticks: 'ARCHIVE', share: 'FILE', import: 'done', repair: 'done' }],
  ['.lock', { query: 'done', import: 'ARCHIVE', repair: 'ARCHIVE' }],
  ['keys.json', { keys: 'KEYS' }],
  ['.fetch/20260105.json', { stage: 'done' }],
]

test
  .runIf(process.platform === 'linux')
  .each(
    places.flatMap(([place, told]) => Object.entries(kinds).map(([kind, make]) => [kind, place, make, told] as const)),
  )('%s in place of %s hangs nobody, and is told', async (kind, place, make, told) => {
  const dir = join(tempDir(), 'archive')
  const csv = (day: string) => tempFile('b.csv', `tradedate,symbol,code,close\n${day},000001,000001.SZ,1.5\n`)
  await importFiles(dir, bond, [csv('20260701')])
  const { ArchiveWriter } = await import('../../../../src/data/archive/writer.js')
  const writer = await ArchiveWriter.open(dir)
  await writer.putTicks('20260105', Buffer.from('ticks'), 1)
  await writer.commit()
  const { datasets, ticks } = (await readManifest(dir))?.manifest ?? emptyManifest
  const file = { part: datasets['convertible_daily']?.parts[0]?.file, ticks: ticks[0]?.file }[place] ?? place
  mkdirSync(join(dir, '.fetch'), { recursive: true })
  rmSync(join(dir, file), { recursive: true, force: true })
  make(join(dir, file))
  const ran = spawnSync(process.execPath, [await bundled(program), dir, csv('20260702')], {
    encoding: 'utf8',
    timeout: 600_000,
  })
  expect([ran.signal, ran.stderr]).toEqual([null, ''])
  const said = Object.fromEntries(
    ran.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2) as [string, string]),
  )
  // An empty folder is what a lock looks like that nobody has.
  const isFree = place === '.lock' && kind === 'a folder'
  expect(said).toMatchObject(isFree ? { ...told, import: 'done', repair: 'done' } : told)
})
