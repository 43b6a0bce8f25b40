import type { Table } from 'apache-arrow'
import { joinIndex } from '../../src/analysis/southbound/index-join.js'
import type { Flows } from '../../src/analysis/southbound/southbound-flows.js'
import { type Check, type CheckResult, type CheckRuns, fails, leavesOpen, passes } from '../../src/checks/check.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { type DatasetName, datasetOf } from '../../src/contract/catalogue.js'
import type { ReportInput } from '../../src/report/report-tables.js'
import { toTable } from '../../src/table/arrow.js'
import { decode } from '../../src/table/decode.js'
import { type Provenance, provenanceMetadata } from '../../src/table/provenance.js'

/** Made-up rows in the shape of the contract. None is a real quote. */

export const hostile = '<img src=x onerror=alert(1)>"\'&</td><script>alert(2)</script>'
export const days = tradingDays('20260601', '20260710')
const [last = ''] = days.slice(-1)

/** A still wave: numbers that look like prices and are the same on every machine. */
function wave(i: number, k: number): number {
  let x = (Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b)) >>> 0
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) >>> 0
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39) >>> 0
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32 - 0.5
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

export function tableOf(
  name: DatasetName,
  fields: readonly string[],
  rows: readonly (readonly unknown[])[],
  about: Partial<Provenance> = {},
): Table {
  const dataset = datasetOf(name)
  const whole: Provenance = {
    dataset: name,
    source: 'memory',
    request: { params: {}, fields },
    rows: rows.length,
    complete: true,
    ...about,
  }
  return toTable(decode(dataset, fields, rows), { ...dataset.columns, ...dataset.stored }, provenanceMetadata(whole))
}

function convertibles(): Table {
  const fields = ['tradedate', 'symbol', 'name', 'code', 'close', 'cb_value', 'cb_over_rate']
  const rows = days.slice(-2).flatMap((date) =>
    Array.from({ length: 240 }, (_, i) => {
      const code = String(110_000 + i * 17)
      const close = round(118 + 40 * wave(i, 1) + (i % 40 === 7 ? 420 : 0), 3)
      const rate = i % 50 === 3 ? null : round(28 + 60 * wave(i, 2) - (close - 118) * 0.6, 4)
      return [date, code, i === 0 ? hostile : `某某转${i}`, `${code}.SH`, i % 60 === 5 ? null : close, 100, rate]
    }),
  )
  return tableOf('convertible_daily', fields, rows)
}

function indices(): Table {
  const fields = ['tradedate', 'symbol', 'name', 'type', 'close', 'pre_close', 'pct_chg']
  const of = [
    ['880005', '涨跌家数', 2600, 2200],
    ['880006', '停板家数', 60, 50],
    ['880008', '全A等权', 4150, 120],
    ['880009', '可转债', 480, 10],
    ['880001', '总市值', 98.7, 3],
  ] as const
  const rows = days.flatMap((date, d) =>
    of.map(([symbol, name, base, swing], k) => [
      date,
      symbol,
      name,
      'tj',
      round(base + swing * wave(d, k + 3), 2),
      base,
      round(100 * (swing / base) * wave(d, k + 3), 4),
    ]),
  )
  return tableOf('theme_daily', fields, rows)
}

function candidates(): Table {
  const fields = [
    'tradedate',
    'symbol',
    'name',
    'pct_chg',
    'rule',
    'elapsed_days',
    'deviation_pct',
    'required_pct_chg',
    'trigger_price',
    'status',
  ]
  const rows = [
    [last, '000001', hostile, 9.98, '连续10个交易日涨幅偏离值累计达到+100%', 9, 101.2345, 8.75, 21.37, 'triggered'],
    [last, '300750', '某某股份', 12.5, '连续10个交易日涨幅偏离值累计达到+100%', 7, 88.1, 6.4, 312.5, 'reachable'],
    [
      '20260713',
      '300750',
      '某某股份',
      null,
      '连续10个交易日涨幅偏离值累计达到+100%',
      8,
      93.41,
      3.52,
      330.09,
      'reachable',
    ],
    [
      '20260713',
      '600519',
      '某某酒业',
      null,
      '连续30个交易日跌幅偏离值累计达到-70%',
      22,
      -64.2,
      -8.1,
      5.06,
      'reachable',
    ],
  ]
  return tableOf('anomaly_forecast', fields, rows)
}

