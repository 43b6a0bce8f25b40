import { indexNames } from '../../../contract/catalogue/theme-daily.js'
import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { dayNumber } from '../../../contract/date.js'
import type { Words } from '../../../contract/sentence.js'
import { codeMatcher } from '../../../contract/symbol.js'
import type { Proof } from '../../../frame/table/provenance.js'
import type { ColumnData } from '../../../frame/table/values.js'
import { type Asked, symbolColumn } from '../plan/asked.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import type { QueryRange } from '../plan/query-range.js'
import { codeLookup } from '../reply/join-replies.js'
import { distinctValues, type ReplyChunk } from '../reply/reply-chunk.js'
import { UnsentCloses } from './unsent-closes.js'

/** What a reply holds, counted. */
export interface ReplyCounts {
  readonly rows: number
  /** Bytes of the reply, and of one of its rows. */
  readonly bytes: number
  readonly perRow: number
  /** Codes of the rows. */
  readonly symbols: readonly string[]
  /** Days of the rows, ascending. */
  readonly days: readonly string[]
  /** Rows of each day. */
  readonly perDay: ReadonlyMap<string, number>
  /** Whether a code that was asked for has a row. */
  readonly isThere: (code: string) => boolean
}

/** The reply to a range, and what shows that it is complete or why that is not known. */
export interface RangeReply {
  readonly range: QueryRange
  readonly chunk: ReplyChunk
  readonly counts: ReplyCounts
  /** Rows are missing, or may be, which can not be asked for. */
  readonly truncated?: Words
  /** Why nothing shows that no row is missing. */
  readonly unproven?: Words
  /** What shows that no row is missing. */
  readonly proof?: Proof
}

/** Calendar days from the first of some days to the last, both included. */
function calendarSpan(days: readonly string[]): number {
  const [first, last] = [days[0], days.at(-1)]
  return first === undefined || last === undefined ? 0 : dayNumber(last) - dayNumber(first) + 1
}

/** Rows with each word of a text column; none where there is no such column. */
function countWords(values: ColumnData | undefined): Map<string, number> {
  if (values?.type !== 'dictionary') return new Map()
  const { data, dictionary } = values
  const counts = new Int32Array(dictionary.length)
  for (const code of data) if (code >= 0) counts[code] = (counts[code] as number) + 1
  return new Map(dictionary.flatMap((word, code) => (counts[code] ? [[word, counts[code]]] : [])))
}

/** Rows that count against the limit: in the view `source`, those of the source with the most of them. */
export function limitedRows({ columns }: ReplyChunk, query: Query): number {
  const sources = query.view === 'source' ? columns.columns.get('source') : undefined
  if (sources?.type !== 'dictionary') return columns.length
  return [...countWords(sources).values()].reduce((most, one) => Math.max(most, one), 0)
}

export function countReply(dataset: Dataset, query: Query, chunk: ReplyChunk): ReplyCounts {
  const { columns } = chunk
  const perDay = countWords(columns.columns.get(dataset.day ?? ''))
  const symbols = distinctValues(columns, symbolColumn(dataset) ?? '')
  const { bytes = 0 } = chunk
  return {
    rows: limitedRows(chunk, query),
    bytes,
    perRow: bytes / Math.max(1, columns.length),
    symbols,
    days: [...perDay.keys()].sort(),
    perDay,
    isThere: codeLookup(symbols),
  }
}

/**
 * How much the replies of one operation have held at once. A cap that does not change can't be smaller than that: whatever
 * stays below it was not cut.
 */
export class ObservedSizes {
  /** Rows of the largest reply. */
  rows = 0
  /** Bytes of the largest reply. */
  bytes = 0
  /** Codes of those that were asked for by name. */
  codes = 0
  /** Codes where none were named. */
  market = 0
  /** Days of a range, and the calendar days from the first to the last. */
  days = 0
  span = 0
  /** The first and the last day that have rows. */
  ends: readonly string[] = []
  /** Rows at which a reply was found cut. */
  cap = Number.POSITIVE_INFINITY
  /** Most rows of one day. */
  daily = 1
  /** Codes of the whole market that a larger request did not exceed: asking again is of no use. */
  readonly unexceeded = new Set<number>()
  /** Closes of which the service sends no bar. */
  readonly unsent = new UnsentCloses()

