import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  connect,
  type DatasetName,
  datasetOf,
  type FileNote,
  fromTdx,
  type ImportOptions,
  importFiles,
  resampleBars,
  toObjects,
} from '../../../src/index.js'
import { gbk } from '../../helper/gbk.js'
import { tempDir, tempFile } from '../../helper/temp.js'
import { handRow, handWorkbook } from '../../helper/workbook-bytes.js'
import { realRows } from '../helper/real-rows.js'

type Taken = Extract<NonNullable<FileNote['remarks']>[number], { about: 'preset' }>

const all = { startdate: '20000101', enddate: '20991231' }

async function importing(name: DatasetName, path: string, params: object = all, options: ImportOptions = {}) {
  const archive = join(tempDir(), 'own')
  const notes: FileNote[] = []
  await importFiles(archive, datasetOf(name), [path], { ...options, onFile: (note) => notes.push(note) })
  const market = await connect({ archive })
  const table = await market.query(name, params).finally(() => market.close())
  const note = notes[0] as FileNote
  return { rows: toObjects(table), note, preset: note.remarks?.find((one): one is Taken => one.about === 'preset') }
}

const real = (file: string): string => `test/fixture/real/${file}`
const textOf = (file: string): string => readFileSync(real(file), 'utf8')
const csv = (text: string): string => tempFile('table.csv', text)
const isOf = (name: string) => expect.objectContaining({ about: 'preset', name })

test('Tushare slb_len is in 100 million yuan, and comes in yuan to the fen', async () => {
  const { rows, preset } = await importing('transfer_financing', real('slb_len_202406.csv'))
  expect(rows).toHaveLength(13)
  expect(rows[0]).toMatchObject({
    tradedate: '20240603',
    opening_balance: 140_600_000_000,
    auction_amount: null,
    reborrow_amount: 100_000_000,
    closing_balance: 140_600_000_000,
  })
  expect(rows.find(({ tradedate }) => tradedate === '20240605')?.opening_balance).toBe(145_560_000_000)
  expect(preset).toMatchObject({ name: 'Tushare slb_len', source: expect.stringContaining('doc_id=331') })
  expect(preset?.units).toContainEqual({
    column: 'closing_balance',
    from: '100 million yuan',
    to: 'yuan',
    shift: 8,
  })
})

test('Tushare cb_daily: turnover from 10,000 yuan, both spellings of the code; a head that says yuan is taken at its word', async () => {
  const { rows, preset } = await importing('convertible_daily', real('cb_daily_20190719.csv'))
  expect(rows).toHaveLength(11)
  expect(rows.find(({ symbol }) => symbol === '123001')).toMatchObject({
    code: '123001.SZ',
    tradedate: '20190719',
    vol: 85_105.8,
    amount: 101_347_401,
    name: null,
    bond_value: null,
  })
  expect(preset).toEqual(isOf('Tushare cb_daily'))
  const [, ...lines] = textOf('cb_daily_20190719.csv').trim().split('\n')
  const yuan = lines.map((line) => line.replace(/[^,]*$/, (cell) => String(Math.round(Number(cell) * 1e4))))
  const head = 'ts_code,trade_date,pre_close,open,high,low,close,change,pct_chg,vol,amount'
  const said = await importing('convertible_daily', csv([`${head}（元）`, ...yuan].join('\n')))
  expect(said.rows).toEqual(rows)
  expect(said.preset?.units).toEqual([])
  const chinese =
    '转债代码,交易日期,昨收盘价(元),开盘价(元),最高价(元),最低价(元),收盘价(元),涨跌(元),涨跌幅(%),成交量(手),成交金额(万元)'
  expect((await importing('convertible_daily', csv([chinese, ...lines].join('\n')))).rows).toEqual(rows)
  await expect(importing('convertible_daily', csv([head, ...yuan].join('\n')))).rejects.toThrow(
    /read as Tushare cb_daily, its turnover is 9\.99e\+3 times volume x price in every row: its units are not lot and yuan/,
  )
})

