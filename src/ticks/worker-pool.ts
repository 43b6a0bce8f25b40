import { availableParallelism } from 'node:os'
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads'
import { type ErrorCode, messageOf, QuotebookError } from '../contract/error.js'
import { type Clock, realClock } from '../source/transport/clock.js'

/** An error that came from another thread has its name and not its class. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** What leaves a decoder in a state that nobody knows: a trap of WebAssembly, or memory that it could not have. */
export function isFatal(error: unknown): boolean {
  return isTrap(error) || error instanceof RangeError
}

/** Why a reader failed, in words. */
export function failureReason(error: unknown): string {
  return isTrap(error) ? `its decoder broke down (${messageOf(error)})` : messageOf(error)
}

/** What a worker sends; `worker-end.ts` says it. */
type WorkerMessage<Result> =
  | { readonly told: unknown }
  | { readonly result: Result; readonly spent: boolean }
  | { readonly failed: string; readonly code: ErrorCode | undefined; readonly spent: boolean }

interface PoolOptions {
  /** Workers at most; one is started when a task has none. */
  readonly size: number
  /** Path of the code that a worker runs: one file of CommonJS. */
  readonly file: string
  /**
   * MiB of JavaScript values that a worker may have: beyond them it ends alone, unless it asks for more than 16 MiB at
   * once, which ends the process. Typed arrays and WebAssembly do not count. Default 1024.
   */
  readonly heapMb?: number | undefined
  readonly clock?: Clock | undefined
}

interface RunOptions {
  /** What the task reads, as an error names it: `the file of 20260506`. */
  readonly name: string
  /** Milliseconds that a worker may be silent. Default a minute. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with what the worker tells on its way; every word of it ends a silence. */
  readonly onProgress?: ((told: unknown) => void) | undefined
}

export interface WorkerPool<Task, Result> {
  /**
   * Gives a task to the next free worker; tasks wait in the order in which they came.
   * @throws QuotebookError FILE when the worker dies, is silent for too long, or fails; with the code of its own where it
   * failed with one; the signal's reason as soon as it is aborted
   */
  run(task: Task, transfer: readonly TransferListItem[], options: RunOptions): Promise<Result>
  /** Ends all workers. Tasks under way fail. */
  close(): Promise<void>
}

interface Job<Result> {
  readonly task: unknown
  readonly transfer: readonly TransferListItem[]
  readonly options: RunOptions
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
  /** Aborted when the job is over. */
  readonly over: AbortController
  heard: number
}

interface Seat<Result> {
  readonly worker: Worker
  job: Job<Result> | undefined
  /** Why the worker is about to end. */
  why: string | undefined
}

const usualSilence = 60_000

/** Threads when nobody says: one a processor, four at most, since more only wait for memory. */
export function defaultThreads(): number {
  return Math.min(4, availableParallelism())
}

/**
 * Worker threads that take tasks one by one. One that dies, is silent, or says that it is spent gives way to a fresh one;
 * no task is tried twice. Workers that have nothing to do do not keep the process alive.
 */
