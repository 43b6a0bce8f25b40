import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Table } from 'apache-arrow'
import { messageOf, QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { withoutMark } from '../contract/without-mark.js'
import { numbers, strings } from '../frame/read-columns.js'
import type { SavedRun } from '../research/report/comparison-page.js'
import { say } from './chosen-language.js'
import { readQuotesFile } from './command/check-rows.js'
import { wrongUse } from './wrong-use.js'

type Summary = Readonly<Record<string, unknown>> & {
  readonly code?: string
  readonly start: number
  readonly figures: SavedRun['figures']
  readonly options: Readonly<Record<string, unknown>> & { readonly params?: Readonly<Record<string, unknown>> }
  readonly hashes: Readonly<Record<'panel' | 'strategy' | 'run', string>>
  readonly benchmark?: { readonly name?: string }
  /** Params that were read and not given. */
  readonly defaults?: readonly string[]
  readonly source?: SavedRun['source']
  readonly searched?: SavedRun['searched']
  readonly outOfSample?: SavedRun['outOfSample']
}

/** What a run was made with, each under one name. */
function madeOf({ options, hashes, code, benchmark, defaults = [] }: Summary): Record<string, string> {
  const { params = {}, ...others } = options
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  return Object.fromEntries([
    ...defaults.map((name) => [name, say('default')]),
    ...Object.entries(params).map(([name, value]) => [name, text(value)]),
    ...Object.entries(others).map(([name, value]) => [name, text(value)]),
    [say('code (sha256)'), String(code).slice(0, 12)],
    [say('prices (sha256)'), hashes.panel.slice(0, 12)],
    [say('benchmark'), benchmark?.name ?? ''],
  ])
}

/** A table of a run; undefined where it was not written. */
export async function tableOfRun(dir: string, name: string): Promise<Table | undefined> {
  const file = [join(dir, `${name}.parquet`), join(dir, `${name}.csv`)].find((one) => existsSync(one))
  return file === undefined ? undefined : readQuotesFile(file)
}

async function accountIn(dir: string): Promise<Table> {
  const found = await tableOfRun(dir, 'account')
  if (found) return found
  throw wrongUse('{dir}: no run that quotebook backtest --out wrote (account and summary.json)', { dir })
}

/** Where a file lies seen from a page; undefined if there is none. */
function linkTo(file: string, page: string): string | undefined {
  if (!existsSync(file)) return undefined
  const path = relative(dirname(resolve(page)), resolve(file))
  return path.split(sep).map(encodeURIComponent).join('/')
}

/**
 * @param page the page that is made, from which the run's own is linked
 * @throws QuotebookError USAGE for a folder that `quotebook backtest --out` did not write
 */
export async function savedRun(dir: string, page?: string): Promise<SavedRun> {
  const account = await accountIn(dir)
  let summary: Summary
  try {
    summary = JSON.parse(withoutMark(readFileSync(join(dir, 'summary.json'), 'utf8')))
  } catch (cause) {
    throw new QuotebookError(
      'USAGE',
      sentence`${say('{dir}: no run that quotebook backtest --out wrote (account and summary.json)', { dir })}: ${messageOf(cause)}`,
      { cause },
    )
  }
  if (!summary.hashes || !summary.options)
    throw wrongUse('{dir}: no run that quotebook backtest --out wrote (account and summary.json)', { dir })
  const days = strings(account, 'tradedate').map((day) => day ?? '')
  const { start, figures } = summary
  return {
    name: basename(resolve(dir)),
    days,
    equity: numbers(account, 'equity'),
    start,
    figures,
    made: madeOf(summary),
    hash: summary.hashes.run,
    source: summary.source,
    searched: summary.searched,
    outOfSample: summary.outOfSample,
    page: page === undefined ? undefined : linkTo(join(dir, 'tear-sheet.html'), page),
  }
}