test('Tushare ggt_top10: codes of five digits get their market, also where a sheet has made them numbers', async () => {
  const { rows, preset, note } = await importing('southbound_top10', real('ggt_top10_20180727_6rows.csv'))
  const given = realRows('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type'])
  expect(rows.map(({ code }) => code).sort()).toEqual(given.map(({ ts_code }) => `${ts_code}.HK`).sort())
  expect(rows.find(({ code, market_type }) => code === '00175.HK' && market_type === '2')).toMatchObject({
    name: '吉利汽车',
    amount: 476_991_220,
    net_amount: -71_294_840,
    rank: 4,
  })
  expect(preset?.units).toEqual([])
  expect(note.remarks).toContainEqual({ about: 'codes', column: 'code', from: '00175', to: '00175.HK' })
  const numbers = await importing(
    'southbound_top10',
    sheet(['ts_code', 'trade_date', 'market_type'], [175, '20180727', '2']),
  )
  expect(numbers.rows).toMatchObject([{ code: '00175.HK' }])
})

test('a file that is nearly such a table is refused with what misses, and names are asked for', async () => {
  const near = csv('trade_date,repo_amount,repay_amount,cb\n20240620,3.10,3.10,1435.50\n')
  await expect(importing('transfer_financing', near)).rejects.toThrow(
    /looks like Tushare slb_len \(https.*doc_id=331\), and lacks ob; give the whole table, or say what its columns are with --rename/,
  )
  const rename = { trade_date: 'tradedate', repo_amount: 'reborrow_amount', repay_amount: 'repayment_amount' }
  const said = await importing('transfer_financing', near, all, { rename: { ...rename, cb: 'closing_balance' } })
  expect(said.rows).toMatchObject([{ closing_balance: 1435.5 }])
  expect(said.preset).toBeUndefined()
  const closes = csv('ts_code,trade_date,close\n110030.SH,20190719,104.66\n')
  expect((await importing('convertible_daily', closes)).rows).toMatchObject([
    { symbol: '110030', close: 104.66, vol: null },
  ])
  const unproven = csv('ts_code,trade_date,close,amount\n110030.SH,20190719,104.66,374.1486\n')
  await expect(importing('convertible_daily', unproven)).rejects.toThrow(
    /looks like Tushare cb_daily .* and lacks vol;/,
  )
  const third = csv('ts_code,trade_date,close,vol,amount（千元）\n110030.SH,20190719,104.66,3576,3741.486\n')
  await expect(importing('convertible_daily', third)).rejects.toThrow(
    /is in 千元, and amount of Tushare cb_daily is in 10,000 yuan/,
  )
  const other = csv('trade_dat,symbol\n20260701,000001\n')
  await expect(importing('st', other)).rejects.toThrow(/Is it --rename trade_dat=tradedate\?/)
})

test('what a table does not tell stays null, and what its name tells is said', async () => {
  const st = csv(
    'ts_code,name,trade_date,type,type_name\n300313.SZ,*ST天山,20250813,ST,风险警示板\n300343.SZ,ST联创,20250813,ST,风险警示板\n',
  )
  const marks = await importing('st', st)
  expect(marks.rows.map(({ symbol, type }) => [symbol, type])).toEqual([
    ['300313', null],
    ['300343', null],
  ])
  expect(marks.note).toMatchObject({ ignored: ['type there'], absent: ['type'] })
  const notices = csv('代码,简称,公告标题,公告时间,公告链接\n000001,平安银行,年度报告,2026-03-20,http://x\n')
  const told = await importing('finance_announcement', notices, {})
  expect(told.rows).toMatchObject([{ symbol: '000001', title: '年度报告', announcement_type: 'unknown' }])
  expect(told.preset).toMatchObject({ given: { announcement_type: 'unknown' } })
  const list = csv(
    '当前排名,代码,股票名称,最新价,涨跌额,涨跌幅\n1,SZ000665,湖北广电,6.84,0.62,9.97\n2,SH603123,翠微股份,9,0.8,9.9\n',
  )
  const hot = await importing(
    'hotstock',
    list,
    { type: 'dfcf&renqi', tradedate: '20260727' },
    { set: { tradedate: '20260727' } },
  )
  expect(hot.rows).toMatchObject([
    { rank: 1, s: '000665' },
    { rank: 2, s: '603123' },
  ])
  const values = csv('日期,收盘价,纯债价值,转股价值,纯债溢价率,转股溢价率\n2019-07-19,104.66,95.1,80.2,10.05,30.5\n')
  const set = { code: '110030.SH', symbol: '110030' }
  const valued = await importing('convertible_daily', values, all, { set })
  expect(valued.rows).toMatchObject([{ tradedate: '20190719', bond_value: 95.1, cb_over_rate: 30.5, amount: null }])
})

