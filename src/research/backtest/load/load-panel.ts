import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../../contract/calendar.js'
import { allDatasets, type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { dateOf, dayNumber, writtenDate } from '../../../contract/date.js'
import { invalid, misuse, QuotebookError } from '../../../contract/error.js'
import { nameHint } from '../../../contract/nearest.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import type { Data } from '../../../frame/data.js'
import { dictionaryToRead, strings, toObjects, usedWords } from '../../../frame/read-columns.js'
import { described } from '../../../frame/table/shape.js'
import type { LoadOptions, Market } from '../../../market.js'
import type { TermsOf } from '../bond-terms.js'
import { panel } from '../make-panel.js'
import type { Panel } from '../panel.js'
import type { Grid, TrialParams } from '../sweep-grid.js'
import type { TextName } from '../text-columns.js'
import { type DataJoin, dataKinds, type NumberField, type StrategyData, type TextField } from './strategy-file.js'
import { type SweptJoin, sweptTables, variantsOf } from './swept-joins.js'

/** Days of a run; what is not given is what the source has. */
export interface RunDays {
  /** First day of the account, `YYYYMMDD`. Needed of a service over HTTP, which does not tell its first day. */
  readonly from?: string | undefined
  /** Last day, `YYYYMMDD`. */
  readonly to?: string | undefined
  /** Params that the tables of `join` are made with. */
  readonly params?: TrialParams | undefined
  /** Of params that a sweep tries, all values: the panel then has the joined columns of each combination, and `sweep` and `walkForward` give each trial its own. */
  readonly sweep?: Grid | undefined
}

/** The loaded prices of a strategy. */
export interface LoadedPanel<C extends string = string> {
  /** Its accounts begin on the first day of the run. */
  readonly panel: Panel<C>
  /** Names of instruments by code, as far as the data has them. */
  readonly names: Readonly<Record<string, string>>
}

type OnProgress = LoadOptions['onProgress']

function priceDataset(name: string): Dataset {
  const dataset = datasetOf(name)
  if (dataset.day !== undefined && dataset.columns['close'] && dataset.columns['open']) return dataset
  const those = allDatasets().flatMap((one) => ('open' in one.columns ? [one.name] : []))
  throw misuse(sentence`data: ${name} has no prices; those that have are ${those.join(', ')}`)
}

/** First and last day that an archive has of a dataset; of a service the last one alone. */
async function daysOfSource(
  market: Market,
  dataset: Dataset,
  params: object,
): Promise<{ readonly first?: string | undefined; readonly last?: string | undefined }> {
  const day = dataset.day as string
  if (market.archive) {
    const rows = toObjects(await market.status()).filter((row) => row['dataset'] === dataset.name)
    const days = rows.flatMap((row) => [row['first'], row['last']]).filter((one) => typeof one === 'string')
    days.sort()
    return { first: days[0], last: days.at(-1) }
  }
  const [last] = strings(await market.query(dataset.name, params, { fields: [day] }), day)
  return { last: last ?? undefined }
}

function plainDay(name: 'from' | 'to', day: string | undefined): string | undefined {
  const date = writtenDate(day)
  if (day === undefined || date !== undefined) return date
  throw misuse(sentence`${name} is a day YYYYMMDD, not ${described(day)}`)
}

/** Trading days before one, the first of so many. */
function daysBefore(day: string, count: number): string {
  const earlier = noticedCalendar.between(dateOf(dayNumber(day) - 2 * count - 40), day).filter((one) => one < day)
  return count === 0 ? day : (earlier.slice(-count)[0] ?? day)
}

function historyOf({ history, dataset, bars }: StrategyData): number {
  const { columns, knownAt } = datasetOf(dataset)
  const usual = bars === undefined && ('trademin' in columns || 'minute' in knownAt) ? 20 : 250
  if (history === undefined) return usual
  if (Number.isInteger(history) && history >= 0) return history
  throw misuse(sentence`data: history is a whole number of trading days, from 0, not ${described(history)}`)
}

/** All codes, and the params that a dataset takes one value for. */
function allParams(dataset: Dataset, given: object): Record<string, unknown> {
  const { symbols, type } = dataset.params
  return {
    ...(dataset.params['trademin'] && symbols && { symbols: 'all' }),
    ...(type?.required && type.values?.length === 1 && { type: type.values[0] }),
    ...given,
  }
}

function numberColumns(dataset: Dataset, asked: readonly string[] | undefined): readonly string[] {
  const all = Object.entries(dataset.columns).flatMap(([name, { kind }]) => (kind === 'number' ? [name] : []))
  const wrong = asked?.find((name) => !all.includes(name))
  if (wrong === undefined) return asked ?? all
  if (dataset.columns[wrong]) throw misuse(sentence`data: '${wrong}' of ${dataset.name} is a text; name it in texts`)
  const what = sentence`data: ${dataset.name} has no column of numbers '${wrong}'`
  throw new QuotebookError('MISSING_COLUMN', sentence`${what}; ${nameHint(wrong, all)}`)
}

/** @throws QuotebookError MISSING_COLUMN for a name that is not that of a column of texts */
function refuseNoTexts(dataset: Dataset, asked: readonly string[]): void {
  const all = Object.entries(dataset.columns).flatMap(([name, { kind }]) => (kind === 'number' ? [] : [name]))
  const wrong = asked.find((name) => !all.includes(name))
  if (wrong === undefined) return
  const what = sentence`data: ${dataset.name} has no column of texts '${wrong}'`
  throw new QuotebookError('MISSING_COLUMN', sentence`${what}; ${nameHint(wrong, all)}`)
}

async function joined(
  { market, all }: { readonly market: Market; readonly all: Market },
  join: DataJoin,
  days: { readonly from: string; readonly to: string },
  { params: trial = {}, sweep = {} }: Pick<RunDays, 'params' | 'sweep'>,
  onProgress: OnProgress,
): Promise<SweptJoin> {
  const year = { from: dateOf(dayNumber(days.from) - 366), to: days.to }
  if ('data' in join) {
    const tables = await sweptTables((own) => join.data(market, join.asOf ? year : days, own), trial, sweep)
    return { join: { ...join, data: tables[0]?.data as Data }, tables }
  }
  const { dataset: name, params = {}, ...rest } = join
  const dataset = datasetOf(name)
  const { first = year.from } = join.asOf && dataset.day && all.archive ? await daysOfSource(all, dataset, params) : {}
  const from = join.asOf && first < days.from ? first : days.from
  const dated = dataset.day === undefined ? {} : { days: { from, to: days.to } }
  const data = await market.query(name, allParams(dataset, params), { ...dated, onProgress })
  return { join: { ...rest, data }, tables: [] }
}

/** The last name of each code. */
function namesIn(table: Table, dataset: Dataset): Record<string, string> {
  const code = dataset.columns['code'] ? 'code' : (dataset.params['symbols']?.columns?.[0] ?? 'symbol')
  if (!dataset.columns['name']) return {}
  const [codes, names] = [dictionaryToRead(table, code), dictionaryToRead(table, 'name')]
  const last = new Map<number, number>()
  codes.codes.forEach((word, row) => {
    const name = names.codes[row] as number
    if (codes.words[word] && names.words[name]) last.set(word, name)
  })
  return Object.fromEntries([...last].map(([word, name]) => [codes.words[word] as string, names.words[name] as string]))
}

/** Names of bonds whose bars have none, of the last day that has daily rows. */
async function namesOf(market: Market, table: Table, dataset: Dataset, to: string): Promise<Record<string, string>> {
  if (dataset.name !== 'convertible_minute') return namesIn(table, dataset)
  const daily = datasetOf('convertible_daily')
  const days = { from: daysBefore(to, 5), to }
  return namesIn(await market.query(daily.name, {}, { days, fields: ['code', 'name'] }), daily)
}

/** Days of a run, and of its data with what comes before them. */
async function spanOf(
  market: Market,
  dataset: Dataset,
  run: RunDays,
  { params, history }: { readonly params: object; readonly history: number },
): Promise<{ readonly from: string; readonly days: { readonly from: string; readonly to: string } }> {
  const { name } = dataset
  const isKnown = run.to !== undefined && run.from !== undefined && !market.archive
  const known = isKnown ? {} : await daysOfSource(market, dataset, params)
  const [from, to] = [run.from ?? known.first, run.to ?? known.last]
  if (to === undefined) throw invalid(sentence`data: ${market.source.name} has no rows of ${name}`)
  if (from === undefined)
    throw misuse(
      sentence`data: say the first day: ${market.source.name} does not tell which day of ${name} is its first`,
    )
  if (from > to && run.to === undefined)
    throw misuse(sentence`data: from ${from} is later than to ${to}, the last day of the source`)
  if (from > to) throw misuse(sentence`data: from ${from} is later than to ${to}`)
  const before = daysBefore(from, history)
  const { first = before } = known
  return { from, days: { from: before < first ? ([first, from].sort()[0] as string) : before, to } }
}

/** The first day after the last time that a month or more had no row: an archive may have single days of long ago. */
function firstDayIn(table: Table, dataset: Dataset): string {
  const column = dictionaryToRead(table, dataset.day as string)
  const used = usedWords(column)
  const days = column.words.filter((_, word) => used[word] === 1).sort()
  const follows = (day: string, at: number): boolean =>
    at > 0 && dayNumber(day) - dayNumber(days[at - 1] as string) > 31
  return days.findLast(follows) ?? (days[0] as string)
}

/**
 * Loads the prices that a strategy declares, with the columns joined to them, from some trading days before its first
 * day up to its last. Without a first day it starts at the first day of the source; if a month or more has no rows, at
 * the first day after that gap.
 * @throws QuotebookError USAGE for data without prices, invalid days, or no first day if the source cannot give one;
 * MISSING_COLUMN; what `market.query` and `panel` throw
 */
export async function loadPanel<
  const N extends DatasetName,
  const C extends NumberField<N> = NumberField<N>,
  const J extends string = never,
  T extends Data = never,
  const S extends TextField<N> = never,
  const X extends string = never,
>(
  market: Market,
  data: StrategyData<N, C, J, T, S, X>,
  given: RunDays = {},
  onProgress?: OnProgress,
): Promise<LoadedPanel<C | J | TermsOf<T> | TextName<S | X>>> {
  checkOptions<StrategyData>(data as StrategyData, dataKinds, sentence`data of a strategy`)
  const kinds = { from: 'any', to: 'any', params: 'an object', sweep: 'an object' } as const
  const { from: firstDay, to, params: trial, sweep } = checkOptions<RunDays>(given, kinds, sentence`days of a run`)
  const run = { from: plainDay('from', firstDay), to: plainDay('to', to), params: trial, sweep }
  const { dataset: name, params = {}, columns, history: _, join = [], st, ...options } = data
  const dataset = priceDataset(name)
  const asked = allParams(dataset, params)
  const wanted = numberColumns(dataset, columns)
  refuseNoTexts(dataset, data.texts ?? [])
  const { from, days } = await spanOf(market, dataset, run, { params: asked, history: historyOf(data as StrategyData) })
  const table = await market.query(name, asked, { days, onProgress })
  const first = run.from === undefined && table.numRows > 0 ? firstDayIn(table, dataset) : from
  if (first > from) return loadPanel(market, data, { ...run, from: first }, onProgress)
  const seen = run.to === undefined ? market : market.until(run.to)
  const joins: SweptJoin[] = []
  for (const one of join) joins.push(await joined({ market: seen, all: market }, one, days, run, onProgress))
  const marks = st ? { st: await market.query('st', {}, { days, onProgress }) } : {}
  const tables = joins.map((one) => one.join)
  const made = panel(table, { ...options, ...marks, columns: wanted, join: tables, from } as never) as unknown as Panel
  const swept = joins.filter((one) => one.tables.length > 1)
  const variants = swept.length ? variantsOf(made, swept, options.withoutHistory ?? []) : undefined
  const whole: unknown = variants ? made.withColumns(made.cols, { variants }) : made
  return {
    panel: whole as Panel<C | J | TermsOf<T> | TextName<S | X>>,
    names: await namesOf(market, table, dataset, days.to),
  }
}
