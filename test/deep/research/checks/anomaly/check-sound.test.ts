/* Deep: makes whole markets and archives. */
import { expect, test } from 'vitest'
import { toObjects } from '../../../../../src/frame/read-columns.js'
import { checkAnomalies } from '../../../../../src/research/checks/anomaly/check-anomalies.js'
import type { SampleOptions } from '../../../../../src/research/sample/sample-plan.js'
import { type Row, tableFrom } from '../../../../research/analysis/help.js'
import { archiveRows, type MarketOptions, marketRows } from './market.js'

const runs = Number(process.env['RUNS'] ?? 1)

function check(rows: readonly Row[]) {
  const { counts, table } = checkAnomalies(tableFrom('anomaly_forecast', rows))
  const found = toObjects(table).filter((row) => row['verdict'] !== 'pass')
  return { counts, found, share: found.length / rows.length }
}

const archives: SampleOptions[] = [
  {},
  { days: 180, symbols: 12, seed: 2 },
  { days: 60, start: '20240102', seed: 3 },
  ...Array.from({ length: runs - 1 }, (_, i) => ({
    days: 90 + (i % 5) * 30,
    symbols: 10 + (i % 7) * 8,
    seed: 100 + i,
  })),
]

test('nothing is found in archives of any seed and size', () => {
  let rows = 0
  for (const options of archives) {
    const made = archiveRows(options)
    rows += made.length
    expect(check(made).found, JSON.stringify(options)).toEqual([])
  }
  if (runs > 1) process.stdout.write(`${archives.length} archives, ${rows} rows\n`)
  expect(rows).toBeGreaterThan(700)
})

const market = (i: number, more: Partial<MarketOptions> = {}): Row[] =>
  marketRows({ seed: 20 + i, stocks: 6 + (i % 9) * 3, days: 40 + (i % 4) * 20, ...more })

test('nothing is found in markets without suspensions and ex-right days', () => {
  let rows = 0
  for (let i = 0; i < runs; i++) {
    const made = market(i)
    rows += made.length
    expect(check(made).found, String(i)).toEqual([])
  }
  if (runs > 1) process.stdout.write(`${runs} markets, ${rows} rows\n`)
  expect(rows).toBeGreaterThan(500)
})

test.each([
  ['suspensions', { suspended: 0.004 }, 0.02, ['']],
  ['ex-right days', { exRight: 0.004 }, 0.05, ['chain', 'whole', 'cents']],
  ['marks of ST and new names', { st: 0.01, renamed: 0.002 }, 0.01, ['name']],
] as const)('%s make a few rows suspect at most, and only for what they explain', (name, more, most, allowed) => {
  const rules = new Set<string>()
  let [rows, suspect] = [0, 0]
  for (let i = 0; i < runs; i++) {
    const made = market(i, more)
    const { counts, found } = check(made)
    rows += made.length
    suspect += found.length
    expect(counts).toMatchObject({ inconsistent: 0, invalid: 0, unverifiable: 0 })
    for (const row of found) for (const rule of String(row['broken']).split(', ')) rules.add(rule)
  }
  if (runs > 1) process.stdout.write(`${name}: ${suspect} of ${rows} rows suspect: ${[...rules].join(', ')}\n`)
  expect(suspect / rows).toBeLessThan(most)
  for (const rule of rules) expect(allowed).toContain(rule)
})

/** A market of which one row is changed. */
function changed(change: (row: Row, rows: readonly Row[]) => Row | undefined) {
  const rows = marketRows({ seed: 5, stocks: 8, days: 40 })
  for (const [at, row] of rows.entries()) {
    const made = at > rows.length / 2 ? change(row, rows) : undefined
    if (!made) continue
    const found = toObjects(checkAnomalies(tableFrom('anomaly_forecast', rows.with(at, made))).table)
    const others = found.filter((one, i) => i !== at && one['verdict'] !== 'pass')
    return { broken: String(found[at]?.['broken']).split(', '), others: others.length, why: String(found[at]?.['why']) }
  }
  throw new Error('no row to change')
}

test.each([
  ['day', (row: Row): Row => ({ ...row, tradedate: '20260505' })],
  [
    'symbol',
    (row: Row, rows: readonly Row[]): Row | undefined => {
      const symbol = `${String(row['symbol']).slice(0, 5)}9`
      return rows.some((one) => one['symbol'] === symbol) ? undefined : { ...row, symbol }
    },
  ],
  ['rule', (row: Row): Row => ({ ...row, rule: String(row['rule']).replace('30个', '20个').replace('10个', '20个') })],
  [
    'extreme',
    (row: Row): Row | undefined =>
      row['status'] === 'triggered' && Number(row['elapsed_days']) < 10
        ? { ...row, elapsed_days: Number(row['elapsed_days']) + 1 }
        : undefined,
  ],
] as const)('%s: a row that is changed is named, the rest is not', (rule, change) => {
  const { broken, others } = changed(change)
  expect(broken).toContain(rule)
  expect(others).toBe(0)
})

test('two stocks with one name, a name that comes once, and a lone row far from all others', () => {
  const rows = marketRows({ seed: 5, stocks: 8, days: 40 })
  const verdict = (change: (row: Row) => Row, at = Math.floor(rows.length / 2)): unknown => {
    const made = rows.with(at, change(rows[at] as Row))
    return toObjects(checkAnomalies(tableFrom('anomaly_forecast', made)).table)[at]?.['broken']
  }
  expect(verdict((row) => ({ ...row, name: '别家' }))).toContain('name')
  const alone = rows.map((row) => ({
    ...row,
    name: row['symbol'] === rows[0]?.['symbol'] ? rows[9]?.['name'] : row['name'],
  }))
  const found = checkAnomalies(tableFrom('anomaly_forecast', alone))
  expect(toObjects(found.table).some((row) => String(row['broken']).includes('symbol'))).toBe(true)
  expect(verdict((row) => ({ ...row, tradedate: '20260908' }))).toContain('day')
})
