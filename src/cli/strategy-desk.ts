import type { SpawnOptions } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParamsError, QuotebookError } from '../contract/error.js'
import { unknownName } from '../contract/nearest.js'
import { sentence } from '../contract/sentence.js'
import { ParamWatch } from '../research/backtest/param-watch.js'
import type { DeskCall, StrategyDesk } from '../server/mcp/strategy-tools.js'
import { semaphore } from '../threads/semaphore.js'
import { say } from './chosen-language.js'
import { importUrl } from './library.js'
import { heardOf, ownProcess } from './own-process.js'
import { readPaper } from './paper-folder.js'
import { wrongUse } from './wrong-use.js'

const modules = /\.[cm]?[jt]s$/
/** MiB of objects that a run may hold. */
const heap = 1024

/** Files of a folder by name without ending: what is a link, or lies elsewhere, is none of them. */
function strategyFiles(dir: string): ReadonlyMap<string, string> {
  const files = readdirSync(dir, { withFileTypes: true }).filter((one) => one.isFile() && modules.test(one.name))
  const named = files.filter(({ name }) => !/^\.|\.d\.[cm]?ts$/.test(name)).map(({ name }) => name)
  return new Map(named.sort().map((name) => [name.replace(modules, ''), join(dir, name)]))
}

function accountFolders(dir: string): readonly string[] {
  const isFile = (path: string): boolean => existsSync(path) && lstatSync(path).isFile()
  const folders = readdirSync(dir, { withFileTypes: true }).filter((one) => one.isDirectory())
  return folders.flatMap(({ name }) => (isFile(join(dir, name, 'account.json')) ? name : [])).sort()
}

/** The params that a module's maker reads, and what its first comment says of it. */
async function listedStrategy(name: string, file: string) {
  const [, comment = ''] = /^\s*\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8')) ?? []
  const about = comment.replaceAll(/\s*\n\s*\*? ?/g, ' ').trim()
  const watch = new ParamWatch()
  try {
    const { default: given, make = (given as { make?: unknown } | undefined)?.make } = await importUrl(
      file,
      lstatSync(file).mtimeMs,
    )
    if (typeof make === 'function') make(watch.over({}))
  } catch {
    // What is wrong with it, a run of it says.
  }
  return { name, params: [...watch.names].sort(), about }
}

/** Options of a command as words, each behind its own name, so that none can be taken for another option. */
function wordsOf({ params = {}, ...options }: Readonly<Record<string, unknown>>): readonly string[] {
  const pairs = Object.entries(params as object).map(([name, value]: [string, unknown]) => {
    if (['string', 'number', 'boolean'].includes(typeof value) && /^\w+$/.test(name)) return `--param=${name}=${value}`
    throw new ParamsError('params', sentence`params: ${name} must be a number, true, false or a text`)
  })
  return [...Object.entries(options).map(([name, value]) => `--${name}=${value}`), ...pairs]
}

/** `quotebook` in a process of its own, which is killed when the call ends. @throws QuotebookError USAGE with what it said */
async function quotebook(words: readonly string[], { signal, language }: DeskCall): Promise<string> {
  const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' }
  const child = ownProcess([...words, `--lang=${language}`], options, [`--max-old-space-size=${heap}`])
  const { code, stdout, stderr } = await heardOf(child)
  const [, fault] = /^quotebook: (.*)$/m.exec(stderr) ?? []
  if (fault === undefined && (code === 0 || code === 1)) return stdout
  throw new QuotebookError(
    'USAGE',
    fault ??
      say('the run ended with code {code}: it may need more memory than {heap} MiB', { code: String(code), heap }),
  )
}

/** The days of a paper account, its holdings and its next orders. */
function accountOf(name: string, dir: string): ReturnType<StrategyDesk['account']> {
  const { start, days, setupOf } = readPaper(dir)
  const { file, params } = setupOf(days.length) ?? {}
  const last = days.at(-1)
  return {
    facts: { account: name, file, params, start, day: last?.day, holdings: last?.holdings, orders: last?.plan.orders },
    columns: ['day', 'equity', 'cash', 'fills', 'rejected', 'orders'],
    rows: days.map(({ day, equity, cash, fills, rejected, plan }) => [
      day,
      equity,
      cash,
      fills.length,
      rejected.length,
      plan.orders.length,
    ]),
  }
}

/**
 * What agents may do with the strategies of a folder. They name one; what lies in the folder itself is found, and no path is read.
 * @param source words of the source that is open to them
 * @throws QuotebookError USAGE where there is no such folder
 */
export function strategyDesk(given: string, source: readonly string[]): StrategyDesk {
  if (!existsSync(given) || !lstatSync(realpathSync(given)).isDirectory())
    throw wrongUse('{dir}: no folder of strategies', { dir: given })
  const dir = realpathSync(given)
  const turns = semaphore(2)
  return {
    list: async () => {
      const listed = []
      for (const [name, file] of strategyFiles(dir)) listed.push(await listedStrategy(name, file))
      return listed
    },
    run: (command, strategy, options, call) => {
      const files = strategyFiles(dir)
      const file = files.get(strategy)
      if (file === undefined) throw unknownName('strategy', strategy, [...files.keys()], sentence`strategy`)
      const own = [command, file, ...wordsOf(options), ...source]
      return turns.run(async () => {
        if (command !== 'backtest') return { out: await quotebook([...own, '--format=json'], call), files: new Map() }
        const made = mkdtempSync(join(tmpdir(), 'quotebook-run-'))
        try {
          const out = await quotebook([...own, `--out=${made}`], call)
          return { out, files: new Map(readdirSync(made).map((name) => [name, readFileSync(join(made, name))])) }
        } finally {
          rmSync(made, { recursive: true, force: true })
        }
      }, call.signal)
    },
    account: (name) => {
      const names = accountFolders(dir)
      if (name === undefined) return { facts: {}, columns: ['account'], rows: names.map((one) => [one]) }
      if (!names.includes(name)) throw unknownName('account', name, names, sentence`account`)
      return accountOf(name, join(dir, name))
    },
  }
}
