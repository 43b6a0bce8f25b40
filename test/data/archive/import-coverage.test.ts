import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { type ImportOptions, importFiles } from '../../../src/data/archive/import/import-files.js'
import { tempDir, tempFile } from '../../helper/temp.js'

const asked = '2026-07-08T20:00:00+08:00'

/** A saved reply, as the service sends it. */
const reply = (fields: readonly string[], items: readonly unknown[], more: object = {}) => ({
  code: items.length > 0 ? 200 : 1002,
  message: 'success',
  data: items.length > 0 ? { fields, items, ...more } : null,
})
const bonds = (...days: string[]) =>
  reply(
    ['tradedate', 'symbol', 'code'],
    days.map((day) => [day, '110059', '110059.SH']),
  )

async function imported(
  name: DatasetName,
  body: object,
  request: object | undefined,
  options: ImportOptions = {},
  dir = join(tempDir(), 'archive'),
): Promise<Archive> {
  const path = tempFile('rows.json', JSON.stringify(body))
  if (request) writeFileSync(path.replace('.json', '.request.json'), JSON.stringify({ apiname: name, ...request }))
  await importFiles(dir, datasetOf(name), [path], options)
  return new Archive(dir, 'test')
}

const coveredIn = async (archive: Archive, name: DatasetName) => (await archive.manifest()).datasets[name]?.ledger

test.each<[string, DatasetName, object, object | undefined, ImportOptions]>([
  ['without a request', 'convertible_daily', bonds('20260701'), undefined, {}],
  [
    'rows that are no reply',
    'convertible_daily',
    [{ tradedate: '20260701', symbol: '110059', code: '110059.SH' }],
    { params: {} },
    {},
  ],
  ['a reply of the latest day', 'convertible_daily', bonds('20260701'), { params: {}, asked }, {}],
  [
    'cut replies',
    'convertible_daily',
    bonds('20260701'),
    { params: { tradedate: '20260701' }, asked },
    { partial: true },
  ],
  ['an unknown param', 'convertible_daily', bonds('20260701'), { params: { tradedat: '20260701' }, asked }, {}],
  [
    'a misspelt code',
    'convertible_daily',
    bonds('20260701'),
    { params: { tradedate: '20260701', symbols: '110058' }, asked },
    {},
  ],
])('%s says nothing of coverage', async (_, name, body, request, options) => {
  expect(await coveredIn(await imported(name, body, request, options), name)).toBeUndefined()
})

test('codes are covered by themselves; a trading day that quotes lack is not, a weekend is', async () => {
  const params = { startdate: '20260701', enddate: '20260706' }
  const some = await imported('convertible_daily', bonds('20260701'), {
    params: { ...params, symbols: '110059,110060' },
    asked,
  })
  expect(await coveredIn(some, 'convertible_daily')).toEqual([
    { scope: '', symbols: ['110059'], days: [['20260701', '20260706']], asked, proof: 'cap' },
  ])
  const all = await imported(
    'theme_daily',
    reply(
      ['tradedate', 'symbol', 'type'],
      [
        ['20260701', '880001', 'tj'],
        ['20260703', '880001', 'tj'],
      ],
    ),
    {
      params: { type: 'tj', ...params },
      asked,
    },
  )
  expect(await coveredIn(all, 'theme_daily')).toMatchObject([
    {
      days: [
        ['20260701', '20260701'],
        ['20260703', '20260705'],
      ],
    },
  ])
})
