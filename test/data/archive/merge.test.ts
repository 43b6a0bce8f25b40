import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { archiveAt } from '../../../src/connect.js'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { editManifest } from '../../helper/manifest.js'
import { tempDir, tempFile } from '../../helper/temp.js'

const fresh = () => join(tempDir(), 'archive')
const csv = (text: string) => tempFile('rows.csv', text)
const reply = (fields: string[], items: unknown[][]) =>
  tempFile('reply.json', JSON.stringify({ code: 200, message: 'success', data: { fields, items } }))
const put = (dir: string, name: DatasetName, file: string, set?: Record<string, string>) =>
  importFiles(dir, datasetOf(name), [file], set ? { set } : {})
const ask = async (dir: string, name: DatasetName, params: object = {}) =>
  toObjects(await new Archive(dir, 'test').query(datasetOf(name), params, { whole: true }))

test('a hot list is replaced as a whole, and names stay with their stocks', async () => {
  const dir = fresh()
  const day = { type: 'ths&normal', tradedate: '20260701' }
  const latest = [
    ['000001', '甲', 1.2],
    ['600519', '乙', 3.4],
    ['300750', '丙', 5.6],
  ]
  await put(dir, 'hotstock', reply(['s', 'n', 'pc'], latest), day)
  const history = [
    ['600519', 1, '20260701', 'ths&normal'],
    ['000001', 2, '20260701', 'ths&normal'],
  ]
  await put(dir, 'hotstock', reply(['s', 'rank', 'tradedate', 'type'], history))
  expect(await ask(dir, 'hotstock', { type: 'ths&normal' })).toEqual([
    { s: '600519', n: '乙', pc: 3.4 },
    { s: '000001', n: '甲', pc: 1.2 },
  ])
})

test('a stated disclosure time is compared as a time, whatever its spelling; no announcement is seen early', async () => {
  const dir = fresh()
  const rows = ['2026-04-30 20:00:00', '2026-04-30T02:00:00Z', '20260430'].map(
    (at, i) => `600519,20260430,t${i},other,${at}`,
  )
  await put(
    dir,
    'finance_announcement',
    csv(`symbol,event_date,title,announcement_type,disclosed_at\n${rows.join('\n')}\n`),
  )
  const seen = async (as_of: string) => (await ask(dir, 'finance_announcement', { as_of })).map(({ title }) => title)
  expect(await seen('2026-04-30T09:00:00')).toEqual([])
  expect(await seen('2026-04-30T10:00:00')).toEqual(['t1'])
  expect(await seen('2026-04-30T20:00:00')).toEqual(['t0', 't1'])
  expect(await seen('20260501')).toEqual(['t2', 't0', 't1'])
  const bad = csv('symbol,event_date,title,announcement_type,disclosed_at\n600519,20260430,t,other,soon\n')
  await expect(put(fresh(), 'finance_announcement', bad)).rejects.toMatchObject({ line: 2, field: 'disclosed_at' })
})

test('a report period that is stored survives a reply that does not carry it; versions of one reply count up', async () => {
  const dir = fresh()
  const head = 'symbol,event_date,title,announcement_type'
  await put(dir, 'finance_announcement', csv(`${head},period\n600519,20260430,Q1,financial_report,20260331\n`))
  await put(dir, 'finance_announcement', csv(`${head}\n600519,20260430,Q1,financial_report\n`))
  expect(await ask(dir, 'finance_announcement', { period: '20260331' })).toHaveLength(1)
  const both = csv(`${head},summary\n600519,20260502,Q,other,new\n600519,20260502,Q,other,old\n`)
  await put(dir, 'finance_announcement', both)
  expect(
    (await ask(dir, 'finance_announcement', { version: 'latest', date: '20260502' })).map(({ summary }) => summary),
  ).toEqual(['new'])
})

test('a forecast alone does not pass for a completed day', async () => {
  const fields = 'tradedate,symbol,rule,elapsed_days,deviation_pct,required_pct_chg,trigger_price,status,pct_chg'
  const file = () => csv(`${fields}\n20260702,000001,r,3,50,5,10.5,reachable,\n`)
  await expect(put(fresh(), 'anomaly_forecast', file())).rejects.toThrow('--set computed_on')
  await expect(put(fresh(), 'anomaly_forecast', file(), { computed_on: '20260701' })).resolves.toMatchObject({
    rows: 1,
  })
})

test('the latest day is the latest that has the period', async () => {
  const dir = fresh()
  const bars = (day: string, ...minutes: string[]) =>
    csv(`tradedate,symbol,trademin,time\n${minutes.map((at) => `${day},510300.SH,${at},10:00:00`).join('\n')}\n`)
  await put(dir, 'etf_minute', bars('20260701', '0930', '1000'))
  await put(dir, 'etf_minute', bars('20260702', '0930', '0945'))
  expect(await ask(dir, 'etf_minute', { symbols: '510300' })).toHaveLength(2)
  expect((await ask(dir, 'etf_minute', { symbols: '510300' }))[0]?.tradedate).toBe('20260701')
  expect((await ask(dir, 'etf_minute', { symbols: '510300', period: '15m' }))[0]?.tradedate).toBe('20260702')
})

test('mixed line ends and blanks around codes do not enter a cell', async () => {
  const dir = fresh()
  await put(dir, 'st', csv('tradedate,symbol,type_name\n20260701,000001,风险\r\n20260701,000002,风险\r\n'))
  expect((await ask(dir, 'st')).map(({ type_name }) => type_name)).toEqual(['风险', '风险'])
  const other = fresh()
  await put(other, 'st', csv('tradedate,symbol\n20260701, 000001\t\n'))
  expect((await ask(other, 'st')).map(({ symbol }) => symbol)).toEqual(['000001'])
})

test('nested values of a foreign Parquet file are values, not text of text', async () => {
  const file = join(tempDir(), 'theme.parquet')
  const db = await (await DuckDBInstance.create()).connect()
  await db.run(
    `copy (select '7' theme_id, true is_active, '2026-07-01T00:30:00+08:00' synced_at, '{"Level1":[1]}' "table") to '${file}' (format parquet)`,
  )
  const dir = fresh()
  await put(dir, 'theme_lib_detail_kp', file)
  expect(await ask(dir, 'theme_lib_detail_kp', { theme_id: '7' })).toMatchObject([{ table: { Level1: [1] } }])
})

test('a part of another contract is read by its names, and importing it again mends it', async () => {
  const dir = fresh()
  const rows = csv('tradedate,symbol\n20260701,000001\n')
  await put(dir, 'st', rows)
  editManifest(dir, ({ datasets }) => Object.assign(datasets.st?.parts[0] ?? {}, { contract: 'older' }))
  const contractOf = async () =>
    (await archiveAt(dir, {}).manifest()).datasets.st?.parts.map(({ contract }) => contract)
  expect([await ask(dir, 'st'), await contractOf()]).toEqual([[expect.anything()], ['older']])
  await put(dir, 'st', rows)
  expect([await ask(dir, 'st'), await contractOf()]).toEqual([
    [expect.anything()],
    [expect.stringMatching(/^[0-9a-f]{12}$/)],
  ])
})
