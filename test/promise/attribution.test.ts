import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  attribution,
  type BacktestResult,
  backtest,
  type Data,
  fromRows,
  numbers,
  type Panel,
  panel,
  strings,
  type Table,
  tearSheet,
  toObjects,
} from 'quotebook'
import { expect, test } from 'vitest'
import { chances } from '../helper/chance.js'
import { here } from '../helper/here.js'
import { folder, removeFolders } from './helper/files.js'
import { archiveOf, escaped, sampleRows, sectionOf, tableOf } from './helper/pages.js'
import { bare, days, free, type PriceRow, rowsOf, thrownBy } from './helper/prices.js'

/** Where the change of an account came from: every table sums to it to the fen, and its parts are those of plain arithmetic. */

removeFolders()
const [d0, d1, d2, d3] = days as [string, string, string, string]
const columns = ['open', 'close', 'pre_close', 'vol'] as never
const fen = (yuan: unknown): number => Math.round(100 * (yuan as number))
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0)
const parts = ['price', 'ex_rights', 'income', 'costs', 'sum', 'benchmark', 'allocation', 'selection'] as const
type Row = { tradedate: string; symbol: string; group: string } & Record<(typeof parts)[number], number>
/** Rows in whole fen. */
const rowsIn = (table: Table): Row[] =>
  toObjects(table).map((row) => ({ ...row, ...Object.fromEntries(parts.map((part) => [part, fen(row[part])])) }) as Row)

const codes = ['600001.SH', '000002.SZ', '110001.SH', '110002.SH', '510300.SH', '123003.SZ']

/** A market with suspensions, ex-rights, dividends and coupons, some paid later, and a redemption. */
function randomWorld(seed: number): { market: Panel; chance: () => number } {
  const chance = chances(seed)
  const cashflows: Record<string, unknown>[] = []
  const rows = codes.flatMap((code, place) => {
    const isBond = code.startsWith('1')
    let close = isBond ? 90 + Math.floor(chance() * 60) : 5 + Math.floor(chance() * 40)
    const closes: (number | null)[] = []
    const pre: (number | null)[] = []
    days.forEach((day, at) => {
      const last = close
      let base = last
      if (at > 2 && chance() < 0.06) {
        const cash = Math.round((0.01 + chance() * 0.03) * last * 1000) / 1000
        const pay_day = chance() < 0.3 ? (days[at + 3] ?? day) : day
        cashflows.push({ code, ex_day: day, pay_day, cash_per_share: cash, kind: isBond ? 'coupon' : 'dividend' })
        if (!isBond) base = last - cash
      }
      if (!isBond && chance() < 0.04) base /= 1 + chance()
      base = Math.round(base * 100) / 100
      const isGone = (place === 2 && at > 30) || (at > 0 && chance() < 0.08)
      close = Math.round(base * (0.97 + chance() * 0.06) * 100) / 100
      closes.push(isGone ? null : close)
      pre.push(base)
      if (isGone) close = last
    })
    return rowsOf(code, closes, (at) => ({ pre_close: pre[at] as number }))
  })
  const delistings = [{ symbol: codes[2] as string, day: days[31] as string, price: 100.5 }]
  const market = panel(fromRows(rows) as Data, { columns, delistings, cashflows: fromRows(cashflows as never) })
  return { market: market as Panel, chance }
}

function changeByDay({ equity, start }: BacktestResult): number[] {
  return Array.from(equity, (one, at) => fen(one) - fen(at === 0 ? start : equity[at - 1]))
}

