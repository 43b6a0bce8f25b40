import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  connect,
  fromRows,
  numbers,
  readStatement,
  type TradedOptions,
  tearSheet,
  toObjects,
  tradedAccount,
} from 'quotebook'
import { describe, expect, test } from 'vitest'
import { quotebook } from './helper/command.js'
import { failure, file, newPlace, removeFolders } from './helper/files.js'

removeFolders()

const fixture = (name: string): string => join('test/fixture/statements', name)
const inGbk = (text: string): Uint8Array => {
  const bytes = new Map<string, readonly number[]>()
  const decoder = new TextDecoder('gbk')
  for (let high = 0x81; high < 0xff; high++)
    for (let low = 0x40; low < 0xff; low++) bytes.set(decoder.decode(Uint8Array.of(high, low)), [high, low])
  return Uint8Array.from([...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : (bytes.get(one) ?? [63]))))
}
const text = (name: string): string => new TextDecoder('gbk').decode(readFileSync(fixture(name)))

const to = '20260612'

/** The account of a file at the sample's prices, as a user of the package makes it; that it is short is said of all. */
async function accountOf(path: string | readonly string[], options: TradedOptions = {}) {
  const found = await tradedAccount(await connect(), await readStatement(path), { to, ...options })
  const [short, ...warnings] = found.warnings.toSorted((a, b) => Number(isShort(b)) - Number(isShort(a)))
  expect(String(short)).toBe('only 10 days: figures of fewer than 20 days are mostly chance')
  return { ...found, warnings }
}

const isShort = (warning: unknown): boolean => String(warning).startsWith('only 10 days')

describe('statements of four terminals are read whole', () => {
  test('同花顺: tabs in GBK named .xls; a grid, a repo, interest, transfers', async () => {
    const { real, roundTrips, lines, warnings, fills } = await accountOf(fixture('tonghuashun.xls'))
    expect(warnings).toEqual([])
    expect(fills.numRows).toBe(6)
    expect(lines.map(({ kind, lines: count, cash }) => [kind, count, cash])).toEqual([
      ['transfer', 2, 150_000],
      ['trade', 6, -46_039.47],
      ['repo', 2, 3.11],
      ['interest', 1, 1.23],
      ['note', 1, 0],
    ])
    // 103964.87 yuan and 300 bonds at 158.528
    expect(real).toEqual({ paidIn: 200_000, takenOut: 50_000, worth: 151_523.27, gain: 1523.27 })
    // the grid never sells all: flat to flat it has no trip, first in first out two
    expect(toObjects(roundTrips.flat)).toEqual([
      { symbol: '111010.SH', opened: '20260610', closed: '20260611', pnl: 58 },
    ])
    expect([...numbers(roundTrips.fifo, 'pnl')]).toEqual([238.22, 456.87, 58])
  })

  test('通达信: a title above, ="…" around codes, thousands in quotes, and no column of money', async () => {
    const { real, roundTrips, warnings } = await accountOf(fixture('tongdaxin.xls'))
    expect(warnings.map(String)).toEqual([
      'no line has the money at the start: 174940.98 yuan are taken, which its lines need (--cash)',
    ])
    expect(real).toMatchObject({ paidIn: 0, worth: 173_892.15 })
    expect([...numbers(roundTrips.fifo, 'pnl')]).toEqual([32.31])
    const given = await accountOf(fixture('tongdaxin.xls'), { cash: 200_000 })
    expect([given.warnings, given.real.worth]).toEqual([[], 198_951.17])
  })

  test('东方财富: newest first; new bonds that are paid, come and are sold, a coupon and its tax', async () => {
    const { real, trips, events, warnings, days, account } = await accountOf(fixture('dongfangcaifu.csv'))
    expect([warnings, days[0]]).toEqual([[], '20260601'])
    expect(real).toEqual({ paidIn: 100_000, takenOut: 0, worth: 100_313.8, gain: 313.8 })
    expect(toObjects(trips)).toEqual([{ symbol: '111010.SH', opened: '20260608', closed: '20260610', pnl: 92 }])
    expect(toObjects(events).map(({ event, cash }) => [event, cash])).toEqual([
      ['transfer', 100_000],
      ['subscription', -1000],
      ['shares', 0],
      ['coupon', 50],
      ['tax', -10],
    ])
    // what was paid for them counts until they come
    expect([...numbers(account, 'owed')].slice(1, 6)).toEqual([0, 1000, 1000, 1000, 0])
  })

  test('QMT: codes with their exchange, 3.2万, days with slashes', async () => {
    const { real, roundTrips, names } = await accountOf(fixture('qmt.csv'))
    expect(real.worth).toBe(78_715)
    expect([...numbers(roundTrips.fifo, 'pnl')]).toEqual([53.13])
    expect(names).toEqual({ '510300.SH': '沪深300ETF' })
  })
})

