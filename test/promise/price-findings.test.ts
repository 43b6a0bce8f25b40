import {
  backtest,
  connect,
  type Data,
  forwardReturns,
  fromCsv,
  fromRows,
  type Panel,
  panel,
  planOrders,
  toObjects,
  tradingDays,
} from 'quotebook'
import { afterAll, describe, expect, test } from 'vitest'
import { bare, marketOf, type PriceRow, rejectedOf, rowsOf, thrownBy } from './helper/prices.js'

/** Prices and volumes held against their own day, before an account uses them. */

const days = tradingDays('20260601', '20260731')
const share = '600000.SH'
const bond = '123124.SZ'
type Row = PriceRow & { amount?: number }

/** Thirty rows of one code at one price, with what is changed on single days. */
const flat = (code: string, price: number, changes: Readonly<Record<number, Partial<Row>>> = {}, unit = 100): Row[] =>
  days.slice(0, 30).map((tradedate, at) => {
    const prices = { open: price, high: price, low: price, close: price, pre_close: price }
    return { tradedate, code, ...prices, vol: 1e4, amount: 1e4 * unit * price, ...changes[at] }
  })
const all = ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount'] as const
const made = (rows: readonly Row[], more: object = {}): Panel => {
  const columns = all.filter((name) => rows[0]?.[name] !== undefined)
  return panel(fromRows(rows) as Data, { columns, ...more } as never) as never
}
const order = (symbol: string, side: 'buy' | 'sell' = 'buy', shares = 100) => [{ symbol, side, shares }]
const run = (rows: readonly Row[], more: object = {}, options: object = {}, buy = 1) =>
  backtest(
    made(rows, more),
    { orders: ({ day }: { day: string }) => (day === days[buy] ? order(rows[0]?.code as string) : []) } as never,
    {
      ...bare,
      ...options,
    },
  )
const found = (rows: readonly Row[], more: object = {}) =>
  made(rows, more).findings.map(({ law, at, column }) => `${law} ${at.slice(4)} ${column}`)

describe('a cell that its own day contradicts', () => {
  // biome-ignore format: a table, one wrong cell a line
  test.each([
    ['a close ten times too high', { close: 100 }, ['range 0616 close', 'limits 0616 close']],
    ['a close a tenth', { close: 1 }, ['range 0616 close', 'limits 0616 close']],
    ['an open a tenth', { open: 1 }, ['range 0616 open', 'limits 0616 open']],
    ['all prices tenfold', { open: 100, high: 100, low: 100, close: 100 }, ['limits 0616 close']],
    ['a previous close that lost a digit', { pre_close: 1 }, ['limits 0616 pre_close']],
    ['a high below the rest', { high: 9 }, ['range 0616 high']],
    ['a low above the rest', { low: 10.5 }, ['range 0616 low']],
    ['volume in shares', { vol: 1e6 }, ['turnover 0616 vol']],
    ['turnover in thousands', { amount: 1e4 }, ['turnover 0616 vol']],
    ['a close within the limits that no dividend explains', { close: 9.9, low: 9.9 }, ['pre_close 0617 pre_close']],
  ] as const)('%s is found', (_, cell, want) => {
    expect(found(flat(share, 10, { 11: cell }))).toEqual(want)
  })

  test('a run that would use it is refused with the row and the way on; one that does not goes on and names it', () => {
    const wrong = flat(share, 10, { 11: { close: 100 } })
    expect(thrownBy(() => run(wrong))).toBe(
      `CONTRADICTED: the account would use a value that its own day contradicts: ${share} 20260616: close 100 contradicts the other prices of its bar, 10 to 10; 1 more in the panel's findings. Correct the data, or believe it as it is with ignore: ['${share} 20260616']`,
    )
    const idle = run([...flat('600001.SH', 10), ...wrong])
    expect([idle.fills.numRows, idle.findings.length]).toEqual([1, 2])
    expect(idle.warnings.map(String)).toContain(
      `${share} 20260616: close 100 lies outside 9 to 11, the price limits of the day`,
    )
    expect(thrownBy(() => run([...flat('600001.SH', 10), ...wrong], {}, { strict: true }))).toMatch(
      /^CONTRADICTED: strict: .*2/,
    )
  })

  test('ignore believes a row, or all of a code, and the result tells it; it names what the prices have', () => {
    const wrong = flat(share, 10, { 11: { open: 1, low: 1 } })
    const of = (ignore: string[]) => run(wrong, { ignore })
    expect(thrownBy(() => run(wrong, {}, {}, 10))).toContain('limits')
    for (const ignore of [[share], [`${share} 20260616`]]) {
      expect(of(ignore).warnings.map(String)).toContain('believed by ignore: 1 values that contradict their own day')
      expect(of(ignore).findings).toEqual([])
    }
    expect(thrownBy(() => of(['600009.SH']))).toMatch(
      /^USAGE: panel: ignore names no code of the prices: '600009.SH'.*600000/,
    )
    expect(thrownBy(() => of([`${share} 20260613`]))).toBe(
      `USAGE: panel: ignore names no day of the prices: '${share} 20260613'`,
    )
  })

  test('plans are refused where an order or a holding goes by it', () => {
    const wrong = made(flat(share, 10, { 29: { close: 12 } }))
    const plan = (weight: number, shares: number) => () =>
      planOrders(wrong, { weights: () => ({ [share]: weight }) } as never, {
        cash: 1e6,
        holdings: [{ symbol: share, shares }],
      })
    expect(thrownBy(plan(0.5, 0))).toMatch(/^CONTRADICTED: .*20260713: close 12/)
    expect(thrownBy(plan(0, 100))).toMatch(/^CONTRADICTED/)
    expect(plan(0, 0)().warnings.join()).toContain('close 12')
  })
})