function headlines(): Table {
  const fields = [
    'published_at',
    'display_at',
    'source',
    'source_name',
    'title',
    'source_id',
    'item_type',
    'updated_at',
  ]
  const titles = [hostile, '央行开展逆回购操作', '三大指数收涨', '可转债市场成交额回落']
  const rows = titles.map((title, i) => {
    const at = `2026-07-10T15:0${i}:00`
    return [null, at, 'yicai_home', '第一财经', title, String(i), 'article', at]
  })
  return tableOf('news', fields, rows, { complete: false, note: 'the 500 newest only' })
}

function answers(): Table {
  const fields = [
    'symbol',
    'event_date',
    'qa_id',
    'question_time',
    'question',
    'answer_time',
    'answer',
    'revision_no',
    'version_ambiguous',
  ]
  const rows = [
    [
      '000001',
      '20260709',
      '1234567890123456789',
      '2026-07-08 10:00:00',
      hostile,
      '2026-07-09 18:00:00',
      '感谢您的关注。',
      1,
      false,
    ],
    [
      '600519',
      '20260710',
      '1234567890123456790',
      '2026-07-08 10:00:00',
      '请问何时分红？',
      '2026-07-10 18:00:00',
      hostile,
      1,
      false,
    ],
  ]
  return tableOf('interactive_qa', fields, rows)
}

const number = (meaning: string, unit?: string) =>
  ({ kind: 'number', nullable: true, meaning, ...(unit ? { unit } : {}) }) as const

function floats(values: readonly (number | null)[]) {
  const valid = Uint8Array.from(values, (value) => (value === null ? 0 : 1))
  return { type: 'float', data: Float64Array.from(values, (value) => value ?? Number.NaN), valid } as const
}

function coded(values: readonly string[]) {
  const words = [...new Set(values)]
  return {
    type: 'dictionary',
    data: Int32Array.from(values, (value) => words.indexOf(value)),
    dictionary: words,
  } as const
}

export function flows(): NonNullable<ReportInput['flows']> {
  const rows = days.flatMap((date, d) => {
    const [sh, sz] = [round(4.1e9 * wave(d, 1), 2), round(2.7e9 * wave(d, 2), 2)]
    return [
      { date, channel: '2', net: sh },
      { date, channel: '4', net: sz },
      { date, channel: 'both', net: sh + sz },
    ]
  })
  const table = new Map<string, ReturnType<typeof floats> | ReturnType<typeof coded>>([
    ['trade_date', coded(rows.map((row) => row.date))],
    ['channel', coded(rows.map((row) => row.channel))],
    ['net', floats(rows.map((row) => row.net))],
    ['turnover', floats(rows.map((row) => Math.abs(row.net) * 3))],
    ['largest_three', floats(rows.map((_, i) => 0.5 + 0.1 * wave(i, 3)))],
  ])
  const quotes = new Map<string, ReturnType<typeof floats> | ReturnType<typeof coded>>([
    ['tradedate', coded([...days])],
    ['symbol', coded(days.map(() => '880008'))],
    ['name', coded(days.map(() => '全A等权'))],
    ['close', floats(days.map((_, d) => round(4100 + 90 * wave(d, 5), 2)))],
    ['pct_chg', floats(days.map((_, d) => round(2 * wave(d, 9), 4)))],
  ])
  const own: Flows = { table: toTable({ length: rows.length, columns: table }, {}), unit: 'yuan', days: days.length }
  const index = toTable({ length: days.length, columns: quotes }, {})
  const joined = (lag: number) => joinIndex(own, index, { on: '全A等权', lag })
  return { flows: own, sameDay: joined(0), nextDay: joined(1) }
}

