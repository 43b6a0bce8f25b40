import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Bar,
  backtest,
  connect,
  fromCsv,
  loadPanel,
  numbers,
  type Panel,
  panel,
  planOrders,
  type Strategy,
  toObjects,
} from 'quotebook'
import { afterAll, describe, expect, test } from 'vitest'
import { decisionTimes, nextDecision, type Schedule } from '../../src/research/backtest/schedule.js'
import { here } from '../helper/here.js'
import { quotebook } from './helper/command.js'
import { folder, removeFolders } from './helper/files.js'
import { tableOf } from './helper/pages.js'
import { paperCash, paperDays, strategyFolder } from './helper/paper.js'
import { thrownBy } from './helper/prices.js'

/** Orders for the next trading day, and the paper account that goes on with them. */

removeFolders()
const market = await connect()
afterAll(() => market.close())

type Seen = 'open' | 'close' | 'pre_close' | 'vol' | 'cb_over_rate'
const low = (n: number, exitRank: number): Strategy<Seen> => ({
  score: (bond: Bar<Seen>) => bond.close + bond.cb_over_rate,
  pick: { n, side: 'lowest', exitRank },
})

/** Rows of daily prices: codes with a close a day. */
function closes(
  days: readonly string[],
  byCode: Readonly<Record<string, readonly (number | null)[]>>,
  more: { readonly listed?: Readonly<Record<string, string>> } = {},
): Panel<Seen> {
  const rows = Object.entries(byCode).flatMap(([code, own]) =>
    own.flatMap((close, at) => {
      const before = own.slice(0, at).findLast((one) => one !== null) ?? close
      return close === null ? [] : [`${days[at]},${code},${close},${close},${before},100000,0`]
    }),
  )
  const text = ['tradedate,code,open,close,pre_close,vol,cb_over_rate', ...rows].join('\n')
  return panel(fromCsv(text), {
    columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] as never,
    ...more,
  }) as never
}

const july = ['20260701', '20260702', '20260703']
const august = ['20260708', '20260709', '20260710']