describe('ex-rights', () => {
  const jump = (code: string, last: number, pre: number) => {
    const [before, after] = [last, pre].map((price) => flat(code, price, {}, code === bond ? 10 : 100)) as [
      Row[],
      Row[],
    ]
    return before.map((row, at) => (at < 11 ? row : (after[at] as Row)))
  }
  const events = (code: string, last: number, pre: number) =>
    toObjects(run(jump(code, last, pre)).events).map(({ after }) => after)

  test('come where a dividend, bonus, split or merge explains them', () => {
    expect(events(share, 10, 9.5)).toEqual([105])
    expect(events(share, 20, 5)).toEqual([400])
    expect(events('510300.SH', 1, 4)).toEqual([25])
    expect(events('510300.SH', 4, 1)).toEqual([400])
  })

  test.each([
    ['a share whose previous close rises', share, 10, 10.4],
    ['a convertible bond, which is not adjusted', bond, 120, 118],
    ['a fund that rises by less than any merge', '510300.SH', 4, 4.4],
  ])('do not come of %s', (_, code, last, pre) => {
    expect(thrownBy(() => run(jump(code, last, pre)))).toMatch(
      /^CONTRADICTED: .*pre_close .* does not follow the last close, .* on 20260615: no dividend/,
    )
  })

  test('a column of previous closes that is off by a day is named once; a row that lacks explains no shares', () => {
    const closes = days.slice(0, 30).map((_, at) => Math.round(1000 + 40 * Math.sin(at * 1.7)) / 100)
    const shifted = rowsOf(share, closes, (at) => ({ pre_close: closes[Math.max(0, at - 2)] as number }), days)
    expect(found(shifted)).toEqual(['shifted 0603 pre_close'])
    expect(thrownBy(() => run(shifted))).toContain('pre_close is off by a day from here on')
    const gone = rowsOf(share, closes, () => ({}), days).filter((_, at) => at !== 12)
    expect(found(gone)).toEqual(['pre_close 0618 pre_close'])
    expect(
      found(
        rowsOf(
          share,
          closes.map((one, at) => (at === 12 ? null : one)),
          () => ({}),
          days,
        ),
      ),
    ).toEqual([])
  })
})

