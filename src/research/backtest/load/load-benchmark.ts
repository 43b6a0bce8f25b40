import type { Table } from 'apache-arrow'
import { indexNames } from '../../../contract/catalogue/theme-daily.js'
import { invalid, misuse, QuotebookError } from '../../../contract/error.js'
import { nameHint } from '../../../contract/nearest.js'
import { sentence } from '../../../contract/sentence.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { filter } from '../../../frame/verb/filter.js'
import type { Market } from '../../../market.js'
import type { AccountCurve } from '../../analysis/performance/return-series.js'
import { adjustedPrices, lastOfDays } from '../forward-returns.js'
import type { Panel } from '../panel.js'
import { toldTable } from '../told-table.js'

/** A curve that an account is compared with, and what it is. */
export interface RunBenchmark extends AccountCurve {
  readonly name: string
  readonly equity: Float64Array
}

/** The vendor's index of the class that most instruments are of: equal weights of all bonds, of all funds, or of all shares. */
export function usualBenchmark({ instruments }: Panel): string {
  const share = (word: string): number => instruments.filter(({ kind }) => kind.includes(word)).length
  const half = instruments.length / 2
  if (share('bond') > half) return '可转债'
  return share('ETF') > half ? 'ETF等权' : '全A等权'
}

/** The days of an account, and the one before them where there is one. */
function benchmarkDays({ days, begin }: Panel): readonly string[] {
  return days.slice(Math.max(0, begin - 1))
}

/**
 * Builds a benchmark from a table of your own: a row a day, with a column of days (`tradedate`, `日期`) and one of levels
 * (`close`, `收盘价`).
 * @throws QuotebookError MISSING_COLUMN, INVALID_VALUE for a day without a level, or two rows of one day
 */
export function benchmarkOfTable(table: Table, name: string, panel: Panel): RunBenchmark {
  const own = toldTable(table, { tradedate: 'date', close: 'number' })
  if (!has(own, 'tradedate') || !has(own, 'close'))
    throw new QuotebookError(
      'MISSING_COLUMN',
      sentence`benchmark ${name}: it has a row a day, with columns tradedate (YYYYMMDD) and close`,
    )
  const levels = new Map<string, number>()
  const closes = numbers(own, 'close')
  strings(own, 'tradedate').forEach((day, row) => {
    const date = day ?? ''
    if (levels.has(date)) throw invalid(sentence`benchmark ${name}: two rows of ${date}`)
    levels.set(date, closes[row] as number)
  })
  return curveOf(levels, name, panel)
}

/** @throws QuotebookError INVALID_VALUE for a day of the account without a level */
function curveOf(levels: ReadonlyMap<string, number>, name: string, panel: Panel): RunBenchmark {
  const wanted = benchmarkDays(panel)
  const account = panel.days.slice(panel.begin)
  const lacking = account.filter((day) => !((levels.get(day) ?? Number.NaN) > 0))
  if (lacking.length > 0) {
    const more = lacking.length > 3 ? sentence` and ${lacking.length - 3} more days` : ''
    throw invalid(sentence`benchmark ${name}: no level on ${lacking.slice(0, 3).join(', ')}${more}`)
  }
  const days = wanted.filter((day) => (levels.get(day) ?? Number.NaN) > 0)
  return { name, days, equity: Float64Array.from(days, (day) => levels.get(day) as number) }
}

/** The last close of each day of an instrument, without ex-rights where the panel has `pre_close`. */
function levelsOfInstrument(panel: Panel, symbol: number): Map<string, number> {
  let last = Number.NaN
  const closes = lastOfDays(panel, adjustedPrices(panel, 'close'), symbol)
  return new Map(
    panel.days.map((day, at) => {
      if (!Number.isNaN(closes[at])) last = closes[at] as number
      return [day, last]
    }),
  )
}

/**
 * Loads the benchmark of a panel: one of the vendor's indices by its name or code (`可转债`, `880047`), or an instrument
 * of the panel by its code, a much traded ETF also by its name if only one fits.
 * @throws QuotebookError USAGE for a name that is neither, with the nearest match; INVALID_VALUE if days of the account
 * have no level
 */
export async function loadBenchmark(
  market: Market,
  panel: Panel,
  asked = usualBenchmark(panel),
): Promise<RunBenchmark> {
  const place = panel.symbols.indexOf(asked)
  if (place >= 0) return curveOf(levelsOfInstrument(panel, place), asked, panel)
  const isCode = /^88\d{4}$/.test(asked)
  if (!isCode && !indexNames.includes(asked)) {
    const named = await market.find(asked, { dataset: 'etf_minute' })
    const [fund = -1, ...others] = named.map(({ code }) => panel.symbols.indexOf(code)).filter((one) => one >= 0)
    if (fund >= 0 && others.length === 0) return curveOf(levelsOfInstrument(panel, fund), asked, panel)
    const right = sentence`an index (${indexNames.join(', ')}) or a code of the prices`
    const hint = nameHint(asked, [...indexNames, ...panel.symbols], right)
    throw misuse(sentence`benchmark: nothing is named '${asked}'; ${hint}`)
  }
  const days = benchmarkDays(panel)
  const span = { from: days[0] as string, to: days.at(-1) as string }
  const fields = ['tradedate', 'symbol', 'name', 'close'] as const
  const table = await market.query('theme_daily', { type: 'tj' }, { days: span, fields })
  const own = filter(table, ({ name, symbol }) => (isCode ? symbol : name) === asked)
  return benchmarkOfTable(own, strings(own, 'name').at(-1) ?? asked, panel)
}
