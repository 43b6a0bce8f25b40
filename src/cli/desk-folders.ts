import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { has, strings } from '../frame/read-columns.js'
import type { PlanView } from '../research/report/plan-page/plan-tables.js'
import type { DeskAccounts, DeskFolders, DeskRuns } from '../server/desk/desk-visit.js'
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

function runsIn(dir: string): DeskRuns {
  const known = new Map<string, { readonly at: number; readonly codes: Promise<ReadonlySet<string>> }>()
  const tradedIn = async (folder: string): Promise<ReadonlySet<string>> => {
    const fills = await tableOfRun(folder, 'fills')
    return new Set(fills && has(fills, 'symbol') ? strings(fills, 'symbol').flatMap((code) => code ?? []) : [])
  }
  return {
    names: () => foldersWith(dir, (folder) => isFile(join(folder, 'summary.json')) || pagesIn(folder).length > 0),
    run: async (name) => (isFile(join(dir, name, 'summary.json')) ? savedRun(join(dir, name)) : undefined),
    pages: (name) => pagesIn(join(dir, name)),
    page: (name, file) => readFileSync(join(dir, name, file)),
    traded: (name) => {
      const folder = join(dir, name)
      const at = statSync(folder).mtimeMs
      const before = known.get(name)
      if (before?.at === at) return before.codes
      const codes = tradedIn(folder)
      known.set(name, { at, codes })
      return codes
    },
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
