import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Table, Utf8, type Vector, vectorFromArray } from 'apache-arrow'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { southboundFlows } from '../../../src/analysis/southbound/southbound-flows.js'
import { sumDecimals } from '../../../src/checks/exact/decimal.js'
import { connect } from '../../../src/connect.js'
import { numbers, objectsOf, texts } from '../../../src/frame/read-columns.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { answerFrom, python, type Row, tableFrom } from '../help.js'
import { market, real, stock } from './help.js'

const flowsOf = (rows: readonly Row[]) => southboundFlows(tableFrom('southbound_top10', rows))
const runs = Number(process.env['RUNS'] ?? 1)

let db: DuckDBConnection
beforeAll(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => db.closeSync())

const sql = (from: string) => `
WITH r AS (SELECT trade_date, code, market_type, sh_buy::DECIMAL(18,2) AS sh_buy, sh_sell::DECIMAL(18,2) AS sh_sell,
  sz_buy::DECIMAL(18,2) AS sz_buy, sz_sell::DECIMAL(18,2) AS sz_sell FROM ${from}),
once AS (SELECT DISTINCT trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell FROM r),
parts AS (
  SELECT trade_date, '2' AS channel, code, sh_buy AS buy, sh_sell AS sell FROM once WHERE sh_buy IS NOT NULL
  UNION ALL SELECT trade_date, '4', code, sz_buy, sz_sell FROM once WHERE sz_buy IS NOT NULL),
either AS (
  SELECT * FROM parts
  UNION ALL SELECT trade_date, 'both', code, sum(buy), sum(sell) FROM parts GROUP BY trade_date, code),
ranked AS (
  SELECT *, buy + sell AS own, row_number() OVER (PARTITION BY trade_date, channel ORDER BY buy + sell DESC) AS place,
    count(DISTINCT channel) FILTER (channel <> 'both') OVER (PARTITION BY trade_date) AS channels FROM either)
SELECT trade_date, channel, sum(own)::DOUBLE AS turnover, sum(buy)::DOUBLE AS buy, sum(sell)::DOUBLE AS sell,
  (sum(buy) - sum(sell))::DOUBLE AS net, count(*)::INTEGER AS stocks,
  (max(own)::DOUBLE / sum(own)::DOUBLE) AS largest,
  (sum(own) FILTER (place <= 3))::DOUBLE / sum(own)::DOUBLE AS largest_three,
  sum(own::DOUBLE * own::DOUBLE) / (sum(own)::DOUBLE * sum(own)::DOUBLE) AS herfindahl
FROM ranked GROUP BY trade_date, channel HAVING channel <> 'both' OR max(channels) = 2
ORDER BY trade_date, channel`

async function expectAs(found: Table, from: string): Promise<void> {
  const expected = (await db.runAndReadAll(sql(from))).getRowObjectsJS()
  const own = objectsOf(found)
  expect(own).toHaveLength(expected.length)
  expected.forEach((row, i) => {
    const { herfindahl, ...exact } = row
    expect(own[i]).toMatchObject({
      ...exact,
      ...(row['turnover'] === 0 ? { largest: null, largest_three: null } : {}),
    })
    if (row['turnover'] !== 0) expect(own[i]?.['herfindahl']).toBeCloseTo(Number(herfindahl), 12)
  })
}

const columns = `{trade_date: 'VARCHAR', code: 'VARCHAR', market_type: 'VARCHAR', sh_buy: 'DECIMAL(18,2)',
  sh_sell: 'DECIMAL(18,2)', sz_buy: 'DECIMAL(18,2)', sz_sell: 'DECIMAL(18,2)'}`

