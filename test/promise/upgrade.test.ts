/* Promise: an archive of another version is read as far as it can be, and says what to do about the rest. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnNames, derive, fromParquet, provenance, rename, toObjects, toParquet } from 'quotebook'
import { beforeEach, describe, expect, test } from 'vitest'
import { archiveAt } from '../../src/connect.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { copyArchive } from '../../src/data/archive/copy-archive.js'
import { sha256 } from '../../src/data/archive/file-access.js'
import { repairArchive } from '../../src/data/archive/repair-archive.js'
import { here } from '../helper/here.js'
import { editManifest } from '../helper/manifest.js'
import { tempDir } from '../helper/temp.js'

let dir: string
beforeEach(() => {
  dir = join(tempDir(), 'archive')
  cpSync('test/fixture/archive-0.1.0', dir, { recursive: true })
})

const remedy = () => `quotebook archive repair --rewrite --archive ${dir}`
const rows = async (name: string, params: object = {}) =>
  toObjects(await archiveAt(dir, {}).query(datasetOf(name), params))

type Table = Awaited<ReturnType<typeof fromParquet>>
type Changed = (table: Table) => unknown
const without = (table: Table, name: string) => table.select(columnNames(table).filter((one) => one !== name))

/** Makes the parts of a dataset those of another version: other columns, under another contract. */
async function asOfOther(name: string, change: Changed = (table) => table): Promise<void> {
  const [file = ''] = readdirSync(join(dir, name)).map((one) => join(dir, name, one))
  const bytes = await toParquet(change(await fromParquet(readFileSync(file))) as never)
  writeFileSync(file, bytes)
  editManifest(dir, ({ datasets }) => {
    const entry = datasets[name]
    for (const part of entry?.parts ?? [])
      Object.assign(part, { bytes: bytes.length, sha256: sha256(bytes), contract: 'other' })
    if (entry?.kept) entry.kept.contract = 'other'
  })
}

test('an archive of 0.1.0 is read as it is, and nothing is to be rewritten', async () => {
  expect(await rows('theme_daily', { type: 'tj', tradedate: '20260729' })).toHaveLength(48)
  expect(await rows('index_daily', { tradedate: '20260728' })).toMatchObject([
    { close: 3000.5, vol: 100 },
    { vol: 200 },
  ])
  expect((await here('status', '--source', dir)).code).toBe(0)
  const before = await rows('st')
  expect((await here('archive', 'repair', '--archive', dir)).err).toContain('is there and sound')
  expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).format).toBe(2)
  // A writer writes the present format.
  expect((await here('archive', 'repair', '--rewrite', '--archive', dir)).err).toContain('is there and sound')
  expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).format).toBe(3)
  expect(await rows('st')).toEqual(before)
})

test('a newer format is refused in one line; an older one is read, and rewritten', async () => {
  editManifest(dir, (manifest) => Object.assign(manifest, { format: 4 }))
  const { code, err } = await here('status', '--source', dir)
  expect([code, err]).toEqual([
    1,
    `quotebook: ${dir}/manifest.json has format 4: a newer version of Quotebook wrote it, and 0.1.0 reads format 3; install that one: npm i quotebook@latest\n`,
  ])
  editManifest(dir, (manifest) => Object.assign(manifest, { format: 1 }))
  expect(await rows('st')).toHaveLength(4)
  expect(await repairArchive(dir, { rewrite: true })).toEqual([])
  expect((await archiveAt(dir, {}).manifest()).format).toBe(3)
})

test('a dataset that this version does not have is named, and stays as it is through writers and copies', async () => {
  cpSync(join(dir, 'st'), join(dir, 'later'), { recursive: true })
  editManifest(dir, ({ datasets }) => {
    const [part] = structuredClone(datasets.st?.parts ?? [])
    Object.assign(datasets, { later: { parts: [{ ...part, file: part?.file.replace('st/', 'later/') }] } })
  })
  const { out, code } = await here('status', '--source', dir, '--format', 'csv')
  const named = /^later,"",20260728,20260729,,,,this version has no such dataset; its files stay as they are,8,/m
  expect([out, code]).toEqual([expect.stringMatching(named), 0])
  await repairArchive(dir, { rewrite: true })
  const [csv, copy] = [join(dir, '..', 'st.csv'), join(dir, '..', 'copy')]
  writeFileSync(csv, 'tradedate,symbol\n20260701,000001\n')
  expect((await here('import', 'st', csv, '--archive', dir)).code).toBe(0)
  expect((await copyArchive(dir, copy)).state).toBe(await archiveAt(dir, {}).state())
  for (const one of [dir, copy]) {
    expect((await archiveAt(one, {}).manifest()).unknown).toMatchObject({ later: { parts: [{ rows: 8 }] } })
    expect(existsSync(join(one, 'later'))).toBe(true)
  }
})

