import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Table, Utf8, type Vector, vectorFromArray } from 'apache-arrow'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSouthbound, southboundFlows } from '../../../src/analysis/southbound/check.js'
import { numbers, objectsOf, texts } from '../../../src/frame/column.js'
import { fixture, python, type Row, tableFrom } from '../help.js'

function real(): Row[] {
  const rows = fixture('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type'])
  return rows.map(({ ts_code, ...row }) => ({ ...row, code: ts_code }))
}

const check = (rows: readonly Row[]) => checkSouthbound(tableFrom('southbound_top10', rows))
const cents = fc.integer({ min: 0, max: 99_999_999_999 }).map((n) => n / 100)
const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

interface Sides {
  readonly sh: readonly [number, number] | null
  readonly sz: readonly [number, number] | null
}

function cells(prefix: 'sh' | 'sz', side: readonly [number, number] | null): Row {
  const [buy, sell] = side ?? [null, null]
  return {
    [`${prefix}_amount`]: buy === null ? null : plus(buy, sell),
    [`${prefix}_net_amount`]: buy === null ? null : plus(buy, -sell),
    [`${prefix}_buy`]: buy,
    [`${prefix}_sell`]: sell,
  }
}

/** The rows of a stock on a day, as a sound publisher would send them. */
function stock(trade_date: string, code: string, { sh, sz }: Sides): Row[] {
  const sides = [sh, sz].filter((side) => side !== null)
  const buy = sides.reduce((sum, [b]) => plus(sum, b), 0)
  const sell = sides.reduce((sum, [, s]) => plus(sum, s), 0)
  const common = {
    name: code,
    close: 10,
    p_change: 1,
    rank: 1,
    amount: plus(buy, sell),
    net_amount: plus(buy, -sell),
    ...cells('sh', sh),
    ...cells('sz', sz),
  }
  return [...(sh ? ['2'] : []), ...(sz ? ['4'] : [])].map((market_type) => ({
    trade_date,
    code,
    market_type,
    ...common,
  }))
}

const side = fc.tuple(cents, cents)
const sides: fc.Arbitrary<Sides> = fc.oneof(
  fc.record({ sh: side, sz: fc.constant(null) }),
  fc.record({ sh: fc.constant(null), sz: side }),
  fc.record({ sh: side, sz: side }),
)
const market = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 20 }), sides), {
    selector: ([day, code]) => `${day} ${code}`,
    minLength: 1,
    maxLength: 40,
  })
  .map((list) => list.flatMap(([day, code, own]) => stock(`2026070${day + 1}`, `00${100 + code}.HK`, own)))

test('six real rows: amount counts a channel twice on two of them, everything else holds', () => {
  const found = check(real())
  expect(found.counts).toEqual({ equal: 4, unverifiable: 0, 'double-count': 2, 'null-rule': 0, mismatch: 0 })
  expect(texts(found.table, 'twice')).toEqual(['sh', null, null, null, null, 'sz'])
  expect(texts(found.table, 'broken')).toEqual(['amount', null, null, null, null, 'amount'])
  expect([...numbers(found.table, 'difference')]).toEqual([182183940, 0, 0, 0, 0, 135878000])
  expect(texts(found.worst, 'name')).toEqual(['吉利汽车', '腾讯控股'])
  expect(found.ok).toBe(false)
})

test('sound rows are sound, to the cent', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const found = check(rows)
      expect(found.counts.equal).toBe(rows.length)
      expect(found.ok).toBe(true)
    }),
  )
})

test('one cent off anywhere is found', () => {
  const names = ['amount', 'net_amount', 'sh_amount', 'sh_net_amount', 'sh_buy', 'sh_sell', 'sz_amount', 'sz_buy']
  fc.assert(
    fc.property(side, side, fc.constantFrom(...names), fc.boolean(), (sh, sz, name, second) => {
      const rows = stock('20260701', '00700.HK', { sh, sz })
      const row = rows[second ? 1 : 0] ?? {}
      const wrong = { ...row, [name]: plus(Number(row[name]), 0.01) }
      const found = check(second ? [rows[0] ?? {}, wrong] : [wrong, rows[1] ?? {}])
      expect(found.ok).toBe(false)
      expect(texts(found.table, 'verdict')[second ? 1 : 0]).not.toBe('equal')
    }),
  )
})

