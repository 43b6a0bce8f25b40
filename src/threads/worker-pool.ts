/*
 * Our own pool: piscina (5.3.2) leaves a queued task waiting for ever when a thread dies and no minimum of threads is set, and
 * tinypool can not be loaded by CommonJS. Neither replaces a single thread that asks for it or watches for silence.
 */
import { availableParallelism } from 'node:os'
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads'
import { type ErrorCode, messageOf, QuotebookError, WordedError } from '../contract/error.js'
import { fact, received, type SentWords, sent, sentence, type Words } from '../contract/sentence.js'
import { semaphore } from './semaphore.js'

/** An error that came from another thread has its name and not its class. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** What leaves a decoder in an unknown state: a trap of WebAssembly, or memory that it could not have. */
export function isFatal(error: unknown): boolean {
  return isTrap(error) || error instanceof RangeError
}

/** Why a reader failed, in words. */
export function failureReason(error: unknown): Words {
  return isTrap(error) ? sentence`its decoder broke down (${messageOf(error)})` : messageOf(error)
}

/** What a worker sends. After a task with `replace` it is not given another. */
type WorkerMessage<Result> =
  | { readonly progress: unknown }
  | { readonly result: Result; readonly replace: boolean }
  | {
      readonly failed: SentWords
      readonly code: ErrorCode | undefined
      readonly replace: boolean
    }

interface WorkerPoolOptions {
  /** Workers at most; one is started when a task has none. */
  readonly size: number
  /** Path of the code that a worker runs: one file of CommonJS. */
  readonly file: string
  /**
   * MiB of JavaScript values that a worker may have: beyond them it ends alone, unless it asks for more than 16 MiB at
   * once, which ends the process. Typed arrays and WebAssembly do not count. Default 1024.
   */
  readonly heapMb?: number | undefined
  /** How errors speak of a worker and of its task. Default: a reader, of something that can not be read, with code FILE. */
  readonly words?: PoolWords | undefined
}

interface PoolWords {
  readonly worker: Words
  readonly workers: Words
  readonly failed: (name: Words, why: Words) => Words
  readonly code: ErrorCode
}

const readerWords: PoolWords = {
  worker: sentence`its reader`,
  workers: sentence`its readers`,
  failed: (name, why) => fact('UNREAD', '{name} can not be read: {why}', { name, why }),
  code: 'FILE',
}

interface RunOptions {
  /** What the task reads, as an error names it: `the file of 20260506`. */
  readonly name: Words
  /** Milliseconds without a message after which a worker counts as hung. Default a minute. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the progress that the worker reports; every report starts the timeout anew. */
  readonly onProgress?: ((progress: unknown) => void) | undefined
}

interface Job<Result> extends Pick<RunOptions, 'onProgress'> {
  readonly timer: NodeJS.Timeout
  resolve(result: Result): void
  reject(reason: unknown): void
}

/** Threads where none are asked for: one a processor, four at most, since more only wait for memory. */
export function defaultThreads(): number {
  return Math.min(4, availableParallelism())
}

class WorkerFailure extends WordedError {
  /** Of the task's own error. */
  readonly code: ErrorCode | undefined
  constructor(reason: Words, code?: ErrorCode) {
    super(reason)
    this.code = code
  }
}

/** A thread that does one task at a time, until it fails in a way that leaves its state unknown. */
class PoolWorker<Task, Result> {
  readonly #thread: Worker
  #job: Job<Result> | undefined
  #error: Words | undefined
  isUsable = true

  readonly #name: Words

  constructor(file: string, heapMb: number, name: Words) {
    this.#name = name
    this.#thread = new Worker(file, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    this.#thread.on('message', (message: WorkerMessage<Result>) => this.#receive(message))
    this.#thread.on('messageerror', (error) => this.#fail(failureReason(error)))
    // Messages that were sent before the error arrive between 'error' and 'exit'.
    this.#thread.on('error', (error) => {
      this.#error = failureReason(error)
    })
    this.#thread.on('exit', (code) => this.#fail(this.#error ?? sentence`${this.#name} ended with code ${code}`))
  }

  run(task: Task, transfer: readonly TransferListItem[], options: RunOptions): Promise<Result> {
    const { timeoutMs = 60_000, signal, onProgress } = options
    const abort = (): void => void this.close(signal?.reason)
    return new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(sentence`${this.#name} was silent for ${timeoutMs / 1000} s`),
        timeoutMs,
      )
      this.#job = { resolve, reject, timer, onProgress }
      signal?.addEventListener('abort', abort, { once: true })
      this.#thread.ref()
      try {
        this.#thread.postMessage(task, transfer)
      } catch (error) {
        this.#fail(failureReason(error))
      }
    }).finally(() => signal?.removeEventListener('abort', abort))
  }

  /** Ends the thread; a task under way fails with the reason. */
  async close(reason: unknown): Promise<void> {
    this.isUsable = false
    this.#endJob()?.reject(reason)
    await this.#thread.terminate()
  }

  #fail(reason: Words): void {
    void this.close(new WorkerFailure(reason))
  }

  #endJob(): Job<Result> | undefined {
    const job = this.#job
    clearTimeout(job?.timer)
    this.#job = undefined
    return job
  }

  #receive(message: WorkerMessage<Result>): void {
    if ('progress' in message) {
      this.#job?.timer.refresh()
      try {
        this.#job?.onProgress?.(message.progress)
      } catch (error) {
        void this.close(error)
      }
      return
    }
    const job = this.#endJob()
    this.#thread.unref()
    if (message.replace) void this.close(undefined)
    if ('result' in message) job?.resolve(message.result)
    else job?.reject(new WorkerFailure(received(message.failed), message.code))
  }
}