test('flows are what SQL over decimals gives', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'southbound-'))
  const file = join(dir, 'rows.json')
  try {
    for (const rows of fc.sample(market, { numRuns: 15 * runs, seed: 7 })) {
      writeFileSync(file, JSON.stringify(rows))
      await expectAs(flowsOf(rows).table, `read_json('${file}', columns = ${columns})`)
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('flows of the sample are what SQL over its Parquet files gives', async () => {
  const rows = await (await connect()).query('southbound_top10', { startdate: '20260501', enddate: '20260729' })
  const { table, days, unit } = southboundFlows(rows)
  expect([days, unit, table.numRows]).toEqual([59, 'yuan', 177])
  await expectAs(table, "read_parquet('data/sample/southbound_top10/*.parquet')")
})

test('real rows: a stock in both channels counts once in each, and once in both', () => {
  const { table } = flowsOf(real())
  expect(objectsOf(table).map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', 75613060 + 96821220, 106570880 + 286362680, 2],
    ['4', 36143160 + 36370720 + 4236025 + 53023520, 76480180 + 12826080 + 40667025 + 82854480, 4],
    ['both', 172434280 + 129773425, 392933560 + 212827765, 4],
  ])
  const tencent = 383183900 + 135878000
  const geely = 182183940 + 112623340
  const all = tencent + geely + 49196800 + 44903050
  const both = objectsOf(table)[2] ?? {}
  expect([both['turnover'], both['largest']]).toEqual([all, tencent / all])
  expect(both['largest_three']).toBe((tencent + geely + 49196800) / all)
  const squares = [tencent, geely, 49196800, 44903050].map((one) => (one / all) ** 2)
  expect(both['herfindahl']).toBeCloseTo(
    squares.reduce((sum, one) => sum + one, 0),
    14,
  )
  expect(objectsOf(table)[0]?.['largest_three']).toBe(1)
})

test('both is 2 and 4 together, net is buys less sells, shares are shares', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const found = objectsOf(flowsOf(rows).table) as Record<string, number & string>[]
      for (const row of found) {
        expect(row['net']).toBe(sumDecimals([Number(row['buy']), -Number(row['sell'])]))
        expect(row['turnover']).toBe(sumDecimals([Number(row['buy']), Number(row['sell'])]))
        if (row['turnover'] === 0) continue
        const [one, three, squares] = ['largest', 'largest_three', 'herfindahl'].map((name) => Number(row[name])) as [
          number,
          number,
          number,
        ]
        const least = 1 / Number(row['stocks'])
        expect(one >= least * (1 - 1e-12) && three >= one && three <= 1 && squares <= one * (1 + 1e-12)).toBe(true)
        expect(squares >= least * (1 - 1e-12) && squares >= one * one).toBe(true)
        if (row['channel'] !== 'both') continue
        const [sh, sz] = ['2', '4'].map((channel) =>
          found.find((other) => other['trade_date'] === row['trade_date'] && other['channel'] === channel),
        )
        for (const name of ['turnover', 'buy', 'sell', 'net']) {
          expect(row[name]).toBe(sumDecimals([Number(sh?.[name]), Number(sz?.[name])]))
        }
        const day = rows.filter(({ trade_date }) => trade_date === row['trade_date'])
        const twice = day.length - new Set(day.map(({ code }) => code)).size
        expect(row['stocks']).toBe(Number(sh?.['stocks']) + Number(sz?.['stocks']) - twice)
      }
    }),
    { numRuns: 60 * runs },
  )
})

/** Rows of which some lack numbers, contradict their other row, have the code of another, or stand there twice. */
const messy = fc
  .tuple(
    market,
    fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('sh_buy', 'sh_sell', 'sz_buy', 'sz_sell', 'sh', 'sz', 'code', 'twice')),
    ),
  )
  .map(([rows, changes]) => {
    const out: Row[] = [...rows]
    for (const [at, what] of changes) {
      const row = out[at % out.length] as Row
      const names = ['amount', 'net_amount', 'buy', 'sell'].map((name) => `${what}_${name}`)
      if (what === 'twice') out.push(row)
      else if (what === 'code') out[at % out.length] = { ...row, code: rows[0]?.['code'] }
      else if (what.length > 2) out[at % out.length] = { ...row, [what]: at % 3 === 0 ? 1.25 : null }
      else out[at % out.length] = { ...row, ...Object.fromEntries(names.map((name) => [name, null])) }
    }
    return out
  })