test.each(Array.from({ length: 24 }, (_, seed) => seed + 1))('a random world, %d: all sums, to the fen', (seed) => {
  const { market, chance } = randomWorld(seed)
  const luck = market.days.map(() => codes.map(() => (chance() < 0.35 ? Math.floor(chance() * 30) / 100 : 0)))
  const weights = ({ time }: { time: number }, all: Float64Array): void => {
    const own = luck[time] as number[]
    const whole = Math.max(1, sum(own))
    for (let at = 0; at < all.length; at++) all[at] = Math.floor((100 * (own[at] as number)) / whole) / 100
  }
  const exRights = (['shares', 'cash', 'none'] as const)[seed % 3] as 'shares' | 'cash' | 'none'
  const result = backtest(market, { weights, when: { every: 1 + (seed % 3) } }, { cash: 123_456.78, exRights })
  const benchmark = {
    days: result.days,
    equity: result.days.map(() => 100 + 20 * chance()),
    start: seed % 2 ? 99 : undefined,
  }
  const groups = { [codes[0] as string]: 'mine', [codes[5] as string]: 'mine' }
  const change = changeByDay(result)
  const events = toObjects(result.events)
  expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(1)
  const plain = rowsIn(attribution(result))
  const compared = rowsIn(attribution(result, market, { benchmark, groups }))
  for (const rows of [plain, compared]) {
    expect(
      result.days.map((day) => sum(rows.filter(({ tradedate }) => tradedate === day).map((row) => row.sum))),
    ).toEqual(change)
    for (const row of rows) expect(row.price + row.ex_rights + row.income + row.costs).toBe(row.sum)
    expect(sum(rows.map(({ income }) => income))).toBe(
      sum(events.flatMap(({ event, cash }) => (/dividend|coupon|tax/.test(String(event)) ? [fen(cash)] : []))),
    )
    const paid = ['commission', 'stamp', 'transfer'].flatMap((kind) => Array.from(numbers(result.account, kind), fen))
    expect(sum(rows.map(({ costs }) => costs))).toBe(-sum(paid))
    if (exRights === 'none') expect(rows.every((row) => row.ex_rights === 0)).toBe(true)
  }
  for (const row of compared) expect(row.benchmark + row.allocation + row.selection + row.costs).toBe(row.sum)
  expect(new Set(compared.map(({ group }) => group))).toEqual(
    new Set([
      'mine',
      'cash',
      ...['SZSE main', 'convertible bond', 'ETF'].filter((group) => compared.some((row) => row.group === group)),
    ]),
  )
  // What each instrument brought, from its fills, its events and what is held of it at the end.
  for (const code of codes) {
    const own = (table: Table) => toObjects(table).filter(({ symbol }) => symbol === code)
    const traded = own(result.fills).map((fill) => {
      const costs = fen(fill['commission']) + fen(fill['stamp']) + fen(fill['transfer'])
      return (fill['side'] === 'buy' ? -1 : 1) * fen(fill['amount']) - costs
    })
    const held = own(result.positions).filter(({ tradedate }) => tradedate === result.days.at(-1))
    const brought = sum([
      ...traded,
      ...own(result.events).map(({ cash }) => fen(cash)),
      ...held.map(({ value }) => fen(value)),
    ])
    for (const rows of [plain, compared])
      expect(sum(rows.filter(({ symbol }) => symbol === code).map((row) => row.sum))).toBe(brought)
  }
})

test('ex-rights, a dividend with its tax, a redemption and costs each stand in their own column', () => {
  const [share, fund, bond] = ['600001.SH', '510300.SH', '110001.SH']
  const rows: PriceRow[] = [
    ...rowsOf(share, [10, 10, 9.6, 9.7], (at) => (at === 2 ? { pre_close: 9.5 } : {})),
    ...rowsOf(fund, [12, 12, 5.9, 6], (at) => (at === 2 ? { pre_close: 5.9 } : {})),
    ...rowsOf(bond, [100, 101]),
  ]
  const market = panel(fromRows(rows) as Data, {
    columns,
    delistings: [{ symbol: bond, day: d2, price: 103 }],
    cashflows: fromRows([{ code: share, ex_day: d2, cash_per_share: 0.5, kind: 'dividend' }]),
  })
  const order = (side: 'buy' | 'sell', symbol: string, shares: number) => ({ side, symbol, shares })
  const orders: Record<string, ReturnType<typeof order>[]> = {
    [d0]: [order('buy', share, 1000), order('buy', fund, 1000), order('buy', bond, 10)],
    [d2]: [order('sell', share, 1000)],
  }
  const strategy = { orders: ({ day }: { day: string }) => orders[day] ?? [] }
  const result = backtest(market as Panel, strategy, { ...bare, commission: { rate: 0, min: 5 } })
  const told = rowsIn(attribution(result)).map(({ tradedate, symbol, price, ex_rights, income, costs }) =>
    [tradedate, symbol, price, ex_rights, income, costs].join(' '),
  )
  // 1,000 shares of 10 yuan bear 0.10 transfer; sold at 9.7 they bear 0.097 and 4.85 stamp duty, and a fifth of 500 as tax.
  expect(told).toEqual([
    `${d1} ${bond} 0 0 0 -500`,
    `${d1} ${fund} 0 0 0 -500`,
    `${d1} ${share} 0 0 0 -510`,
    `${d2} ${bond} 2000 0 0 0`,
    `${d2} ${fund} -610000 610000 0 0`,
    `${d2} ${share} -40000 0 50000 0`,
    `${d3} ${fund} ${2033 * 10} 0 0 0`,
    `${d3} ${share} 10000 0 -10000 ${-500 - 10 - 485}`,
  ])
})

