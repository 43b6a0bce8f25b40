import { createHash } from 'node:crypto'
import type { Table } from 'apache-arrow'
import { datasetOf } from '../../src/contract/catalogue.js'
import { HttpSource } from '../../src/data/source/http-source.js'
import type { QueryOptions, Source } from '../../src/data/source/source.js'
import type { SourceError } from '../../src/data/source/source-error.js'
import { columnNames, rowsOf } from '../../src/frame/read-columns.js'
import { provenance } from '../../src/frame/table/provenance.js'
import { chances } from './chance.js'

export interface Question {
  readonly dataset: string
  readonly params: Readonly<Record<string, unknown>>
  readonly options: Pick<QueryOptions, 'days' | 'fields'>
}

const july = { from: '20260701', to: '20260710' }
const question = (dataset: string, params: Question['params'], options: Question['options'] = {}): Question => ({
  dataset,
  params,
  options,
})

/** One request each, several, pages; many rows, few and none. */
export const questions: readonly Question[] = [
  question('etf_minute', { symbols: ['510300.SH', '159915'], period: '15m' }, { days: july }),
  question('etf_minute', { symbols: ['510300'], tradedate: '20260701' }, { fields: 'vwap,symbol' }),
  question('etf_minute', { tradedate: '20260704' }),
  question('convertible_minute', { symbols: ['123124', '110059.SH'] }, { days: july }),
  question('convertible_daily', { startdate: '20260601', enddate: '20260731' }),
  question('st', { startdate: '20260701', enddate: '20260710' }),
  question('theme_daily', { type: 'tj', startdate: '20260727', enddate: '20260729' }),
  question('hotstock', { type: 'ths&normal' }, { days: july }),
  question('finance_announcement', { startdate: '20260601', enddate: '20260615' }),
  question('interactive_qa', { startdate: '20260601', enddate: '20260731' }),
  question('news', {}),
  question('transfer_financing', { startdate: '20260601', enddate: '20260630' }),
]

function digest(table: Table): string {
  return createHash('sha256')
    .update(JSON.stringify([columnNames(table), rowsOf(table)]))
    .digest('hex')
}

export function answerOf(
  source: Source,
  { dataset, params, options }: Question,
  more: QueryOptions = {},
): Promise<Table> {
  return source.query(datasetOf(dataset), params, { ...options, ...more, whole: true })
}

/** A digest of the right answer to each question. */
export async function truthOf(source: Source): Promise<string[]> {
  return Promise.all(questions.map(async (one) => digest(await answerOf(source, one))))
}

/** Errors that the manners of the server may end in, by code, and what tells that it is that one. */
const due: Readonly<Record<string, (error: SourceError) => boolean>> = {
  CUT_OFF: ({ retryable }) => retryable,
  TIMEOUT: ({ retryable, message }) => retryable && /was silent for 1.5 s|no whole answer within/.test(message),
  UNAVAILABLE: ({ retryable }) => retryable,
  UNREACHABLE: ({ retryable }) => retryable,
  ENVELOPE: ({ retryable, message }) => !retryable && message.includes('log in'),
  FORBIDDEN: ({ retryable, vendorMessage }) => !retryable && vendorMessage === 'played',
  CONTRACT: ({ message }) => /missing/.test(message),
}

export interface Report {
  /** Queries that gave the truth. */
  right: number
  /** Those that gave something else: what must not be. */
  readonly wrong: string[]
  /** Errors that were due, by code; and those given up by their caller. */
  readonly errors: Record<string, number>
  retries: number
}

export interface Soaking {
  readonly nodes: readonly string[]
  readonly truth: readonly string[]
  readonly seconds: number
  readonly seed: number
  /** Called after every query, in the middle of the others. */
  readonly onQuery?: (report: Report) => void
}

export const soakSource = (nodes: readonly string[]): HttpSource =>
  new HttpSource({
    nodes,
    apikey: 'soak-key',
    pace: { concurrent: 6 },
    deadlines: { headers: 1500, body: 1500, call: 20_000 },
    retry: { baseMs: 2, capMs: 20, budgetMs: 15_000 },
  })

const gone = new Error('the caller went away')

/** One query; in one case of ten its caller goes away, in another one asks twice at once. */
async function askOnce(
  source: Source,
  at: number,
  truth: readonly string[],
  chance: () => number,
  report: Report,
): Promise<void> {
  const one = questions[at] as Question
  const stop = new AbortController()
  const manner = chance()
  const timer = manner < 0.1 ? setTimeout(() => stop.abort(gone), 60 * chance()) : undefined
  const signal = stop.signal
  const asked = manner > 0.9 ? [answerOf(source, one), answerOf(source, one)] : [answerOf(source, one, { signal })]
  for (const outcome of await Promise.allSettled(asked)) {
    if (outcome.status === 'fulfilled') judge(outcome.value, one, truth[at] as string, report)
    else blame(outcome.reason, one, signal.aborted, report)
  }
  clearTimeout(timer)
}

function judge(table: Table, { dataset }: Question, truth: string, report: Report): void {
  report.retries += provenance(table)?.call?.retries ?? 0
  if (digest(table) === truth) report.right++
  else report.wrong.push(`${dataset}: ${table.numRows} rows that are not the truth`)
}

function isDue(reason: unknown, { dataset }: Question): boolean {
  const { code, message } = reason as SourceError
  return message.startsWith(`${dataset}: `) && due[code]?.(reason as SourceError) === true
}

function blame(reason: unknown, one: Question, aborted: boolean, report: Report): void {
  const isGone = reason === gone && aborted
  const name = isGone ? 'ABORTED' : String((reason as SourceError).code)
  if (isGone || isDue(reason, one)) report.errors[name] = (report.errors[name] ?? 0) + 1
  else report.wrong.push(`${one.dataset}: ${String(reason)}`)
}

/** Six callers that ask without a pause, each question again and again, until the time is over. */
export async function soak(source: Source, { truth, seconds, seed, onQuery }: Omit<Soaking, 'nodes'>): Promise<Report> {
  const report: Report = { right: 0, wrong: [], errors: {}, retries: 0 }
  const until = performance.now() + seconds * 1000
  const caller = async (n: number): Promise<void> => {
    const chance = chances(seed + n)
    while (performance.now() < until && report.wrong.length < 20) {
      await askOnce(source, Math.floor(chance() * questions.length), truth, chance, report)
      onQuery?.(report)
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, n) => caller(n)))
  return report
}