describe('a dataset under another contract', () => {
  const span = { startdate: '20260728', enddate: '20260729' }
  const wantedOf = (name: string) => (name === 'theme_daily' ? { ...span, type: 'tj' } : span)
  const readable: readonly (readonly [string, string, Changed])[] = [
    ['with the same columns', 'st', (table) => table],
    [
      'with a column more',
      'transfer_financing',
      (table) => derive(table, { later: ({ closing_balance: x }: never) => x } as never),
    ],
    ['with a nullable column less', 'transfer_financing', (table) => without(table, 'repayment_amount')],
    [
      'with a nullable column renamed',
      'transfer_financing',
      (table) => rename(table, { repayment_amount: 'repaid' } as never),
    ],
  ]
  test.each(readable)('%s is read by names, not as whole, and rewritten', async (what, name, change) => {
    const wanted = wantedOf(name)
    const truth = await rows(name, wanted)
    const isLess = /less|renamed/.test(what)
    const expected = isLess ? truth.map((row) => ({ ...row, repayment_amount: null })) : truth
    await asOfOther(name, change)
    expect(await rows(name, wanted)).toEqual(expected)
    const note = `${name} was written under another contract: ${remedy()}`
    expect(provenance(await archiveAt(dir, {}).query(datasetOf(name), wanted))).toMatchObject({
      complete: false,
      note: expect.stringContaining(note),
    })
    const { out } = await here('status', '--source', dir, '--format', 'csv')
    expect(
      out
        .split('\n')
        .filter((line) => line.includes(remedy()))
        .map((line) => line.split(',')[0]),
    ).toEqual([name])
    const told: unknown[] = []
    expect(await repairArchive(dir, { rewrite: true, onRewritten: (one) => told.push(one) })).toEqual([])
    expect(told).toEqual([{ dataset: name, files: 1, rows: truth.length, months: 0 }])
    expect(await rows(name, wanted)).toEqual(expected)
    const entry = (await archiveAt(dir, {}).manifest()).datasets[name]
    // What has come to the rows since is asked for again.
    expect(entry).toMatchObject({ kept: { since: '20260728' } })
    expect(entry?.ledger?.some(({ proof, asked }) => proof ?? asked)).toBe(false)
    expect((await here('status', '--source', dir)).out).not.toContain('another contract')
  })

  const unreadable: readonly (readonly [string, string, Changed, string])[] = [
    [
      'a column of the key renamed',
      'st',
      (table) => rename(table, { symbol: 'code' } as never),
      'it has no column symbol',
    ],
    ['a needed column less', 'theme_daily', (table) => without(table, 'type'), 'it has no column type'],
    [
      'a key of more columns',
      'st',
      (table) => derive(table, { symbol: ({ symbol }: { symbol: unknown[] }) => symbol.map(() => '000001') } as never),
      '6 of its rows have the key of another',
    ],
    [
      'numbers in the place of text',
      'st',
      (table) => derive(table, { symbol: ({ symbol }: { symbol: unknown[] }) => symbol.map(() => 1.5) } as never),
      'symbol',
    ],
  ]
  test.each(unreadable)(
    'with %s: the dataset is named with its remedy, and the others are read',
    async (_, name, change, why) => {
      const wanted = wantedOf(name)
      await asOfOther(name, change)
      await expect(rows(name, wanted)).rejects.toMatchObject({
        code: 'ARCHIVE',
        message: expect.stringMatching(new RegExp(`another contract of ${name}: .*${why}.*; ${remedy()} rewrites`)),
      })
      const other = name === 'st' ? 'theme_daily' : 'st'
      expect((await rows(other, wantedOf(other))).length).toBeGreaterThan(0)
      const { out, err, code } = await here('status', '--source', dir, '--format', 'csv')
      expect(err).toContain(`another version wrote ${name}: ${remedy()}`)
      expect([out.split('\n').length, code]).toEqual([8, 1])
      expect(out).toMatch(new RegExp(`^${name},.*${why}.*${remedy()}`, 'm'))
      const lost = await repairArchive(dir, { rewrite: true })
      expect(lost).toMatchObject([{ dataset: name, why: expect.stringContaining(why) }])
      expect(existsSync(join(dir, `${lost[0]?.file}.damaged`))).toBe(true)
      expect(await rows(name, wanted)).toEqual([])
    },
  )
})
