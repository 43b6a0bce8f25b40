import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { toObjects } from '../../../src/frame/read-columns.js'

import { tempDir, tempFile } from '../../helper/temp.js'

const rowsIn = async (
  dir: string,
  params: Record<string, unknown> = { startdate: '20260101' },
  name = 'convertible_daily',
) => toObjects(await new Archive(dir, 'test').query(datasetOf(name), params, { whole: true }))

test('what the wire does not carry is filled in, told, or asked for', async () => {
  const dir = join(tempDir(), 'archive')
  const hot = JSON.stringify({
    code: 200,
    message: 'success',
    data: {
      fields: ['s', 'n', 'pc'],
      items: [
        ['600519', '示例', 1.5],
        ['000001', null, null],
      ],
    },
  })
  await expect(importFiles(dir, datasetOf('hotstock'), [tempFile('hot.json', hot)])).rejects.toThrow(
    'lacks tradedate, type',
  )
  await importFiles(dir, datasetOf('hotstock'), [tempFile('hot.json', hot)], {
    set: { type: 'ths&normal', tradedate: '20260701' },
  })
  expect(await rowsIn(dir, { type: 'ths&normal' }, 'hotstock')).toEqual([
    { s: '600519', n: '示例', pc: 1.5 },
    { s: '000001', n: null, pc: null },
  ])
  const history = 's,rank,tradedate,type\n600519,1,20260701,ths&normal\n'
  await importFiles(dir, datasetOf('hotstock'), [tempFile('history.csv', history)])
  expect((await rowsIn(dir, { type: 'ths&normal' }, 'hotstock'))[0]).toEqual({ s: '600519', n: '示例', pc: 1.5 })

  const members = 'theme_symbol,symbols\n801001,"[""000001"",""600519""]"\n'
  await expect(importFiles(dir, datasetOf('thememembers_jx'), [tempFile('m.csv', members)])).rejects.toThrow(
    '--set level=',
  )
  await importFiles(dir, datasetOf('thememembers_jx'), [tempFile('m.csv', members)], {
    set: { level: 'child', snapshot_date: '20260701' },
  })
  expect(await rowsIn(dir, { level: 'child', symbols: '600519.SH' }, 'thememembers_jx')).toEqual([
    { theme_symbol: '801001', symbols: ['000001', '600519'] },
  ])

  const announcements =
    'symbol,event_date,title,announcement_type\n600519,20260701,年报,financial_report\n600519,2026-07-02 18:30:00,公告,other\n'
  await importFiles(dir, datasetOf('finance_announcement'), [tempFile('ann.csv', announcements)])
  const titles = async (as_of: string) =>
    (await rowsIn(dir, { as_of }, 'finance_announcement')).map(({ title }) => title)
  expect(await titles('2026-07-01T12:00:00')).toEqual([])
  expect(await titles('20260701')).toEqual(['年报'])
  expect(await titles('2026-07-02T10:30:00Z')).toEqual(['公告', '年报'])
})