describe('planOrders', () => {
  const evenly = (...codes: string[]): Strategy<Seen> => ({
    weights: () => Object.fromEntries(codes.map((code) => [code, 0.25])),
  })

  test('by hand: lots of the class, the value and the cash that is left', () => {
    const prices = closes(july, { '600000.SH': [10, 10, 10], '688001.SH': [50, 50, 50], '113001.SH': [120, 120, 120] })
    const plan = planOrders(prices, evenly('600000.SH', '688001.SH', '113001.SH'), { cash: 80_000 })
    expect([plan.day, plan.tradeDay, plan.isDecided]).toEqual(['20260703', '20260706', true])
    // 20,000 yuan each: 160 bonds of 120 (19,200), 2,000 shares of 10 (20,000), 400 of 50 (20,000)
    const told = plan.orders.map((one) => [
      one.symbol,
      one.side,
      one.shares,
      one.lots,
      one.value,
      one.costs,
      one.reason,
    ])
    expect(told).toEqual([
      ['113001.SH', 'buy', 160, 16, 19_200, 3.84, 'enter'],
      ['600000.SH', 'buy', 2000, 20, 20_000, 5.2, 'enter'],
      ['688001.SH', 'buy', 400, 4, 20_000, 5.2, 'enter'],
    ])
    expect([plan.cash, plan.cashLeft, plan.equity]).toEqual([80_000, 20_785.76, 80_000])
  })

  test('limits of tomorrow as the exchanges round them, by the class, the day of listing and ST of that day', () => {
    const steady = {
      '600000.SH': [9.99, 9.99, 10.05],
      '300001.SZ': [9.99, 9.99, 10.05],
      '113001.SH': [113.457, 100, 113.457],
    }
    const more = { '920001.BJ': [9.99, 9.99, 10.05], '510300.SH': [3.999, 3.999, 3.999], '600001.SH': [null, 20, 21] }
    const limits = (days: readonly string[], st?: string) => {
      const prices = closes(days, { ...steady, ...more }, { listed: { '600001.SH': days[1] as string } })
      const marked = new Uint8Array(days.length * prices.symbols.length).fill(st === undefined ? 0 : 1)
      const own = prices.withColumns(prices.cols, { marked })
      const held = prices.symbols.map((symbol) => ({ symbol, shares: 1000 }))
      const plan = planOrders(own, { weights: () => ({}) }, { cash: 0, holdings: held })
      return Object.fromEntries(plan.orders.map((one) => [one.symbol, [one.limitDown, one.limitUp]]))
    }
    // 10.05 x 1.1 = 11.055 -> 11.06, x 0.9 = 9.045 -> 9.05; bonds 113.457 x 1.2 = 136.1484, x 0.8 = 90.7656
    expect(limits(july)).toEqual({
      '113001.SH': [90.766, 136.148],
      '300001.SZ': [8.04, 12.06],
      '510300.SH': [3.599, 4.399],
      '600000.SH': [9.05, 11.06],
      '600001.SH': [null, null],
      '920001.BJ': [7.04, 13.06],
    })
    // main boards marked ST: 5 % until 2026-07-05, 10 % from 2026-07-06 on, which 20260703 plans for
    expect(limits(['20260630', '20260701', '20260702'], 'st')['600000.SH']).toEqual([9.55, 10.55])
    expect(limits(july, 'st')['600000.SH']).toEqual([9.05, 11.06])
    expect(limits(august, 'st')['300001.SZ']).toEqual([8.04, 12.06])
  })

  test('what is suspended, at its limit, or ends is told; a holding that the data lacks is left alone', () => {
    const prices = closes(july, {
      '600000.SH': [10, 10, null],
      '600001.SH': [10, 10, 11],
      '113001.SH': [100, 100, 100],
    })
    const table = toObjects(rowsTable(prices))
    const ending = panel(fromCsv(csvOf(table)), {
      columns: ['open', 'close', 'pre_close', 'vol'],
      delistings: [
        { symbol: '113001.SH', day: '20260706', price: 101 },
        { symbol: '600001.SH', day: '20260810' },
      ],
    })
    const plan = planOrders(
      ending,
      { weights: () => ({ '600000.SH': 0.4, '600001.SH': 0.4 }) },
      {
        cash: 10_000,
        holdings: [
          { symbol: '113001', shares: 100 },
          { symbol: '000001', shares: 500 },
        ],
      },
    )
    expect(plan.orders.map((one) => [one.symbol, one.notes])).toEqual([
      ['600000.SH', ['suspended']],
      ['600001.SH', ['limit-up', 'ends']],
    ])
    expect(plan.untraded).toEqual([
      { symbol: '113001.SH', name: null, side: 'sell', wanted: 100, ordered: 0, reason: 'delisted' },
    ])
    // 20,000 yuan, of which 10,100 are the redemption; 700 shares of 10 (7,000) and 700 of 11 (7,700)
    expect([plan.equity, plan.unknown]).toEqual([20_000, [{ symbol: '000001', shares: 500 }]])
    expect(plan.orders.map((one) => one.shares)).toEqual([800, 700])
  })

  test('what leaves because a value that the strategy reads is missing is named, with its column', () => {
    const rows = july.flatMap((day, at) =>
      ['110001.SH', '110002.SH', '110003.SH'].map((code, place) => {
        const premium = at === 2 && place === 0 ? '' : String(10 + place)
        return `${day},${code},100,100,100,100000,${premium},${at === 2 && place === 1 ? '' : 7}`
      }),
    )
    const text = ['tradedate,code,open,close,pre_close,vol,cb_over_rate,yield', ...rows].join('\n')
    const columns = ['open', 'close', 'pre_close', 'vol', 'cb_over_rate', 'yield'] as never
    const strategy = { score: (bond: Bar<Seen>) => bond.close + bond.cb_over_rate, pick: { n: 1, side: 'lowest' } }
    const holdings = ['110001.SH', '110003.SH'].map((symbol) => ({ symbol, shares: 100 }))
    const plan = planOrders(panel(fromCsv(text), { columns }), strategy as never, { cash: 0, holdings })
    // 110002 is bought at the lowest premium that is known; 110003 leaves because it is not the lowest, with all of its values.
    expect(plan.orders.map(({ symbol, reason, notes, missing }) => [symbol, reason, notes, missing])).toEqual([
      ['110001.SH', 'leave', ['missing-value'], ['cb_over_rate']],
      ['110003.SH', 'leave', [], undefined],
      ['110002.SH', 'enter', [], undefined],
    ])
    expect(plan.warnings.map(String)).toContain(
      '110001.SH leaves, and of what the strategy reads it has no cb_over_rate on 20260703: look before you sell it',
    )
  })

  test('orders of its own are listed with their limits, also those that the last close does not meet', () => {
    const prices = closes(july, { '600000.SH': [10, 10, 10], '600001.SH': [20, 20, 20] })
    const columns = { ...prices.cols, high: prices.cols.close, low: prices.cols.close }
    const orders = [
      { symbol: '600000.SH', side: 'buy' as const, shares: 300, limit: 9.5 },
      { symbol: '600001.SH', side: 'sell' as const, shares: 100, limit: 30, at: 'close' as const },
      { symbol: '600001.SH', side: 'buy' as const, shares: 100, limit: 23 },
    ]
    const plan = planOrders(
      prices.withColumns(columns),
      { orders: () => orders },
      {
        cash: 6000,
        holdings: [{ symbol: '600001.SH', shares: 100 }],
      },
    )
    expect(plan.orders.map(({ symbol, shares, limit, value, notes }) => [symbol, shares, limit, value, notes])).toEqual(
      [
        ['600000.SH', 300, 9.5, 2850, []],
        ['600001.SH', 100, 23, 2000, ['beyond-limit']],
      ],
    )
    expect(plan.untraded).toMatchObject([
      { symbol: '600001.SH', side: 'sell', wanted: 100, ordered: 0, reason: 'price' },
    ])
  })

  test('a strategy that looks ahead is told by its last three decisions', async () => {
    const { panel: prices } = await loadPanel(market, { dataset: 'convertible_daily' })
    const peeks = {
      prepare: ({ cols, symbols }: Panel<'close'>) => {
        const next = cols.close.map((_, cell) => cols.close[cell + symbols.length] ?? Number.NaN)
        const rises = (time: number, at: number) =>
          (next[time * symbols.length + at] ?? 0) > (cols.close[time * symbols.length + at] ?? 0)
        return {
          weights: ({ time }: { time: number }) =>
            Object.fromEntries(symbols.flatMap((code, at) => (rises(time, at) ? [[code, 0.01]] : []))),
        }
      },
    }
    expect(planOrders(prices, peeks as never, { cash: 1e6 }).lookahead).toMatchObject({ ok: false, cuts: 3 })
    expect(planOrders(prices, low(5, 8) as never, { cash: 1e6 }).lookahead).toEqual({ ok: true, cuts: 3 })
  })

  test('what can not be ordered the evening before, and holdings that are none, are refused', () => {
    const prices = closes(july, { '600000.SH': [10, 10, 10] })
    const told = (options: object) => thrownBy(() => planOrders(prices, evenly('600000.SH'), { cash: 1e4, ...options }))
    expect(told({ exec: { decide: 'close', fill: 'sameClose' } })).toMatch(/^USAGE: plan: /)
    expect(told({ exec: { decide: 'open', fill: 'nextClose' } })).toMatch(/^USAGE: plan: /)
    expect(told({ holdings: [{ symbol: '600000', shares: 1.5 }] })).toMatch(/^USAGE: holdings: 600000 has 1.5 shares/)
    expect(
      told({
        holdings: [
          { symbol: '600000', shares: 1 },
          { symbol: '600000.SH', shares: 1 },
        ],
      }),
    ).toMatch(/two rows/)
    expect(told({ holding: [] })).toMatch(/did you mean 'holdings'/i)
  })
})

