import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { QuotebookError } from '../contract/error.js'
import { has, strings } from '../frame/read-columns.js'
import type { PlanView } from '../research/report/plan-page/plan-tables.js'
import { readPage } from '../research/report/verify/read-page.js'
import type { DeskAccounts, DeskFolders, DeskRuns, WrittenPage } from '../server/desk/desk-visit.js'
import { type CommandWords, declaredCommands } from './declare-command.js'
import { readPaper } from './paper-folder.js'
import { savedRun, tableOfRun } from './saved-run.js'
import { wrongUse } from './wrong-use.js'

// biome-ignore format: a table, one word a line
export const deskWords = {
  '--runs <dir>': ['folder of runs (quotebook backtest --out), sweeps and factor pages, to list and to compare'],
  '--accounts <dir>': ['folder of paper accounts (quotebook plan --account), with their orders for the next day'],
} as const satisfies CommandWords

/** Folders of a folder that hold a file; links to elsewhere are none of them. */
function foldersWith(dir: string, isMeant: (folder: string) => boolean): readonly string[] {
  const all = readdirSync(dir, { withFileTypes: true }).filter((one) => one.isDirectory() && !one.name.startsWith('.'))
  return all.flatMap(({ name }) => (isMeant(join(dir, name)) ? name : [])).sort()
}

function pagesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())
  return files.flatMap(({ name }) => (/^[^.].*\.html$/.test(name) ? name : [])).sort()
}

const isFile = (path: string): boolean => existsSync(path) && lstatSync(path).isFile()

/** What is read of a file or folder, kept until that changes. */
function keptByTime<T>(read: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly what: Promise<T> }>()
  return (path) => {
    const at = statSync(path).mtimeMs
    const before = known.get(path)
    if (before?.at === at) return before.what
    const what = read(path)
    known.set(path, { at, what })
    return what
  }
}

async function writtenPage(path: string): Promise<WrittenPage | undefined> {
  try {
    const { manifest, figures } = await readPage(readFileSync(path, 'utf8'))
    const { title } = manifest.options
    return {
      kind: manifest.kind,
      title: typeof title === 'string' ? title : undefined,
      figures: figures.filter(({ section }) => section === ''),
    }
  } catch (error) {
    if (error instanceof QuotebookError) return undefined
    throw error
  }
}

async function tradedIn(folder: string): Promise<ReadonlySet<string>> {
  const fills = await tableOfRun(folder, 'fills')
  return new Set(fills && has(fills, 'symbol') ? strings(fills, 'symbol').flatMap((code) => code ?? []) : [])
}

function runsIn(dir: string): DeskRuns {
  const [traded, written] = [keptByTime(tradedIn), keptByTime(writtenPage)]
  const isPage = (name: string): boolean => isFile(join(dir, name))
  const fileOf = (name: string, file: string): string => (isPage(name) ? join(dir, name) : join(dir, name, file))
  return {
    names: () =>
      [
        ...foldersWith(dir, (folder) => isFile(join(folder, 'summary.json')) || pagesIn(folder).length > 0),
        ...pagesIn(dir),
      ].sort(),
    run: async (name) => (isFile(join(dir, name, 'summary.json')) ? savedRun(join(dir, name)) : undefined),
    pages: (name) => (isPage(name) ? [name] : pagesIn(join(dir, name))),
    page: (name, file) => readFileSync(fileOf(name, file)),
    written: (name, file) => written(fileOf(name, file)),
    traded: async (name) => (isPage(name) ? new Set() : traded(join(dir, name))),
  }
}

/** What an account came to by its last day, as its own page shows it. */
function viewOfAccount(name: string, dir: string): PlanView | undefined {
  const { days, setupOf } = readPaper(dir)
  const [last, setup] = [days.at(-1), setupOf(days.length)]
  if (!last || !setup) return undefined
  return {
    title: name,
    code: { name: setup.file, sha256: setup.sha256 },
    params: setup.params,
    source: last.source,
    plan: { ...last.plan, unknown: [], lookahead: undefined, warnings: [] },
    account: { start: Number(setupOf(0)?.options.cash), days, changes: [] },
  }
}

function accountsIn(dir: string): DeskAccounts {
  return {
    names: () => foldersWith(dir, (folder) => isFile(join(folder, 'account.json'))),
    view: (name) => viewOfAccount(name, join(dir, name)),
  }
}

function folderOf(option: string, given: string): string {
  const dir = resolve(given)
  if (existsSync(dir) && statSync(dir).isDirectory()) return dir
  throw wrongUse('{option} {dir}: there is no such folder', { option, dir: given })
}

/** What the desk shows beside the archive. @throws QuotebookError USAGE where there is no such folder */
export function deskFolders({ runs, accounts }: { readonly runs?: string; readonly accounts?: string }): DeskFolders {
  return {
    commands: declaredCommands(),
    runs: runs === undefined ? undefined : runsIn(folderOf('--runs', runs)),
    accounts: accounts === undefined ? undefined : accountsIn(folderOf('--accounts', accounts)),
  }
}
