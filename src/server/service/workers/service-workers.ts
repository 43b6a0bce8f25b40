import cluster, { type Address, type Worker } from 'node:cluster'
import { once } from 'node:events'
import { LRUCache } from 'lru-cache'
import { realClock, waitAfter } from '../../../data/source/transport/clock.js'
import { type RateLimit, rateLimit } from '../keys/key-ring.js'
import { CountsOfAll, type WorkersStatus } from '../metrics.js'
import type { FromPrimary, FromWorker } from './worker-link.js'

/** How a worker ended. */
export interface WorkerEnd {
  readonly id: number
  /** Exit code, or the signal that ended it. */
  readonly how: string
  /** Seconds after which another begins. */
  readonly wait: number
}

export interface PoolOptions {
  readonly workers: number
  /** What workers find in their environment, beside that of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Ends when the workers are to end, those too that are only beginning. */
  readonly ended: Promise<unknown>
  /** Lines of the access log. */
  readonly onLog: (text: string) => void
  /** A worker has ended by itself. */
  readonly onEnd: (end: WorkerEnd) => void
}

/** A worker that has lived so long was well, ms: the next one begins at once. */
const calm = 60_000
/** A bucket that was left alone for so long is full, and need not be kept, ms. */
const restingTime = 61_000
/** Milliseconds for a worker to say what it has counted, and to end when it is told to. */
const [patience, grace] = [1000, 20_000]

/** The exit code of a worker, once it has ended; 1 for one that was killed. */
const exitOf = async (worker: Worker): Promise<number> =>
  worker.isDead() ? 1 : (((await once(worker, 'exit')) as [number | null])[0] ?? 1)

/** What a connection is while Node hands it over. */
interface Handle {
  close(): void
}

/**
 * Closes the connection that a worker was being given when it went. Node hands over one at a time and keeps it open until the
 * worker says that it has it; of a worker that is killed meanwhile nobody else would close it, and its client would wait.
 */
function closeUndelivered({ process: child }: Worker): void {
  const send = child.send.bind(child) as (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean
  let handed: Handle | undefined
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (typeof (handle as Handle | undefined)?.close === 'function') handed = handle as Handle
    return send(message, handle, ...rest)
  }
  // Taken, or refused by one that ends: Node closes it, or gives it to another, and only then hands over the next one.
  child.prependListener('internalMessage', (message: { readonly accepted?: boolean }) => {
    if (typeof message.accepted === 'boolean') handed = undefined
  })
  // Its channel says nothing of the end while a connection is on its way.
  child.once('exit', () => handed?.close())
}

/**
 * The processes that answer: the same command in each, one port for all. This process gives them its connections in turn, keeps
 * what all of them keep to (rates of keys, counters, the log), and puts another in the place of one that ended.
 */
export class ServiceWorkers {
  readonly #options: PoolOptions
  readonly #listening = new Set<Worker>()
  /** Those that were told to end, or begin in the place of another. */
  readonly #watched = new Set<Worker>()
  readonly #limits = new LRUCache<string, RateLimit>({ max: 10_000, ttl: restingTime, updateAgeOnGet: true })
  readonly #counts: CountsOfAll
  /** Restarts in a row of workers that did not live long. */
  #hasty = 0
  #restarts = 0
  #deaths = 0
  readonly #gone = new AbortController()
  #ending: Promise<void> | undefined
  #replacing: Promise<boolean | undefined> | undefined