function rowsTable(prices: Panel<Seen>) {
  const rows = prices.days.flatMap((tradedate, day) =>
    prices.symbols.flatMap((code, at) => {
      const cell = day * prices.symbols.length + at
      const { open, close, pre_close, vol, cb_over_rate } = prices.cols
      const own = { open: open[cell], close: close[cell], pre_close: pre_close[cell], vol: vol[cell] }
      return prices.present[cell] ? [{ tradedate, code, ...own, cb_over_rate: cb_over_rate[cell] }] : []
    }),
  )
  return fromCsv(csvOf(rows))
}

const csvOf = (rows: readonly object[]): string =>
  [
    Object.keys(rows[0] as object).join(','),
    ...rows.map((row) =>
      Object.values(row)
        .map((one) => (Number.isNaN(one) ? '' : one))
        .join(','),
    ),
  ].join('\n')

test('a strategy that decides within the day is told that the evening before knows none of its orders', async () => {
  const data = { dataset: 'etf_minute', params: { symbols: ['510300.SH'], period: '30m' } } as const
  const { panel: bars } = await loadPanel(market, data, { from: '20260701' })
  const warned = (at: readonly string[]) =>
    planOrders(bars, { weights: () => ({ '510300.SH': 0.5 }), when: { at } }, { cash: 1e6 }).warnings
  const within = 'the strategy decides within the day: the evening before knows none of those orders'
  expect(
    [warned(['1000']), warned(['1000', '1500']), warned(['1500'])].map((all) => all.map(String).includes(within)),
  ).toEqual([true, true, false])
})

