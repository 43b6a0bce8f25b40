import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { daysBetween } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { provenance } from '../../table/provenance.js'
import { columnsOf } from '../../table/unwrap.js'
import type { ColumnData, RecordColumns } from '../../table/values.js'
import { matchingSlice, where } from '../answer/row-conditions.js'
import { gatherSlice } from '../answer/row-slices.js'
import { ArchiveWriter } from '../writer.js'
import { type CacheQuery, type CodeGroup, settledDates, spellingOf } from './cache-query.js'
import { answeredCodes, inGroups, inScope, isAmbiguous, ofOwnExchange, onDates } from './cached-rows.js'
import { type DayRanges, datesIn, intersection, rangesOfDays } from './day-ranges.js'

/** Rows that can no longer change, and what they are all the rows of. */
export interface StorableRows extends CodeGroup {
  readonly rows: RecordColumns
}

/** The days of an answer that are whole: those with rows (of bars, with the last bucket), and those without trading. */
function wholeDays(asked: DayRanges, columns: RecordColumns, { day = '', columns: declared }: Dataset): DayRanges {
  const last = where('trademin', (minute) => minute === '1500')
  const present = new Set(
    distinctValues(declared.trademin ? gatherSlice(matchingSlice(columns, [last])) : columns, day),
  )
  const [from, to] = [asked[0]?.[0], asked.at(-1)?.[1]]
  if (from === undefined || to === undefined) return []
  const trading = new Set(daysBetween(from, to))
  return rangesOfDays(datesIn(asked).filter((date) => present.has(date) || !trading.has(date)))
}

/**
 * The codes of which an answer says all there is: those with rows, and those that are spelt as one of these, so that the
 * service has understood them. None when the rows are not those that the cache would find.
 */
function understoodCodes({ dataset }: CacheQuery, codes: readonly string[], columns: RecordColumns): readonly string[] {
  const { answered, hasOthers } = answeredCodes(dataset, columns, codes)
  if (hasOthers || isAmbiguous(dataset, columns, codes)) return []
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
 * Puts rows into the cache and marks them as covered, in one step.
 * @throws QuotebookError ARCHIVE_BUSY when another process is writing all the while
 */
export async function storeRows(
  dir: string,
  query: CacheQuery,
  list: readonly StorableRows[],
  about: { readonly latest: string | undefined; readonly from: readonly string[]; readonly waitMs: number | undefined },
): Promise<void> {
  const { dataset, rule, scope } = query
  const { latest, from, waitMs } = about
  const writer = await ArchiveWriter.open(dir, undefined, waitMs)
  try {
    // Without rows the latest day alone is written.
    const nothing: StorableRows = { rows: { length: 0, columns: new Map() }, codes: undefined, dates: [] }
    for (const { rows, codes, dates } of list.length > 0 ? list : [nothing]) {
      const coverage = { scope, symbols: codes ?? ('all' as const), days: dates, latest, from }
      const own = codes ? [ofOwnExchange(dataset, codes)] : []
      const replaces = [...inScope(dataset, rule, scope), inGroups(dataset, [{ codes, dates }]), ...own]
      await writer.cover(dataset, rows, coverage, replaces)
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
}