describe('honest rows give no finding', () => {
  const listing = (code: string, pre: number, first: number) =>
    rowsOf(code, [null, ...Array(29).fill(first)], (at) => (at === 1 ? { pre_close: pre } : {}), days)
  test.each([
    ['the first day of a bond, up by 57.3 %', [...flat(bond, 120, {}, 10), ...listing('123999.SZ', 100, 157.3)]],
    ['the first days of a share', [...flat(bond, 120, {}, 10), ...listing('688001.SH', 20, 71)]],
    ['prices at both limits', flat(share, 10, { 11: { open: 9, low: 9, high: 11 } })],
    ['a suspended row of zeros', flat(share, 10, { 11: { open: 0, high: 0, low: 0, vol: 0, amount: 0 } })],
    [
      'a fund of Shenzhen that follows ChiNext',
      rowsOf(
        '159915.SZ',
        Array.from({ length: 30 }, (_, at) => (at < 15 ? 2 : 2.39)),
        () => ({}),
        days,
      ),
    ],
    ['one lot in turnover rounded to yuan', flat(share, 10.07, { 11: { vol: 1, amount: 1007 } })],
  ])('%s', (_, rows) => {
    expect(found(rows as Row[])).toEqual([])
  })

  test('the sample, as daily prices and as bars', async () => {
    const market = await connect()
    afterAll(() => market.close())
    const daily = await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
    const bars = await market.table.etfMinute({ symbols: 'all', tradedate: '20260729' } as never)
    expect(panel(daily, { columns: ['open', 'close'] }).findings).toEqual([])
    expect(panel(bars, { columns: ['open', 'close'] }).findings).toEqual([])
  })
})

describe('limits of the day hold on either side', () => {
  test('a price beyond the other limit is no fill', () => {
    const half = rowsOf('510300.SH', [4, 4, 4, 4], (at) => (at === 2 ? { open: 3.599, low: 3.599 } : {}), days)
    const result = backtest(
      marketOf(half),
      { orders: ({ day }: { day: string }) => (day === days[1] ? order('510300.SH') : []) },
      bare,
    )
    expect(rejectedOf(result)).toEqual(['20260603 510300.SH buy 100 0 outside'])
  })

  test('the first day of a delisting period has none, by its name or 15 rows before its end', () => {
    const fall = (name: (at: number) => string) =>
      fromCsv(
        [
          'tradedate,code,name,open,close,pre_close',
          ...days
            .slice(0, 30)
            .map((day, at) => `${day},${share},${name(at)},${at < 15 ? 3 : 1},${at < 15 ? 3 : 1},${at <= 15 ? 3 : 1}`),
        ].join('\n'),
      )
    const of = (data: Data, more: object) =>
      panel(data, { columns: ['open', 'close', 'pre_close'], ...more } as never).findings.length
    expect(
      of(
        fall(() => '浦发银行'),
        {},
      ),
    ).toBe(1)
    expect(
      of(
        fall((at) => (at < 15 ? '浦发银行' : '浦发退')),
        {},
      ),
    ).toBe(0)
    expect(
      of(
        fall(() => '浦发银行'),
        { delistings: [{ symbol: share, day: days[30] }] },
      ),
    ).toBe(0)
  })

  test('a first row after a short history is no listing, and the run tells of how many', () => {
    const late = [
      ...flat(bond, 120, {}, 10),
      ...rowsOf(
        share,
        [...Array(15).fill(null), ...Array(15).fill(11)],
        (at) => (at === 15 ? { pre_close: 10 } : {}),
        days,
      ),
    ]
    const result = backtest(
      made(late as Row[]),
      { orders: ({ day }: { day: string }) => (day === days[14] ? order(share) : []) } as never,
      bare,
    )
    expect(rejectedOf(result)).toEqual([`20260623 ${share} buy 100 0 limit-up`])
    expect(result.warnings.join()).toContain(
      '1 of 2 instruments have their first row after the first day (600000.SH 20260623 …)',
    )
    expect(made(late as Row[], { listed: { [share]: days[15] } }).notes).toEqual([])
  })
})