describe('the plan of a day is what a backtest fills the day after, where no price has moved', () => {
  const columns = ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] as const
  const strategies: Readonly<Record<string, Strategy<Seen>>> = {
    'double low': low(5, 8),
    'double low, weighed by rank': {
      ...(low(4, 6) as object),
      weight: (_: number, rank: number) => [0.4, 0.3, 0.2, 0.05][rank] ?? 0,
    } as never,
    'shares of the account': {
      weights: ({ close, symbols, time }) =>
        Object.fromEntries(
          symbols.flatMap((code, at) => ((at + time) % 4 === 0 && (close[at] ?? 0) > 0 ? [[code, 0.19]] : [])),
        ),
    },
  }

  test.each(Object.keys(strategies))('%s', async (name) => {
    const { panel: prices } = await loadPanel(market, { dataset: 'convertible_daily', columns: [...columns] })
    const options = { cash: 400_000, slippageTicks: 0, maxVolumeShare: null, lookahead: false }
    const rows = toObjects(rowsTable(prices as never)) as { tradedate: string; code: string; close: number }[]
    let compared = 0
    for (const at of [7, 12, 19, 24, 30, 36, 44, 50, 57]) {
      const [day, next] = [prices.days[at] as string, prices.days[at + 1] as string]
      const known = rows.filter(({ tradedate }) => tradedate <= day)
      const last = new Map(known.map((row) => [row.code, row]))
      const still = [...last.values()].map((row) => ({
        ...row,
        tradedate: next,
        open: row.close,
        pre_close: row.close,
        vol: 1e6,
      }))
      const upTo = panel(fromCsv(csvOf(known)), { columns: [...columns] })
      const beyond = panel(fromCsv(csvOf([...known, ...still])), { columns: [...columns] })
      const run = backtest(upTo, strategies[name] as never, options)
      const held = toObjects(run.positions).filter(({ tradedate }) => tradedate === day)
      const holdings = held.map(({ symbol, shares }) => ({ symbol: String(symbol), shares: Number(shares) }))
      const plan = planOrders(upTo, strategies[name] as never, {
        ...options,
        cash: numbers(run.account, 'cash').at(-1) as number,
        holdings,
      })
      const fills = toObjects(backtest(beyond, strategies[name] as never, options).fills).filter(
        ({ tradedate }) => tradedate === next,
      )
      const wanted = fills.map((one) => [
        one['symbol'],
        one['side'],
        one['shares'],
        one['amount'],
        Number(one['commission']) + Number(one['transfer']),
      ])
      expect(plan.tradeDay).toBe(next)
      expect(plan.orders.map((one) => [one.symbol, one.side, one.shares, one.value, one.costs])).toEqual(wanted)
      compared += wanted.length
    }
    expect(compared).toBeGreaterThan(4)
  })
})

