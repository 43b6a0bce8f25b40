import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../../src/data/archive/archive.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { tempDir } from '../../helper/temp.js'

const [first, second] = [Buffer.from('the first bytes'), Buffer.from('other bytes')]

async function put(dir: string, bytes: Uint8Array): Promise<ArchiveWriter> {
  const writer = await ArchiveWriter.open(dir)
  await writer.putTicks('20260105', bytes, 1)
  return writer
}

async function read(dir: string): Promise<string> {
  const archive = new Archive(dir, 'x')
  const [entry] = (await archive.manifest()).ticks
  return Buffer.from(await archive.bytes(entry?.file as string, entry?.sha256 as string)).toString()
}

test('a day of ticks that is replaced is whole all the while: before the commit, after an abort, and after it', async () => {
  const dir = join(tempDir(), 'archive')
  await (await put(dir, first)).commit()
  expect(readdirSync(join(dir, 'ticks'))).toEqual(['20260105_aucde.parquet'])
  const aborted = await put(dir, second)
  expect(await read(dir)).toBe('the first bytes')
  await aborted.abort()
  expect(await read(dir)).toBe('the first bytes')
  const writer = await put(dir, second)
  expect(await read(dir)).toBe('the first bytes')
  await writer.commit()
  expect(await read(dir)).toBe('other bytes')
  const [left, ...more] = readdirSync(join(dir, 'ticks'))
  expect(more).toEqual([])
  expect(readFileSync(join(dir, 'ticks', left as string), 'utf8')).toBe('other bytes')
  await (await put(dir, second)).commit()
  expect(readdirSync(join(dir, 'ticks'))).toEqual([left])
})

test('a commit takes away what writers left behind, and no file of somebody else', async () => {
  const dir = join(tempDir(), 'archive')
  mkdirSync(join(dir, 'ticks'), { recursive: true })
  const own = ['20260104_aucde.parquet', '20260105_aucde (1).parquet', 'mine.parquet', 'notes.txt']
  const left = ['20260104_aucde.0123456789ab.parquet', '20260104_aucde.parquet.0123456789ab.part']
  for (const name of [...own, ...left]) writeFileSync(join(dir, 'ticks', name), name)
  for (const bytes of [first, second, first]) await (await put(dir, bytes)).commit()
  expect(readdirSync(join(dir, 'ticks')).filter((name) => own.includes(name))).toEqual(own)
  expect(readdirSync(join(dir, 'ticks'))).toHaveLength(own.length + 1)
})
