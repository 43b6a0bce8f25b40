import { expect, test } from 'vitest'
import { checkAll, checks } from '../../src/checks/all-checks.js'
import { type Check, conclude, fails, leavesOpen, passes } from '../../src/checks/check.js'
import { LabelBuilder, textColumn } from '../../src/checks/check-columns.js'
import { gradesOf, healthOf } from '../../src/checks/check-health.js'
import { datasetNames } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { type Row, tableFrom } from '../analysis/help.js'
import { changed, sampleRows, sampleTables } from './dataset/sample-tables.js'

const line = (table: ReturnType<typeof healthOf>, dataset: string): Row =>
  objectsOf(table).find((row) => row.dataset === dataset) as Row

test('every dataset has a check, no two checks of one share a name, and each says what it means', () => {
  expect(datasetNames.filter((one) => !checks.some(({ dataset }) => dataset === one))).toEqual([])
  const names = checks.map(({ name, dataset }) => `${dataset} ${name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, rule, confirmedAs, verdicts } of checks) {
    expect(name).toMatch(/^[a-z0-9]+( [a-z0-9]+)?$/)
    expect([rule, confirmedAs].every((text) => text.length > 10)).toBe(true)
    expect(Object.values(verdicts).some(({ grade }) => grade === 'confirmed')).toBe(true)
  }
})

test('nothing to look at: no runs, and a line for each dataset that says so', () => {
  for (const tables of [{}, { transfer_financing: [] }, { transfer_financing: undefined }]) {
    const results = checkAll(tables)
    expect(results.map(({ check }) => check)).toEqual(checks)
    expect(results.every(({ runs }) => runs.length === 0)).toBe(true)
    const health = objectsOf(healthOf(results))
    expect(health.map((row) => row.dataset)).toEqual([...datasetNames])
    expect(health.every((row) => row.state === 'not checked' && row.rows === 0 && row.worst === null)).toBe(true)
  }
})

test('the sample: every verdict has a meaning, only what it means to be wrong is, and the same tables give the same result', async () => {
  const tables = await sampleTables()
  const results = checkAll(tables)
  for (const { check, runs } of results) {
    for (const { result } of runs) {
      expect(Object.keys(result.counts).filter((verdict) => !(verdict in check.verdicts))).toEqual([])
      expect([check.name, result.ok]).toEqual([check.name, gradesOf(check, result).contradicted === 0])
    }
  }
  const wrong = results.filter(({ runs }) => runs.some(({ result }) => !result.ok)).map(({ check }) => check.name)
  // The sample counts a channel twice now and then, as published rows do.
  expect(wrong).toEqual(['southbound'])
  const health = healthOf(results)
  expect(objectsOf(healthOf(checkAll(tables)))).toEqual(objectsOf(health))
  expect(line(health, 'southbound_top10').worst).toContain('twice')
  expect(line(health, 'transfer_financing')).toEqual({
    dataset: 'transfer_financing',
    state: 'confirmed',
    rows: 55,
    checks: 'financing',
    confirmed: 55,
    open: 0,
    contradicted: 0,
    worst: null,
  })
  // What nothing contradicts is not confirmed.
  expect(line(health, 'news')).toMatchObject({ state: 'not contradicted', open: 0, contradicted: 0 })
  expect(line(health, 'thememembers_jx')).toMatchObject({
    state: 'confirmed',
    open: 2,
    worst: 'members: 2 of 24 rows open, first 802013, warn: the sector has no member.',
  })
  expect(line(health, 'convertible_daily')).toMatchObject({ state: 'confirmed', rows: 1194, contradicted: 0 })
})

test('a changed number is the worst of its dataset', async () => {
  const rows = await sampleRows('transfer_financing')
  const closing_balance = Number(rows[7]?.closing_balance) + 10_000_000_000
  const health = healthOf(
    checkAll({ transfer_financing: [changed('transfer_financing', rows, 7, { closing_balance })] }),
  )
  expect(line(health, 'transfer_financing')).toMatchObject({ state: 'contradicted', confirmed: 53, contradicted: 2 })
  expect(line(health, 'transfer_financing').worst).toMatch(
    /^financing: 2 of 55 rows contradicted, first 202605\d\d, mismatch: (closing|opening)_balance is not .*\.$/,
  )
})

test('a premium that is off is told before a sound day, and tables of one dataset are runs of their own', () => {
  const bond: Row = {
    tradedate: '20260706',
    symbol: '123124',
    name: null,
    code: '123124.SZ',
    pre_close: 100,
    open: 110,
    high: 110,
    low: 110,
    close: 110,
    change: 10,
    pct_chg: 10,
    vol: 1,
    amount: 1100,
    bond_value: 100,
    bond_over_rate: 10,
    cb_value: 100,
    cb_over_rate: 11,
  }
  const sheet = [
    tableFrom('convertible_daily', [bond]),
    tableFrom('convertible_daily', [{ ...bond, cb_over_rate: 10 }]),
  ]
  const health = healthOf(checkAll({ convertible_daily: sheet }))
  expect(line(health, 'convertible_daily')).toMatchObject({ rows: 2, confirmed: 5, contradicted: 1 })
  expect(line(health, 'convertible_daily').worst).toContain(
    'cb premium: 1 of 1 rows contradicted, first 20260706 123124.SZ',
  )
})

test('a verdict without a meaning counts as open', () => {
  const verdict = new LabelBuilder(3)
  for (const [row, word] of ['right', 'odd', 'off'].entries()) verdict.set(row, word)
  const size = new Float64Array(3)
  const key = { code: textColumn('code', 'Code.', ['a', 'b', 'c']) }
  const result = conclude('x', { right: 0, odd: 1, off: 2 }, verdict, new LabelBuilder(3), size, key)
  const verdicts = { right: passes('Right.'), off: fails('Off, by much.') }
  const check: Check = {
    name: 'x',
    summary: 'x',
    chinese: '核',
    dataset: 'st',
    rule: '',
    verdicts,
    confirmedAs: '',
    runs: () => [],
  }
  expect(gradesOf(check, result)).toEqual({ confirmed: 1, open: 1, contradicted: 1 })
  const [row] = objectsOf(healthOf([{ check, runs: [{ label: 'st, x', result }] }])).filter(({ rows }) => rows === 3)
  expect(row?.worst).toBe('x (st, x): 1 of 3 rows contradicted, first c, off: Off, by much.')
  const known = { ...check, verdicts: { ...verdicts, odd: leavesOpen('Odd.') } }
  expect(gradesOf(known, result)).toEqual({ confirmed: 1, open: 1, contradicted: 1 })
})
