import { calendarYears } from '../../../contract/calendar.js'
import { newsSources } from '../../../contract/catalogue/news.js'
import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { beijingMoment, dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { ContractError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { codeMatcher, type Exchange, parseCode, spelled } from '../../../contract/symbol.js'
import { lostDigits } from '../../../frame/table/lost-digits.js'
import { type ColumnData, cellOf, type RecordColumns, type Text } from '../../../frame/table/values.js'
import { type QueryDays, queryDays } from '../plan/asked.js'
import type { QueryRange } from '../plan/query-range.js'
import { distinctValues, type ReplyChunk } from './reply-chunk.js'

/** What every row of a reply must be of, because it was asked for. */
interface Expectation {
  readonly column: string
  readonly test: (word: string) => boolean
  readonly expected: string
}

/** By list: the ranges of many days share theirs. */
const listTests = new WeakMap<readonly string[], (word: string) => boolean>()

function testOf(values: readonly string[], isCode: boolean): (word: string) => boolean {
  const known = listTests.get(values)
  if (known) return known
  const words = new Set(values)
  const test = isCode ? codeMatcher(values) : (word: string): boolean => words.has(word)
  listTests.set(values, test)
  return test
}

function ofList(column: string, values: readonly string[], isCode: boolean): Expectation {
  const expected = values.length > 3 ? `${values.slice(0, 3).join(', ')} …` : values.join(', ')
  return { column, test: testOf(values, isCode), expected }
}

/** The trading day after one; where the calendar does not know the year, any of the weekdays that it may be. */
function nextDays(day: string): readonly string[] {
  const first = dayNumber(day) + 1
  const days = daysBetween(dateOf(first), dateOf(first + 15))
  const isKnown = Number(days[0]?.slice(0, 4)) <= calendarYears[1] && Number(day.slice(0, 4)) >= calendarYears[0]
  return isKnown ? days.slice(0, 1) : days
}

/** Words within two ends, either of which may be open; none where both are. `dateIn`: what of a word is compared. */
function ofInterval(
  column: string,
  from: string | undefined,
  to: string | undefined,
  dateIn = (word: string): string => word,
): Expectation[] {
  if (from === undefined && to === undefined) return []
  const test = (word: string): boolean => {
    const date = dateIn(word)
    return (from === undefined || date >= from) && (to === undefined || date <= to)
  }
  return [{ column, test, expected: `${from ?? '…'} to ${to ?? 'the latest'}` }]
}

/** Days: one, a range with or without ends, or none; a candidate may also be of the day after the one asked. */
function ofDays(dataset: Dataset, { day, from, to }: QueryDays): Expectation[] {
  const column = dataset.day
  if (column === undefined) return []
  if (day !== undefined) {
    const next = dataset.stored?.computed_on ? nextDays(day) : []
    return [{ column, test: (word) => word === day || next.includes(word), expected: day }]
  }
  return ofInterval(column, from, to)
}

function ofBuckets({ period, trademin }: Query): Expectation[] {
  if (typeof trademin === 'string')
    return [{ column: 'trademin', test: (word) => word === trademin, expected: trademin }]
  if (period !== '15m' && period !== '30m') return []
  const closes = bucketCloses[period]
  return [{ column: 'trademin', test: (word) => closes.includes(word), expected: `a bucket of ${period}` }]
}

function ofParams(dataset: Dataset, query: Query, range: QueryRange): Expectation[] {
  return Object.entries(dataset.params).flatMap(([name, { role, kind, columns }]) => {
    const value = name === 'symbols' && range.symbols ? range.symbols : query[name]
    const [column] = columns ?? []
    const isOfAll = name === 'symbols' && range.symbols?.length === 0
    if (value === undefined || isOfAll || column === undefined || role === 'search') return []
    if (kind === 'minute' || dataset.columns[column]?.kind === 'texts') return []
    return [ofList(column, Array.isArray(value) ? value : [String(value)], kind === 'codes')]
  })
}

/** A source that the contract does not know is no fault, as long as none was asked for by name. */
function ofSources({ sources }: QueryRange): Expectation[] {
  return sources && sources.length < newsSources.length ? [ofList('source', sources, false)] : []
}

/** The date of a moment, `YYYYMMDD`. */
function dateOfMoment(moment: string): string {
  return moment.slice(0, 10).replaceAll('-', '')
}

/** Announcements disclosed within some days, or up to a moment: what came later must not be seen. */
function ofDisclosure(dataset: Dataset, { ann_startdate: from, ann_enddate, as_of }: Query): Expectation[] {
  if (!dataset.params.ann_startdate) return []
  const known = typeof as_of === 'string' ? dateOfMoment(as_of) : undefined
  const [to] = [ann_enddate, known].filter((end) => typeof end === 'string').sort()
  const start = from === undefined ? undefined : String(from)
  return ofInterval('event_date', start, to, (word) => dateOfMoment(beijingMoment(word) ?? ''))
}

function expectations(dataset: Dataset, query: Query, range: QueryRange): Expectation[] {
  const days = ofDays(dataset, queryDays(dataset, query, range))
  const bars = dataset.columns.trademin ? ofBuckets(query) : []
  return [...days, ...bars, ...ofParams(dataset, query, range), ...ofSources(range), ...ofDisclosure(dataset, query)]
}

/** The first row with a word that fails, or undefined. A dictionary is asked once for each word. */
function firstOther(values: ColumnData, length: number, test: (word: string) => boolean): number | undefined {
  if (values.type === 'dictionary') {
    const isWrong = values.dictionary.map((word) => !test(word))
    if (!isWrong.includes(true)) return undefined
    const row = values.data.findIndex((code) => code >= 0 && isWrong[code] === true)
    return row < 0 ? undefined : row
  }
  if (values.type !== 'string' && values.type !== 'int') return undefined
  for (let row = 0; row < length; row++) {
    const cell = values.data[row]
    if (cell !== null && cell !== undefined && !test(String(cell))) return row
  }
  return undefined
}

/** What breaks the contract, and in which row. */
interface Violation {
  readonly message: Words
  readonly field: string | undefined
  readonly row: number
}

/** How many days an answer may have: all, so many as were asked for, or the latest alone. */
function mostDays(dataset: Dataset, dated: QueryDays): number {
  if (dataset.day === undefined) return Number.POSITIVE_INFINITY
  if (dated.recent !== undefined) return dated.recent
  if (dated.day === undefined && !dated.isLatest) return Number.POSITIVE_INFINITY
  return dataset.stored?.computed_on ? 2 : 1
}

/** A question about the latest day, or the latest few, has no more of them; candidates bring one day of forecasts along. */
function checkDays(dataset: Dataset, query: Query, { columns }: ReplyChunk, range: QueryRange): Violation | undefined {
  const most = mostDays(dataset, queryDays(dataset, query, range))
  const days = distinctValues(columns, dataset.day ?? '')
  if (days.length <= most) return undefined
  const { data, dictionary } = columns.columns.get(dataset.day as string) as Text
  const expected = most === 1 ? sentence`one day was` : sentence`${most} days were`
  const list = days.length > 5 ? `${days.slice(0, 5).join(', ')} …` : days.join(', ')
  return {
    message: sentence`the rows are of ${days.length} days (${list}) where ${expected} asked for`,
    field: dataset.day,
    row: data.indexOf(dictionary.indexOf(days[most] as string)),
  }
}

/** Every close of 30 minutes is one of 15 minutes too: bars of the longer period show by the closes that they lack. */
function checkPeriod(dataset: Dataset, { period, trademin }: Query, { columns }: ReplyChunk): Violation | undefined {
  if (!dataset.columns.trademin || period !== '15m' || trademin !== undefined) return undefined
  const closes = distinctValues(columns, 'trademin')
  if (closes.length < 3 || closes.some((close) => !bucketCloses['30m'].includes(close))) return undefined
  const list = closes.slice(0, 3).join(', ')
  const message = `trademin: the bars are of 30 minutes (${list} …) where 15m was asked for`
  return { message, field: 'trademin', row: 0 }
}

/**
 * The time of a bar lies in its bucket, whose closing minute counts as a whole: a closing auction is printed in it. The first
 * bucket holds all that was before.
 */
function checkTimes(_: Dataset, { period }: Query, { columns }: ReplyChunk): Violation | undefined {
  const [closes, times] = [columns.columns.get('trademin'), columns.columns.get('time')]
  if (closes?.type !== 'dictionary' || times?.type !== 'dictionary') return undefined
  if (period !== '15m' && period !== '30m') return undefined
  const ends = bucketCloses[period]
  const minutes = times.dictionary.map((time) => time.slice(0, 2) + time.slice(3, 5))
  for (let row = 0; row < columns.length; row++) {
    const close = closes.dictionary[closes.data[row] as number] as string
    const minute = minutes[times.data[row] as number] as string
    if (minute <= close && minute >= (ends[ends.indexOf(close) - 1] ?? '')) continue
    const wrong = sentence`time is ${cellOf(times, row)} in the bar of ${period} that closes at ${close}`
    return { message: sentence`row ${row + 1}: ${wrong}`, field: 'time', row }
  }
  return undefined
}

/** A list of codes that was asked for by some of them holds one of these at least. */
function checkLists(dataset: Dataset, query: Query, { columns }: ReplyChunk): Violation | undefined {
  for (const [name, { columns: [column = ''] = [], kind }] of Object.entries(dataset.params)) {
    const [codes, values] = [query[name], columns.columns.get(column)]
    if (kind !== 'codes' || !Array.isArray(codes) || values?.type !== 'list') continue
    const isMatch = codeMatcher(codes)
    const row = values.data.findIndex((list) => !list?.some(isMatch))
    const message = `row ${row + 1}: ${column} holds none of the codes that were asked for`
    if (row >= 0) return { message, field: column, row }
  }
  return undefined
}

/** Rows of another day, code, bucket, source or time than those asked for. */
function checkRows(dataset: Dataset, query: Query, { columns }: ReplyChunk, range: QueryRange): Violation | undefined {
  for (const { column, test, expected } of expectations(dataset, query, range)) {
    const values = columns.columns.get(column)
    const row = values && firstOther(values, columns.length, test)
    if (row === undefined) continue
    const message = `row ${row + 1}: ${column} is ${cellOf(values as ColumnData, row)} where ${expected} was asked for`
    return { message, field: column, row }
  }
  return undefined
}

/** No number that JSON has rounded. */
function checkDigits(_: Dataset, __: Query, { columns }: ReplyChunk): Violation | undefined {
  return lostDigits(columns)
}

const checks = [checkRows, checkDays, checkPeriod, checkTimes, checkLists, checkDigits]

/**
 * Holds the rows of a reply against what was asked: its days, its codes, its buckets, its lists; and every number is the one that was sent.
 * @throws ContractError naming the row and what it should be of
 */
export function validateReply(dataset: Dataset, query: Query, range: QueryRange, chunk: ReplyChunk): void {
  for (const check of checks) {
    const violation = check(dataset, query, chunk, range)
    if (!violation) continue
    const { message, field, row } = violation
    throw new ContractError(dataset.name, message, { field, row, node: chunk.node })
  }
}

/** The same cells under other words, of which several may have become one. */
function renamed({ data, dictionary: words }: Text, names: readonly string[]): Text {
  const distinct = [...new Set(names)]
  const place = new Map(distinct.map((word, code) => [word, code]))
  const codes = Int32Array.from(words, (_, code) => place.get(names[code] as string) as number)
  return {
    type: 'dictionary',
    dictionary: distinct,
    data: data.map((code) => (code < 0 ? code : (codes[code] as number))),
  }
}

/**
 * A reply with its codes as the contract spells them: a key that comes in two spellings is one, and one series of several
 * replies does not fall apart.
 * @throws ContractError for a code whose spelling can not be told
 */
export function normalizeSpelling(dataset: Dataset, chunk: ReplyChunk): ReplyChunk {
  const of = new Map(chunk.columns.columns)
  for (const [name, values] of of) {
    const spelling = Object.hasOwn(dataset.columns, name) ? dataset.columns[name]?.spelling : undefined
    if (spelling === undefined || values.type !== 'dictionary') continue
    const names = values.dictionary.map((word) => spelled(word, spelling))
    const wrong = names.indexOf(undefined)
    if (wrong >= 0) {
      const row = values.data.indexOf(wrong)
      const right =
        spelling === 'full' ? sentence`a code with its market, like 510300.SH` : sentence`a code without its market`
      const message = sentence`row ${row + 1}: ${name} must be ${right}, not ${JSON.stringify(values.dictionary[wrong])}`
      throw new ContractError(dataset.name, message, { field: name, row, node: chunk.node })
    }
    if (names.some((word, code) => word !== values.dictionary[code])) of.set(name, renamed(values, names as string[]))
  }
  return { ...chunk, columns: { length: chunk.columns.length, columns: of } }
}

/**
 * Where the contract does not say how codes are spelled, no code of the key may come in two ways.
 * @throws ContractError naming both
 */
export function checkSpellings(dataset: Dataset, columns: RecordColumns, key: readonly string[]): void {
  for (const name of key) {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    if (column?.kind !== 'code' || column.spelling !== undefined) continue
    const known = new Map<string, { exchange: Exchange | undefined; word: string }[]>()
    for (const word of distinctValues(columns, name)) {
      const { bare, exchange } = parseCode(word)
      const others = known.get(bare) ?? []
      const same = others.find((other) => !other.exchange || !exchange || other.exchange === exchange)
      if (same) {
        const message = sentence`${name}: ${same.word} and ${word} are one code in two spellings`
        throw new ContractError(dataset.name, message, { field: name })
      }
      known.set(bare, [...others, { exchange, word }])
    }
  }
}
