import { basename } from 'node:path'
import { noticedCalendar } from '../../../contract/calendar.js'
import type { Dataset } from '../../../contract/dataset.js'
import { beijingDay, beijingTime, dateIn, isDate } from '../../../contract/date.js'
import { ImportError, messageOf, ParamsError, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { codeMatcher } from '../../../contract/symbol.js'
import { parseJson } from '../../../frame/table/check-json.js'
import { textCells } from '../../../frame/table/values.js'
import { type CacheQuery, cacheQuery, settledDates } from '../coverage/covered-query.js'
import { type DayRanges, datesIn, rangesOfDays } from '../coverage/day-ranges.js'
import type { Covered } from '../manifest-entries.js'
import { dayColumn } from '../merge-rows.js'
import type { FileColumns } from './file-columns.js'
import { readBytes } from './import-limits.js'

type Words = Readonly<Record<string, string>>

const ending = '.request.json'

/** Where the request of a file is kept: `bars.request.json` beside `bars.json` or `bars.csv`. */
export function requestPath(path: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}${ending}`
}

/** Whether a file is the request of another, and no rows to import. */
export const isRequest = (path: string): boolean => path.endsWith(ending)

/** The request that is kept beside a file; undefined when there is none. @throws ImportError for one that is no JSON */
export async function requestBeside(path: string): Promise<unknown> {
  const beside = requestPath(path)
  const bytes = await readBytes(beside).catch((error: ImportError) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  })
  if (bytes === undefined) return undefined
  try {
    return parseJson(bytes.toString(), 'it')
  } catch (cause) {
    if (cause instanceof QuotebookError) throw new ImportError(basename(beside), messageOf(cause), { cause })
    throw new ImportError(basename(beside), sentence`is not JSON: ${messageOf(cause)}`, { cause })
  }
}

/** A request as it is kept with what came of it. */
interface Request {
  readonly apiname?: unknown
  readonly params?: Readonly<Record<string, unknown>>
  /** When it was sent. */
  readonly asked?: unknown
  /** Why its answer was whole, where it was not kept as it came. */
  readonly proof?: unknown
}

function requestIn(kept: unknown): Request | undefined {
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? kept : undefined
}

/** The one value of a param; undefined when there are several or none. */
function single(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? single(value[0]) : undefined
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && !value.includes(',') ? value : undefined
}

/**
 * What a request says of every row of its reply: the columns that the reply lacks and that were asked for by one value, or by
 * none where the contract has a default.
 * @param set what was said of the whole import, which goes before
 * @throws ImportError for a request of another dataset
 */
export function columnsOfRequest(dataset: Dataset, { file, columns }: FileColumns, kept: unknown, set: Words): Words {
  const request = requestIn(kept)
  if (!request) return {}
  const { apiname, params = {} } = request
  if (apiname !== undefined && apiname !== dataset.name) {
    throw new ImportError(file, sentence`was kept with a request for ${String(apiname)}, not ${dataset.name}`)
  }
  const lacking = Object.keys({ ...dataset.columns, ...dataset.stored }).filter(
    (name) => !columns.columns.has(name) && !Object.hasOwn(set, name) && Object.hasOwn(dataset.params, name),
  )
  const found = lacking.flatMap((name) => {
    const value = single(params[name] ?? dataset.params[name]?.default)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** What is said of a whole import: which days it holds all rows of, and when these were asked for. */
export interface StatedCoverage {
  /** First and last day of which every row is in the archive after the import, of all codes. */
  readonly covers?: { readonly from: string; readonly to: string } | undefined
  /** When the files were asked for, ISO 8601; without an offset, Beijing time. */
  readonly asked?: string | undefined
}

const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/

/** A moment as the manifest has it. @throws QuotebookError USAGE for what is none */
export function askedMoment(asked: string): string {
  const time = Date.parse(hasOffset.test(asked) ? asked : `${asked}+08:00`)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(asked) || Number.isNaN(time)) {
    throw new QuotebookError('USAGE', sentence`asked must be a time such as 2026-07-29T20:00:00+08:00, not '${asked}'`)
  }
  return beijingTime(time)
}

/** What an import states by itself. @throws QuotebookError USAGE for days that are none, or a dataset without days */
export function statedCoverage(
  dataset: Dataset,
  { covers, asked, set = {}, partial }: StatedCoverage & { readonly set?: Words; readonly partial?: boolean },
): Covered | undefined {
  if (covers === undefined) return undefined
  if (partial)
    throw new QuotebookError(
      'USAGE',
      sentence`covers says that all rows are there, and partial that some may be missing`,
    )
  const { from, to } = covers
  if (!isDate(from) || !isDate(to) || from > to) {
    throw new QuotebookError('USAGE', sentence`covers must be days from one to another, not ${from} to ${to}`)
  }
  if (dayColumn(dataset) === undefined || dataset.partition === 'whole') {
    throw new QuotebookError('USAGE', sentence`${dataset.name} has no days to cover`)
  }
  const param = dataset.cache?.scope
  const scope = param === undefined ? '' : set[param]
  if (scope === undefined) {
    throw new QuotebookError(
      'USAGE',
      sentence`covers of ${dataset.name} needs its ${param}: give it with --set ${param}=…`,
    )
  }
  const about = asked === undefined ? {} : { asked: askedMoment(asked) }
  return { scope, symbols: 'all', days: [[from, to]], ...about, proof: 'stated' }
}

/**
 * What shows that a file holds every row that its request asked for: that of the answer it was made from, or of a reply the
 * total that it states (`total`), fewer rows than a call may have (`cap`), or that a call is never cut (`uncut`). Undefined
 * where nothing does.
 */
function proofOf({ limit }: Dataset, { reply, beside, columns }: FileColumns, request: Request): string | undefined {
  if (!reply) return typeof request.proof === 'string' ? request.proof : undefined
  switch (limit.kind) {
    case 'page':
      return typeof beside.total === 'number' ? 'total' : undefined
    case 'cap':
      return columns.length < (limit.daily ?? limit.rows) ? 'cap' : undefined
    case 'none':
      return 'uncut'
    case 'newest':
      return undefined
  }
}

function queryOf(dataset: Dataset, params: Readonly<Record<string, unknown>>): CacheQuery | undefined {
  // Pages of one query are compared with their total.
  const { limit: _, offset: __, ...others } = params
  try {
    return cacheQuery(dataset, others, { whole: true })
  } catch (error) {
    if (error instanceof ParamsError) return undefined
    throw error
  }
}

/**
 * What a file covers by the request that is kept with it: the days that were past when it was asked for. Without a time these
 * are the days before the latest that the file or the archive shows. A day without rows is covered where there may be none;
 * of named codes only those are that have rows, since another may have been misspelt.
 * @param file whose rows have their stored columns
 * @param latest latest day of the dataset in the archive
 */
export function coverageOfRequest(
  dataset: Dataset,
  file: FileColumns,
  kept: unknown,
  { asked: stated, set = {} }: StatedCoverage & { readonly set?: Words },
  latest: string | undefined,
): Covered | undefined {
  const request = requestIn(kept)
  if (!request) return undefined
  const proof = proofOf(dataset, file, request)
  const query = proof === undefined ? undefined : queryOf(dataset, request.params ?? {})
  // What is said of the whole import goes before the request.
  const isOther = Object.entries(set).some(([name, value]) => query?.query[name] !== value && name in dataset.params)
  if (!query || query.isFiltered || isOther) return undefined
  const time = stated ?? (typeof request.asked === 'string' && request.asked !== '' ? request.asked : undefined)
  const asked = time === undefined ? undefined : askedMoment(time)
  const present = new Set(wordsOf(file, dayColumn(dataset)).flatMap((word) => dateIn(word) ?? []))
  const shown = asked === undefined ? [latest ?? '', ...present].sort().at(-1) : beijingDay(Date.parse(asked))
  const days = believedDays(dataset, query, settledDates(query, shown), present)
  const codes = query.codes && codesWithRows(dataset, query.codes, file)
  if (days.length === 0 || codes?.length === 0) return undefined
  return {
    scope: query.scope,
    symbols: codes ?? 'all',
    days,
    ...(asked === undefined ? {} : { asked }),
    proof: proof as string,
  }
}

/** Days with rows, and those without where that is nothing strange. */
function believedDays(
  { everyTradingDay }: Dataset,
  { codes }: CacheQuery,
  dates: DayRanges,
  present: ReadonlySet<string>,
): DayRanges {
  if (codes || !everyTradingDay) return dates
  return rangesOfDays(datesIn(dates).filter((day) => present.has(day) || noticedCalendar.isOpen(day) !== true))
}

/** The words of a column; none in an answer without rows, which has no columns. */
function wordsOf({ columns }: FileColumns, name = ''): readonly string[] {
  return columns.length === 0 ? [] : [...new Set(textCells(columns, name))].flatMap((word) => word ?? [])
}

function codesWithRows(dataset: Dataset, codes: readonly string[], file: FileColumns): readonly string[] {
  const there = wordsOf(file, dataset.params.symbols?.columns?.[0])
  return codes.filter((code) => there.some(codeMatcher([code])))
}
