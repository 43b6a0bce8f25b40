import type { Table } from 'apache-arrow'
import { bucketRows } from '../../../table/group-rows.js'
import { type CheckColumns, integerColumn, numberColumn, resultTable, textColumn } from '../../check-columns.js'
import type { AnomalyRow, Refused } from './measure-stocks.js'
import type { Coded } from './price-table.js'

/** Columns made of one number or text of each row. */
function columnMakers(rows: readonly AnomalyRow[], dates: readonly string[]) {
  const word = (kind: 'code' | 'label', meaning: string, of: (row: AnomalyRow) => string | null) =>
    textColumn(kind, meaning, rows.map(of))
  const day = (meaning: string, of: (row: AnomalyRow) => number) =>
    textColumn(
      'date',
      meaning,
      rows.map((row) => dates[of(row)] as string),
    )
  const number = (unit: string, meaning: string, of: (row: AnomalyRow) => number) =>
    numberColumn(unit, meaning, Float64Array.from(rows, of))
  const days = (meaning: string, of: (row: AnomalyRow) => number) =>
    integerColumn('trading day', meaning, Int32Array.from(rows, of))
  const percent = (meaning: string, of: (row: AnomalyRow) => number) =>
    number('percent', meaning, (row) => of(row) / 10_000)
  return { word, day, number, days, percent }
}

function columnsOf(rows: readonly AnomalyRow[], dates: readonly string[], names: Coded | undefined) {
  const { word, day, number, days, percent } = columnMakers(rows, dates)
  return {
    tradedate: day('Day that the row speaks of; after computed_on, a forecast.', ({ day }) => day),
    symbol: word('code', 'Stock code, 6 digits.', ({ symbol }) => symbol),
    name: word('label', 'Name of the stock on computed_on, where the prices have names.', ({ priceRow }) =>
      names ? (names.words[names.codes[priceRow] as number] ?? null) : null,
    ),
    pct_chg: percent('Change of the day against its reference price; null in a forecast.', ({ change }) => change),
    rule: word('label', 'The rule in words: window, direction, and threshold or count.', ({ rule }) => rule.text),
    elapsed_days: days(
      'Days from since to computed_on: those of the stock, or of the market where the rules or option days say so.',
      ({ elapsed }) => elapsed,
    ),
    deviation_pct: percent(
      'Return of the stock minus that of its benchmark over the interval whose deviation is the most extreme; of a count, that of the abnormal movement.',
      ({ deviation }) => deviation,
    ),
    required_pct_chg: percent(
      'Change that the day needs, or needed, to reach the threshold; a forecast takes the benchmark as unchanged.',
      ({ required }) => required,
    ),
    trigger_price: number(
      'yuan',
      'Price at which the day reaches the threshold, rounded up for rises and down for falls.',
      ({ trigger }) => trigger / 100,
    ),
    status: word(
      'label',
      'triggered: the threshold is reached. reachable: not yet, and within the price limit.',
      ({ triggered }) => (triggered ? 'triggered' : 'reachable'),
    ),
    measure: word('label', 'abnormal, severe, or severe by count.', ({ measure }) => measure),
    direction: word('label', 'up or down.', ({ rule }) => rule.direction),
    window_days: days('Longest interval that the rule looks at.', ({ rule }) => rule.days),
    threshold_pct: number(
      'percent',
      'Threshold of the deviation; of a count, that of the abnormal movement.',
      ({ threshold }) => threshold,
    ),
    board: word('label', 'SSE main, SZSE main, ChiNext, STAR or BSE.', ({ board }) => board),
    st: word('label', 'ST where the stock is marked ST or *ST on the day; null otherwise.', ({ isST }) =>
      isST ? 'ST' : null,
    ),
    benchmark: word('code', 'Index whose return is taken off.', ({ force }) => force.benchmark?.code ?? null),
    since: day('First day of the interval; of a count, day of the first movement counted.', ({ since }) => since),
    benchmark_pct: percent('Return of the benchmark over the interval of deviation_pct.', ({ benchmark }) => benchmark),
    limit_pct: number('percent', 'Price limit of the day, either way.', ({ force }) => force.limitPercent),
    computed_on: day('Completed day that the row was computed from.', ({ computedOn }) => computedOn),
    source: word('label', 'Where the rule is taken from.', ({ rule }) => rule.source),
  } satisfies CheckColumns
}

function refusedTable(refused: readonly Refused[]): Table {
  const word = (kind: 'code' | 'date' | 'label', meaning: string, name: keyof Refused) =>
    textColumn(
      kind,
      meaning,
      refused.map((one) => one[name]),
    )
  return resultTable({
    symbol: word('code', 'Stock that was left out; six digits where its board is known.', 'symbol'),
    tradedate: word('date', 'First day on which the reason shows.', 'date'),
    why: word('label', 'The reason.', 'why'),
  })
}

/** What `computeAnomalies` gives. */
export interface Anomalies {
  /** Triggered and reachable rows. */
  readonly table: Table
  /** Triggered rows of completed days. */
  readonly events: Table
  /** Stocks without rows, and why. */
  readonly refused: Table
}

/** @param measured rows by symbol, and within a stock by day, measure, window and direction */
export function resultOf(
  measured: readonly AnomalyRow[],
  refused: readonly Refused[],
  dates: readonly string[],
  names: Coded | undefined,
): Anomalies {
  const byDay = bucketRows(
    Int32Array.from(measured, ({ day }) => day),
    dates.length,
  )
  const rows = Array.from(byDay.rows, (at) => measured[at] as AnomalyRow)
  const columns = columnsOf(rows, dates, names)
  const { tradedate, symbol, measure, rule, direction } = columns
  const events = rows.flatMap(({ triggered, day, computedOn }, at) => (triggered && day === computedOn ? [at] : []))
  return {
    table: resultTable(columns),
    events: resultTable({ tradedate, symbol, measure, rule, direction }, events),
    refused: refusedTable(refused),
  }
}
