import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { strings } from '../../../src/frame/read-columns.js'
import { decode } from '../../../src/frame/table/decode.js'
import { tempDir } from '../../helper/temp.js'

const financing = datasetOf('transfer_financing')

async function put(dir: string, day: string): Promise<void> {
  const writer = await ArchiveWriter.open(dir)
  await writer.put(financing, decode(financing, ['tradedate'], [[day]]), 'test')
  await writer.commit()
}

test('every query of a turn sees what was there when the turn began, also when another of them looks first', async () => {
  const dir = join(tempDir(), 'archive')
  await put(dir, '20260701')
  const archive = new Archive(dir, 'test', { oncePerTurn: true })
  const before = await archive.state()
  await turn()
  await put(dir, '20260702')
  await turn()
  const [one, other, rows] = await Promise.all([archive.state(), archive.state(), archive.query(financing)])
  expect(one).not.toBe(before)
  expect(other).toBe(one)
  expect(strings(rows, 'tradedate')).toEqual(['20260702'])
})
