import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import root from '#root'
import { type ErrorCode, QuotebookError, WordedError } from '../../contract/error.js'
import { received, type SentWords, sentence } from '../../contract/sentence.js'
import { type ColumnData, concatRows, type RecordColumns } from '../../frame/table/values.js'
import { memoryOf, outOfMemory } from './duckdb.js'
import { type QueryJob, withFolder } from './run-query.js'

/** A query as a process of its own is given it. */
export interface QueryTask extends Omit<QueryJob, 'signal' | 'memory'> {
  readonly memory: number
  /** What of the memory DuckDB may take, bytes: the rest is for Node and for rows on their way. */
  readonly engineMemory: number
  readonly folder: string | undefined
}

/** What the process says: rows, piece by piece, and at last how it ended, with the most bytes that it has had. */
export type FromQuery =
  | { readonly kind: 'rows'; readonly rows: RecordColumns }
  | { readonly kind: 'done'; readonly peak: number }
  | {
      readonly kind: 'failed'
      readonly peak: number
      readonly code: ErrorCode | undefined
      readonly message: SentWords
      readonly cause: unknown
    }

const mebi = 2 ** 20
/** Pages of files, 70 MiB for Node and DuckDB, do not count as data; stacks do, of which 40 MiB are reserved and not used. */
const filePages = 32 * mebi
/**
 * What DuckDB may take of all. More, and the system refuses what DuckDB would have put on the disk: it takes a third above
 * its own limit for a while, and Node has the rest.
 */
const engineShare = 5 / 16
/** Milliseconds between two looks at the memory of a process, and for which one without work is kept. */
const [look, kept] = [platform() === 'linux' ? 20 : 200, 60_000]

/** Bytes of a process that lie in memory; 0 where the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  if (platform() !== 'linux') {
    return new Promise((resolve) => {
      execFile('ps', ['-o', 'rss=', '-p', String(pid)], (_, out) => resolve(1024 * (Number(out) || 0)))
    })
  }
  try {
    return 1024 * Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Bytes of the numbers and texts of a column, or a little more. */
function bytesOfCells(values: ColumnData): number {
  const { data } = values
  const words = 'dictionary' in values ? values.dictionary.length * 64 : 0
  return words + (ArrayBuffer.isView(data) ? data.byteLength : data.length * 64)
}

/** Bytes that this Node reserves for code in one piece and that count as data of a process: 512 MiB from Node 24 on. */
function codeRange(): number {
  if (platform() !== 'linux') return 0
  const ranges = readFileSync('/proc/self/maps', 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)
  const sizes = [...ranges].map(([, from, to]) => Number(`0x${to}`) - Number(`0x${from}`))
  return Math.max(0, ...sizes.filter((size) => size >= 64 * mebi))
}

/** One process that runs one query at a time. The system lets it have so much data and no more; what it has in memory is looked at besides. */
class QueryProcess {
  readonly #child: ChildProcess
  readonly #most: number
  #said = ''
  #isSpent = false
  #isGone = false
  #take: ((message: FromQuery) => void) | undefined
  #ended: (how: string) => void = () => undefined
  #rest: NodeJS.Timeout | undefined