describe('what can not be read names line, field and value', () => {
  const ths = text('tonghuashun.xls')
  const changed = (from: string, by: string): string => file('own.xls', inGbk(ths.replace(from, by)))
  test.each([
    ['155.600', '15x', /own\.xls:3: .*price must be number, not "15x"/],
    ['20260602', '20260632', /own\.xls:4: .*day must be a date YYYYMMDD, not "20260632"/],
    ['-77803.89', '77803.89', /own\.xls:3: cash: 77803.89 has not the sign of '证券买入'/],
    ['77800.00', '7780.00', /own\.xls:3: amount: 7780 is not 500 x 155.6, which is 77800/],
    ['\t500\t155', '\t0\t155', /own\.xls:3: shares: 0 is no number of shares/],
    ['利息归本', '某种业务', /own\.xls:9: action: '某种业务' is no kind of line that is known; say which with kinds/],
    ['\t人民币', '\t港币', /own\.xls:2: currency: '港币': accounts are kept in yuan/],
    ['成交均价', '均价格', /own\.xls: no column price \(or 成交均价, 成交价格, .*the columns of the file are .*均价格/],
    ['\t200\t157', '\t2000\t157', /amount: 31580 is not 2000 x 157.9/],
  ])('%s as %s', async (from, by, said) => {
    expect((await failure(accountOf(changed(from, by)))).message).toMatch(said)
  })

  test('a word that is not known may be given its kind', async () => {
    const own = changed('利息归本', '某种业务')
    const { lines } = await accountOf(own, { kinds: { 某种业务: 'interest' } })
    expect(lines.find(({ kind }) => kind === 'interest')).toMatchObject({ lines: 1, cash: 1.23 })
  })

  test('what the lines do not come to is said', async () => {
    const lacking = ths.split('\r\n').filter((line) => !line.includes('A5'))
    const found = await accountOf(file('own.xls', inGbk(lacking.join('\r\n'))))
    expect(found.warnings.map(String)).toEqual([
      'the file has 103964.87 yuan at the end, and its lines come to 72386.45: lines are missing, or not in the order of time',
    ])
  })
})

test('exports that overlap count once; lines that are alike within one file count as often as they stand there', async () => {
  const [head = '', ...rest] = text('tonghuashun.xls').split('\r\n')
  const part = (name: string, from: number, until: number) =>
    file(name, inGbk(`${[head, ...rest.slice(from, until)].join('\r\n')}\r\n`))
  const { real, warnings } = await accountOf([part('a.xls', 0, 8), part('b.xls', 5, 12)])
  expect([real.worth, warnings.map(String)]).toEqual([
    151_523.27,
    ['3 lines stand in more than one file and count once'],
  ])
})

test('money that comes and goes is no return', async () => {
  const row = (day: string, action: string, more: object) => ({ day, action, code: null, shares: 0, price: 0, ...more })
  const rows = [
    row('20260601', '银行转证券', { cash: 100_000 }),
    row('20260602', '买入', { code: '123124', shares: 100, price: 156.66, cash: -15_666 }),
    row('20260603', '银行转证券', { cash: 900_000 }),
    row('20260604', '证券转银行', { cash: -900_000 }),
  ]
  const { equity, start, real } = await tradedAccount(await connect(), fromRows(rows), { to: '20260604' })
  expect(start).toBe(100_000)
  const [first, second, third, fourth] = equity as unknown as [number, number, number, number]
  expect([first, second]).toEqual([100_000, 100_000])
  expect(third / second).toBeCloseTo(1_000_174.4 / 1_000_000, 12)
  expect(fourth / third).toBeCloseTo((100_154.9 + 900_000) / 1_000_174.4, 12)
  expect(real).toEqual({ paidIn: 1_000_000, takenOut: 900_000, worth: 100_154.9, gain: 154.9 })
})

test('the tear sheet says what was really done, and no word of a strategy', async () => {
  const page = await tearSheet(await accountOf(fixture('tonghuashun.xls'), { trips: 'fifo' }), { title: '实盘' })
  expect(page).toContain('Paid in 200,000.00 yuan, taken out 50,000.00 yuan, worth 151,523.27 yuan at the end')
  expect(page).toContain('What was really filled and paid, by the statements of the broker.')
  expect(page).not.toMatch(/Look-ahead check|Not known: what was given/)
  expect(page).toMatch(/Closed round trips[\s\S]{0,900}?<data value="3"/)
})

describe('quotebook account', () => {
  test('the four files, as a user asks for them', () => {
    const of = (name: string) => quotebook(['account', fixture(name), '--to', to]).out
    expect(of('tonghuashun.xls')).toMatch(
      /worth at the end +151523\.27[\s\S]*gain +1523\.27[\s\S]*flat to flat +1, won 100\.00 %, 58\.00 yuan[\s\S]*first in first out +3, .*753\.09 yuan/,
    )
    expect(of('tonghuashun.xls')).toMatch(/repo +2 +3\.11 +kept[\s\S]*note +1 +0\.00 +left/)
    expect(of('tongdaxin.xls')).toMatch(/worth at the end +173892\.15/)
    expect(of('dongfangcaifu.csv')).toMatch(/worth at the end +100313\.80/)
    expect(of('qmt.csv')).toMatch(/worth at the end +78715\.00/)
  })

  test('with holdings, a page and tables; in Chinese', () => {
    const dir = newPlace('out')
    const held = ['--holdings', fixture('tonghuashun-holdings.xls')]
    const ran = quotebook(['account', fixture('tonghuashun.xls'), '--to', to, ...held, '--out', dir, '--lang', 'zh'])
    expect([ran.code, ran.out]).toEqual([
      0,
      expect.stringMatching(/期末资产 +151523\.27[\s\S]*银证转账 transfer +2 +150000\.00 +计入/),
    ])
    expect(ran.err).toMatch(/持仓与各行合计一致：1 个品种/)
    expect(readFileSync(join(dir, 'tear-sheet.html'), 'utf8')).toContain('转入 200,000.00 元')
    expect(readFileSync(join(dir, 'trips.csv'), 'utf8')).toContain('111010.SH,20260610,20260611,58')
    const other = file('held.csv', '证券代码,股票余额\n123124,200\n')
    const unequal = quotebook(['account', fixture('tonghuashun.xls'), '--to', to, '--holdings', other])
    expect([unequal.code, unequal.err]).toEqual([
      1,
      expect.stringMatching(/123124\.SZ: the lines come to 300, the holdings have 200/),
    ])
  })

  test('a wrong cell is named by line, field and value', () => {
    const wrong = file('own.xls', inGbk(text('tongdaxin.xls').replace('110.700', '11O.7')))
    const { code, err } = quotebook(['account', wrong])
    expect([code, err]).toEqual([1, expect.stringMatching(/own\.xls:3: .*price must be number, not "11O\.7"/)])
  })
})
