import {
  checkAll,
  checkBars,
  checks,
  concat,
  type DatasetName,
  fromRows,
  numbers,
  strings,
  type Table,
  toCsv,
  toDataFrame,
  toObjects,
} from 'quotebook'
import { expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { datasetNames } from './helper/catalogue.js'
import { checkNamed, findings, planted, type Row, sample } from './helper/check-tables.js'
import { file, removeFolders } from './helper/files.js'

removeFolders()

/** What a check finds in the sample with some tables replaced, run after run. */
function found(name: string, dataset: DatasetName, tables: Partial<Record<DatasetName, readonly Table[]>> = {}) {
  return checkNamed(name, dataset)
    .runs({ ...sample, ...tables })
    .map(({ result }) => findings(result.table))
}

/** Rows of the sample that do not simply hold: premiums that the latest quotes lack, and channels that are counted twice. */
const open = { 'cb premium': 6, southbound: 15 } as Readonly<Record<string, number>>

test('every dataset has a check, every verdict its meaning, and the sample contradicts only what it means to', () => {
  const results = checkAll(sample)
  expect(results.map(({ check }) => check)).toEqual([...checks])
  expect(datasetNames.filter((name) => !checks.some(({ dataset }) => dataset === name))).toEqual([])
  for (const { check, runs } of results) {
    expect([check.name, runs.length > 0]).toEqual([check.name, true])
    for (const { result } of runs) {
      expect(Object.keys(result.counts).filter((verdict) => !(verdict in check.verdicts))).toEqual([])
      expect([check.name, findings(result.table).length]).toEqual([check.name, open[check.name] ?? 0])
      expect([check.name, result.ok]).toEqual([check.name, check.name !== 'southbound'])
      expect(Object.values(result.counts).reduce((sum, count) => sum + count)).toBe(result.rows)
    }
  }
})

/** Of one dataset the first table has a wrong cell: the check, the table, the row, its cells, the verdict and the reason. */
type Planted = readonly [
  name: string,
  dataset: DatasetName,
  row: number,
  cells: (row: Row) => Row,
  verdict: string,
  why: string | null,
]

const plus = (name: string, by: number, places: number) => (row: Row) => ({
  [name]: Number((Number(row[name]) + by).toFixed(places)),
})
const is = (cells: Row) => () => cells

const cases: readonly Planted[] = [
  ['vwap', 'etf_minute', 20, plus('vwap', 0.001, 3), 'mismatch', null],
  ['vwap', 'etf_minute', 33, is({ vwap: null }), 'null-rule', 'null where a value is due'],
  ['vwap', 'convertible_minute', 5, plus('vwap', -0.001, 3), 'lot-bound', 'volume is rounded to whole lots'],
  ['vwap', 'convertible_minute', 5, plus('vwap', -0.1, 3), 'mismatch', null],
  ['bars', 'etf_minute', 4, is({ vol: -1 }), 'negative', 'vol below 0: the cumulative value fell'],
  [
    'bars',
    'convertible_minute',
    2,
    is({ trademin: '1033' }),
    'misplaced',
    '1033 is not the close of a bar of 30m; 1030 missing beside it',
  ],
  ['cb premium', 'convertible_daily', 7, plus('cb_over_rate', 0.0002, 4), 'mismatch', null],
  ['bond premium', 'convertible_daily', 7, plus('bond_over_rate', -0.0002, 4), 'mismatch', null],
  ['convertible day', 'convertible_daily', 3, plus('change', 0.001, 3), 'mismatch', 'change is not close - pre_close'],
  [
    'convertible day',
    'convertible_daily',
    3,
    plus('pct_chg', 0.0001, 4),
    'mismatch',
    'pct_chg is not change / pre_close x 100',
  ],
  ['convertible day', 'convertible_daily', 3, is({ high: 1 }), 'mismatch', 'high is below low'],
  [
    'convertible day',
    'convertible_daily',
    3,
    is({ code: '110059.SZ' }),
    'mismatch',
    'symbol 111002 is not the number of 110059.SZ',
  ],
  ['convertible day', 'convertible_daily', 30, is({ vol: null }), 'unverifiable', 'null: vol; the rest was checked'],
  ['index day', 'theme_daily', 100, plus('change', 0.02, 2), 'mismatch', 'change is not close - pre_close'],
  [
    'index day',
    'theme_daily',
    100,
    plus('pct_chg', 0.01, 4),
    'mismatch',
    'pct_chg is not (close - pre_close) / pre_close x 100',
  ],
  ['index day', 'theme_daily', 100, is({ type: 'zs' }), 'mismatch', 'type is zs, not tj'],
  ['index day', 'theme_daily', 100, is({ open: null }), 'unverifiable', 'null: open; the rest was checked'],
  [
    'financing',
    'transfer_financing',
    8,
    plus('closing_balance', 1e10, 0),
    'mismatch',
    'closing_balance is not opening + auction + reborrow - repayment',
  ],
  [
    'st list',
    'st',
    5,
    is({ type: 'ST' }),
    'mismatch',
    'type is ST, and the name *ST南屏 says *ST; type_name of ST is 退市风险警示, and mostly 其他风险警示',
  ],
  ['st list', 'st', 5, is({ type_name: '别的' }), 'warn', 'type_name of *ST is 别的, and mostly 退市风险警示'],
  ['hot list', 'hotstock', 6, is({ s: '1234' }), 'mismatch', '1234 is no code of six digits'],
  ['hot list', 'hotstock', 19, is({ rank: 30 }), 'mismatch', 'ranks 20 to 29 are missing before rank 30'],
  ['members', 'thememembers_jx', 1, is({ symbols: ['000333', '000001'] }), 'mismatch', '000001 comes after 000333'],
  ['members', 'thememembers_jx', 1, is({ symbols: ['000001', '000001'] }), 'mismatch', '000001 is there twice'],
  ['members', 'thememembers_jx', 1, is({ theme_symbol: '801001' }), 'duplicate', 'sector 801001 has two rows'],
  ['theme detail', 'theme_lib_detail_kp', 0, is({ is_active: false }), 'mismatch', 'only active themes are returned'],
  ['theme detail', 'theme_lib_detail_kp', 0, is({ stocks: 1 }), 'mismatch', 'stocks is no array'],
  ['announcements', 'finance_announcement', 9, is({ symbol: 'x' }), 'mismatch', 'x is no stock code'],
  ['announcements', 'finance_announcement', 9, is({ title: ' ' }), 'mismatch', 'the title is empty'],
  ['announcements', 'finance_announcement', 9, is({ content_url: '/a' }), 'warn', 'content_url is no absolute address'],
  [
    'qa',
    'interactive_qa',
    9,
    is({ event_date: '20260701' }),
    'mismatch',
    'event_date is not the day of answer_time 2026-07-29 16:11:40',
  ],
  [
    'qa',
    'interactive_qa',
    0,
    is({ symbol: '123' }),
    'mismatch',
    '123 is no stock of Shanghai or Shenzhen; revisions of one qa_id differ in symbol',
  ],
  ['news', 'news', 50, is({ rank: 0 }), 'mismatch', 'rank 0 is no place in a list'],
  [
    'news',
    'news',
    50,
    is({ display_at: '2026-07-29 10:00:00' }),
    'mismatch',
    'no such time: display_at 2026-07-29 10:00:00',
  ],
  ['news', 'news', 50, is({ url: 'javascript:alert(1)' }), 'warn', 'url is no absolute address'],
  [
    'tick share',
    'file_download',
    0,
    is({ file_count: 99 }),
    'mismatch',
    '99 files, and no more than 60 trading days from 20260506 to 20260729',
  ],
  ['tick share', 'file_download', 0, is({ status: 'pending' }), 'unverifiable', 'status is pending, not ready'],
  [
    'southbound',
    'southbound_top10',
    0,
    plus('sh_buy', 1, 2),
    'mismatch',
    'sh_net_amount is not sh_buy - sh_sell; sh_amount is not sh_buy + sh_sell',
  ],
  ['southbound', 'southbound_top10', 1, plus('amount', 1, 2), 'mismatch', 'amount is not sh_amount + sz_amount'],
  ['southbound', 'southbound_top10', 1, is({ rank: 11 }), 'mismatch', 'rank 11 is no place among 10'],
  [
    'southbound',
    'southbound_top10',
    1,
    is({ net_amount: null }),
    'null-rule',
    'net_amount is null beside the net of a channel',
  ],
  [
    'anomaly',
    'anomaly_forecast',
    0,
    is({ status: 'reachable' }),
    'invalid',
    'status: reachable, and deviation_pct 113.7895 reaches 100; change: reachable, and pct_chg 8.1135 stands against required_pct_chg 1.1614',
  ],
  [
    'anomaly',
    'anomaly_forecast',
    1,
    is({ elapsed_days: 31 }),
    'invalid',
    'window: elapsed_days is 31, the window has 30 days',
  ],
  [
    'anomaly',
    'anomaly_forecast',
    2,
    plus('trigger_price', 0.005, 3),
    'invalid',
    'tick: trigger_price 32.355 is not on the tick of 0.01',
  ],
]

test.each(cases)(
  '%s of %s, row %i: the one wrong cell is found, and nothing else',
  (name, dataset, row, cells, verdict, why) => {
    const [table, ...others] = sample[dataset] as readonly Table[]
    if (!table) throw new Error(dataset)
    const before = found(name, dataset)[0] ?? []
    const tables = [planted(table, row, cells(toObjects(table)[row] ?? {})), ...others]
    const after = found(name, dataset, { [dataset]: tables })[0] ?? []
    expect(after.filter((one) => !before.some(([at]) => at === one[0]))).toEqual([[row, verdict, why]])
  },
)

test('bars of two periods, and bars and their day: a number that the parts do not make is named', () => {
  const [fifteen, thirty] = sample.etf_minute as [Table, Table]
  const wrong = planted(thirty, 4, plus('amount', 0.01, 2)(toObjects(thirty)[4] ?? {}))
  const [[finding] = []] = found('periods', 'etf_minute', { etf_minute: [fifteen, wrong] })
  expect(finding?.slice(0, 2)).toEqual([4, 'mismatch'])
  expect(finding?.[2]).toMatch(/^amount [\d.]+ against [\d.]+$/)
  const days = sample.convertible_daily[0] as Table
  const at = toObjects(days).findIndex((row) => row.code === '110059.SH' && row.tradedate === '20260729')
  const off = planted(days, at, plus('high', 0.001, 3)(toObjects(days)[at] ?? {}))
  const [[day] = []] = found('day', 'convertible_daily', { convertible_daily: [off] })
  expect(day?.slice(0, 2)).toEqual([0, 'mismatch'])
  expect(day?.[2]).toMatch(/^high [\d.]+ against [\d.]+$/)
})

test('a cell that the contract forbids is one wrong row, and the others are checked on', () => {
  const rows = toObjects(sample.transfer_financing[0] as Table)
  for (const [cells, why] of [
    [{ tradedate: '20260718' }, 'tradedate 20260718 is no trading day'],
    [{ reborrow_amount: Number.POSITIVE_INFINITY }, 'reborrow_amount is infinite'],
  ] as const) {
    const table = fromRows(rows.map((row, at) => (at === 8 ? { ...row, ...cells } : row)))
    const all = found('financing', 'transfer_financing', { transfer_financing: [table] })[0] ?? []
    const finding = all.find(([row]) => row === 8)
    expect([finding?.[0], finding?.[1]]).toEqual([8, 'mismatch'])
    expect(finding?.[2]).toContain(why)
  }
})

test('a table without a column that a check needs is refused, and a dataset that is none too', () => {
  const bare = fromRows([{ tradedate: '20260701' }])
  expect(() => checkAll({ transfer_financing: [bare] })).toThrow(
    expect.objectContaining({
      code: 'MISSING_COLUMN',
      message: expect.stringContaining("no column 'opening_balance'"),
    }),
  )
  expect(() => checkAll({ transfer: [] } as never)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test('balances: null adds nothing, days between without a record leave open, a doubled day is one too many', () => {
  const day = (tradedate: string, opening_balance: number | null, reborrow_amount: number | null, closing: number) => ({
    tradedate,
    opening_balance,
    auction_amount: null,
    reborrow_amount,
    repayment_amount: null,
    closing_balance: closing,
  })
  const rows = [
    day('20260706', 100.5, null, 100.5),
    day('20260707', null, null, 100.5),
    day('20260708', 100.5, 0.1, 100.6),
    day('20260710', 120.25, null, 120.25),
    day('20260710', 120.25, null, 120.25),
    day('20260713', 120.25, -1, 119.25),
    day('20260714', 119.25, 10, 129.26),
    day('20260715', 129.26, null, 129.29),
  ]
  const table = fromRows(rows, { kinds: { auction_amount: 'number', repayment_amount: 'number' } })
  expect(found('financing', 'transfer_financing', { transfer_financing: [table] })[0]).toEqual([
    [1, 'unverifiable', 'opening_balance null'],
    [
      3,
      'gap',
      'opening_balance is not the closing_balance of 20260708, the record before; 1 trading day between without a record',
    ],
    [
      4,
      'duplicate',
      '20260710 is a duplicate; opening_balance is not the closing_balance of 20260708, the record before; 1 trading day between without a record',
    ],
    [5, 'mismatch', 'reborrow_amount is below 0'],
    [6, 'warn', 'closing_balance differs by no more than five numbers rounded to 1e-2 can'],
    [7, 'mismatch', 'closing_balance is not opening + auction + reborrow - repayment'],
  ])
})

test('who comes onto the ST list, leaves it and changes its mark', async () => {
  const mark = (tradedate: string, symbol: string, type: string) => ({ tradedate, symbol, name: `${type}名`, type })
  const rows = [
    mark('20260601', '600001', 'ST'),
    mark('20260601', '600003', 'ST'),
    mark('20260604', '600001', '*ST'),
    mark('20260604', '600002', 'ST'),
  ]
  const csv = file('st.csv', toCsv(fromRows(rows)))
  const told = await here('check', 'st-list', '--transitions', '--file', csv, '--format', 'json')
  const changes: Row[] = JSON.parse(told.out)
  expect(
    changes.map(({ tradedate, symbol, from, to, kind, unlisted_days: days }) => [
      tradedate,
      symbol,
      from,
      to,
      kind,
      days,
    ]),
  ).toEqual([
    ['20260604', '600001', 'ST', '*ST', 'change', 2],
    ['20260604', '600002', 'none', 'ST', 'enter', 2],
    ['20260604', '600003', 'ST', 'none', 'leave', 2],
  ])
})

test('versions of an announcement and revisions of an answer run from 1 in the order of their times', () => {
  const version = (version_no: number, disclosed_at: string) => ({
    symbol: '600000',
    event_date: disclosed_at.slice(0, 10).replaceAll('-', ''),
    title: 't',
    summary: 's',
    announcement_type: 'other',
    content_url: null,
    record_id: 'r',
    version_no,
    disclosed_at,
  })
  const table = fromRows(
    [version(1, '2026-07-02 10:00:00'), version(3, '2026-07-01 10:00:00'), version(3, '2026-07-03 10:00:00')],
    { kinds: { content_url: 'text', disclosed_at: 'moment' } },
  )
  expect(found('announcements', 'finance_announcement', { finance_announcement: [table] })[0]).toEqual([
    [1, 'mismatch', 'disclosed before version 1, at 2026-07-02 10:00:00; version 3 without version 2'],
    [2, 'duplicate', 'version 3 is a duplicate'],
  ])
})

test('a frame gives what its table gives', async () => {
  const { checkBars, checkVwap, checkAnomalies } = await import('quotebook')
  const pairs = [
    [checkVwap, sample.etf_minute[0]],
    [checkBars, sample.convertible_minute[0]],
    [checkAnomalies, sample.anomaly_forecast[0]],
  ] as const
  for (const [check, table] of pairs) {
    const [one, other] = [check(table as Table), check(toDataFrame(table as Table) as never)]
    expect(toObjects(other.table)).toEqual(toObjects(one.table))
    expect(other.counts).toEqual(one.counts)
  }
})

test('a check by its name takes frames too, and qa may be told that a table has every revision', () => {
  for (const name of ['transfer_financing', 'st', 'convertible_daily', 'southbound_top10'] as const) {
    const [table] = sample[name]
    const [plain, framed] = [table, toDataFrame(table as Table)].map((data) => checkAll({ [name]: [data as Table] }))
    for (const [at, { runs }] of (framed ?? []).entries())
      expect(runs.map(({ result }) => result.counts)).toEqual(plain?.[at]?.runs.map(({ result }) => result.counts))
  }
  const row = toObjects(sample.interactive_qa[0] as Table).find((one) => one.revision_no === 2)
  const table = fromRows([{ ...row, version_ambiguous: false }])
  const verdict = (options?: { whole: boolean }) =>
    findings(checkNamed('qa', 'interactive_qa').runs({ interactive_qa: [table] }, options)[0]?.result.table as Table)
  expect(verdict()).toEqual([[0, 'unverifiable', 'revision 1 is not in the table']])
  expect(verdict({ whole: true })).toEqual([[0, 'mismatch', 'revision 1 is not in the table']])
})

test('whatever is planted, the rows of a result stay in their order', () => {
  const [table] = sample.convertible_daily as [Table]
  const half = concat([table.slice(100), table.slice(0, 100)])
  const run = (one: Table) =>
    checkNamed('cb premium', 'convertible_daily').runs({ convertible_daily: [one] })[0]?.result
  const [whole, turned] = [run(table), run(half)]
  expect(strings(turned?.table as Table, 'code').slice(0, 98)).toEqual(strings(table, 'code').slice(100))
  expect([...numbers(turned?.table as Table, 'recomputed').slice(98)]).toEqual([
    ...numbers(whole?.table as Table, 'recomputed').slice(0, 100),
  ])
})

test('as many wrong cells as a table has rows are found, however many these are', () => {
  const bar = { symbol: '510300', trademin: '0930', open: 1, high: 1, low: 1, close: 1, vol: 1, amount: 100 }
  const [table] = [fromRows([{ tradedate: '20260725', ...bar }], { dataset: 'etf_minute' })]
  const some = concat(Array.from({ length: 500 }, () => table))
  const many = concat(Array.from({ length: 300 }, () => some))
  expect(checkBars(many, { factor: 100 }).counts.misplaced).toBe(150_000)
})