  constructor(most: number) {
    this.#most = most
    const heap = `--max-old-space-size=${Math.floor(most / 4 / mebi)}`
    const own = [
      heap,
      '--expose-gc',
      '--max-semi-space-size=2',
      '--v8-pool-size=1',
      join(root, 'dist/lib/sql-query.cjs'),
    ]
    const limit = `ulimit -d ${Math.floor((most - filePages + codeRange()) / 1024)} 2>/dev/null; exec "$0" "$@"`
    const [command, args] = platform() === 'win32' ? [execPath, own] : ['/bin/sh', ['-c', limit, execPath, ...own]]
    this.#child = spawn(command, args, {
      // Nothing of the environment of this process, which may hold keys.
      env: { UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    this.#child.stderr?.on('data', (piece) => {
      this.#said = `${this.#said}${piece}`.slice(-16_384)
    })
    this.#child.on('message', (message: FromQuery) => this.#take?.(message))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('close', (code, signal) => this.#end(signal ?? `code ${code}`))
    this.#hold(false)
  }

  get isIdle(): boolean {
    return !this.#isSpent && !this.#isGone && this.#take === undefined
  }

  /** @throws QuotebookError SQL; the signal's reason, once the process is gone */
  async run(task: QueryTask, signal: AbortSignal | undefined): Promise<RecordColumns[]> {
    const parts: RecordColumns[] = []
    let why: unknown
    const kill = (reason: unknown): void => {
      why ??= reason
      this.#kill()
    }
    const abort = (): void => kill(signal?.reason)
    const timer = setInterval(async () => {
      if ((await residentBytes(this.#child.pid ?? 0)) > this.#most) kill(outOfMemory(task.memory, undefined, true))
    }, look)
    this.#hold(true)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await new Promise<void>((resolve, reject) => {
        this.#ended = (how) => reject(why ?? this.#failure(how, task.memory))
        this.#take = (message) => {
          if (message.kind === 'rows') parts.push(message.rows)
          else if (why === undefined) {
            // One that has grown gives no memory back: the next query begins with a fresh one.
            if (message.peak > this.#most / 2) this.#kill()
            if (message.kind === 'done') resolve()
            else reject(errorOf(message))
          }
        }
        if (this.#isGone) this.#ended('before it began')
        else this.#child.send(task, (error) => error && kill(this.#failure(error.message, task.memory)))
      })
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
      this.#take = undefined
      this.#hold(false)
    }
    return parts
  }

  /** Whether this process stays alive for it. One that waits for a query ends after a minute. */
  #hold(isNeeded: boolean): void {
    const { channel, stderr } = this.#child
    clearTimeout(this.#rest)
    if (!isNeeded) this.#rest = setTimeout(() => this.#kill(), kept).unref()
    for (const one of [this.#child, channel, stderr as unknown as NodeJS.Timeout | null]) {
      if (isNeeded) one?.ref()
      else one?.unref()
    }
  }

  #kill(): void {
    this.#isSpent = true
    this.#child.kill('SIGKILL')
  }

  #end(how: string): void {
    this.#isGone = true
    clearTimeout(this.#rest)
    this.#ended(how)
  }

  #failure(how: string, memory: number): QuotebookError {
    const cause = new Error(this.#said.trim() || how)
    if (/memory|alloc|ENOMEM/i.test(cause.message)) return outOfMemory(memory, cause, true)
    return new QuotebookError('SQL', sentence`the process that ran the query has ended (${how})`, { cause })
  }
}

function errorOf({ code, message, cause }: Extract<FromQuery, { readonly kind: 'failed' }>): Error {
  const words = received(message)
  return code === undefined ? new WordedError(words, { cause }) : new QuotebookError(code, words, { cause })
}

/** Processes that have run a query and may run another. */
let waiting: QueryProcess[] = []

/**
 * Runs a query as `runQuery` does, in a process of its own: the system ends it where all of it together would take more than
 * the option `memory`, and whatever it computes when the signal says so. It has none of the environment of this process, and
 * ends with it. Rows of tables that are handed over count on top.
 * @throws QuotebookError as `runQuery` does
 */
export async function runApart(job: QueryJob): Promise<RecordColumns> {
  job.signal?.throwIfAborted()
  const { signal, memory: asked, ...rest } = job
  const memory = memoryOf(asked)
  const cells = [...job.relations.values()].flatMap(({ columns }) => [...columns.values()])
  const most = memory + 4 * cells.reduce((sum, values) => sum + bytesOfCells(values), 0)
  return withFolder(async (folder) => {
    waiting = waiting.filter((one) => one.isIdle)
    const one = (most === memory && waiting.pop()) || new QueryProcess(most)
    const task = { ...rest, memory, engineMemory: Math.floor(most * engineShare), folder }
    try {
      return concatRows(await one.run(task, signal))
    } finally {
      if (most === memory) waiting.push(one)
    }
  })
}
