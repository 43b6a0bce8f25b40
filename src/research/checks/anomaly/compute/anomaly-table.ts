import type { Table } from 'apache-arrow'
import type { Words } from '../../../../contract/sentence.js'
import { bucketRows } from '../../../../frame/table/group-rows.js'
import { type CheckColumn, type CheckColumns, LabelBuilder, labelColumn, resultTable } from '../../check-columns.js'
import { recordColumns } from '../../record-columns.js'
import type { Found, Refused } from './measure-stocks.js'
import type { Coded } from './price-table.js'

/** Rows by day; within a day they come as they were found: by symbol, measure, window and direction. */
function byDay(found: readonly Found[], days: number): Found[] {
  const codes = Int32Array.from(found, ({ tradedate }) => tradedate)
  return Array.from(bucketRows(codes, days).rows, (at) => found[at] as Found)
}

type Kind = Parameters<typeof labelColumn>[0]

/** Ways to make a column of the rows. */
function columnMakers(rows: readonly Found[], dates: readonly string[]) {
  const word = (kind: Kind, meaning: string, of: (one: Found) => string | null): CheckColumn => {
    const words = new LabelBuilder(rows.length)
    let before: string | null = null
    rows.forEach((one, at) => {
      const own = of(one)
      if (own === before && at > 0) words.codes[at] = words.codes[at - 1] as number
      else words.set(at, own)
      before = own
    })
    return labelColumn(kind, meaning, words)
  }
  const { number, count: whole } = recordColumns(rows)
  const days = (meaning: string, of: (one: Found) => number): CheckColumn => {
    const codeOf = new Int32Array(dates.length).fill(-1)
    const words: string[] = []
    const codes = Int32Array.from(rows, (one) => {
      const place = of(one)
      if (codeOf[place] === -1) codeOf[place] = words.push(dates[place] as string) - 1
      return codeOf[place] as number
    })
    return labelColumn('date', meaning, { codes, words })
  }
  const percent = (meaning: string, of: (one: Found) => number): CheckColumn =>
    number('percent', meaning, (one) => of(one) / 10_000)
  return { word, number, whole, days, percent }
}

function columnsOf(rows: readonly Found[], dates: readonly string[], names: Coded | undefined): CheckColumns {
  const { word, number, whole, days, percent } = columnMakers(rows, dates)
  return {
    tradedate: days('Day that the row speaks of; after computed_on, a forecast.', (one) => one.tradedate),
    symbol: word('code', 'Stock code, 6 digits.', ({ symbol }) => symbol),
    name: word('label', 'Name of the stock on computed_on, where the prices have names.', ({ priceRow }) =>
      names ? (names.words[names.codes[priceRow] as number] ?? null) : null,
    ),
    pct_chg: percent('Change of the day against its reference price; null in a forecast.', ({ row }) => row.change),
    rule: word('label', 'The rule in words: window, direction, and threshold or count.', ({ row }) => row.rule.text),
    elapsed_days: whole(
      'trading day',
      'Days from since to computed_on: those of the stock, or of the market where the rules or option days say so.',
      ({ row }) => row.elapsed,
    ),
    deviation_pct: percent(
      'Return of the stock minus that of its benchmark over the interval whose deviation is the most extreme; of a count, that of the abnormal movement.',
      ({ row }) => row.finding.deviation,
    ),
    required_pct_chg: percent(
      'Change that the day needs, or needed, to reach the threshold; a forecast takes the benchmark as unchanged.',
      ({ row }) => row.finding.required,
    ),
    trigger_price: number(
      'yuan',
      'Price at which the day reaches the threshold, rounded up for rises and down for falls.',
      ({ row }) => row.finding.trigger / 100,
    ),
    status: word(
      'label',
      'triggered: the threshold is reached. reachable: not yet, and within the price limit.',
      (one) => (one.row.triggered ? 'triggered' : 'reachable'),
    ),
    measure: word('label', 'abnormal, severe, or severe by count.', ({ row }) => row.measure),
    direction: word('label', 'up or down.', ({ row }) => row.rule.direction),
    window_days: whole('trading day', 'Longest interval that the rule looks at.', ({ row }) => row.rule.days),
    threshold_pct: number(
      'percent',
      'Threshold of the deviation; of a count, that of the abnormal movement.',
      ({ row }) => row.finding.rule.threshold,
    ),
    board: word('label', 'SSE main, SZSE main, ChiNext, STAR or BSE.', ({ board }) => board),
    st: word('label', 'ST where the stock is marked ST or *ST on the day; null otherwise.', ({ isMarked }) =>
      isMarked ? 'ST' : null,
    ),
    benchmark: word('code', 'Index whose return is taken off.', ({ row }) => row.force.benchmark?.code ?? null),
    since: days('First day of the interval; of a count, day of the first movement counted.', (one) => one.since),
    benchmark_pct: percent(
      'Return of the benchmark over the interval of deviation_pct.',
      ({ row }) => row.finding.benchmark,
    ),
    limit_pct: number('percent', 'Price limit of the day, either way.', ({ row }) => row.force.limitPercent),
    computed_on: days('Completed day that the row was computed from.', (one) => one.computedOn),
    source: word('label', 'Where the rule is taken from.', ({ row }) => row.rule.source),
  }
}

function refusedTable(refused: readonly Refused[]): Table {
  const { text } = recordColumns(refused)
  return resultTable({
    symbol: text('code', 'Stock that was left out; six digits where its board is known.', ({ symbol }) => symbol),
    tradedate: text('date', 'First day on which the reason shows.', ({ date }) => date),
    why: text('label', 'The reason.', ({ why }) => String(why)),
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
  /** What the reasons of `refused` were made of, by their texts. */
  readonly reasons: ReadonlyMap<string, readonly Words[]>
}

/** @param found by symbol, and within a stock by day */
export function resultOf(
  found: readonly Found[],
  refused: readonly Refused[],
  dates: readonly string[],
  names: Coded | undefined,
): Anomalies {
  const rows = byDay(found, dates.length)
  const columns = columnsOf(rows, dates, names)
  const { tradedate, symbol, measure, rule, direction } = columns as Record<string, CheckColumn>
  const events = rows.flatMap(({ row }, at) => (row.triggered && !row.forecast ? [at] : []))
  return {
    table: resultTable(columns),
    events: resultTable({ tradedate, symbol, measure, rule, direction } as CheckColumns, events),
    refused: refusedTable(refused),
    reasons: new Map(refused.map(({ why }) => [String(why), [why]])),
  }
}