test('against a benchmark: a group that did better, an instrument that did better than its group, and idle cash', () => {
  const [a, b, c] = ['110001.SH', '110002.SH', '510300.SH']
  const rows = [...rowsOf(a, [100, 100, 104]), ...rowsOf(b, [100, 100, 102]), ...rowsOf(c, [4, 4, 4.08])]
  const market = panel(fromRows(rows) as Data, { columns }) as Panel
  const half = { weights: () => ({ [a]: 0.5, [c]: 0.2 }), when: { days: [d0] } }
  const result = backtest(market, half, bare)
  const benchmark = { days: result.days, equity: [100, 100, 101] }
  const [bonds, funds, cash] = rowsIn(attribution(result, market, { benchmark })).filter(
    ({ tradedate }) => tradedate === d2,
  )
  // Half of a million in bonds: 1 % of the benchmark, 3 % - 1 % of the group, 4 % - 3 % of the bond.
  expect(bonds).toMatchObject({
    group: 'convertible bond',
    benchmark: 500_000,
    allocation: 1_000_000,
    selection: 500_000,
  })
  expect(funds).toMatchObject({ group: 'ETF', benchmark: 200_000, allocation: 200_000, selection: 0 })
  expect(cash).toMatchObject({ symbol: 'cash', benchmark: 300_000, allocation: -300_000, selection: 0, sum: 0 })
  const mine = rowsIn(attribution(result, market, { benchmark, groups: { [a]: 'x', [b]: 'x' } }))
  expect(mine.find(({ tradedate, group }) => tradedate === d2 && group === 'x')).toMatchObject({
    allocation: 1_000_000,
  })
  const refused = (more: object, ...of: [Panel?]) => thrownBy(() => attribution(result, of[0], more))
  expect(refused({ benchmark })).toBe('USAGE: attribution: it needs the panel that the account was run over')
  expect(refused({ groups: { '110003.SH': 'x' } }, market)).toBe(
    `USAGE: attribution: groups name 110003.SH, which the panel does not have; did you mean '${a}'?`,
  )
  expect(refused({ benchmark: { days: [d0, d1], returns: [0, 0] } }, market)).toBe(
    `INVALID_VALUE: attribution: the benchmark has no ${d2}`,
  )
})

test('the tear sheet shows it: tables that sum to the change, in both languages, and texts are texts', async () => {
  const { market } = randomWorld(5)
  const result = backtest(
    market,
    { weights: () => ({ [codes[1] as string]: 0.3, [codes[3] as string]: 0.4 }), when: { every: 3 } },
    free,
  )
  const benchmark = { name: '基准', days: result.days, equity: result.days.map((_, at) => 100 + at) }
  const evil = '<img src=x onerror=alert(1)>"\'&'
  const announcements = [{ day: d1, symbol: codes[3] as string, title: evil }]
  const table = attribution(result, market, { benchmark, groups: { [codes[3] as string]: evil } })
  const change = fen(result.equity.at(-1)) - fen(result.start)
  const yuan = (text: string | undefined): number => Math.round(100 * Number((text ?? '').replaceAll(',', '')))
  const options = { benchmark, attribution: table, announcements }
  for (const [lang, names] of [
    ['en', ['By month', 'What each instrument brought', 'Against the benchmark, by group']],
    ['zh', ['按月', '各品种盈亏贡献', '相对基准（按分组）']],
  ] as const) {
    const page = await tearSheet(result, { ...options, lang })
    for (const name of names) expect(sum(tableOf(page, name).map((cells) => yuan(cells.at(-1)))), name).toBe(change)
    const [whole = []] = tableOf(page, lang === 'en' ? 'What brought the change' : '收益归因').slice(-1)
    expect(yuan(whole[1])).toBe(change)
    expect(page).not.toMatch(/<img/)
    expect(page.split(escaped(evil)).length).toBe(3)
  }
  expect(strings(table, 'symbol')).toContain('cash')
  const alone = await tearSheet(result, { benchmark })
  expect(tableOf(alone, 'By month').length).toBe(2)
  expect(alone).not.toContain('Against the benchmark, by group')
})