test('a missing number is told from no number', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const broken = (change: Row): unknown => {
    const found = check([{ ...row, ...change }])
    return [texts(found.table, 'verdict')[0], texts(found.table, 'broken')[0]]
  }
  expect(broken({})).toEqual(['equal', null])
  expect(broken({ sh_sell: null })).toEqual(['null-rule', 'sh cells'])
  expect(broken({ amount: null })).toEqual(['null-rule', 'amount'])
  expect(broken({ net_amount: null })).toEqual(['null-rule', 'net'])
  expect(broken({ market_type: '4' })).toEqual(['null-rule', 'channel'])
  expect(
    broken({ sh_amount: null, sh_net_amount: null, sh_buy: null, sh_sell: null, net_amount: null, amount: null }),
  ).toEqual(['unverifiable', 'channel'])
  expect(broken({ sh_buy: -1, sh_amount: 0, sh_net_amount: -2, net_amount: -2, amount: 0 })).toEqual([
    'mismatch',
    'sh sign',
  ])
  expect(broken({ sh_sell: -1, sh_amount: 2, sh_net_amount: 4, net_amount: 4, amount: 2 })).toEqual([
    'mismatch',
    'sh sign',
  ])
})

test('amount of one channel alone is named', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] }).map((row) => ({ ...row, amount: 4 }))
  expect(texts(check(rows).table, 'why')).toEqual(['amount is sh_amount alone', 'amount is sh_amount alone'])
})

test('a stock has one row a channel', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  expect(texts(check([row, row]).table, 'broken')).toEqual(['key', 'key'])
})

test.each([
  ['sh', { sh_amount: 5, sh_net_amount: 1, sh_buy: 3, sh_sell: 2 }],
  ['sz', { sz_amount: 8, sz_net_amount: 4, sz_buy: 6, sz_sell: 2 }],
])('the rows of a stock have the same %s numbers', (prefix, change) => {
  const [first = {}, second = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] })
  const net = 7 - 2 - 1 + (prefix === 'sh' ? -1 : 1)
  const own = { ...second, ...change, amount: 12, net_amount: net }
  const why = texts(check([first, own]).table, 'why')[0] ?? ''
  for (const name of Object.keys(change)) {
    const same = first[name as keyof typeof first] === change[name as keyof typeof change]
    if (!same) expect(why).toMatch(new RegExp(`\\b${name}\\b`))
  }
  expect(why).toContain('differ in')
})

let db: DuckDBConnection
beforeAll(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => db.closeSync())

const sql = `
WITH r AS (SELECT * FROM read_json('FILE', columns = {trade_date: 'VARCHAR', code: 'VARCHAR', market_type: 'VARCHAR',
  sh_buy: 'DECIMAL(18,2)', sh_sell: 'DECIMAL(18,2)', sz_buy: 'DECIMAL(18,2)', sz_sell: 'DECIMAL(18,2)'})),
once AS (SELECT DISTINCT trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell FROM r),
parts AS (
  SELECT trade_date, '2' AS channel, code, sh_buy AS buy, sh_sell AS sell FROM once WHERE sh_buy IS NOT NULL
  UNION ALL SELECT trade_date, '4', code, sz_buy, sz_sell FROM once WHERE sz_buy IS NOT NULL),
flows AS (
  SELECT trade_date, channel, sum(buy) AS buy, sum(sell) AS sell, count(DISTINCT code) AS stocks FROM parts GROUP BY ALL
  UNION ALL SELECT trade_date, 'both', sum(buy), sum(sell), count(DISTINCT code) FROM parts GROUP BY trade_date
    HAVING count(DISTINCT channel) = 2)
SELECT trade_date, channel, buy::DOUBLE AS buy, sell::DOUBLE AS sell, (buy - sell)::DOUBLE AS net,
  (buy + sell)::DOUBLE AS turnover, stocks::INTEGER AS stocks
FROM flows ORDER BY trade_date, channel`

test('flows are what SQL over decimals gives', async () => {
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const dir = mkdtempSync(join(tmpdir(), 'southbound-'))
  const file = join(dir, 'rows.json')
  try {
    for (const rows of fc.sample(market, { numRuns: 15, seed: 7 })) {
      writeFileSync(file, JSON.stringify(rows))
      const expected = (await db.runAndReadAll(sql.replace('FILE', file))).getRowObjectsJS()
      const found = objectsOf(southboundFlows(tableFrom('southbound_top10', rows)).table)
      expect(found.map(({ index_close: _, index_pct_chg: __, ...row }) => row)).toEqual(expected)
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('real rows: a stock in both channels counts once in each', () => {
  const { table, index, correlation } = southboundFlows(tableFrom('southbound_top10', real()))
  expect(objectsOf(table).map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', 75613060 + 96821220, 106570880 + 286362680, 2],
    ['4', 36143160 + 36370720 + 4236025 + 53023520, 76480180 + 12826080 + 40667025 + 82854480, 4],
    ['both', 172434280 + 129773425, 392933560 + 212827765, 4],
  ])
  expect([index, correlation]).toEqual([null, null])
})

test('a channel without rows of its own has no flow, for what is known of it is a part', () => {
  const rows = real().filter((row) => row['market_type'] === '2')
  expect(texts(southboundFlows(tableFrom('southbound_top10', rows)).table, 'channel')).toEqual(['2'])
})

test('rows that contradict each other make their sums null', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] })
  const wrong = [
    { ...rows[0], sz_buy: 6 },
    ...rows.slice(1),
    ...stock('20260701', '00005.HK', { sh: [1, 1], sz: null }),
  ]
  const flows = objectsOf(southboundFlows(tableFrom('southbound_top10', wrong)).table)
  expect(flows.map(({ buy, sell, net }) => [buy, sell, net])).toEqual([
    [4, 2, 2],
    [null, 2, null],
    [null, 4, null],
  ])
})

