import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { toObjects } from '../../../../../src/frame/read-columns.js'
import { computeAnomalies } from '../../../../../src/research/checks/anomaly/compute/compute-anomalies.js'
import {
  type CheckColumns,
  numberColumn,
  resultTable,
  textColumn,
} from '../../../../../src/research/checks/check-columns.js'
import type { Market, Price } from './oracle-markets.js'

export type Row = Readonly<Record<string, unknown>>

export interface Answer {
  readonly rows: readonly Row[]
  readonly events: readonly Row[]
  readonly refused: readonly Row[]
  readonly seen: Readonly<Record<string, number>>
}

const script = fileURLToPath(new URL('oracle.py', import.meta.url))

/** What the slow version in Python makes of markets. */
export function oracle(markets: readonly Market[]): Answer[] {
  const done = spawnSync('python3', [script], { input: JSON.stringify(markets), encoding: 'utf8', maxBuffer: 1 << 30 })
  if (done.status !== 0) throw new Error(done.stderr)
  return JSON.parse(done.stdout)
}

const codes = (meaning: string, rows: readonly (string | null)[]) => textColumn('code', meaning, rows)
const dates = (rows: readonly (string | null)[]) => textColumn('date', 'Day.', rows)
const floats = (rows: readonly (number | null | undefined)[]) =>
  numberColumn(
    undefined,
    'Number.',
    Float64Array.from(rows, (x) => x ?? Number.NaN),
  )

export function pricesTable(rows: readonly Price[]) {
  const made: Record<string, CheckColumns[string]> = {
    tradedate: dates(rows.map((row) => row.tradedate)),
    symbol: codes(
      'Stock.',
      rows.map((row) => row.symbol),
    ),
    close: floats(rows.map((row) => row.close)),
  }
  if (rows.some((row) => row.name !== null))
    made.name = textColumn(
      'label',
      'Name.',
      rows.map((row) => row.name),
    )
  if (rows.some((row) => row.list_date !== null)) made.list_date = dates(rows.map((row) => row.list_date))
  if (rows[0] && 'pre_close' in rows[0]) made.pre_close = floats(rows.map((row) => row.pre_close))
  if (rows[0] && 'adj_factor' in rows[0]) made.adj_factor = floats(rows.map((row) => row.adj_factor))
  return resultTable(made)
}

/** What `computeAnomalies` makes of the same. @param prices in the place of those of the market */
export function computed(market: Market, prices = pricesTable(market.prices)): Omit<Answer, 'seen'> {
  const { benchmarks, st, options } = market
  const benchmarkTable = resultTable({
    tradedate: dates(benchmarks.map((row) => row.tradedate)),
    code: codes(
      'Index.',
      benchmarks.map((row) => row.code),
    ),
    close: floats(benchmarks.map((row) => row.close)),
  })
  const stTable = resultTable({
    tradedate: dates(st.map((row) => row.tradedate)),
    symbol: codes(
      'Stock.',
      st.map((row) => row.symbol),
    ),
  })
  const given = st.length > 0 ? { ...options, st: stTable } : options
  const found = computeAnomalies(prices, benchmarkTable, market.calendar, undefined, given)
  return { rows: toObjects(found.table), events: toObjects(found.events), refused: toObjects(found.refused) }
}

const written = [
  'name',
  'rule',
  'pct_chg',
  'elapsed_days',
  'deviation_pct',
  'required_pct_chg',
  'trigger_price',
  'status',
  'threshold_pct',
  'board',
  'st',
  'benchmark',
  'since',
  'benchmark_pct',
  'limit_pct',
  'computed_on',
] as const
const measures = ['abnormal', 'severe', 'severe by count']
const decimal = new Set<string>(['pct_chg', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'benchmark_pct'])
const keys = ['tradedate', 'symbol', 'measure', 'window_days', 'direction'] as const

export const keyOf = (row: Row): string => keys.map((name) => String(row[name])).join(' ')

function expectedCell(name: string, value: unknown): unknown {
  if (name === 'st') return value === true ? 'ST' : null
  return decimal.has(name) && value !== null ? Number(value) : value
}

const asMap = (rows: readonly Row[], cell: (name: string, value: unknown) => unknown): Map<string, Row> =>
  new Map(rows.map((row) => [keyOf(row), Object.fromEntries(written.map((name) => [name, cell(name, row[name])]))]))

/** What differs between the two, in words; empty when nothing does. */
export function differences(mine: Omit<Answer, 'seen'>, his: Answer): string[] {
  const [found, due] = [asMap(mine.rows, (_, value) => value), asMap(his.rows, expectedCell)]
  const out: string[] = []
  if (found.size !== mine.rows.length) out.push('a row is a duplicate')
  for (const [key, row] of due) {
    const other = found.get(key)
    if (!other) out.push(`missing ${key}: ${JSON.stringify(row)}`)
    for (const name of other ? written : []) {
      if (!Object.is(other?.[name], row[name]))
        out.push(`${key} ${name}: ${String(other?.[name])}, not ${String(row[name])}`)
    }
  }
  for (const [key, row] of found) if (!due.has(key)) out.push(`too many ${key}: ${JSON.stringify(row)}`)
  const order = mine.rows.map(
    (row) =>
      `${row.tradedate} ${row.symbol} ${measures.indexOf(String(row.measure))} ${Number(row.window_days) + 100} ${row.direction === 'up' ? 0 : 1}`,
  )
  if (String(order) !== String([...order].sort())) out.push('rows are not in order')
  const events = (rows: readonly Row[]): string[] =>
    rows.map((row) => ['tradedate', 'symbol', 'measure', 'rule', 'direction'].map((name) => row[name]).join(' ')).sort()
  if (String(events(mine.events)) !== String(events(his.events))) out.push('events differ')
  const refused = (rows: readonly Row[]): string[] => rows.map((row) => `${row.symbol} ${row.tradedate}`).sort()
  if (String(refused(mine.refused)) !== String(refused(his.refused))) {
    out.push(`refused ${JSON.stringify(mine.refused)}, not ${JSON.stringify(his.refused)}`)
  }
  return out
}