interface Bar {
  readonly tradedate: string
  readonly trademin?: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly vol: number
  readonly amount: number
}

/** Records of `.lc1` and `.lc5`, or of `.day` with prices of so many decimals. */
function records(bars: readonly Bar[], decimals?: number): Buffer {
  return Buffer.concat(
    bars.map(({ tradedate, trademin = '', open, high, low, close, vol, amount }) => {
      const bytes = Buffer.alloc(32)
      const [year, rest] = [Number(tradedate.slice(0, 4)), Number(tradedate.slice(4))]
      if (decimals === undefined) {
        bytes.writeUInt16LE((year - 2004) * 2048 + rest, 0)
        bytes.writeUInt16LE(Number(trademin.slice(0, 2)) * 60 + Number(trademin.slice(2)), 2)
        for (const [i, price] of [open, high, low, close].entries()) bytes.writeFloatLE(price, 4 + 4 * i)
      } else {
        bytes.writeUInt32LE(Number(tradedate), 0)
        for (const [i, price] of [open, high, low, close].entries())
          bytes.writeUInt32LE(Math.round(price * 10 ** decimals), 4 + 4 * i)
      }
      bytes.writeFloatLE(amount, 20)
      bytes.writeUInt32LE(vol, 24)
      return bytes
    }),
  )
}

const minutes = realRows('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin']).map(
  ({ vol_shares, symbol: _, ...bar }) => ({ ...bar, vol: vol_shares }) as unknown as Bar,
)

test('minutes of 通达信 come back as they were, and half hours of them are those of the minutes', () => {
  const table = fromTdx(records(minutes), 'sh688001.lc1')
  const rows = toObjects(table)
  expect(rows).toHaveLength(minutes.length)
  for (const [row, bar] of minutes.entries())
    expect(rows[row]).toEqual({ ...bar, symbol: '688001.SH', amount: Math.fround(bar.amount) })
  expect(table.schema.fields.map(({ metadata }) => metadata.get('unit'))).toContain('share')
  const halves = toObjects(resampleBars(table, '30m'))
  expect([...new Set(halves.map(({ trademin }) => trademin))]).toHaveLength(8)
  expect(halves[0]).toMatchObject({ trademin: '1000', bars: 30, open: minutes[0]?.open })
  const text = minutes
    .slice(0, 5)
    .map(({ trademin, open, high, low, close, vol, amount }) =>
      ['2021/04/23', trademin, open, high, low, close, vol, amount].join('\t'),
    )
  const export1 = [
    '688001 华兴源创 1分钟线 不复权',
    '日期\t时间\t开盘\t最高\t最低\t收盘\t成交量\t成交额',
    ...text,
    '#数据来源:通达信',
  ]
  expect(toObjects(fromTdx(Buffer.from(export1.join('\r\n')), 'SH#688001.txt'))).toEqual(rows.slice(0, 5))
  const adjusted = Buffer.from(export1.join('\n').replace('不复权', '前复权'))
  expect(() => fromTdx(adjusted, 'SH#688001.txt')).toThrow(/adjusted prices are not what was paid/)
  expect(() => fromTdx(records(minutes).subarray(1), 'sh688001.lc1')).toThrow(/have 32 each/)
  expect(() => fromTdx(records(minutes), '688001.lc1')).toThrow(/its name should be like sh600000\.day/)
})