const none: Row = { sh_amount: null, sh_net_amount: null, sh_buy: null, sh_sell: null }

test('a row whose own channel is unknown makes the sums of that channel unknown, not 0', () => {
  const [known = {}] = stock('20260701', '00005.HK', { sh: [1, 1], sz: null })
  const [bare = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const rows = [
    known,
    { ...bare, ...none, amount: null, net_amount: null },
    ...stock('20260701', '00941.HK', { sh: null, sz: [5, 2] }),
  ]
  const flows = objectsOf(southboundFlows(tableFrom('southbound_top10', rows)).table)
  expect(flows.map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', null, null, 2],
    ['4', 5, 2, 1],
    ['both', null, null, 3],
  ])
  const alone = objectsOf(southboundFlows(tableFrom('southbound_top10', [{ ...bare, ...none }])).table)
  expect(alone.map(({ buy, net, turnover, stocks }) => [buy, net, turnover, stocks])).toEqual([[null, null, null, 1]])
})

test('a row without a day is refused', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const table = tableFrom('southbound_top10', [row])
  const lacking = new Table({
    ...Object.fromEntries(table.schema.names.map((name) => [name, table.getChild(name)])),
    trade_date: vectorFromArray([null], new Utf8()),
  } as Record<string, Vector>)
  expect(() => southboundFlows(lacking)).toThrow('row 1: trade_date is null')
})

test('two days are too few for a correlation', () => {
  const days = ['20260701', '20260702']
  const rows = days.flatMap((date, i) => stock(date, '00700.HK', { sh: [10 + i, 10], sz: null }))
  const index = tableFrom(
    'theme_daily',
    days.map((date, i) => quote(date, i)),
  )
  const flows = southboundFlows(tableFrom('southbound_top10', rows), { index })
  expect(flows.correlations[0]).toEqual({ channel: '2', value: null, days: 2 })
})

const quote = (tradedate: string, pct_chg: number | null, name = '全A等权', symbol = '880001'): Row => ({
  tradedate,
  symbol,
  name,
  close: 1000,
  pct_chg,
})

test('an index is joined by day and correlated over days that have both', () => {
  const nets = [5, -3, 8, 1, 2]
  const changes = [0.5, -0.2, 1.1, null, 0.3]
  const days = nets.map((_, i) => `2026070${i + 1}`)
  const rows = nets.flatMap((net, i) => stock(days[i] ?? '', '00700.HK', { sh: [10 + net, 10], sz: [1, 1] }))
  const quotes = days.slice(0, 4).map((date, i) => quote(date, changes[i] ?? null))
  const index = tableFrom('theme_daily', [...quotes, quote('20260701', 9, '全A中位', '880002')])
  const flows = southboundFlows(tableFrom('southbound_top10', rows), { index })
  const both = objectsOf(flows.table).filter((row) => row['channel'] === 'both')
  expect(both.map((row) => row['index_pct_chg'])).toEqual([0.5, -0.2, 1.1, null, null])
  expect(both.map((row) => row['index_close'])).toEqual([1000, 1000, 1000, 1000, null])
  expect(flows.index).toEqual({ symbol: '880001', name: '全A等权' })
  const script = 'import sys, json, statistics; print(statistics.correlation(*json.load(sys.stdin)))'
  expect(flows.correlation).toBeCloseTo(python(script, [nets.slice(0, 3), changes.slice(0, 3)]) as number, 12)
  expect(flows.days).toBe(3)
  expect(flows.correlations.map(({ channel, value }) => [channel, value === null])).toEqual([
    ['2', false],
    ['4', true],
    ['both', false],
  ])
  expect(southboundFlows(tableFrom('southbound_top10', rows), { index, of: '880002' }).index?.name).toBe('全A中位')
})

test('an index that is not there, or twice, is refused', () => {
  const rows = tableFrom('southbound_top10', real())
  const with_ = (quotes: Row[], of?: string) => () =>
    southboundFlows(rows, { index: tableFrom('theme_daily', quotes), ...(of === undefined ? {} : { of }) })
  expect(with_([quote('20260701', 1)], '全A等全')).toThrow("did you mean '全A等权'?")
  expect(with_([quote('20260701', 1), quote('20260701', 2)])).toThrow('more than one row of 全A等权 on 20260701')
})

test('nothing gives nothing', () => {
  const empty = tableFrom('southbound_top10', [], Object.keys(real()[0] ?? {}))
  expect(checkSouthbound(empty).ok).toBe(true)
  expect(southboundFlows(empty).table.numRows).toBe(0)
})
