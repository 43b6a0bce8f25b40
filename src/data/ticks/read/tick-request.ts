import { writtenDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { limitKinds, type ParquetLimits } from '../../../frame/table/parquet-file/limits.js'
import type { TickFiles } from '../tick-files.js'
import type { DaySelection } from './read-day.js'

/** How far a read is. */
export interface TickReadProgress {
  /** Days that were read, of all. */
  readonly done: number
  readonly of: number
  /** The last of them. */
  readonly day: string
}

/** Options of a read of ticks: days, symbols and columns. */
export interface TickReadOptions {
  /** Days `YYYYMMDD`, one or several; each must have a file. */
  readonly days?: string | readonly string[] | undefined
  /** First and last day, in the place of `days`: all that have a file, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Codes, with or without their suffix (default: all). The files need a column `symbol` then. */
  readonly symbols?: string | readonly string[] | undefined
  /** Columns in the order given (default: all that a file has). */
  readonly columns?: readonly string[] | undefined
  /** Threads that read several days (default: one a processor, at most 4). */
  readonly threads?: number | undefined
  /** Called when a day is read. */
  readonly onProgress?: ((progress: TickReadProgress) => void) | undefined
  /** How much of a file is read; what claims more is refused. */
  readonly limits?: ParquetLimits | undefined
  readonly signal?: AbortSignal | undefined
}

const known: OptionKinds<TickReadOptions> = {
  days: 'any',
  from: 'any',
  to: 'any',
  symbols: 'any',
  columns: 'any',
  threads: 'any',
  limits: 'any',
  onProgress: 'a function',
  signal: 'an object',
}

export interface TickRequest {
  readonly days: readonly string[]
  readonly selection: DaySelection
  /** What was asked for, as the provenance has it. */
  readonly params: Readonly<Record<string, unknown>>
}

function usage(message: Words): never {
  throw new QuotebookError('USAGE', message)
}

function day(name: string, value: unknown): string {
  return writtenDate(value) ?? usage(sentence`${name}: ${JSON.stringify(value) ?? String(value)} is no date YYYYMMDD`)
}

function listOf(name: string, value: string | readonly string[] | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  const list: readonly unknown[] = typeof value === 'string' ? [value] : value
  const isNames = Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== '')
  if (!isNames) return usage(sentence`${name} must be texts, not ${JSON.stringify(value)}`)
  if (list.length === 0) return usage(sentence`${name} is an empty list; leave it out for all`)
  return [...new Set(list as readonly string[])]
}

async function between(files: TickFiles, from: string, to: string): Promise<string[]> {
  if (from > to) return usage(sentence`from ${from} is later than to ${to}`)
  const days: string[] = []
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++)
    days.push(...(await files.days(year)).filter((one) => from <= one && one <= to))
  if (days.length > 0) return days
  throw new QuotebookError('FILE', sentence`${files.name} has no auction ticks from ${from} to ${to}`)
}

/**
 * Options as what is to be read: the days ascending, once each.
 * @throws QuotebookError USAGE for options that say nothing, FILE where there is no day between two
 */
export async function resolveTickRequest(files: TickFiles, options: TickReadOptions): Promise<TickRequest> {
  if (typeof options !== 'object' || options === null) return usage(sentence`say which ticks: days, or from and to`)
  if (Array.isArray(options)) return usage(sentence`reading ticks takes a list of days as { days: [...] }`)
  checkOptions(options, known, sentence`reading ticks`)
  checkOptions(options.limits ?? {}, limitKinds, sentence`limits of ticks`)
  const { from, to } = options
  const symbols = listOf('symbols', options.symbols)
  const columns = listOf('columns', options.columns)
  const selection = { symbols, columns, limits: options.limits }
  const more = symbols ? { symbols } : {}
  const days = listOf('days', options.days)?.map((one) => day('days', one))
  if (days) {
    if (from !== undefined || to !== undefined) usage(sentence`days can not be combined with from and to`)
    return { days: [...days].sort(), selection, params: { days: [...days].sort(), ...more } }
  }
  if (from === undefined || to === undefined) return usage(sentence`say which ticks: days, or from and to`)
  const found = await between(files, day('from', from), day('to', to))
  return { days: found, selection, params: { from, to, ...more } }
}
