import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { type FileNote, type ImportOptions, importFiles } from '../../../src/data/archive/import/import-files.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { toCsv } from '../../../src/frame/write-data.js'
import { python } from '../../helper/python-package.js'
import { tempDir, tempFile } from '../../helper/temp.js'

const hasPython = spawnSync(python, ['-c', '']).status === 0

async function importing(name: string, paths: readonly string[], options: ImportOptions = {}) {
  const dir = join(tempDir(), 'own')
  const notes: FileNote[] = []
  const dataset = datasetOf(name)
  await importFiles(dir, dataset, paths, { ...options, onFile: (note) => notes.push(note) })
  const params = name === 'st' ? { startdate: '20260101', enddate: '20261231' } : {}
  const table = await new Archive(dir, 'own').query(dataset, params, { whole: true })
  return { rows: toObjects(table), remarks: notes.map(({ remarks }) => remarks), dir }
}

const marks = 'tradedate,symbol,name,type,type_name'

test.skipIf(!hasPython)("GBK and GB18030 as Python's codecs write them; what is neither is refused", async () => {
  const market = await connect()
  const table = await market.table.st({ startdate: '20260701', enddate: '20260729' })
  const utf8 = tempFile('st.csv', toCsv(table))
  for (const codec of ['gbk', 'gb18030']) {
    const path = join(tempDir(), 'st.csv')
    const program =
      'import sys; open(sys.argv[2],"wb").write(open(sys.argv[1],encoding="utf8").read().encode(sys.argv[3]))'
    expect(spawnSync(python, ['-c', program, utf8, path, codec]).status).toBe(0)
    const { rows, remarks } = await importing('st', [path])
    expect(rows).toEqual((await importing('st', [utf8])).rows)
    expect(remarks).toEqual([[{ about: 'encoding', encoding: 'GB18030' }]])
  }
  const wide = ['㐀', '𠮷', '€', 'ㄅ', '龥', '﨎', 'é', '😀'].join('')
  const program = 'import sys; sys.stdout.buffer.write(sys.argv[1].encode("gb18030"))'
  const text = spawnSync(python, ['-c', program, wide]).stdout
  const bytes = Buffer.concat([Buffer.from(`${marks}\n20260701,000001,ST`), text, Buffer.from(',ST,\n')])
  expect((await importing('st', [tempFile('st.csv', bytes)])).rows[0]?.name).toBe(`ST${wide}`)
  const broken = Buffer.concat([
    Buffer.from(`${marks}\n20260701,000001,`),
    Buffer.from([0xff, 0xff]),
    Buffer.from(',ST,\n'),
  ])
  await expect(importing('st', [tempFile('st.csv', broken)])).rejects.toThrow(/not UTF-8, nor GB18030/)
})

test('the request inside a reply says what the reply does not; one that is no JSON is refused', async () => {
  const bar = ['20260729', '510300.SH', '0930', '09:30:00', 2.4, 2.4, 2.4, 2.4, 100, 24000, 2.4]
  const fields = Object.keys(datasetOf('etf_minute').columns)
  const reply = { code: 200, message: 'success', data: { fields, items: [bar] } }
  const inside = JSON.stringify({ request: { apikey: 'not kept', apiname: 'etf_minute', params: {} }, ...reply })
  const { dir, remarks } = await importing('etf_minute', [tempFile('bars.json', inside)])
  expect(remarks).toEqual([[{ about: 'request', set: { period: '30m' } }]])
  const kept = await new Archive(dir, 'own').query(datasetOf('etf_minute'), { period: '30m', symbols: '510300' })
  expect(kept.numRows).toBe(1)
  const path = tempFile('bars.json', JSON.stringify(reply))
  writeFileSync(path.replace('.json', '.request.json'), '{')
  await expect(importing('etf_minute', [path])).rejects.toThrow(/bars.request.json.*is not JSON/)
})
