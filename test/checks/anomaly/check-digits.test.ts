import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { checkAnomalies } from '../../../src/checks/anomaly/check-anomalies.js'
import { type CheckColumn, numberColumn, resultTable, textColumn } from '../../../src/checks/check-columns.js'
import { texts } from '../../../src/frame/read-columns.js'
import type { Row } from '../../analysis/help.js'
import { chances } from '../../helper/chance.js'
import { archiveRows, marketRows } from './market.js'

const columns = [
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
] as const
type Column = (typeof columns)[number]

const numeric = new Set<string>(['pct_chg', 'elapsed_days', 'deviation_pct', 'required_pct_chg', 'trigger_price'])

/** Rows as a table that no contract has looked at: dates that are no dates come through. */
function unread(rows: readonly Row[]): Table {
  const cells = (name: string): CheckColumn =>
    numeric.has(name)
      ? numberColumn(
          undefined,
          name,
          Float64Array.from(rows, (row) => (row[name] as number | null) ?? Number.NaN),
        )
      : textColumn(
          'label',
          name,
          rows.map((row) => row[name] as string),
        )
  return resultTable(Object.fromEntries(columns.map((name) => [name, cells(name)])))
}

function verdicts(rows: readonly Row[]): readonly (string | null)[] {
  return texts(checkAnomalies(unread(rows)).table, 'verdict')
}

interface Slip {
  readonly row: Row
  /** Place of the digit: 1 the ones, -1 the first decimal; NaN where a place means nothing. */
  readonly place: number
}

/** The row with one digit of a column changed: of the status the word, of the name a character. */
function slip(row: Row, column: Column, random: () => number): Slip | undefined {
  const value = row[column]
  if (value === null || value === undefined) return undefined
  const pick = (n: number): number => Math.floor(random() * n)
  if (column === 'status') {
    return { row: { ...row, status: value === 'triggered' ? 'reachable' : 'triggered' }, place: Number.NaN }
  }
  const text = String(value)
  if (column === 'name') {
    const at = pick(text.length)
    return { row: { ...row, name: `${text.slice(0, at)}改${text.slice(at + 1)}` }, place: Number.NaN }
  }
  const digits = Array.from(text.matchAll(/\d/g), ({ index }) => index)
  const at = digits[pick(digits.length)] as number
  let digit = text[at] as string
  while (digit === text[at]) digit = String(pick(10))
  const made = text.slice(0, at) + digit + text.slice(at + 1)
  const number = typeof value === 'number'
  if (number && Number(made) === value) return undefined
  const point = text.includes('.') ? text.indexOf('.') : text.length
  return { row: { ...row, [column]: number ? Number(made) : made }, place: number ? point - at : Number.NaN }
}

interface Found {
  trials: number
  /** Some row that was sound no longer is. */
  noticed: number
  /** The changed row itself is named. */
  named: number
}

/** Trials of one column: how often a changed digit is found. */
function detection(rows: readonly Row[], column: Column, trials: number, random: () => number) {
  const found: Found = { trials: 0, noticed: 0, named: 0 }
  const places = new Map<number, Found>()
  const missed: string[] = []
  for (let i = 0; i < trials; i++) {
    const at = Math.floor(random() * rows.length)
    const slipped = slip(rows[at] as Row, column, random)
    if (!slipped) continue
    const place = places.get(slipped.place) ?? { trials: 0, noticed: 0, named: 0 }
    places.set(slipped.place, place)
    const made = verdicts(rows.with(at, slipped.row))
    const noticed = made.some((verdict) => verdict !== 'pass')
    const named = made[at] !== 'pass'
    for (const one of [found, place]) {
      one.trials++
      one.noticed += Number(noticed)
      one.named += Number(named)
    }
    if (!noticed && process.env['SHOW'])
      missed.push(`${JSON.stringify(Object.values(rows[at] as Row))} -> ${slipped.row[column]}`)
  }
  return { found, places, missed }
}

const only = process.env['COLUMNS_TRIED']?.split(',') as Column[] | undefined
const runs = Number(process.env['RUNS'] ?? 0)

function measure(name: string, rows: readonly Row[], trials: number, columnsTried: readonly Column[] = columns) {
  const random = chances(7)
  const lines: string[] = []
  const rate: Record<string, number> = {}
  for (const column of columnsTried) {
    const { found, places, missed } = detection(rows, column, trials, random)
    rate[column] = found.named / found.trials
    const by = [...places]
      .filter(([place]) => !Number.isNaN(place))
      .sort(([a], [b]) => b - a)
      .map(([place, one]) => `${place > 0 ? `10^${place - 1}` : `10^${place}`} ${one.named}/${one.trials}`)
    lines.push(
      `${name} ${column}: named ${found.named}, noticed ${found.noticed} of ${found.trials} (${((100 * found.named) / found.trials).toFixed(1)} %) ${by.join(', ')}`,
    )
    lines.push(...missed.slice(0, 12))
  }
  if (runs > 0) process.stdout.write(`${lines.join('\n')}\n`)
  return rate
}

const mean = (rate: Readonly<Record<string, number>>): number => {
  const values = Object.values(rate)
  return values.reduce((sum, one) => sum + one, 0) / values.length
}

/**
 * The sample has two or three rows a day on five boards, so most of them stand alone on their board and start: then the last digits
 * of a deviation that lies near its threshold can be many things.
 */
test('a changed digit of the sample is found, though its rows are few', () => {
  const rows = archiveRows()
  expect(new Set(verdicts(rows))).toEqual(new Set(['pass']))
  const rate = measure('sample', rows, runs || 14, only)
  for (const [column, found] of Object.entries(rate)) {
    const least = column === 'deviation_pct' ? 0.8 : column === 'required_pct_chg' ? 0.85 : 0.9
    expect(found, column).toBeGreaterThanOrEqual(least)
  }
  expect(mean(rate)).toBeGreaterThan(0.95)
})

test('a changed digit is found in 95 of 100 cases where a board has a few rows a day', () => {
  const rows = marketRows({ seed: 3, stocks: Number(process.env['STOCKS'] ?? 3), days: runs > 0 ? 60 : 30 })
  if (runs > 0) process.stdout.write(`${rows.length} rows\n`)
  const rate = measure('market', rows, runs || 10, only)
  for (const [column, found] of Object.entries(rate)) {
    expect(found, column).toBeGreaterThanOrEqual(runs > 0 ? 0.93 : 0.8)
  }
  expect(mean(rate)).toBeGreaterThan(0.95)
}, 6_000_000)

test.runIf(process.env['ARCHIVE'])(
  'a changed digit of a larger archive is found',
  () => {
    const rows = archiveRows({ days: 120, symbols: 30, seed: 9 })
    process.stdout.write(`${rows.length} rows\n`)
    expect(mean(measure('archive', rows, runs || 24, only))).toBeGreaterThan(0.95)
  },
  6_000_000,
)