  private constructor(options: PoolOptions) {
    this.#options = options
    this.#counts = new CountsOfAll(() => this.status)
    cluster.on('message', (worker, messages: readonly FromWorker[]) => void this.#take(worker, messages))
    cluster.on('disconnect', ({ id }) => this.#counts.leave(id))
  }

  /** Starts the workers; ends when all of them listen. Gives the exit code of the first one where that can not. */
  static async start(
    options: PoolOptions,
  ): Promise<{ readonly pool: ServiceWorkers; readonly address: Address } | number> {
    const pool = new ServiceWorkers(options)
    void options.ended.then(() => pool.end())
    const first = pool.#fork()
    const begun = once(first, 'listening') as Promise<[Address]>
    const failure = await pool.#begins(first)
    if (pool.#gone.signal.aborted) return 0
    if (failure !== undefined) return failure || 1
    const others = Array.from({ length: options.workers - 1 }, () => pool.#fork())
    await Promise.all(others.map((worker) => pool.#begins(worker)))
    if (pool.#gone.signal.aborted) return 0
    return { pool, address: (await begun)[0] }
  }

  get status(): WorkersStatus {
    return {
      wanted: this.#options.workers,
      listening: this.#listening.size,
      restarts: this.#restarts,
      deaths: this.#deaths,
    }
  }

  /**
   * Puts a new worker in the place of each, one after the other: it listens before the old one takes no more connections and
   * finishes. False when a new one can not begin; the old ones then stay. Undefined when all were told to end meanwhile.
   */
  replaceAll(): Promise<boolean | undefined> {
    this.#replacing ??= this.#replace().finally(() => {
      this.#replacing = undefined
    })
    return this.#replacing
  }

  /** Ends all workers after what is under way. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    this.#gone.abort()
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    for (const worker of all) {
      this.#tell(worker, [{ kind: 'end', isGentle: false }])
      // One that only begins does not hear yet what it is told.
      if (!this.#listening.has(worker)) worker.kill()
    }
    const late = setTimeout(() => {
      for (const worker of all) worker.kill('SIGKILL')
    }, grace)
    await Promise.all(
      all.map((worker) => Promise.all([exitOf(worker), worker.isConnected() && once(worker, 'disconnect')])),
    )
    clearTimeout(late)
  }

  async #replace(): Promise<boolean | undefined> {
    for (const old of [...this.#listening]) {
      if (this.#gone.signal.aborted) return undefined
      // One that ended meanwhile has been replaced.
      if (old.isDead()) continue
      this.#watched.add(old)
      const fresh = this.#fork()
      this.#watched.add(fresh)
      const failure = await this.#begins(fresh)
      if (this.#gone.signal.aborted) return undefined
      if (failure !== undefined) {
        if (!this.#watched.delete(old)) this.#fork()
        return false
      }
      this.#watched.delete(fresh)
      this.#listening.delete(old)
      this.#tell(old, [{ kind: 'end', isGentle: true }])
      this.#tellStatus()
    }
    return true
  }

  #fork(): Worker {
    const worker = cluster.fork(this.#options.env)
    const began = realClock.now()
    closeUndelivered(worker)
    worker.on('listening', () => {
      this.#listening.add(worker)
      this.#tellStatus()
    })
    worker.on('exit', (code, signal) => {
      if (!worker.isConnected()) this.#counts.leave(worker.id)
      const wasWell = this.#listening.delete(worker)
      if (wasWell) this.#tellStatus()
      const [isWatched, how] = [this.#watched.delete(worker), signal ?? `code ${code}`]
      if (this.#gone.signal.aborted || (isWatched && code === 0)) return
      // The one that never listened and is the first says itself why.
      if (!wasWell && this.#listening.size === 0 && this.#restarts === 0) return
      this.#deaths++
      if (isWatched) this.#options.onEnd({ id: worker.id, how, wait: 0 })
      else void this.#startAgain(worker, how, began)
    })
    return worker
  }

  /** Ends when a worker listens; its exit code where it ends before. */
  async #begins(worker: Worker): Promise<number | undefined> {
    return Promise.race([once(worker, 'listening').then(() => undefined), exitOf(worker)])
  }

  async #startAgain({ id }: Worker, how: string, began: number): Promise<void> {
    this.#hasty = realClock.now() - began >= calm ? 1 : this.#hasty + 1
    this.#restarts++
    // The first that ends soon is started again at once.
    const wait = this.#hasty <= 1 ? 0 : waitAfter(this.#hasty - 2, 1, 30)
    this.#options.onEnd({ id, how, wait })
    await realClock.sleep(wait * 1000, this.#gone.signal).catch(() => undefined)
    if (!this.#gone.signal.aborted) this.#fork()
  }

  #tell(worker: Worker, messages: readonly FromPrimary[]): void {
    if (messages.length > 0 && worker.isConnected()) worker.send(messages as never, () => undefined)
  }

  #tellStatus(): void {
    for (const worker of this.#listening) this.#tell(worker, [{ kind: 'status', status: this.status }])
  }

  async #take(worker: Worker, messages: readonly FromWorker[]): Promise<void> {
    const answers: FromPrimary[] = []
    for (const message of messages) {
      if (message.kind === 'log') this.#options.onLog(message.text)
      else if (message.kind === 'counts') this.#counts.set(worker.id, message.counts)
      else if (message.kind === 'take') {
        answers.push({
          kind: 'answer',
          n: message.n,
          value: this.#limit(message.id, message.rate).take(realClock.now()),
        })
      } else if (message.kind === 'cancel') {
        for (const other of this.#listening) if (other !== worker) this.#tell(other, [message])
      } else void this.#allCounts().then((value) => this.#tell(worker, [{ kind: 'answer', n: message.n, value }]))
    }
    this.#tell(worker, answers)
  }

  #limit(id: string, rate: number): RateLimit {
    const limit = this.#limits.get(id) ?? rateLimit(rate)
    this.#limits.set(id, limit)
    return limit
  }

  /** The metrics of all, of those that are slow to tell as they were last known. */
  async #allCounts(): Promise<string> {
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[]
    const told = all.map(({ id }) => this.#counts.next(id))
    for (const worker of all) this.#tell(worker, [{ kind: 'counts' }])
    await Promise.race([Promise.all(told), realClock.sleep(patience)])
    return this.#counts.text()
  }
}