/**
 * Worker threads that take tasks one by one. A thread that dies, is silent, or asks to be replaced gives way to a fresh one;
 * no task is tried twice. Idle threads do not keep the process alive.
 */
export class WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions
  readonly #slots
  /** Idle workers and busy ones. */
  readonly #workers = new Set<PoolWorker<Task, Result>>()
  #idle: PoolWorker<Task, Result>[] = []
  readonly #words: PoolWords
  readonly #closed: WorkerFailure

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#slots = semaphore(options.size)
    this.#words = options.words ?? readerWords
    this.#closed = new WorkerFailure(sentence`${this.#words.workers} have been sent away`)
  }

  /**
   * Gives a task to the next free worker; tasks wait in the order in which they came.
   * @throws QuotebookError FILE, or the pool's code, when the worker dies, is silent for too long, or fails; with the code of its own where it
   * failed with one; the signal's reason as soon as it is aborted
   */
  async run(task: Task, transfer: readonly TransferListItem[], options: RunOptions): Promise<Result> {
    try {
      return await this.#slots.run(() => this.#runOn(this.#takeWorker(), task, transfer, options), options.signal)
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error
      const { failed, code: own } = this.#words
      const { code = own, words: message } = error
      throw new QuotebookError(code, code === own ? failed(options.name, message) : message)
    }
  }

  /** Ends all workers. Tasks under way fail. */
  async close(): Promise<void> {
    this.#slots.close(this.#closed)
    await Promise.all([...this.#workers].map((worker) => worker.close(this.#closed)))
  }

  #takeWorker(): PoolWorker<Task, Result> {
    this.#idle = this.#idle.filter(({ isUsable }) => isUsable)
    const { file, heapMb = 1024 } = this.#options
    const worker = this.#idle.pop() ?? new PoolWorker<Task, Result>(file, heapMb, this.#words.worker)
    this.#workers.add(worker)
    return worker
  }

  async #runOn(
    worker: PoolWorker<Task, Result>,
    task: Task,
    transfer: readonly TransferListItem[],
    options: RunOptions,
  ): Promise<Result> {
    try {
      return await worker.run(task, transfer, options)
    } finally {
      if (worker.isUsable) this.#idle.push(worker)
      else void worker.close(undefined).then(() => this.#workers.delete(worker))
    }
  }
}

interface TaskResult<Result> {
  readonly result: Result
  readonly transfer?: readonly TransferListItem[]
}

/**
 * The other end of the pool, in the worker: does one task after another.
 * @param handle does a task; what it reports on its way starts the pool's timeout anew
 * @param isSpent whether a fresh worker should take the next task, say because this one has grown large
 */
export function serveTasks<Task, Result>(
  handle: (task: Task, report: (progress: unknown) => void) => Promise<TaskResult<Result>>,
  isSpent: () => boolean = () => false,
): void {
  const port = parentPort
  if (!port) throw new QuotebookError('USAGE', sentence`this is the code of a worker thread`)
  const send = (message: WorkerMessage<Result>, transfer: readonly TransferListItem[] = []): void =>
    port.postMessage(message, transfer)
  port.on('message', async (task: Task) => {
    try {
      const { result, transfer } = await handle(task, (progress) => send({ progress }))
      send({ result, replace: isSpent() }, transfer)
    } catch (error) {
      const code = error instanceof QuotebookError ? error.code : undefined
      // Of a decoder that has failed other parts may still be at work, and break down later, in the midst of another task.
      const failed = sent(failureReason(error))
      const replace = code === undefined || code === 'FILE' || isSpent()
      send({ failed, code, replace })
    }
  })
}