describe('quotebook plan', () => {
  const { dir, file } = strategyFolder()
  const plan = (...words: string[]) => here('plan', file, ...words)

  test('the order file holds the orders and nothing else; in GBK it is the same text', async () => {
    const ran = quotebook(['plan', file, '--day', '20260728', '--format', 'csv'])
    const [head, ...rows] = ran.out.trimEnd().split('\n')
    expect(head).toBe('code,name,side,shares,lots,limit,limit_down,limit_up')
    expect(rows).toHaveLength(5)
    const out = join(dir, 'orders.csv')
    expect((await plan('--day', '20260728', '--encoding', 'gbk', '--out', out)).code).toBe(0)
    expect(new TextDecoder('gbk').decode(readFileSync(out))).toBe(ran.out)
    expect(ran.err).toMatch(/decided at the close of 20260728 by sample; orders for 20260729: 5/)
    expect(ran.err).toMatch(/nothing was sent to a broker/)
  })

  test('data that are due and missing refuse it, with what and when; a past evening needs only its own', async () => {
    const refused = await plan()
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toMatch(
      /data are due and missing: its prices end on 20260729.*convertible_daily: .*\(comes by 15:30/,
    )
    const later = await plan('--day', '20260730')
    expect(later.err).toMatch(/its prices end on 20260729, not on 20260730/)
  })

  test('holdings as a broker writes them, in GBK with Chinese heads; the page and JSON say the same', async () => {
    const holdings = join(dir, 'held.csv')
    const gbk = execFileSync('iconv', ['-t', 'gbk'], {
      input: '证券代码,证券名称,持仓\n123124,云帆转债,100\n000001,平安银行,300\n',
    })
    writeFileSync(holdings, gbk)
    expect((await plan('--day', '20260728', '--holdings', holdings)).err).toMatch(/--holdings needs --cash/)
    const asJson = await plan('--day', '20260728', '--holdings', holdings, '--cash', '50000', '--format', 'json')
    const { plan: found } = JSON.parse(asJson.out) as { plan: ReturnType<typeof planOrders> }
    expect(found.orders[0]).toMatchObject({
      symbol: '123124.SZ',
      side: 'sell',
      shares: 100,
      reason: 'leave',
      name: '云帆转债',
    })
    expect(found.unknown).toEqual([{ symbol: '000001', shares: 300 }])
    const page = await plan('--day', '20260728', '--holdings', holdings, '--cash', '50000', '--format', 'html')
    for (const { symbol } of found.orders) expect(page.out).toContain(symbol)
    expect(page.out).not.toContain('<script')
    const again = await plan('--day', '20260728', '--holdings', holdings, '--cash', '50000', '--format', 'html')
    expect(again.out).toBe(page.out)
  })
})

test('a follower plans with a strategy and an account, and with both alone', async () => {
  const told = (...words: string[]) => here('sync', '--archive', folder(), '--source', 'sample', ...words)
  for (const words of [
    ['--plan', 'a.ts'],
    ['--follow', '--plan', 'a.ts'],
    ['--follow', '--account', 'b'],
  ])
    expect(await told(...words)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--plan FILE and --account DIR go together, with --follow/),
    })
})