const slow = `
import sys, json, decimal
from collections import defaultdict
D = lambda x: None if x is None else decimal.Decimal(str(x))
out = []
for rows in json.load(sys.stdin):
    days = defaultdict(lambda: defaultdict(list))
    for r in rows: days[r['trade_date']][r['code']].append(r)
    flows = []
    for day in sorted(days):
        parts = {'2': {}, '4': {}}
        present = {r['market_type'] for own in days[day].values() for r in own}
        for code, own in days[day].items():
            for channel, p in (('2', 'sh'), ('4', 'sz')):
                filled = [any(r[p + '_' + n] is not None for n in ('amount', 'net_amount', 'buy', 'sell')) for r in own]
                lost = any(r['market_type'] == channel and not f for r, f in zip(own, filled))
                if not any(filled) and not lost: continue
                one = lambda n: D(own[0][n]) if not lost and all(r[n] is not None and r[n] == own[0][n] for r in own) else None
                parts[channel][code] = (one(p + '_buy'), one(p + '_sell'))
        def total(xs): return None if any(x is None for x in xs) else float(sum(xs, decimal.Decimal(0)))
        for channel in ('2', '4', 'both'):
            if not (present >= {'2', '4'} if channel == 'both' else channel in present): continue
            own = [parts['2'], parts['4']] if channel == 'both' else [parts[channel]]
            both = [x for p in own for x in p.values()]
            buys, sells = [x[0] for x in both], [x[1] for x in both]
            minus = [None if x is None else -x for x in sells]
            flows.append([day, channel, total(buys), total(sells), total(buys + minus), total(buys + sells), len({c for p in own for c in p})])
    out.append(flows)
json.dump(out, sys.stdout)
`

test('rows that lack, contradict or repeat: what plain Python with decimals makes of them', () => {
  const tables = fc.sample(messy, { numRuns: 60 * runs, seed: 11 })
  const expected = python(slow, tables) as unknown[][]
  tables.forEach((rows, i) => {
    const found = objectsOf(flowsOf(rows).table)
    expect(
      found.map(({ trade_date, channel, buy, sell, net, turnover, stocks }) => [
        trade_date,
        channel,
        buy,
        sell,
        net,
        turnover,
        stocks,
      ]),
    ).toEqual(expected[i])
  })
  expect(JSON.stringify(expected)).toContain('null')
})

test('the order of rows changes nothing', () => {
  const shuffled = messy.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
  )
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      const fields = Object.keys(rows[0] ?? {})
      const of = (list: readonly Row[]) => objectsOf(southboundFlows(tableFrom('southbound_top10', list, fields)).table)
      expect(of(others)).toEqual(of(rows))
    }),
    { numRuns: 60 * runs },
  )
})

test('a channel without rows of its own has no flow, for what is known of it is a part', () => {
  const rows = real().filter((row) => row['market_type'] === '2')
  expect(texts(flowsOf(rows).table, 'channel')).toEqual(['2'])
})

test('rows that contradict each other make their sums null, and the shares', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] })
  const wrong = [
    { ...rows[0], sz_buy: 6 },
    ...rows.slice(1),
    ...stock('20260701', '00005.HK', { sh: [1, 1], sz: null }),
  ]
  const flows = objectsOf(flowsOf(wrong).table)
  expect(flows.map(({ buy, sell, net, largest }) => [buy, sell, net, largest])).toEqual([
    [4, 2, 2, 4 / 6],
    [null, 2, null, null],
    [null, 4, null, null],
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
  expect(objectsOf(flowsOf(rows).table).map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', null, null, 2],
    ['4', 5, 2, 1],
    ['both', null, null, 3],
  ])
  const alone = objectsOf(flowsOf([{ ...bare, ...none }]).table)
  expect(alone.map(({ buy, net, turnover, stocks }) => [buy, net, turnover, stocks])).toEqual([[null, null, null, 1]])
})

