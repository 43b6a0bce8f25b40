/**
 * Runs the cells of one notebook with tslab's converter and executor, without Jupyter. Standard input has the sources; what
 * happens is told on descriptor 3, a JSON object a line, written at once so that nothing is lost when the process dies.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { sourceLineOf } from './source-line.mjs'

const require = createRequire(import.meta.url)
const { createConverter } = require('tslab/dist/converter.js')
const { createExecutor } = require('tslab/dist/executor.js')
const jupyter = require('tslab/dist/jupyter.js') // the display functions look into it

const cells = JSON.parse(readFileSync(0, 'utf8'))
const current = new AsyncLocalStorage()
const emitted = new Map()
const failed = new Set()
const expected = new Set()
let running = null
let over = false
let diagnosed

const here = () => current.getStore() ?? running

function tell(event) {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
}

/** A cell that is tagged raises-exception may throw once, or be wrong in its types. */
function fail(cell, kind, fields) {
  const asked = cells[cell - 1]?.raises && (kind === 'type error' || (kind === 'error' && !failed.has(cell)))
  failed.add(cell)
  if (asked) expected.add(cell)
  else expected.delete(cell)
  tell({ type: 'failure', cell, kind, expected: asked === true, ...fields })
}

/** What can be said of a thrown value: its name and code, its message with its causes, and where in the cells it came from. */
function described(error) {
  if (!(error instanceof Error)) return { name: 'thrown value', message: String(error?.message ?? error) }
  const causes = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    if (!error.message.includes(cause.message)) causes.push(cause.message)
  }
  const code = typeof error.code === 'string' ? ` [${error.code}]` : ''
  const [, number, line] = /\bcell-(\d+)\.ts:(\d+)/.exec(error.stack ?? '') ?? []
  const at =
    number === undefined ? undefined : sourceLineOf(cells[number - 1].source, emitted.get(Number(number)), Number(line))
  return {
    name: `${error.name}${code}`,
    message: [error.message, ...causes].join('; '),
    at: at && { cell: Number(number), ...at },
  }
}

const converter = createConverter({ isJS: false, isBrowser: false })
const named = {
  ...converter,
  convert(before, source) {
    const result = converter.convert(before, source)
    emitted.set(running, result.output ?? '')
    return result.output ? { ...result, output: `${result.output}\n//# sourceURL=cell-${running}.ts` } : result
  },
}
const console_ = {
  log: (...values) => console.log(...values),
  error(first, ...rest) {
    const cell = running
    if (first !== '%s%d:%d - %s') return fail(cell, 'error', described(first))
    const [file, line, column, message] = rest
    const place = `${cell}:${file}:${line}:${column}`
    if (place === diagnosed) return tell({ type: 'more', cell, message })
    diagnosed = place
    const text = cells[cell - 1].source.split('\n')[line - 1]
    fail(cell, 'type error', { message: `${file}${message}`, at: file ? undefined : { cell, line, text } })
  },
}
const executor = createExecutor(
  process.cwd(),
  { node: named, browser: named, close: () => converter.close() },
  console_,
)

jupyter.lastWriteDisplayData = (content, update) =>
  tell({
    type: 'display',
    cell: here(),
    data: content.data,
    display: content.transient?.display_id,
    update: update === true,
  })
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    tell({ type: 'stream', cell: here(), name, text })
    for (const callback of [encoding, done]) if (typeof callback === 'function') process.nextTick(callback)
    return true
  }
}
process.on('unhandledRejection', (reason) => fail(here(), 'unhandled rejection', described(reason)))
process.on('uncaughtException', (error) => fail(here(), 'uncaught error', described(error)))
process.on('SIGINT', () => executor.interrupt())
process.on('exit', (code) => {
  if (!over) fail(here(), 'exit', { message: `the cell ended the process (exit code ${code})` })
})

/** Rejections are reported when the microtasks are done: two turns of the loop later all of a cell's are known. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

for (const [index, { source, raises }] of cells.entries()) {
  running = index + 1
  tell({ type: 'start', cell: running })
  await current.run(running, () => executor.execute(source))
  await turn()
  await turn()
  if (raises && !failed.has(running))
    fail(running, 'no error', { message: 'the cell is tagged raises-exception and raised none' })
  tell({ type: 'end', cell: running })
  if (failed.size > expected.size) {
    over = true
    tell({ type: 'over' })
    process.exit()
  }
}
executor.close()
tell({ type: 'drain' })
process.on('beforeExit', () => {
  over = true
  tell({ type: 'over' })
})