test('a day file of a convertible bond: lots from single bonds or from lots, whichever the turnover shows', async () => {
  const bond = realRows('cb_daily_20190719.csv', ['ts_code', 'trade_date'])[3] as Record<string, number>
  const bar = { ...bond, tradedate: '20190719', amount: (bond.amount as number) * 1e4 } as unknown as Bar
  for (const vol of [851_058, 85_106]) {
    const path = join(tempDir(), 'sz123001.day')
    const { rows, preset } = await importing('convertible_daily', named(path, records([{ ...bar, vol }], 3)))
    expect(rows).toMatchObject([
      {
        code: '123001.SZ',
        symbol: '123001',
        open: 115.5,
        close: 118.879,
        vol: vol > 1e5 ? 85_105.8 : 85_106,
        pre_close: null,
      },
    ])
    expect(preset).toMatchObject({
      name: '通达信 .day',
      units: [{ column: 'vol', from: 'bond', to: 'lot', shift: -1 }],
    })
  }
  const line = ['2019/07/19', 115.5, 120.78, 114.884, 118.879, 851_058, 101_347_401].join('\t')
  const text = [
    '123001 蓝标转债 日线 不复权',
    '日期\t开盘\t最高\t最低\t收盘\t成交量\t成交额',
    line,
    '#数据来源:通达信',
    '',
  ]
  const exported = await importing('convertible_daily', named(join(tempDir(), 'SZ#123001.txt'), gbk(text.join('\r\n'))))
  expect(exported.rows).toMatchObject([{ code: '123001.SZ', high: 120.78, vol: 85_105.8, amount: 101_347_401 }])
  expect(() => fromTdx(records([{ ...bar, vol: 8510 }], 3), 'sz123001.day')).toThrow(/in no unit that is known/)
  const path = join(tempDir(), 'sh688001.lc5')
  await expect(importing('etf_minute', named(path, records(minutes)))).rejects.toThrow(
    /do not tell time.*etf_minute is not made of them/,
  )
})

type Cells = readonly (number | string)[]
const sheet = (...rows: readonly Cells[]): string =>
  tempFile('rows.xlsx', handWorkbook(Buffer.from(rows.map((row, at) => handRow(row, at + 1)).join(''))))

test('Excel with heads of two lines: groups above names, units below or above them, a title above all', async () => {
  const groups: Cells = ['交易日', '代码', '通道', '沪市', '', '', '深市', '', '']
  const names: Cells = ['', '', '', '成交额', '买入额', '卖出额', '成交额', '买入额', '卖出额']
  const row: Cells = [
    '20180727',
    '00175.HK',
    '2',
    182_183_940,
    75_613_060,
    106_570_880,
    112_623_340,
    36_143_160,
    76_480_180,
  ]
  const { rows, note } = await importing('southbound_top10', sheet(groups, names, row))
  expect(rows).toMatchObject([{ code: '00175.HK', sh_amount: 182_183_940, sh_buy: 75_613_060, sz_sell: 76_480_180 }])
  expect(note.remarks).toContainEqual({ about: 'heads', second: 'names' })
  const heads: Cells = ['trade_date', 'ob', 'auc_amount', 'repo_amount', 'repay_amount', 'cb']
  const units: Cells = ['', '亿元', '亿元', '亿元', '亿元', '亿元']
  const line: Cells = ['20240604', 1406, 50, 6.4, 6.8, 1455.6]
  for (const two of [
    [heads, units],
    [units, heads],
    [['转融资'], heads],
  ] as const) {
    const read = await importing('transfer_financing', sheet(...two, line))
    expect(read.rows).toMatchObject([{ closing_balance: 145_560_000_000, auction_amount: 5_000_000_000 }])
  }
})

function named(path: string, bytes: Buffer): string {
  writeFileSync(path, bytes)
  return path
}
