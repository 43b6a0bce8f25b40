import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { Archive, datasetOf, importFiles, toParquet } from '../../../../src/index.js'
import { handFile, run } from '../../../helper/parquet-bytes.js'
import { peak } from '../../../helper/peak.js'
import { tempDir, tempFile } from '../../../helper/temp.js'
import { handWorkbook } from '../../../helper/workbook-bytes.js'

const marks = 'tradedate,symbol,name,type,type_name'
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const row = { tradedate: '20260701', symbol: '000001', name: 'ST', type: 'ST', type_name: null }

type Limits = NonNullable<NonNullable<Parameters<typeof importFiles>[3]>['limits']>
const importing = (path: string, limits: Limits = {}) =>
  importFiles(join(tempDir(), 'own'), datasetOf('st'), [path], { limits })

test('an Excel file is refused by what it unpacks to, whatever it says, before anybody reads it', async () => {
  const before = peak()
  const path = tempFile('st.xlsx', handWorkbook(Buffer.alloc(300_000_000, ' '), 100))
  await expect(importing(path)).rejects.toMatchObject({
    code: 'IMPORT',
    message: expect.stringMatching(/st\.xlsx: can not be read .* unpacks to more than 214748364 bytes/),
  })
  expect(peak() - before).toBeLessThan(2 ** 30)
  const small = tempFile('st.xlsx', handWorkbook(Buffer.alloc(10_000, ' ')))
  await expect(importing(small, { bytes: 20_000 })).rejects.toThrow(/unpacks to more than 4000 bytes/)
  await expect(importing(small)).rejects.toThrow(/first sheet has no row of names/)
})

test('nulls by the million are refused by their count, and rows beyond the limit by the footer', async () => {
  const nulls = Array.from({ length: 1000 }, (_, i) => ({ ...row, symbol: i === 7 ? null : '000001' }))
  const path = tempFile('st.parquet', Buffer.from(await toParquet(fromRows(nulls))))
  await expect(importing(path)).rejects.toMatchObject({
    field: 'symbol',
    message: expect.stringMatching(/row 8: symbol is null where the contract requires a value/),
  })
  const many = tempFile(
    'st.parquet',
    handFile({ type: 6, pages: run(30_000_000, Buffer.from('000001')), rows: 30_000_000 }),
  )
  await expect(importing(many)).rejects.toThrow(/counts 30000000 rows, and 12000000 are the most that is read/)
  await expect(importing(path, { rows: 999 })).rejects.toThrow(/counts 1000 rows, and 999 are the most/)
})

test('deep JSON beside rows: the kept request, a manifest', async () => {
  const path = tempFile('st.csv', `${marks}\n20260701,000001,ST,ST,\n`)
  writeFileSync(path.replace('.csv', '.request.json'), deep(100_000))
  await expect(importing(path)).rejects.toThrow(/^st\.request\.json: it is more than 64 levels deep$/)
  const dir = tempDir()
  writeFileSync(join(dir, 'manifest.json'), `{"format":2,"datasets":${deep(100_000)}}`)
  const refused = {
    code: 'ARCHIVE',
    message: expect.stringMatching(/manifest\.json is more than 64 levels deep, in datasets/),
  }
  await expect(new Archive(dir, 'own').query(datasetOf('st'), {})).rejects.toMatchObject(refused)
})