describe('what a volume counts', () => {
  const shares = (rows: readonly Row[]) =>
    toObjects(
      backtest(made(rows), { weights: () => ({ [rows[0]?.code as string]: 1 }) } as never, {
        cash: 1e6,
        lookahead: false,
        slippageTicks: 0,
        maxVolumeShare: 0.1,
        exec: { decide: 'close', fill: 'nextVwap' },
      }).fills,
    ).map((fill) => [fill['shares'], fill['price']])[0]

  test.each([
    ['lots', share, 10, 500, 500 * 100 * 10, [5000, 10]],
    ['shares, as the turnover shows', '688981.SH', 10, 50_000, 500_000, [5000, 10]],
    ['lots, and the turnover in thousands', share, 10, 500, 500, [5000, 10]],
    ['lots of bonds, and the turnover in ten thousands', bond, 120, 500, 60, [500, 120]],
    ['bonds', bond, 120, 5000, 600_000, [500, 120]],
  ] as const)('%s', (_, code, price, vol, amount, want) => {
    expect(shares(flat(code, price).map((row) => ({ ...row, vol, amount })))).toEqual(want)
  })

  test('of each instrument by itself: one in shares beside one in lots', () => {
    const both = [...flat(share, 10), ...flat('688981.SH', 10, {}, 1)]
    expect(made(both).units).toEqual([{}, { vol: 1 }])
    expect(`${made(both).notes[0]}`).toContain('vol of 1 of 2 instruments (688981.SH …) is read as single shares')
    expect(found(both)).toEqual([])
  })
})

test('days that are no trading days are moved and named, a month has its end, and days outside the run are told', () => {
  const year = tradingDays('20250102', '20251231')
  const prices = marketOf(rowsOf(share, Array(year.length).fill(10), () => ({}), year))
  const told = (when: object) => {
    const seen: string[] = []
    const result = backtest(
      prices,
      { orders: ({ day }: { day: string }) => [seen.push(day), order(share)][1], when } as never,
      bare,
    )
    return [seen, result.warnings.filter((text) => text.startsWith('when'))]
  }
  expect(told({ days: ['20250430', '20250531', '20251001', '20260105'] })).toEqual([
    ['20250430', '20250603', '20251009'],
    [
      'when: 2 days are no trading days and are moved to the next one: 20250531 → 20250603, 20251001 → 20251009',
      'when: 1 days lie outside the run and decide nothing: 20260105',
    ],
  ])
  expect(told({ monthly: 'last' })[0]?.slice(0, 5)).toEqual([
    '20250127',
    '20250228',
    '20250331',
    '20250430',
    '20250530',
  ])
  expect(told({ monthly: 22 })[0]).toHaveLength(12)
  expect(`${told({ monthly: 22 })[1]?.[0]}`).toMatch(
    /^when: \d+ months have fewer than 22 trading days, and the last one decides: 20250127/,
  )
})

test('returns of a factor leave a price out that its own day contradicts, and make no ex-rights of it', () => {
  const rows = [...flat(share, 10, { 11: { close: 100 } }), ...flat('600001.SH', 20)]
  const { forward } = forwardReturns(made(rows), { score: (bar: { close: number }) => bar.close } as never, {
    horizons: [1],
    fill: 'nextClose',
    costs: {},
  })
  const own = Array.from(forward[0] as Float64Array).filter((_, cell) => cell % 2 === 0)
  expect(own.map((value, day) => (Number.isNaN(value) ? day : value)).filter((value) => value !== 0)).toEqual([
    9, 10, 28, 29,
  ])
})

test('an index is bought by no account: its code is of no class', async () => {
  const index = rowsOf('880047', [10, 10, 10])
  expect(thrownBy(() => marketOf(index))).toMatch(/do not know what 880047 is/)
  expect(
    thrownBy(() =>
      forwardReturns(marketOf(rowsOf('420001', [10, 10])), { score: () => 1 } as never, { horizons: [1] } as never),
    ),
  ).toMatch(/420001/)
})
