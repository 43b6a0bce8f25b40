import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { daysBetween } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { provenance } from '../../table/provenance.js'
import { columnsOf } from '../../table/unwrap.js'
import type { ColumnData, RecordColumns } from '../../table/values.js'
import { filter, where } from '../answer/row-conditions.js'
import { sliceColumns } from '../answer/row-slices.js'
import { ArchiveWriter } from '../writer.js'
import { type DayRanges, datesIn, intersection, rangesOfDays } from './day-ranges.js'
import { answeredCodes, inScope, isAmbiguous, ofCodes, ofNoStranger, onDates } from './rows.js'
import { spellingOf } from './rule.js'
import type { Need } from './split.js'
import { settled, type Wish } from './wish.js'

/** Rows that can no longer change, and what they are all the rows of. */
export interface Keepable {
  readonly columns: RecordColumns
  readonly codes: readonly string[] | undefined
  readonly days: DayRanges
}

/** The days of an answer: of bars, which come in two batches a day, those whose last bucket is there. */
function shownDays(columns: RecordColumns, { day, columns: declared }: Dataset): ReadonlySet<string> {
  if (!declared.trademin) return new Set(distinctValues(columns, day ?? ''))
  const closed = sliceColumns(filter(columns, [where('trademin', (minute) => minute === '1500')]))
  return new Set(distinctValues(closed, day ?? ''))
}

/** The days of an answer that are sure: those with rows, and those without trading, of which there are none. */
function sureDays(asked: DayRanges, columns: RecordColumns, dataset: Dataset): DayRanges {
  const shown = shownDays(columns, dataset)
  const [from, to] = [asked[0]?.[0], asked.at(-1)?.[1]]
  if (from === undefined || to === undefined) return []
  const trading = new Set(daysBetween(from, to))
  return rangesOfDays(datesIn(asked).filter((date) => shown.has(date) || !trading.has(date)))
}

/**
 * The codes of which an answer says all there is: those with rows, and those that are spelt as one of these, so that the
 * service has understood them. Undefined when the rows are not those that the cache would find.
 */
function sureCodes(wish: Wish, codes: readonly string[], columns: RecordColumns): readonly string[] | undefined {
  const { there, others } = answeredCodes(wish.dataset, columns, codes)
  if (others || isAmbiguous(wish.dataset, columns, codes)) return undefined
  const understood = new Set(there.map(spellingOf))
  return codes.filter((code) => understood.has(spellingOf(code)))
}

/** The cells that are stored and that no answer holds. */
function withStored({ dataset, rule, scope }: Wish, columns: RecordColumns): RecordColumns {
  const of = new Map(columns.columns)
  for (const name of Object.keys(dataset.stored ?? {})) {
    if (name === rule.scope)
      of.set(name, { type: 'dictionary', data: new Int32Array(columns.length), dictionary: [scope] })
    else if (name === 'computed_on') of.set(name, columns.columns.get(dataset.day ?? '') as ColumnData)
    else throw new QuotebookError('ARCHIVE', `${dataset.name} can not be kept: no answer tells its ${name}`)
  }
  return { length: columns.length, columns: of }
}

/** Whether an answer is proven whole, and holds nothing that the archive has no place for. */
function isSound(table: Table): boolean {
  const about = provenance(table)
  return about?.complete === true && about.note === undefined && about.extra === undefined
}

/**
 * What of an answer may be kept: the days before the latest one that was known before it was asked for.
 * @param latest the latest day that the service had shown when the question was put
 */
export function keepable(wish: Wish, need: Need, table: Table, latest: string | undefined): Keepable | undefined {
  if (wish.isFiltered || !isSound(table)) return undefined
  const { dataset } = wish
  const columns = columnsOf(table)
  const days = sureDays(intersection(need.days, settled(wish, latest)), columns, dataset)
  const codes = need.codes && sureCodes(wish, need.codes, columns)
  if (days.length === 0 || (need.codes && !codes?.length)) return undefined
  const own = sliceColumns(filter(columns, [onDates(dataset, days)]))
  return { columns: withStored(wish, own), codes, days }
}

/**
 * Puts rows into the cache and marks them as covered, in one step.
 * @throws QuotebookError ARCHIVE_BUSY when another process is writing all the while
 */
export async function store(
  dir: string,
  wish: Wish,
  list: readonly Keepable[],
  about: { readonly latest: string | undefined; readonly from: readonly string[]; readonly waitMs: number | undefined },
): Promise<void> {
  const { dataset, rule, scope } = wish
  const { latest, from, waitMs } = about
  const writer = await ArchiveWriter.open(dir, undefined, waitMs)
  try {
    const nothing: Keepable = { columns: { length: 0, columns: new Map() }, codes: undefined, days: [] }
    for (const { columns, codes, days } of list.length > 0 ? list : [nothing]) {
      const more = { scope, symbols: codes ?? ('all' as const), days, latest, from }
      const own = codes ? [ofNoStranger(dataset, codes)] : []
      const replaces = [...inScope(dataset, rule, scope), ofCodes(dataset, [{ codes, dates: days }]), ...own]
      await writer.cover(dataset, columns, more, replaces)
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
}
