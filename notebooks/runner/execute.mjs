import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { collect } from './outputs.mjs'

/** Seconds that the kernel may take to start. */
const start = 60
const kernel = join(dirname(fileURLToPath(import.meta.url)), 'kernel.mjs')

/** What could make two runs differ is set; what belongs to the caller's own node is taken away. */
function environment(source) {
  const { NODE_OPTIONS, NODE_ENV, NODE_PATH, FORCE_COLOR, NODE_DISABLE_COLORS, NODE_DEBUG, ...rest } = process.env
  return { ...rest, QUOTEBOOK_SOURCE: source, TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', NO_COLOR: '1' }
}

/**
 * Runs the code cells of a notebook in a process of its own, whose folder is that of the notebook.
 * `connect()` opens `source`. A cell may take `timeout` seconds, and so may what is left to do after the last one.
 * Resolves to `{ ran, outputs: Map<cell, output[]>, failures: [{ cell, kind, name, message, at }] }`; never rejects for a cell.
 */
export function execute(path, cells, timeout, source = 'sample') {
  const folder = dirname(resolve(path))
  const seen = collect(folder)
  const child = spawn(process.execPath, [kernel], {
    cwd: folder,
    stdio: ['pipe', 2, 2, 'pipe'],
    env: environment(source),
  })
  const state = { cell: 0, draining: false, over: false, timedOut: false }
  let alarm
  const watch = (seconds) => {
    clearTimeout(alarm)
    alarm = setTimeout(stop, seconds * 1000)
  }
  function stop() {
    const message = state.draining
      ? `work is left over: timers, sockets or promises keep the process alive ${timeout} s after the last cell`
      : `the cell did not end within ${timeout} s`
    seen.fail({ cell: state.cell, kind: 'hang', message })
    state.timedOut = true
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), 1000).unref()
  }
  watch(Math.max(timeout, start))
  const lines = createInterface({ input: child.stdio[3] })
  lines.on('line', (line) => {
    if (state.timedOut) return
    const event = JSON.parse(line)
    if (event.type === 'start') state.cell = event.cell
    if (event.type === 'drain') state.draining = true
    if (event.type === 'over') state.over = true
    if (event.type === 'start' || event.type === 'drain') watch(timeout)
    seen.take(event)
  })
  child.stdin.on('error', () => {})
  child.stdin.end(
    JSON.stringify(cells.map(({ source, tags }) => ({ source, raises: tags.includes('raises-exception') }))),
  )
  return new Promise((settle, reject) => {
    child.on('error', reject)
    lines.on('close', () => {
      if (child.exitCode !== null || child.signalCode !== null) finish()
      else child.on('exit', finish)
    })
    function finish() {
      clearTimeout(alarm)
      const died = !state.over && !state.timedOut && seen.failures.length === 0
      if (died)
        seen.fail({
          cell: state.cell,
          kind: 'crash',
          message: `the process died (${child.signalCode ?? child.exitCode})`,
        })
      settle({ ran: state.cell, outputs: seen.outputs, failures: seen.failures })
    }
  })
}