export function startWorkerPool<Task, Result>({
  size,
  file,
  heapMb = 1024,
  clock = realClock,
}: PoolOptions): WorkerPool<Task, Result> {
  const waiting: Job<Result>[] = []
  const seats = new Set<Seat<Result>>()
  const endings = new Set<Promise<unknown>>()
  let closed = false

  const broken = ({ options }: Job<Result>, why: string, code: ErrorCode = 'FILE'): QuotebookError =>
    new QuotebookError(code, code === 'FILE' ? `${options.name} can not be read: ${why}` : why)

  function settle(job: Job<Result>, end: () => void): void {
    if (job.over.signal.aborted) return
    job.over.abort()
    end()
  }

  function dismiss(seat: Seat<Result>): void {
    if (!seats.delete(seat)) return
    const ending = seat.worker.terminate().finally(() => endings.delete(ending))
    endings.add(ending)
  }

  /** The worker is of no use any more. */
  function lose(seat: Seat<Result>, why: string): void {
    const { job } = seat
    dismiss(seat)
    if (job) settle(job, () => job.reject(broken(job, why)))
    next()
  }

  function pass(job: Job<Result>, told: unknown): void {
    try {
      job.options.onProgress?.(told)
    } catch (error) {
      cancel(job, error)
    }
  }

  function hear(seat: Seat<Result>, said: WorkerMessage<Result>): void {
    const { job } = seat
    if (!job || !seats.has(seat)) return
    job.heard = clock.now()
    if ('told' in said) {
      pass(job, said.told)
      return
    }
    seat.job = undefined
    seat.worker.unref()
    if (said.spent) dismiss(seat)
    if ('result' in said) settle(job, () => job.resolve(said.result))
    else settle(job, () => job.reject(broken(job, said.failed, said.code)))
    next()
  }

  function hire(): Seat<Result> {
    const worker = new Worker(file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    const seat: Seat<Result> = { worker, job: undefined, why: undefined }
    worker.on('message', (said: WorkerMessage<Result>) => hear(seat, said))
    worker.on('messageerror', (error) => lose(seat, failureReason(error)))
    // What it told before comes between the two.
    worker.on('error', (error) => {
      seat.why = failureReason(error)
    })
    worker.on('exit', (code) => lose(seat, seat.why ?? `its reader ended with code ${code}`))
    seats.add(seat)
    return seat
  }

  async function watch(seat: Seat<Result>, job: Job<Result>, silence: number): Promise<void> {
    try {
      for (let left = silence; left > 0; left = job.heard + silence - clock.now())
        await clock.sleep(left, job.over.signal)
    } catch {
      return
    }
    if (seat.job === job) lose(seat, `its reader was silent for ${silence / 1000} s`)
  }

  function give(seat: Seat<Result>, job: Job<Result>): void {
    seat.job = job
    seat.worker.ref()
    job.heard = clock.now()
    try {
      seat.worker.postMessage(job.task, job.transfer)
    } catch (error) {
      lose(seat, failureReason(error))
      return
    }
    void watch(seat, job, job.options.timeoutMs ?? usualSilence)
  }

  function next(): void {
    while (!closed && waiting.length > 0) {
      const free = [...seats].find(({ job }) => !job)
      if (!free && seats.size >= size) return
      const job = waiting.shift() as Job<Result>
      if (!job.over.signal.aborted) give(free ?? hire(), job)
    }
  }

  function cancel(job: Job<Result>, reason: unknown): void {
    const seat = [...seats].find((one) => one.job === job)
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    if (seat) dismiss(seat)
    settle(job, () => job.reject(reason))
    next()
  }

  return {
    run(task, transfer, options) {
      return new Promise((resolve, reject) => {
        const { signal } = options
        if (signal?.aborted) throw signal.reason
        const over = new AbortController()
        const job: Job<Result> = { task, transfer, options, resolve, reject, over, heard: 0 }
        if (closed) throw broken(job, 'its readers have been sent away')
        signal?.addEventListener('abort', () => cancel(job, signal.reason), { once: true, signal: over.signal })
        waiting.push(job)
        next()
      })
    },
    async close() {
      closed = true
      const jobs = [...waiting.splice(0), ...[...seats].flatMap(({ job }) => job ?? [])]
      for (const seat of [...seats]) dismiss(seat)
      for (const job of jobs) settle(job, () => job.reject(broken(job, 'its readers have been sent away')))
      await Promise.all(endings)
    },
  }
}

interface TaskResult<Result> {
  readonly result: Result
  readonly transfer?: readonly TransferListItem[]
}

/**
 * The other end of `startPool`, in the worker: answers one task after another.
 * @param handle does a task; what it tells on its way keeps the pool's patience
 * @param isSpent whether a fresh worker should take the next task, say because this one has grown large
 */
export function serveTasks<Task, Result>(
  handle: (task: Task, tell: (told: unknown) => void) => Promise<TaskResult<Result>>,
  isSpent: () => boolean = () => false,
): void {
  const port = parentPort
  if (!port) throw new QuotebookError('USAGE', 'this is the code of a worker thread')
  const say = (said: WorkerMessage<Result>, transfer: readonly TransferListItem[] = []): void =>
    port.postMessage(said, transfer)
  port.on('message', async (task: Task) => {
    try {
      const { result, transfer } = await handle(task, (told) => say({ told }))
      say({ result, spent: isSpent() }, transfer)
    } catch (error) {
      const code = error instanceof QuotebookError ? error.code : undefined
      // Of a decoder that has failed other parts may still be at work, and break down later, in the midst of another task.
      say({ failed: failureReason(error), code, spent: code === undefined || code === 'FILE' || isSpent() })
    }
  })
}