describe('a paper account', () => {
  const { dir, file } = strategyFolder()
  const evening = (account: string, day: string, ...words: string[]) =>
    here('plan', file, '--account', account, '--day', day, ...paperCash, ...words)

  test('with evenings missed at random it equals one backtest, to the fen and fill by fill; twice an evening changes nothing', async () => {
    const account = join(dir, 'whole')
    const { panel: all } = await loadPanel(market, { dataset: 'convertible_daily' })
    const isLucky = [3, 4, 40]
    const came = all.days.filter((_, at) => at === 0 || at === 59 || isLucky.includes(at))
    expect(came.length).toBeGreaterThan(4)
    for (const day of came) expect((await evening(account, day)).code).toBe(0)
    const days = paperDays(account)
    const before = readFileSync(join(account, 'days', '20260729.json'))
    expect((await evening(account, '20260729')).code).toBe(0)
    expect(readFileSync(join(account, 'days', '20260729.json'))).toEqual(before)
    const strategy = { ...(low(5, 6) as object), when: { every: 2 } } as never
    const run = backtest(all as never, strategy, { cash: 300_000 })
    expect(days.map(({ day }) => day)).toEqual(all.days)
    expect(days.map(({ equity }) => equity)).toEqual([...run.equity])
    expect(days.map((one) => one.cash)).toEqual([...numbers(run.account, 'cash')])
    for (const name of ['fills', 'rejected', 'events'] as const)
      expect(
        days.flatMap((one) => one[name]),
        name,
      ).toEqual(JSON.parse(JSON.stringify(toObjects(run[name]))))
    expect(days.flatMap((one) => one.holdings)).toEqual(JSON.parse(JSON.stringify(toObjects(run.positions))))
    expect(run.fills.numRows).toBeGreaterThan(40)
    const page = (await evening(account, '20260729', '--format', 'html')).out
    const cost = new Map<string, [held: number, paid: number]>()
    for (const { symbol, side, shares, amount, commission, stamp, transfer } of toObjects(run.fills)) {
      const [held, paid] = cost.get(String(symbol)) ?? [0, 0]
      const sign = side === 'buy' ? 1 : -1
      const fees = Number(commission) + Number(stamp) + Number(transfer)
      cost.set(String(symbol), [held + sign * Number(shares), (held === 0 ? 0 : paid) + sign * Number(amount) + fees])
    }
    const held = toObjects(run.positions).filter(({ tradedate }) => tradedate === '20260729')
    const shown = new Map(
      tableOf(page, 'Holdings at the close').map((row) => [row[0], Number(row[6]?.replaceAll(',', ''))]),
    )
    expect([held.length > 3, shown.size]).toEqual([true, held.length])
    for (const { symbol, value } of held)
      expect(shown.get(String(symbol)), String(symbol)).toBeCloseTo(
        Number(value) - (cost.get(String(symbol))?.[1] ?? 0),
        2,
      )
    // Every second day of 60: the next is the 61st.
    expect(page).toContain('<data value="20260730" class="">2026-07-30</data>')
  })

  test('the next decision is that which a longer panel makes', async () => {
    const { panel: whole } = await loadPanel(market, { dataset: 'convertible_daily' })
    const { days } = whole
    for (const when of [
      {},
      { every: 7 },
      { weekly: 3 },
      { monthly: 'last' },
      { monthly: 2 },
      { days: ['20260613'] },
    ] as Schedule[]) {
      const decides = decisionTimes(when, whole)
      for (const at of [0, 5, 17, 26, 40]) {
        const due = days.find((_, day) => day > at && decides[day] === 1)
        const found = nextDecision(when, { ...whole, days: days.slice(0, at + 1), minutes: [''], begin: 0 } as never)
        if (due !== undefined || 'days' in when) expect(found, JSON.stringify([when, days[at]])).toBe(due)
      }
    }
  })

  test('of a file with state, update and exit: what it remembers goes on over evenings, as in one backtest', async () => {
    const remembering = `export default {
  data: { dataset: 'convertible_daily' },
  state: () => ({ peak: 0, rest: 0 }),
  update: (now, state) => {
    state.peak = Math.max(state.peak, now.equity)
    if (state.rest > 0) state.rest--
    else if (now.equity < 0.99 * state.peak) Object.assign(state, { rest: 4, peak: now.equity })
  },
  exit: (bond, state) => state.rest > 0 || bond.close < 0.97 * bond.highSinceEntry,
  universe: (bond, state) => state.rest === 0 && bond.daysSinceExit > 3,
  score: (bond) => bond.close + bond.cb_over_rate,
  pick: { n: 5, side: 'lowest', rebalance: 'swap' },
  when: { weekly: 1 },
}
`
    const [own, account] = [join(dir, 'remembering.mjs'), join(dir, 'remembered')]
    writeFileSync(own, remembering)
    const days = ['20260601', '20260602', '20260612', '20260703', '20260729']
    for (const day of days)
      expect((await here('plan', own, '--account', account, '--day', day, ...paperCash)).code).toBe(0)
    const ran = await here(
      'backtest',
      own,
      '--from',
      '20260601',
      '--to',
      '20260729',
      '--cash',
      '300000',
      '--out',
      join(dir, 'ran'),
      '--format',
      'csv',
    )
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^look-ahead +none/m)])
    const fills = fromCsv(readFileSync(join(dir, 'ran', 'fills.csv'), 'utf8'))
    const kept = paperDays(account).flatMap((day) => day.fills) as unknown as Record<string, unknown>[]
    expect(kept.map((fill) => [fill['tradedate'], fill['symbol'], fill['side'], fill['shares']].map(String))).toEqual(
      toObjects(fills).map((fill) => [fill['tradedate'], fill['symbol'], fill['side'], fill['shares']].map(String)),
    )
    expect(kept.length).toBeGreaterThan(12)
  })

  test('goes on with the words and params that it was begun with, until others are given from a day on', async () => {
    const account = join(dir, 'words')
    const made = join(dir, 'made.mjs')
    writeFileSync(
      made,
      `export default { data: { dataset: 'convertible_daily' }, make: ({ n = 5 }) => ({ score: (bond) => bond.close + bond.cb_over_rate, pick: { n, side: 'lowest' }, when: { every: 2 } }) }`,
    )
    const of = (day: string, ...words: string[]) => here('plan', made, '--account', account, '--day', day, ...words)
    const sizing = ['--size-at', 'fill', '--min-trade-lots', '2']
    const typed = ['--slippage', '7', '--commission', '0.0003,2', ...sizing, '--param', 'n=3']
    expect((await of('20260720', ...paperCash, ...typed)).code).toBe(0)
    const ran = await of('20260722')
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('another')])
    const whole = join(dir, 'words-again')
    expect((await here('plan', made, '--account', whole, '--day', '20260720', ...paperCash, ...typed)).code).toBe(0)
    expect((await here('plan', made, '--account', whole, '--day', '20260722', ...paperCash, ...typed)).code).toBe(0)
    const begun = JSON.parse(readFileSync(join(account, 'account.json'), 'utf8')).setup
    expect(begun.options).toMatchObject({ sizeAt: 'fill', minTradeLots: 2 })
    const days = paperDays(account)
    expect(days.map(({ fills, equity }) => [fills, equity])).toEqual(
      paperDays(whole).map(({ fills, equity }) => [fills, equity]),
    )
    expect(days[1]?.fills).toHaveLength(3)
    expect(await of('20260723', '--slippage', '1')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/another options; --from-today/),
    })
    expect((await of('20260723', '--from-today')).code).toBe(0)
    expect(JSON.parse(readFileSync(join(account, 'days', '20260723.json'), 'utf8')).fromToday).toMatchObject({
      params: {},
      words: {},
    })
    expect((await of('20260724')).code).toBe(0)
  })

  test('real fills beside it: slippage, what was missed, holdings that do not add up', async () => {
    const account = join(dir, 'real')
    await evening(account, '20260720')
    await evening(account, '20260722')
    const [first, second] = paperDays(account)
    const fills = second?.fills as { symbol: string; shares: number; price: number }[]
    const [a, b] = fills as [(typeof fills)[0], (typeof fills)[0]]
    const real = join(dir, 'fills.csv')
    const rows = [
      '成交日期,证券代码,买卖标志,成交数量,成交价格,手续费',
      `20260721,${a.symbol.slice(0, 6)},证券买入,${a.shares},${(a.price + 0.1).toFixed(3)},20`,
      `20260721,${b.symbol.slice(0, 6)},证券买入,${b.shares - 10},${(b.price - 0.05).toFixed(3)},18.5`,
    ]
    writeFileSync(real, rows.join('\n'))
    const ran = await evening(account, '20260722', '--fills', real, '--format', 'json')
    const { account: told } = JSON.parse(ran.out) as { account: { real: Record<string, never> } }
    const slippage = Math.round((a.shares * 0.1 - (b.shares - 10) * 0.05) * 100) / 100
    expect(told.real).toMatchObject({ fees: 38.5, missed: (first?.plan.orders.length ?? 0) - 2 })
    expect(told.real['slippage']).toBeCloseTo(slippage, 2)
    const unequal = told.real['holdings'] as unknown as { symbol: string; paper: number; real: number }[]
    expect(unequal.find(({ symbol }) => symbol === b.symbol)).toMatchObject({ paper: b.shares, real: b.shares - 10 })
    expect(unequal.some(({ symbol }) => symbol === a.symbol)).toBe(false)
  })
})
