/**
 * Runs the cells of one notebook with tslab's converter and executor, without Jupyter: `node notebook-runner.cjs TSLAB`, in the
 * folder of the notebook. Standard input has the sources; what happens is told on descriptor 3, a JSON object a line, written
 * at once so that nothing is lost when the process dies.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync, writeSync } from 'node:fs'
import { messageOf } from '../../../contract/error.js'
import { listOf, sent, sentence, type Words } from '../../../contract/sentence.js'
import type { CellCode, CellFailure, CellPlace, KernelEvent } from '../kernel-event.js'
import { giveOwnPackage, readWithoutComments } from './own-package.js'
import { sourceLineOf } from './source-line.js'
import { type Converter, type ExecutorConsole, tslabOf } from './tslab.js'

const tslab = tslabOf(process.argv[2] ?? '')
giveOwnPackage(process.cwd(), tslab, process.env)
readWithoutComments(tslab.compiler.sys)

const cells: readonly CellCode[] = JSON.parse(readFileSync(0, 'utf8'))
const current = new AsyncLocalStorage<number>()
const emitted = new Map<number, string>()
const failed = new Set<number>()
const expected = new Set<number>()
let running = 0
let over = false
let diagnosed: string | undefined

const here = (): number => current.getStore() ?? running

function tell(event: KernelEvent): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
}

type Said = Omit<CellFailure, 'cell' | 'kind' | 'expected'>

/** A cell that is tagged raises-exception may throw once, or be wrong in its types. */
function fail(cell: number, kind: CellFailure['kind'], said: Said): void {
  const once = kind === 'type error' || (kind === 'error' && !failed.has(cell))
  const isAsked = once && cells[cell - 1]?.raises === true
  failed.add(cell)
  if (isAsked) expected.add(cell)
  else expected.delete(cell)
  tell({ type: 'failure', cell, kind, expected: isAsked, ...said })
}

/** Where in the cells an error came from. */
function placeOf(stack = ''): CellPlace | undefined {
  const [, number, line] = /\bcell-(\d+)\.ts:(\d+)/.exec(stack) ?? []
  if (number === undefined) return undefined
  const cell = Number(number)
  const at = sourceLineOf(cells[cell - 1]?.source ?? '', emitted.get(cell), Number(line))
  return at && { cell, ...at }
}

/** What can be said of a thrown value: its name and code, its message with its causes, and its place. */
function described(error: unknown): Said {
  if (!(error instanceof Error)) {
    return { name: 'thrown value', message: String((error as { message?: unknown } | null)?.message ?? error) }
  }
  const causes: Words[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    if (!error.message.includes(cause.message)) causes.push(messageOf(cause))
  }
  if (error.message === 'await is not defined')
    causes.push(
      sentence`in tslab an await in parentheses can not be the first of a cell: give it a statement of its own`,
    )
  const { code } = error as NodeJS.ErrnoException
  return {
    name: typeof code === 'string' ? `${error.name} [${code}]` : error.name,
    message: sent(listOf([messageOf(error), ...causes])),
    at: placeOf(error.stack),
  }
}

/** The converter, which names what it compiles after its cell. */
function namingCells(converter: Converter): Converter {
  return {
    ...converter,
    convert(before, source) {
      const result = converter.convert(before, source)
      emitted.set(running, result.output ?? '')
      return result.output ? { ...result, output: `${result.output}\n//# sourceURL=cell-${running}.ts` } : result
    },
  }
}

/** Diagnostics come as `%s%d:%d - %s` with file, line, column and message; an error that was thrown comes as itself. */
const cellConsole: ExecutorConsole = {
  log: (...values) => console.log(...values),
  error(first, ...rest) {
    const cell = running
    if (first !== '%s%d:%d - %s') return fail(cell, 'error', described(first))
    const [file, line, column, message] = rest as [string, number, number, string]
    const place = `${cell}:${file}:${line}:${column}`
    if (place === diagnosed) return tell({ type: 'more', cell, message })
    diagnosed = place
    const text = cells[cell - 1]?.source.split('\n')[line - 1] ?? ''
    fail(cell, 'type error', { message: `${file}${message}`, at: file ? undefined : { cell, line, text } })
  },
}

function tellStreams(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      tell({ type: 'stream', cell: here(), name, text })
      for (const callback of rest) if (typeof callback === 'function') process.nextTick(callback)
      return true
    }
  }
}

const converter = tslab.createConverter({ isJS: false, isBrowser: false })
const named = namingCells(converter)
const executor = tslab.createExecutor(
  process.cwd(),
  { node: named, browser: named, close: () => converter.close() },
  cellConsole,
)
tslab.jupyter.lastWriteDisplayData = ({ data, transient }, update) =>
  tell({ type: 'display', cell: here(), data, display: transient?.display_id, update: update === true })
tellStreams()
process.on('unhandledRejection', (reason) => fail(here(), 'unhandled rejection', described(reason)))
process.on('uncaughtException', (error) => fail(here(), 'uncaught error', described(error)))
process.on('SIGINT', () => executor.interrupt())
process.on('exit', (code) => {
  if (!over) fail(here(), 'exit', { message: sentence`the cell ended the process (exit code ${code})` })
})

/** Rejections are reported when the microtasks are done: two turns of the loop later all of a cell's are known. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function end(): void {
  over = true
  tell({ type: 'over' })
}

async function runAll(): Promise<void> {
  for (const [index, { source, raises }] of cells.entries()) {
    running = index + 1
    tell({ type: 'start', cell: running })
    await current.run(running, () => executor.execute(source))
    await turn()
    await turn()
    if (raises && !failed.has(running))
      fail(running, 'no error', { message: sentence`the cell is tagged raises-exception and raised none` })
    tell({ type: 'end', cell: running })
    if (failed.size > expected.size) {
      end()
      process.exit()
    }
  }
  executor.close()
  tell({ type: 'drain' })
  process.on('beforeExit', end)
}

void runAll()