  add({ symbols }: QueryRange, counts: ReplyCounts): void {
    this.rows = Math.max(this.rows, counts.rows)
    this.bytes = Math.max(this.bytes, counts.bytes)
    this.days = Math.max(this.days, counts.days.length)
    const known = [...this.ends, ...counts.days].sort()
    this.ends = known.length === 0 ? [] : [known[0] as string, known.at(-1) as string]
    this.span = Math.max(this.span, calendarSpan(counts.days))
    this.daily = Math.max(this.daily, ...counts.perDay.values())
    if (!symbols) this.market = Math.max(this.market, counts.symbols.length)
    else {
      const named = Math.min(symbols.filter(counts.isThere).length, counts.symbols.filter(codeMatcher(symbols)).length)
      this.codes = Math.max(this.codes, named)
    }
  }

  /** Whether a reply is as large as any: what cuts by bytes leaves less room than a row takes. */
  isLargest({ rows, bytes, perRow }: ReplyCounts): boolean {
    return rows >= this.rows || (bytes > 0 && bytes + 2 * perRow >= this.bytes)
  }

  /** Whether a reply is larger than one that was found cut: what keeps rows back is no cap that does not change. */
  get isUneven(): boolean {
    return this.rows > this.cap
  }

  /** Whether a request for so many named codes leaves none of them out. */
  answersCodes(count: number): boolean {
    return count <= Math.max(1, this.codes)
  }

  /** Whether a request for these days leaves none of them out. */
  answersDays(days: readonly string[]): boolean {
    return days.length <= 1 || (days.length <= this.days && calendarSpan(days) <= this.span)
  }

  /** Some of a list of days as runs of neighbours that a request answers, in order. */
  runs(days: readonly string[], isMissing: (day: string) => boolean): (readonly string[])[] {
    const out: string[][] = []
    let last: string[] | undefined
    for (const day of days) {
      if (!isMissing(day)) last = undefined
      else if (last && this.answersDays([...last, day])) last.push(day)
      else {
        last = [day]
        out.push(last)
      }
    }
    return out
  }
}

/** Rows of a day of all codes, where there can be no more than these: one, ten of each channel, the indices in use. */
export function mostOfDay({ name, key, day }: Dataset, { market_type: channels }: Query): number | undefined {
  if (key.length === 1 && key[0] === day) return 1
  if (name === 'theme_daily') return indexNames.length
  if (name === 'southbound_top10') return 10 * (Array.isArray(channels) ? new Set(channels).size : 2)
  return undefined
}

/** A day of a reply without codes that has rows of a list, and not all of it: ten of each channel. */
export function oddDay({ name }: Dataset, { perDay }: ReplyCounts): string | undefined {
  return name === 'southbound_top10' ? [...perDay].find(([, rows]) => rows % 10 !== 0)?.[0] : undefined
}

/** Rows of a day of so many codes, where there can be no more than these. */
function mostOfCodes({ dataset, asked }: PlannedQuery, codes: number): number | undefined {
  const { key, day, columns } = dataset
  if (columns.trademin) return codes * (asked.closes?.length ?? 1)
  const isOne = key.length === 2 && symbolColumn(dataset) !== undefined && day !== undefined
  return isOne && key.includes(day) ? codes : undefined
}

/** What shows that a reply holds all rows that there can be; undefined when some of them are not there. */
export function proofByCount(planned: PlannedQuery, { codes, days }: Asked, counts: ReplyCounts): Proof | undefined {
  const { dataset, query } = planned
  const { rows, symbols, perDay } = counts
  if (dataset.shape === 'object' && rows === 1) return 'total'
  if (query.recentdays !== undefined) return rows === Number(query.recentdays) ? 'calendar' : undefined
  if (Array.isArray(query.theme_symbols) && query.symbols === undefined) {
    return rows === new Set(query.theme_symbols).size ? 'grid' : undefined
  }
  if (!days) return undefined
  const daily = codes ? mostOfCodes(planned, codes.length) : mostOfDay(dataset, query)
  if (daily === undefined || rows !== daily * days.length) return undefined
  if (codes && rows > 0 && (symbols.length !== codes.length || !codes.every(counts.isThere))) return undefined
  if (!days.every((day) => (perDay.get(day) ?? 0) === daily)) return undefined
  return dataset.columns.trademin ? 'grid' : 'calendar'
}