/** Checks as the product has them, with the verdicts that pages are tested with. */
export const fixtureChecks = {
  vwap: {
    name: 'vwap',
    summary: 'the average price',
    chinese: '均价',
    dataset: 'etf_minute',
    rule: 'Turnover so far over volume so far.',
    verdicts: {
      equal: passes('The number sent is the number recomputed, to the last decimal.'),
      computed: leavesOpen('No number was sent; ours stands alone.'),
      'lot-bound': leavesOpen('Differs, by no more than volumes rounded to whole lots can explain.'),
      unverifiable: leavesOpen('A missing turnover, volume or bar leaves the sums unknown.'),
      'null-rule': fails('Missing where a value is due.'),
      mismatch: fails('Differs, and rounding does not explain it.'),
    },
    confirmedAs: 'recomputed to the same number',
    runs: () => [],
  },
  anomaly: {
    name: 'anomaly',
    summary: 'candidates',
    chinese: '异动候选',
    dataset: 'anomaly_forecast',
    rule: 'Rows against each other.',
    verdicts: { sound: passes('Nothing contradicts it.'), broken: fails('The row contradicts itself.') },
    confirmedAs: 'without contradiction',
    partial: true,
    runs: () => [],
  },
} as const satisfies Record<string, Check>

/** A check and one run of it. */
export function resultOf(check: Check, label: string, result: CheckResult<string>): CheckRuns {
  return { check, runs: [{ label, result }] }
}

/** A check's result with a few rows in it. */
export function checkResult(
  name: string,
  counts: Record<string, number>,
  ok: boolean,
  why = 'a reason',
): CheckResult<string> {
  const rows = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const of = new Map<string, ReturnType<typeof floats> | ReturnType<typeof coded>>([
    ['symbol', coded(['510300.SH', '510500.SH'])],
    ['given', floats([1.234, null])],
    ['recomputed', floats([1.235, 2.5])],
    ['why', coded([why, 'null where a value is due'])],
  ])
  const table = toTable({ length: 2, columns: of }, { given: number('Published.', 'yuan') })
  return { name, rows, counts, ok, table, worst: table }
}

export function ticks(): Table {
  const symbols = ['000001.SZ', '600519.SH', '300750.SZ']
  const rows = symbols.flatMap((symbol, s) =>
    Array.from({ length: 199 }, (_, i) => {
      const at = 3 + i * 3
      const time = `09:${15 + Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`
      const price = round(12 * (s + 1) + 0.4 * wave(Math.floor(i / 9), s) * (1 - i / 220), 2)
      const matched = 900 + i * i * (s + 1) + Math.floor(i / 20) * 300
      const left = Math.round(9000 * wave(Math.floor(i / 6), s + 7))
      return { symbol, time, price, matched, amount: matched * price * 100, left }
    }),
  )
  const of = new Map<string, ReturnType<typeof floats> | ReturnType<typeof coded>>([
    ['tradedate', coded(rows.map(() => last))],
    ['symbol', coded(rows.map((row) => row.symbol))],
    ['time', coded(rows.map((row) => row.time))],
    ['m_price', floats(rows.map((row) => row.price))],
    ['auc_vol', floats(rows.map((row) => row.matched))],
    ['auc_amt', floats(rows.map((row) => row.amount))],
    ['um_vol', floats(rows.map((row) => Math.abs(row.left)))],
    ['um_side', coded(rows.map((row) => (row.left >= 0 ? 'b' : 's')))],
  ])
  return toTable({ length: rows.length, columns: of }, {})
}

export function fullInput(): ReportInput {
  const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  const vwap = checkResult(
    'vwap',
    { equal: 1200, computed: 0, 'lot-bound': 3, unverifiable: 9, 'null-rule': 0, mismatch: 2 },
    false,
    hostile,
  )
  return {
    source: {
      name: 'sample',
      state: sha256,
      inputs: ['convertible_daily', 'theme_daily', 'southbound_top10'].map((dataset) => ({
        dataset,
        rows: 480,
        sha256,
      })),
    },
    tables: {
      convertible_daily: convertibles(),
      theme_daily: indices(),
      anomaly_forecast: candidates(),
      news: headlines(),
      interactive_qa: answers(),
    },
    ticks: { day: last, table: ticks() },
    checks: [
      resultOf(fixtureChecks.vwap, 'etf_minute', vwap),
      resultOf(fixtureChecks.anomaly, 'anomaly_forecast', checkResult('anomaly', { consistent: 4 }, true)),
    ],
    flows: flows(),
  }
}
