import type { Table } from 'apache-arrow'
import type { CacheRule, Dataset } from '../../contract/dataset.js'
import { daysBetween } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { codeMatcher, exchangeOf, parseCode } from '../../contract/symbol.js'
import { symbolColumn } from '../../source/reply/join-replies.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { provenance } from '../../table/provenance.js'
import { columnsOf } from '../../table/unwrap.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { partsIn, plainConditions } from '../answer/day-conditions.js'
import { type Condition, matchingSlice, selectSlices, where } from '../answer/row-conditions.js'
import { emptyColumns, gatherSlice, joinSlices } from '../answer/row-slices.js'
import type { Snapshot } from '../snapshot.js'
import { ArchiveWriter } from '../writer.js'
import {
  type CacheQuery,
  type CacheSplit,
  type CodeGroup,
  cachedDates,
  settledDates,
  spellingOf,
} from './cache-query.js'
import { type DayRanges, datesIn, includes, intersection, rangesOfDays } from './day-ranges.js'

/** The column that the codes of a query are matched with. */
function codeColumn(dataset: Dataset): string {
  return symbolColumn(dataset) ?? ''
}

/** Rows of one scope. Candidates: those of a completed day, no forecasts. */
function inScope({ stored, day }: Dataset, { scope: param }: CacheRule, scope: string): Condition[] {
  const own = param === undefined ? [] : [where(param, (word) => word === scope)]
  if (!stored?.computed_on) return own
  const isCompleted: Condition = ({ columns }) => {
    const [of, from] = [columns.get(day ?? '') as ColumnData, columns.get('computed_on') as ColumnData]
    return (row) => cellOf(of, row) === cellOf(from, row)
  }
  return [...own, isCompleted]
}

/** Rows of the dates. */
function onDates({ day }: Dataset, dates: DayRanges): Condition {
  return where(day ?? '', (word) => word !== null && includes(dates, word))
}

/** Rows of the codes of groups on the dates of each. No two codes differ in nothing but the exchange. */
function inGroups(dataset: Dataset, groups: readonly CodeGroup[]): Condition {
  const [first] = groups
  if (first && first.codes === undefined) return onDates(dataset, first.dates)
  const known = new Map(
    groups.flatMap(({ codes, dates }) =>
      (codes ?? []).map((code) => [parseCode(code).bare, { isOwn: codeMatcher([code]), dates }] as const),
    ),
  )
  return ({ columns }) => {
    const values = columns.get(codeColumn(dataset))
    const days = columns.get(dataset.day ?? '')
    if (values?.type !== 'dictionary' || days?.type !== 'dictionary') return () => false
    const datesOf = values.dictionary.map((word) => {
      const code = known.get(parseCode(word).bare)
      return code?.isOwn(word) ? code.dates : undefined
    })
    return (row) => {
      const dates = datesOf[values.data[row] as number]
      const day = days.dictionary[days.data[row] as number]
      return dates !== undefined && day !== undefined && includes(dates, day)
    }
  }
}

/** The rows that the cache holds of what it answers. */
export async function readCached(snapshot: Snapshot, query: CacheQuery, split: CacheSplit): Promise<RecordColumns> {
  const { dataset, rule, scope } = query
  const dates = cachedDates(split)
  if (dates.length === 0) return emptyColumns(dataset)
  const parts = partsIn(snapshot, dataset, { from: dates[0]?.[0], to: dates.at(-1)?.[1] })
  const conditions = [
    ...inScope(dataset, rule, scope),
    inGroups(dataset, split.cached),
    ...plainConditions(dataset, query.query),
  ]
  return joinSlices(dataset, await selectSlices(snapshot, dataset, parts, conditions))
}

/** A test for a row whose code is asked for without its exchange only, and is not of the exchange of its number. */
function otherExchange(codes: readonly string[] = []): (word: string) => boolean {
  const bare = new Set(codes.filter((code) => parseCode(code).exchange === undefined))
  return (word) => {
    const code = parseCode(word)
    return bare.has(code.bare) && code.exchange !== undefined && exchangeOf(code.bare) !== code.exchange
  }
}

/** Whether a row may be of a code that the service does not mean: `000001` is Shenzhen's, and `000001.SH` has its digits. */
export function isAmbiguous({ dataset, codes }: CacheQuery, columns: RecordColumns): boolean {
  return distinctValues(columns, codeColumn(dataset)).some(otherExchange(codes))
}

