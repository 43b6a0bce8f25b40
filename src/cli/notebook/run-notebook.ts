import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import root from '#root'
import type { Language } from '../../contract/language.js'
import { sent, sentence, type Words } from '../../contract/sentence.js'
import { type CellOutputs, OutputCollector } from './cell-outputs.js'
import type { CellCode, CellFailure, KernelEvent } from './kernel-event.js'

/** Seconds that the kernel may take to start. */
const start = 60

/** How a notebook is run. */
export interface NotebookRunOptions {
  /** Folder of tslab. */
  readonly kernel: string
  /** The program of Node. */
  readonly node: string
  /** Environment of the caller, of which what could make two runs differ is set, and what belongs to its own Node taken away. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What `connect()` opens: `sample`, a directory, or addresses. */
  readonly source: string
  /** Of what its tables and charts say of themselves; English where it is not given. */
  readonly language?: Language
  /** Seconds that a cell may take, and what is left to do after the last one. */
  readonly timeout: number
  /** Told when a cell begins, from 1. */
  readonly onCell?: (cell: number) => void
  /** Ends the kernel. */
  readonly signal?: AbortSignal
}

/** What came of it; `ran` is the last cell that was begun. */
export interface NotebookRun extends CellOutputs {
  readonly ran: number
}

function environment({ env, source, language }: NotebookRunOptions): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_ENV, NODE_PATH, FORCE_COLOR, NODE_DISABLE_COLORS, NODE_DEBUG, ...rest } = env
  const own = { QUOTEBOOK_SOURCE: source, QUOTEBOOK_LANG: language ?? 'en' }
  return { ...rest, ...own, TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', NO_COLOR: '1' }
}

/** Runs the code cells of a notebook in a process of its own, whose folder is that of the notebook. It never rejects for a cell. */
export function runNotebook(
  path: string,
  cells: readonly CellCode[],
  options: NotebookRunOptions,
): Promise<NotebookRun> {
  const folder = dirname(resolve(path))
  const child = spawn(options.node, [join(root, 'dist/lib/notebook-runner.cjs'), options.kernel], {
    cwd: folder,
    stdio: ['pipe', 2, 2, 'pipe'],
    env: environment(options),
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(JSON.stringify(cells))
  return new KernelWatch(child, new OutputCollector(folder), options).ended()
}

/** Follows the process of a kernel, and ends it when it takes too long. */
class KernelWatch {
  readonly #child: ChildProcess
  readonly #seen: OutputCollector
  readonly #options: NotebookRunOptions
  #cell = 0
  #state: 'runs' | 'drains' | 'over' | 'stopped' = 'runs'
  #alarm: NodeJS.Timeout | undefined

  constructor(child: ChildProcess, seen: OutputCollector, options: NotebookRunOptions) {
    this.#child = child
    this.#seen = seen
    this.#options = options
    this.#watch(Math.max(options.timeout, start))
  }

  #watch(seconds: number): void {
    clearTimeout(this.#alarm)
    this.#alarm = setTimeout(() => this.#stop(), seconds * 1000)
  }

  #stop(): void {
    const { timeout } = this.#options
    const message =
      this.#state === 'drains'
        ? `work is left over: timers, sockets or promises keep the process alive ${timeout} s after the last cell`
        : `the cell did not end within ${timeout} s`
    this.#fail('hang', message)
    this.#state = 'stopped'
    this.#child.kill('SIGINT')
    setTimeout(() => this.#child.kill('SIGKILL'), 1000).unref()
  }

  #fail(kind: CellFailure['kind'], message: Words): void {
    this.#seen.fail({ cell: this.#cell, kind, message: sent(message), expected: false })
  }

  #take(event: KernelEvent): void {
    if (this.#state === 'stopped') return
    if (event.type === 'drain') this.#state = 'drains'
    if (event.type === 'over') this.#state = 'over'
    if (event.type === 'start') {
      this.#cell = event.cell
      this.#options.onCell?.(event.cell)
    }
    if (event.type === 'start' || event.type === 'drain') this.#watch(this.#options.timeout)
    this.#seen.take(event)
  }

  #result(): NotebookRun {
    clearTimeout(this.#alarm)
    const { exitCode, signalCode } = this.#child
    const isDead = this.#state !== 'over' && this.#state !== 'stopped' && this.#seen.failures.length === 0
    if (isDead) this.#fail('crash', sentence`the process died (${signalCode ?? exitCode})`)
    return { ran: this.#cell, outputs: this.#seen.outputs, failures: this.#seen.failures }
  }

  ended(): Promise<NotebookRun> {
    const child = this.#child
    const { signal } = this.#options
    const lines = createInterface({ input: child.stdio[3] as Readable })
    lines.on('line', (line) => this.#take(JSON.parse(line)))
    return new Promise((settle, reject) => {
      const abort = (): void => {
        clearTimeout(this.#alarm)
        child.kill('SIGKILL')
        reject(signal?.reason)
      }
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      const finish = (): void => {
        signal?.removeEventListener('abort', abort)
        settle(this.#result())
      }
      child.on('error', reject)
      lines.on('close', () => {
        if (child.exitCode !== null || child.signalCode !== null) finish()
        else child.on('exit', finish)
      })
    })
  }
}