test('sums are those of the decimals, whatever their size and places', () => {
  const rows = [
    ...stock('20260701', '00001.HK', { sh: [0.1, 0.2], sz: null }),
    ...stock('20260701', '00002.HK', { sh: [0.2, 0.3], sz: null }),
  ]
  const large = rows.map((row) => ({ ...row, code: `9${row['code']}`, sh_buy: 9007199254740991, sh_sell: 0.001 }))
  const [small = {}] = objectsOf(flowsOf(rows).table)
  expect([small['buy'], small['net'], small['turnover'], small['largest']]).toEqual([0.3, -0.2, 0.8, 0.5 / 0.8])
  const [both = {}] = objectsOf(flowsOf([...rows, ...large]).table)
  expect(both['net']).toBe(Number('18014398509481981.798'))
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

test('of some symbols only there are sums and no shares', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const [row = {}] = objectsOf(southboundFlows(answerFrom('southbound_top10', rows, { symbols: ['00700.HK'] })).table)
  expect([row['turnover'], row['largest'], row['herfindahl']]).toEqual([4, null, null])
})

test('nothing gives nothing; a DataFrame gives what its table gives', () => {
  const empty = southboundFlows(tableFrom('southbound_top10', [], Object.keys(real()[0] ?? {})))
  expect([empty.table.numRows, empty.days]).toEqual([0, 0])
  const table = tableFrom('southbound_top10', real())
  expect(objectsOf(southboundFlows(toDataFrame(table)).table)).toEqual(objectsOf(southboundFlows(table).table))
})

const unitsIn = (table: Table) =>
  ['turnover', 'buy', 'sell', 'net'].map((name) =>
    table.schema.fields.find((one) => one.name === name)?.metadata.get('unit'),
  )

test('the unit is carried, and nothing is converted without a rate', () => {
  const rows = tableFrom('southbound_top10', real())
  const dollars = southboundFlows(rows, { unit: 'Hong Kong dollar' })
  expect([southboundFlows(rows).unit, dollars.unit]).toEqual(['yuan', 'Hong Kong dollar'])
  expect(unitsIn(dollars.table)).toEqual(Array(4).fill('Hong Kong dollar'))
  expect([...numbers(dollars.table, 'net')]).toEqual([...numbers(southboundFlows(rows).table, 'net')])
})

test('a rate makes yuan of Hong Kong dollars, each sum exactly once rounded', () => {
  const days = ['20260701', '20260702']
  const rows = tableFrom(
    'southbound_top10',
    days.flatMap((day) => stock(day, '00700.HK', { sh: [1234567.89, 345.67], sz: null })),
  )
  const of = (rate: Parameters<typeof southboundFlows>[1] & object) => southboundFlows(rows, rate)
  const one = of({ unit: 'Hong Kong dollar', rate: 0.91234 })
  const script =
    'import sys, json; from decimal import *; getcontext().prec = 60; a, b = json.load(sys.stdin); print(float(Decimal(a) * Decimal(b)))'
  expect(numbers(one.table, 'net')[0]).toBe(python(script, ['1234222.22', '0.91234']))
  expect([one.unit, ...unitsIn(one.table)]).toEqual(Array(5).fill('yuan'))
  const shares = (flows: { readonly table: Table }) => [...numbers(flows.table, 'largest')]
  expect(shares(one)).toEqual(shares(southboundFlows(rows)))
  const daily = of({ unit: 'Hong Kong dollar', rate: { 20260701: 0.5 } })
  expect([...numbers(daily.table, 'buy')]).toEqual([1234567.89 / 2, Number.NaN])
  const table = tableFrom('theme_daily', [{ tradedate: '20260702', close: 0.5 }]) as Table
  const rates = new Table({ trade_date: table.getChild('tradedate'), rate: table.getChild('close') } as Record<
    string,
    Vector
  >)
  expect([...numbers(of({ unit: 'Hong Kong dollar', rate: rates }).table, 'buy')]).toEqual([Number.NaN, 1234567.89 / 2])
})

test('a wrong unit or rate is refused', () => {
  const rows = tableFrom('southbound_top10', real())
  const given = (options: object) => () => southboundFlows(rows, options)
  expect(given({ rate: 0.9 })).toThrow('a rate turns Hong Kong dollars into yuan, and these are yuan')
  expect(given({ unit: 'HKD' })).toThrow("unit must be 'yuan' or 'Hong Kong dollar', not 'HKD'")
  expect(given({ unit: 'Hong Kong dollar', rate: 0 })).toThrow('the rate must be a number above 0, not 0')
  expect(given({ unit: 'Hong Kong dollar', rate: { 20260701: -1 } })).toThrow('the rate of 20260701 must be')
  expect(given({ unit: 'Hong Kong dollar', rate: { '2026-07-01': 0.9 } })).toThrow("not '2026-07-01'")
  expect(given({ unit: 'Hong Kong dollar', rate: '0.9' })).toThrow('the rate must be a number above 0, not 0.9')
})