/** Rows that can no longer change, and what they are all the rows of. */
export interface StorableRows extends CodeGroup {
  readonly rows: RecordColumns
}

/** The days of a group that are whole: those with rows (of bars, with the last bucket), and those without trading. */
function wholeDays(dates: DayRanges, columns: RecordColumns, { day = '', columns: declared }: Dataset): DayRanges {
  const [from, to] = [dates[0]?.[0], dates.at(-1)?.[1]]
  if (from === undefined || to === undefined) return []
  const ofLastBucket = declared.trademin ? [where('trademin', (minute) => minute === '1500')] : []
  const present = new Set(distinctValues(gatherSlice(matchingSlice(columns, ofLastBucket)), day))
  const trading = new Set(daysBetween(from, to))
  return rangesOfDays(datesIn(dates).filter((date) => present.has(date) || !trading.has(date)))
}

/**
 * The codes of which an answer says all there is: those with rows, and those that are spelt as one of these, so that the
 * service has understood them. None when the rows are not those that the cache would find.
 */
function understoodCodes(query: CacheQuery, codes: readonly string[], columns: RecordColumns): readonly string[] {
  const words = distinctValues(columns, codeColumn(query.dataset))
  const byBare = new Map(codes.map((code) => [parseCode(code).bare, code]))
  const answered = words.flatMap((word) => {
    const code = byBare.get(parseCode(word).bare)
    return code !== undefined && codeMatcher([code])(word) ? [code] : []
  })
  if (answered.length < words.length || words.some(otherExchange(codes))) return []
  const understood = new Set(answered.map(spellingOf))
  return codes.filter((code) => understood.has(spellingOf(code)))
}

/** The rows with the cells that are stored and that no answer holds. */
function withStored({ dataset, rule, scope }: CacheQuery, { length, columns }: RecordColumns): RecordColumns {
  const all = new Map(columns)
  for (const name of Object.keys(dataset.stored ?? {})) {
    if (name === rule.scope) all.set(name, { type: 'dictionary', data: new Int32Array(length), dictionary: [scope] })
    else if (name === 'computed_on') all.set(name, columns.get(dataset.day ?? '') as ColumnData)
    else throw new QuotebookError('ARCHIVE', `${dataset.name} can not be kept: no answer tells its ${name}`)
  }
  return { length, columns: all }
}

/**
 * What of an answer may be stored: the days before the latest one that was known before it was asked for, where the answer is
 * proven whole and holds nothing that the archive has no place for.
 * @param latest the latest day that the service had shown when the question was put
 */
export function storableRows(
  query: CacheQuery,
  group: CodeGroup,
  table: Table,
  latest: string | undefined,
): StorableRows | undefined {
  const about = provenance(table)
  if (query.isFiltered || !about?.complete || about.note !== undefined || about.extra !== undefined) return undefined
  const { dataset } = query
  const columns = columnsOf(table)
  const dates = wholeDays(intersection(group.dates, settledDates(query, latest)), columns, dataset)
  const codes = group.codes && understoodCodes(query, group.codes, columns)
  if (dates.length === 0 || codes?.length === 0) return undefined
  const rows = withStored(query, gatherSlice(matchingSlice(columns, [onDates(dataset, dates)])))
  return { rows, codes, dates }
}

/**
 * Puts rows into the cache and marks them as covered, in one step; without rows the latest day alone is written.
 * @throws QuotebookError ARCHIVE_BUSY when another process is writing all the while
 */
export async function storeRows(
  dir: string,
  { dataset, rule, scope }: CacheQuery,
  list: readonly StorableRows[],
  about: { readonly latest: string | undefined; readonly from: readonly string[]; readonly waitMs: number | undefined },
): Promise<void> {
  const { latest, from, waitMs } = about
  const nothing: StorableRows = { rows: { length: 0, columns: new Map() }, codes: undefined, dates: [] }
  const writer = await ArchiveWriter.open(dir, undefined, waitMs)
  try {
    for (const { rows, codes, dates } of list.length > 0 ? list : [nothing]) {
      const coverage = { scope, symbols: codes ?? ('all' as const), days: dates, latest, from }
      const isOther = otherExchange(codes)
      const replaces = [...inScope(dataset, rule, scope), inGroups(dataset, [{ codes, dates }])]
      if (codes) replaces.push(where(codeColumn(dataset), (word) => word !== null && !isOther(word)))
      await writer.cover(dataset, rows, coverage, replaces)
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
}
