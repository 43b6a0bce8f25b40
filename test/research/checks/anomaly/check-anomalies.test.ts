import { Float64, Table, Utf8, type Vector, vectorFromArray } from 'apache-arrow'
import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { numbers, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { severeRules } from '../../../../src/research/checks/anomaly/anomaly-rules.js'
import { type AnomalyOptions, checkAnomalies } from '../../../../src/research/checks/anomaly/check-anomalies.js'
import { roundHalfUp } from '../../../../src/research/checks/exact/decimal.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { severeCandidates } from './severe-candidates.js'

const day = '20260701'
const next = '20260702'

const check = (rows: readonly Row[], options?: AnomalyOptions) =>
  checkAnomalies(tableFrom('anomaly_forecast', rows), options)

/** Rows as a table with one column that no service would send. */
function withColumn(rows: readonly Row[], name: string, column: Vector): Table {
  const table = tableFrom('anomaly_forecast', rows)
  const own = Object.fromEntries(table.schema.names.map((one) => [one, table.getChild(one)]))
  return new Table({ ...own, [name]: column } as Record<string, Vector>)
}

const dates = tradingDays('20260601', day).slice(-9)
const levels = [3000, 3010, 3020, 3030, 3040, 3050, 3060, 3070, 3072]
const benchmarks = dates.map((tradedate, i) => ({ tradedate, code: '000002.SH', close: levels[i] }))

/** Four stocks of one board over eight days, up to near +100% against an index that rose by 2.4%. */
function sample(places = 4): Row[] {
  const stocks: [string, number, number][] = [
    ['600001', 1000, 1.1],
    ['600002', 2345, 1.098],
    ['600003', 801, 1.095],
    ['600004', 5000, 1.0975],
  ]
  const prices = stocks.flatMap(([symbol, first, rate]) => {
    let cents = first
    return dates.map((tradedate, i) => {
      if (i > 0) cents = Math.round(cents * (symbol === '600004' && i === 8 ? 1.04 : rate))
      return { tradedate, symbol, name: `名${symbol}`, close: cents / 100 }
    })
  })
  const rounded = (x: unknown): number | null => (x === null ? null : roundHalfUp(Number(x), places))
  return severeCandidates(prices, benchmarks)
    .filter(({ tradedate }) => tradedate === day || tradedate === next)
    .map((row) => ({
      ...row,
      pct_chg: rounded(row['pct_chg']),
      deviation_pct: rounded(row['deviation_pct']),
      required_pct_chg: rounded(row['required_pct_chg']),
    }))
}

const at = (rows: readonly Row[], tradedate: string, symbol: string): number =>
  rows.findIndex((row) => row['tradedate'] === tradedate && row['symbol'] === symbol)

function changed(tradedate: string, symbol: string, change: Row, options?: AnomalyOptions) {
  const rows = sample()
  const row = at(rows, tradedate, symbol)
  expect(row).toBeGreaterThanOrEqual(0)
  const found = check(rows.with(row, { ...rows[row], ...change }), options)
  return {
    verdict: strings(found.table, 'verdict')[row],
    broken: strings(found.table, 'broken')[row]?.split(', ') ?? [],
    ok: found.ok,
    found,
  }
}

test('the implied index return and last close are those of the paths', () => {
  const rows = sample()
  const { table } = check(rows)
  const [index, close] = [numbers(table, 'index_return'), numbers(table, 'last_close')]
  for (const symbol of ['600003', '600004']) {
    expect(index[at(rows, next, symbol)]).toBeCloseTo(2.4, 1)
    expect(index[at(rows, day, symbol)]).toBeCloseTo(2.4, 1)
  }
  expect(close[at(rows, next, '600004')]).toBeCloseTo(Math.round(5000 * 1.0975 ** 7 * 1.04) / 100, 1)
  expect(close[at(rows, day, '600004')]).toBeCloseTo(Math.round(5000 * 1.0975 ** 7) / 100, 1)
})

test.each([
  ['window', day, '600001', { elapsed_days: 11 }],
  ['window', day, '600001', { elapsed_days: 0 }],
  ['direction', day, '600003', { deviation_pct: -1 }],
  ['status', day, '600003', { status: 'reachable' }],
  ['status', next, '600004', { status: 'triggered' }],
  ['change', day, '600003', { pct_chg: 1 }],
  ['sign', next, '600004', { required_pct_chg: -0.5 }],
  ['price', day, '600001', { trigger_price: 0 }],
  ['price', day, '600001', { trigger_price: -3 }],
  ['tick', day, '600001', { trigger_price: 20.125 }],
  ['quote', day, '600001', { pct_chg: null }],
])('%s breaks a row of %s', (rule, tradedate, symbol, change) => {
  const { verdict, broken, ok } = changed(tradedate, symbol, change, { completed: day })
  expect(broken).toContain(rule)
  expect(verdict).toBe('invalid')
  expect(ok).toBe(false)
})

test('the limit is that of board, name and day', () => {
  const rows = sample()
  const near = { ...rows[at(rows, next, '600004')], required_pct_chg: 7, trigger_price: 106.7 }
  const broken = (change: Row): boolean =>
    strings(check([{ ...near, ...change }]).table, 'broken')[0]?.includes('limit') === true
  expect(broken({})).toBe(false)
  expect(broken({ name: '*ST名' })).toBe(true)
  expect(broken({ name: '*ST名', tradedate: '20260706' })).toBe(false)
  expect(broken({ required_pct_chg: 11, trigger_price: 110.7 })).toBe(true)
  expect(broken({ required_pct_chg: 11, trigger_price: 110.7, symbol: '300001' })).toBe(false)
  expect(broken({ required_pct_chg: 11, trigger_price: 110.7, name: 'N名' })).toBe(false)
})

test('a change beyond the limit is suspect: reachable says no more than not yet triggered', () => {
  const row = sample()[at(sample(), next, '600004')]
  const alone = (change: Row): unknown => {
    const { table, ok } = check([{ ...row, ...change }], { completed: day })
    return [strings(table, 'verdict')[0], strings(table, 'broken')[0], ok]
  }
  expect(alone({ deviation_pct: 80, required_pct_chg: 11, trigger_price: 110.7 })).toEqual(['warn', 'limit', true])
  const rule = severeRules('SSE main', next)[1]?.text ?? ''
  const down = { rule, deviation_pct: -45, trigger_price: 10 }
  expect(alone({ ...down, required_pct_chg: -9 })).toEqual(['pass', null, true])
  expect(alone({ ...down, required_pct_chg: -11 })).toEqual(['warn', 'limit', true])
})

test('a status that is none of the two is broken, whatever else is known', () => {
  const rows = sample()
  const row = at(rows, day, '600003')
  const found = (status: string | null, change: Row = {}): unknown => {
    const column = rows.map((one, i) => (i === row ? status : String(one['status'])))
    const table = withColumn(rows.with(row, { ...rows[row], ...change }), 'status', vectorFromArray(column, new Utf8()))
    return toObjects(checkAnomalies(table, { completed: day }).table)[row]
  }
  const why = 'status: status is pending, not triggered or reachable'
  expect(found('pending')).toMatchObject({ verdict: 'invalid', broken: 'status', why })
  expect(found(null)).toMatchObject({ verdict: 'invalid', broken: 'status' })
  expect(found('pending', { rule: '某规则' })).toMatchObject({ verdict: 'invalid', broken: 'rule, status' })
})

test('elapsed days that are null or no whole number are shown as null, never as 0', () => {
  const days = (elapsed: number | null): unknown => {
    const rows = sample().slice(0, 2)
    const made = withColumn(rows, 'elapsed_days', vectorFromArray([elapsed, 8], new Float64()))
    const found = checkAnomalies(made, { completed: day })
    const [first] = toObjects(found.table)
    return [first?.['elapsed_days'], first?.['verdict'], first?.['why']]
  }
  const whole = /^window: elapsed_days is 8\.5, not a whole number/
  expect(days(8)).toEqual([8, 'pass', null])
  expect(days(null)).toEqual([null, 'invalid', expect.stringMatching(/^null: /)])
  expect(days(8.5)).toEqual([null, 'invalid', expect.stringMatching(whole)])
})

test('one number with the noise of doubles makes no row inconsistent', () => {
  const rows = sample(2)
  const row = at(rows, next, '600004')
  const noisy = (name: string): unknown => {
    const value = Number(rows[row]?.[name])
    const one = { ...rows[row], [name]: value + Number.EPSILON * value }
    return check(rows.with(row, one), { completed: day }).counts
  }
  for (const name of ['deviation_pct', 'required_pct_chg']) expect(noisy(name)).toMatchObject({ pass: rows.length })
})

test('a number with more decimals than the others is judged at its own', () => {
  const rows = sample(2)
  const row = at(rows, day, '600003')
  const near = (deviation_pct: number): unknown =>
    strings(check(rows.with(row, { ...rows[row], deviation_pct })).table, 'broken')[row]?.includes('status') ?? false
  expect([near(99.9961), near(100)]).toEqual([true, false])
})

test('the close of a day is the last close of the next trading day, or the row is suspect', () => {
  const rows = sample()
  const halved = (row: Row): Row => ({ ...row, trigger_price: Math.round(Number(row['trigger_price']) * 50) / 100 })
  const apart = rows.map((row) => (row['symbol'] === '600004' && row['tradedate'] === next ? halved(row) : row))
  const found = check(apart)
  expect(found.counts).toMatchObject({ warn: 2, pass: rows.length - 2 })
  expect(found.ok).toBe(true)
  const why = strings(found.table, 'why')
  for (const date of [day, next]) expect(why[at(rows, date, '600004')]).toMatch(/^chain: .* or an ex-right day$/)
  const moved = (from: string, to: string): Row[] =>
    apart.map((row) => ({ ...row, tradedate: row['tradedate'] === day ? from : to }))
  expect(check(moved('20260703', '20260706')).counts.warn).toBe(2)
  expect(check(moved('20260701', '20260703')).counts).toMatchObject({ warn: 0, invalid: 0 })
  expect(check(moved('20250102', '20250103')).counts.warn).toBe(2)
  expect(check(moved('20991231', '21000101')).counts.warn).toBe(0)
})

test('what the limit price is rounded up by is allowed', () => {
  const cheap = { ...sample()[at(sample(), next, '600004')], required_pct_chg: 10.3, trigger_price: 1.16 }
  expect(strings(check([cheap]).table, 'broken')[0] ?? '').not.toContain('limit')
})

test('equality reaches the threshold, and a rounded number near it proves nothing', () => {
  const [row = {}] = sample()
  const status = (change: Row): boolean =>
    (
      strings(
        check([
          { ...row, ...change },
          { ...row, ...change, symbol: '600009', deviation_pct: 1.2345 },
        ]).table,
        'broken',
      )[0] ?? ''
    )
      .split(', ')
      .includes('status')
  expect(status({ deviation_pct: 100, status: 'triggered' })).toBe(false)
  expect(status({ deviation_pct: 100, status: 'reachable' })).toBe(false)
  expect(status({ deviation_pct: 100.0001, status: 'reachable' })).toBe(true)
  expect(status({ deviation_pct: 99.9999, status: 'triggered' })).toBe(true)
})

test('rows of one stock share deviation, change, name and last close', () => {
  const rows = sample()
  const row = rows[at(rows, day, '600003')] ?? {}
  const second = { ...row, rule: severeRules('SSE main', day)[2]?.text }
  const broken = (change: Row): string | null | undefined =>
    strings(check([...rows, { ...second, ...change }]).table, 'broken')[rows.length]
  expect(broken({ deviation_pct: 101.5 })).toContain('deviation')
  expect(broken({ pct_chg: 9.49 })).toContain('pct_chg')
  expect(broken({ name: '别名' })).toContain('name')
  expect(broken({ trigger_price: Number(row['trigger_price']) + 0.05 })).toContain('close')
  expect(strings(check([...rows, row]).table, 'broken')[rows.length]).toContain('key')
})

test('what is not known is unverifiable, and the rest is still checked', () => {
  const rule = (change: Row) => changed(day, '600003', change)
  expect(rule({ rule: '某规则' })).toMatchObject({ verdict: 'unverifiable', broken: ['rule'], ok: true })
  expect(rule({ rule: '某规则', trigger_price: 1.001 }).broken).toContain('tick')
  expect(rule({ rule: '连续3个交易日涨幅偏离值累计达到+25%' }).broken).toContain('rule')
  expect(rule({ symbol: '900901' })).toMatchObject({ verdict: 'unverifiable', ok: true })
})

test('a quote on a later day may be of either kind: the two identities are not asked', () => {
  const { verdict } = changed(next, '600004', { pct_chg: 3.21, deviation_pct: 96.9 }, { completed: day })
  expect(verdict).toBe('pass')
})

test('a stored day of computation tells forecasts from completed days', () => {
  const rows = sample().map((row): Row => ({ ...row, computed_on: day }))
  expect(check(rows).counts.pass).toBe(rows.length)
  const late = rows.map((row): Row => (row['tradedate'] === next ? { ...row, tradedate: '20260703' } : row))
  expect(check([...rows, ...late.filter((row) => row['tradedate'] !== day)]).counts.invalid).toBeGreaterThan(0)
})