test('quotebook backtest lists announcements that name a redemption of a bond that was held, and verify makes the page again', async () => {
  const [dir, evil] = [folder(), '<img src=x>关于提前赎回“海岳转债”的公告']
  const told = [
    ['2026-06-02 18:30:00', evil, null],
    ['2026-06-03', '关于实施强赎的第三次提示性公告', '债券代码：110059'],
    ['2026-06-04', '海岳转债本息兑付公告', null],
    ['2026-06-05', '关于海岳转债转股价格调整的公告', null],
    ['2026-06-05', '关于赎回理财产品的公告', '到期赎回'],
    ['2026-06-08', '关于提前赎回“青禾转债”的公告', null],
    ['2026-05-05', '关于提前赎回“海岳转债”的提示', null],
  ].map(([event_date, title, summary]) => ({
    symbol: '600519',
    event_date,
    title,
    summary,
    announcement_type: 'other',
  }))
  const rows = { convertible_daily: await sampleRows('convertible_daily'), finance_announcement: told }
  const market = await archiveOf(rows, join(dir, 'archive'))
  await market.close()
  writeFileSync(
    join(dir, 'one.mjs'),
    "export default { data: { dataset: 'convertible_daily' }, weights: () => ({ '110059.SH': 0.5 }), when: { monthly: 2 } }",
  )
  const words = ['--source', join(dir, 'archive')]
  const run = ['backtest', join(dir, 'one.mjs'), '--benchmark', 'none', '--out', join(dir, 'out'), ...words]
  expect(await here(...run)).toMatchObject({ code: 0, err: expect.not.stringContaining('error') })
  const page = readFileSync(join(dir, 'out', 'tear-sheet.html'), 'utf8')
  expect(tableOf(page, 'Announcements of redemptions').map((cells) => cells.join(' | '))).toEqual([
    `2026-06-02 | 110059.SH 海岳转债 | ${escaped(evil)}`,
    '2026-06-03 | 110059.SH 海岳转债 | 关于实施强赎的第三次提示性公告',
    '2026-06-04 | 110059.SH 海岳转债 | 海岳转债本息兑付公告',
  ])
  expect(sectionOf(page, 'attribution')).toContain('What each instrument brought')
  const verified = await here('verify', join(dir, 'out', 'tear-sheet.html'), '--code', join(dir, 'one.mjs'), ...words)
  expect(verified.out.trimEnd().split('\n').at(-1)).toBe('byte-identical')
})

test('ten for ten and cash on one day: ex-rights are what the shares made up for, the cash is income', () => {
  const rows = rowsOf('600001.SH', [10, 10, 4.75], (at) => (at === 2 ? { pre_close: 4.75 } : {}))
  const cashflows = fromRows([{ code: '600001.SH', ex_day: d2, cash_per_share: 0.5, kind: 'dividend' }])
  const market = panel(fromRows(rows) as Data, { columns, cashflows }) as Panel
  const orders = ({ day }: { day: string }) =>
    day === d0 ? [{ side: 'buy' as const, symbol: '600001.SH', shares: 1000 }] : []
  const [last] = rowsIn(attribution(backtest(market, { orders }, bare))).slice(-1)
  // 10 - 0.5 = 9.5 halves to 4.75: 1,000 shares made up for 4.75 each, and the price fell by 5.25.
  expect(last).toMatchObject({ price: -525_000, ex_rights: 475_000, income: 50_000, sum: 0 })
})
