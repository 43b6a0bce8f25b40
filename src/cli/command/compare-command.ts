import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Command } from 'commander'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { withoutMark } from '../../contract/without-mark.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { numbers, strings } from '../../frame/read-columns.js'
import {
  type ComparedRow,
  comparedFigures,
  comparisonPage,
  differencesOf,
  mostCompared,
  type SavedRun,
} from '../../research/report/comparison-page.js'
import { language, say } from '../chosen-language.js'
import { interactiveWord } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { out, tell, textGrid } from '../output.js'
import { wrongUse } from '../wrong-use.js'
import { readQuotesFile } from './check-rows.js'

type Options = OptionsOf<typeof words>

type Summary = Readonly<Record<string, unknown>> & {
  readonly code?: string
  readonly start: number
  readonly figures: SavedRun['figures']
  readonly options: Readonly<Record<string, unknown>> & { readonly params?: Readonly<Record<string, unknown>> }
  readonly hashes: Readonly<Record<'panel' | 'strategy' | 'run', string>>
  readonly benchmark?: { readonly name?: string }
  readonly source?: SavedRun['source']
}

/** What a run was made with, each under one name. */
function madeOf({ options, hashes, code, benchmark }: Summary): Record<string, string> {
  const { params = {}, ...others } = options
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  return Object.fromEntries([
    ...Object.entries(params).map(([name, value]) => [name, text(value)]),
    ...Object.entries(others).map(([name, value]) => [name, text(value)]),
    [say('code (sha256)'), String(code).slice(0, 12)],
    [say('prices (sha256)'), hashes.panel.slice(0, 12)],
    [say('benchmark'), benchmark?.name ?? ''],
  ])
}

async function accountIn(dir: string): Promise<Table> {
  const file = [join(dir, 'account.parquet'), join(dir, 'account.csv')].find((one) => existsSync(one))
  if (file !== undefined) return readQuotesFile(file)
  throw wrongUse('{dir}: no run that quotebook backtest --out wrote (account and summary.json)', { dir })
}

/** @throws QuotebookError USAGE for a folder that `quotebook backtest --out` did not write */
async function savedRun(dir: string): Promise<SavedRun> {
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
  }
}

async function run(dirs: readonly string[], options: Options): Promise<void> {
  if (dirs.length < 2 || dirs.length > mostCompared)
    throw wrongUse('compare takes from 2 to {most} folders', { most: mostCompared })
  const runs = await Promise.all(dirs.map((dir) => savedRun(dir)))
  const different = differencesOf(runs)
  const heads = ['', ...runs.map(({ name }) => name)]
  const lines = (rows: readonly ComparedRow[]): string[][] => rows.map(({ name, texts }) => [name, ...texts])
  const days: ComparedRow = {
    name: say('days'),
    texts: runs.map(({ days }) => say('{from} to {to}', { from: days[0] ?? '', to: days.at(-1) ?? '' })),
  }
  out(`${textGrid(heads, lines([days, ...comparedFigures(runs, language), ...different]))}\n`)
  if (different.length === 0) tell('nothing that they were made with differs')
  if (options.page === undefined) return
  await writeFileAtomically(options.page, await comparisonPage(runs, language, options.interactive))
  tell('wrote {file}', { file: options.page })
}

// biome-ignore format: a table, one word a line
const words = {
  compare: ['compare saved runs: figures side by side, and differences in parameters, data and code'],
  '<dirs...>': ['folders written by quotebook backtest --out'],
  '--page <file>': ['also write a page (HTML) with the curves over each other'],
  ...interactiveWord,
} as const satisfies CommandWords

export const compareBelow = (): Command => declare(words).action(run)
