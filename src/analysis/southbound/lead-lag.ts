import type { Table } from 'apache-arrow'
import { countColumn, numberColumn, tableOf, textColumn } from '../../checks/columns.js'
import { QuotebookError } from '../../contract/error.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { bothOf, correlate, type Estimate } from './correlation.js'
import type { Flows } from './flows.js'
import { readIndex } from './index-quotes.js'
import { channelDays, checkChannel, checkLag, type IndexOptions, joinRead, purposeOf } from './join.js'
import { mainlandDays } from './mainland-days.js'
import { normalQuantile } from './normal.js'

export interface LeadLagOptions extends IndexOptions {
  /** Trading days from the flow to the index. Default -5 to 5. */
  readonly lags?: readonly number[]
}

const usual = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]

/**
 * The correlation of net buys with the change of the index some trading days later, or, below 0, earlier. One row a lag, in
 * the order given.
 *
 * | column                                           | meaning                                                         |
 * |--------------------------------------------------|-----------------------------------------------------------------|
 * | `lag`, `purpose`                                 | trading days from flow to index; `prediction` from 1 on          |
 * | `days`, `effective`                              | days that have both; independent days that say as much          |
 * | `spearman`, `spearman_low`, `spearman_high`      | Spearman's correlation, of the ranks, with its 95 % interval    |
 * | `spearman_all_low`, `spearman_all_high`          | ends that hold for all lags together with 95 % (Bonferroni)      |
 * | `pearson`, `low`, `high`, `all_low`, `all_high`  | the same of the numbers: only for those without heavy tails     |
 *
 * Joined as joinIndex joins, intervals as in flowCorrelation. Of eleven intervals of 95 % one misses by chance almost every second
 * time: who picks the best lag must look at the ends for all lags. Values are null below three days and where one of the two does
 * not vary.
 * @param quotes a table of theme_daily
 * @throws QuotebookError INVALID_VALUE for no lags and a lag given twice, and as joinIndex; MISSING_COLUMN
 */
export function leadLag(flows: Flows, quotes: Table | DataFrame, options: LeadLagOptions): Table {
  const { on, channel = 'both', lags = usual } = options
  checkChannel(channel)
  lags.forEach(checkLag)
  if (lags.length === 0 || new Set(lags).size < lags.length) {
    throw new QuotebookError('INVALID_VALUE', 'lags must hold at least one lag, and each once')
  }
  const own = channelDays(flows, channel)
  const index = readIndex(quotes, on)
  const mainland = mainlandDays(index.traded)
  const together = normalQuantile(1 - 0.025 / lags.length)
  const rows = lags.map((lag) => {
    const both = bothOf(joinRead(flows, own, index, mainland, channel, lag))
    return { days: both.days, ...correlate(both), all: correlate(both, together) }
  })
  type Row = (typeof rows)[number]
  const column = (meaning: string, of: (row: Row) => number | null, unit?: string) =>
    numberColumn(
      unit,
      meaning,
      Float64Array.from(rows, (row) => of(row) ?? Number.NaN),
    )
  const three = (what: string, of: (row: Row) => Estimate) =>
    [
      column(`${what}; -1 to 1.`, (row) => of(row).value),
      column('Lower end of its 95 % interval.', (row) => of(row).low),
      column('Upper end of its 95 % interval.', (row) => of(row).high),
    ] as const
  const pearson = three("Pearson's correlation of net buys and the change of the index", (row) => row.pearson)
  const spearman = three("Spearman's correlation, of the ranks", (row) => row.spearman)
  const [lowest, highest] = ['Lower', 'Upper'].map(
    (end) => `${end} end that holds for all lags together with 95 %.`,
  ) as [string, string]
  return tableOf({
    lag: countColumn('trading day', 'From the day of the flow to that of the index.', Int32Array.from(lags)),
    purpose: textColumn('label', 'prediction: the flow was known before the day of the index.', lags.map(purposeOf)),
    days: countColumn(
      'day',
      'Days that have both numbers.',
      Int32Array.from(rows, ({ days }) => days),
    ),
    effective: column('Independent days that say as much.', (row) => row.pearson.effective, 'day'),
    spearman: spearman[0],
    spearman_low: spearman[1],
    spearman_high: spearman[2],
    spearman_all_low: column(lowest, (row) => row.all.spearman.low),
    spearman_all_high: column(highest, (row) => row.all.spearman.high),
    pearson: pearson[0],
    low: pearson[1],
    high: pearson[2],
    all_low: column(lowest, (row) => row.all.pearson.low),
    all_high: column(highest, (row) => row.all.pearson.high),
  })
}
