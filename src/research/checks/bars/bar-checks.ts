import type { Table } from 'apache-arrow'
import { sentence } from '../../../contract/sentence.js'
import { dictionaryToRead, has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { concat } from '../../../frame/verb/concat.js'
import { select } from '../../../frame/verb/select.js'
import type { Check, CheckResult, CheckRun, CheckTables } from '../check.js'
import { nonEmptyTables } from '../row-check.js'
import { requestedPeriod } from './bar-grid.js'
import { checkBars, judgedBars } from './check-bars.js'
import { compareDay, judgedDay } from './compare-day.js'
import { comparePeriods, judgedPeriods } from './compare-periods.js'

export type MinuteDataset = 'etf_minute' | 'convertible_minute'

/** The period of the bars of a table, as far as question and minutes tell; both for a table that holds both. */
function periodOf(table: Table, dataset: MinuteDataset): '15m' | '30m' | 'both' {
  if (has(table, 'period')) {
    const { codes, words: list } = dictionaryToRead(table, 'period')
    const used = new Set(Array.from(new Set(codes), (code) => list[code]))
    return used.size > 1 ? 'both' : used.has('15m') ? '15m' : '30m'
  }
  const requested = requestedPeriod(table, dataset)
  if (requested === '15m' || requested === '30m') return requested
  const { codes, words: list } = dictionaryToRead(table, 'trademin')
  return list.some((minute, code) => /(15|45)$/.test(minute) && codes.includes(code)) ? '15m' : '30m'
}

/** What a bond's day is compared in. */
const dailyColumns = ['tradedate', 'code', 'open', 'high', 'low', 'close', 'vol', 'amount'] as const

/** Runs of a check over each table of minute bars, named by their period. */
export function runBars(
  tables: CheckTables,
  dataset: MinuteDataset,
  check: (table: Table) => CheckResult<string>,
): CheckRun[] {
  return nonEmptyTables(tables, dataset).map((table) => {
    const period = periodOf(table, dataset)
    return { label: period === 'both' ? dataset : `${dataset}, ${period}`, result: check(table) }
  })
}

/** Minute bars by themselves. */
export function barsCheck(dataset: MinuteDataset): Check {
  return {
    ...judgedBars,
    summary: 'each bar by itself and in its place',
    dataset,
    rule: 'Each bar by itself and in its place: volume and turnover are not negative, open, close and the own average price lie between low and high, as far as volumes in whole lots tell, no bar of the day is missing or is a duplicate, and each closes at a bucket of its period on a trading day, with its time in the bucket.',
    confirmedAs: 'without contradiction',
    partial: true,
    runs: (tables) => runBars(tables, dataset, (table) => checkBars(table, { dataset })),
  }
}

/** Tables of the two periods, the first of one with the first of the other and so on, as CheckTables has them; a table that holds both is a pair by itself. */
function periodPairs(tables: CheckTables): readonly (readonly [Table, Table])[] {
  const byPeriod = groupItems(nonEmptyTables(tables, 'etf_minute'), (table) => periodOf(table, 'etf_minute'))
  const long = byPeriod.get('30m') ?? []
  const pairs = (byPeriod.get('15m') ?? []).slice(0, long.length).map((short, i) => [short, long[i] as Table] as const)
  return [...pairs, ...(byPeriod.get('both') ?? []).map((table) => [table, table] as const)]
}

/** Bars of 15 against bars of 30 minutes. */
export const periodsCheck: Check = {
  ...judgedPeriods,
  summary: 'bars of 30 minutes against their bars of 15',
  dataset: 'etf_minute',
  alsoNeeds: ['etf_minute'],
  rule: 'Each bar of 30 minutes is made of its bars of 15: volume and turnover are their sums, open the first, close the last, high the greatest, low the least, and the average price of the day is the same at the same close.',
  confirmedAs: 'made of their bars of 15 minutes',
  runs: (tables) =>
    periodPairs(tables).map(([short, long]) => ({
      label: sentence`${'etf_minute, 15m'} and ${'30m'}`,
      result: comparePeriods(short, long),
    })),
}

/** Minute bars of bonds against their daily quotes. */
export const dayCheck: Check = {
  ...judgedDay,
  summary: 'bars of a bond against its daily quote',
  dataset: 'convertible_daily',
  alsoNeeds: ['convertible_minute'],
  rule: 'The minute bars of a bond make its day: their volumes and turnovers add up to those of the daily quote, and open, high, low and close are the first, greatest, least and last of their prices.',
  confirmedAs: 'made of their minute bars',
  runs: (tables) => {
    const daily = nonEmptyTables(tables, 'convertible_daily')
    if (daily.length === 0) return []
    const quotes = concat(daily.map((table) => select(table, ...dailyColumns)))
    const of = 'convertible_daily, convertible_minute'
    return nonEmptyTables(tables, 'convertible_minute').map((bars) => ({ label: of, result: compareDay(bars, quotes) }))
  },
}
