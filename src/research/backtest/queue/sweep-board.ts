import type { Queue, Worker } from '#queue'
import type { Redis } from '#redis'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { shownRedis } from '../../../contract/redis-address.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { TrialOptions } from '../run-trials.js'
import type { StrategyModule } from '../strategy-module.js'
import type { TrialParams } from '../sweep-grid.js'
import { type DoneJob, packedJob, unpackedJob } from './done-job.js'

/** What a worker must know of a sweep, and have itself, before it takes its jobs. */
export interface SweepNote {
  readonly version: string
  /** Processor and V8: what the last bit of a power or a logarithm hangs on. */
  readonly runtime: string
  /** Name of the module's file, `moduleHash` of it, and the export that makes strategies. */
  readonly file: string
  readonly sha256: string
  readonly name: string
  /** What the default export makes the panel with. */
  readonly params: TrialParams
  readonly days: NonNullable<StrategyModule['days']>
  /** `hash` of the panel, and the state of the archive that it was made of. */
  readonly panel: string
  readonly state?: string | undefined
  readonly context: TrialOptions
}

/** A job: some sets of params. Its id is its own among those of the sweep. */
export interface SweepJob {
  readonly id: string
  readonly all: readonly TrialParams[]
}

/** What a worker says of a sweep: it is making ready, it takes jobs, or why it does not. The beat changes while it lives. */
export interface WorkerAnswer {
  readonly beat: number
  readonly is: 'preparing' | 'ready' | 'refused'
  readonly why?: string | undefined
}

/** Jobs of one sweep that are under way in a worker. */
export interface SweepShift {
  /** Waits for what is under way, or, forced, takes the sweep for ended. */
  close(force: boolean): Promise<void>
}

const prefix = 'quotebook'
const sweepsKey = `${prefix}:sweeps`
const sweepId = /^[0-9a-f]{16}$/
/** What the connection of a worker is called in Redis, before its name. */
const connectionOf = `${prefix}-worker:`
/** Seconds for which a sweep stays without a word of its sender. */
const leaseSeconds = 30
const jobOptions = { attempts: 2, backoff: { type: 'fixed', delay: 200 }, removeOnComplete: true }
/** Times that a job may be lost with its worker before it counts as what kills them. */
const maxLost = 10

/** Text of others, without what a terminal could obey. */
export function withoutControls(text: unknown, longest = 300): string {
  return String(text).replace(/\p{C}/gu, ' ').slice(0, longest)
}

function parsed<T>(text: string | undefined): T | undefined {
  try {
    return (JSON.parse(text ?? 'null') as T | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Sweeps, their jobs and their workers, as Redis has them. The one file that knows bullmq and the keys. */
export class SweepBoard {
  /** The address, without a password. */
  readonly url: string
  readonly #library: typeof import('#queue')
  readonly #redis: Redis
  readonly #queues = new Map<string, Queue>()

  private constructor(url: string, library: typeof import('#queue'), redis: Redis) {
    this.url = url
    this.#library = library
    this.#redis = redis
  }

  /**
   * Connects; a connection that is lost later comes back by itself, and what was asked meanwhile waits for it.
   * @param onTrouble told why a connection is lost
   * @param worker its name, by which `connected` knows it
   * @throws QuotebookError USAGE for what is no address; UNREACHABLE
   */
  static async open(url: string, onTrouble: (why: Words) => void, worker?: string): Promise<SweepBoard> {
    const shown = shownRedis(url)
    const library = await import('#queue')
    const { Redis } = await import('#redis')
    const redis = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(100 * times, 1000),
      socketTimeout: 30_000,
      ...(worker !== undefined && { connectionName: connectionOf + Buffer.from(worker).toString('base64url') }),
    })
    const told = (error: unknown): Words => sentence`no connection to ${shown}: ${withoutControls(messageOf(error))}`
    let failed: unknown
    redis.on('error', (error) => {
      failed = error
    })
    try {
      await redis.connect()
      await redis.ping()
    } catch (error) {
      redis.disconnect()
      throw new QuotebookError('UNREACHABLE', told(failed ?? error), { cause: failed ?? error })
    }
    redis.on('error', (error) => onTrouble(told(error)))
    return new SweepBoard(shown, library, redis)
  }

  /** Ends all connections, whatever is under way. */
  close(): void {
    this.#redis.disconnect()
  }

  #key(id: string, what: string): string {
    return `${prefix}:${id}:${what}`
  }

  #queue(id: string): Queue {
    const found =
      this.#queues.get(id) ?? new this.#library.Queue(id, { connection: this.#redis, prefix, skipMetasUpdate: true })
    if (!this.#queues.has(id)) found.on('error', () => undefined)
    this.#queues.set(id, found)
    return found
  }

  /** Says, again and again, that a sweep is under way; null: that it is being taken from Redis. */
  async announce(id: string, note: SweepNote | null): Promise<void> {
    const lease = this.#key(id, 'lease')
    await this.#redis.multi().hset(sweepsKey, id, JSON.stringify(note)).set(lease, 1, 'EX', leaseSeconds).exec()
  }

  /** Takes a sweep from Redis, jobs and all. Where that is cut off, who looks at the sweeps after the lease does it. */
  async end(id: string): Promise<void> {
    await this.announce(id, null)
    await this.#queue(id).obliterate({ force: true })
    const left = ['workers', 'results', 'meta', 'lease'].map((what) => this.#key(id, what))
    await this.#redis.multi().del(left).hdel(sweepsKey, id).exec()
    this.#queues.delete(id)
  }

  /** Sweeps under way, in the order of their ids; of those whose sender is gone nothing stays. */
  async sweeps(): Promise<ReadonlyMap<string, SweepNote>> {
    const all = Object.entries(await this.#redis.hgetall(sweepsKey)).filter(([id]) => sweepId.test(id))
    const found = new Map<string, SweepNote>()
    for (const [id, text] of all.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const note = parsed<SweepNote>(text)
      const isHeld = (await this.#redis.exists(this.#key(id, 'lease'))) > 0
      if (note && isHeld) found.set(id, { ...note, file: withoutControls(note.file) })
      else if (!isHeld && (await this.#redis.hexists(sweepsKey, id)) > 0) await this.end(id)
    }
    return found
  }

  /** Removes what workers left that were killed: their look for lost jobs writes settings of a queue, also after the end of its sweep. */
  async removeStrays(): Promise<void> {
    const found: AsyncIterable<string[]> = this.#redis.scanStream({ match: this.#key('*', 'meta'), count: 1000 })
    for await (const keys of found)
      for (const id of keys.map((key) => key.split(':')[1] ?? '')) if (sweepId.test(id)) await this.#removeStray(id)
  }

  async #removeStray(id: string): Promise<void> {
    if ((await this.#redis.hexists(sweepsKey, id)) === 0) await this.#redis.del(this.#key(id, 'meta'))
  }

  async answer(id: string, worker: string, answer: WorkerAnswer | undefined): Promise<void> {
    const key = this.#key(id, 'workers')
    if (answer) await this.#redis.multi().hset(key, worker, JSON.stringify(answer)).expire(key, leaseSeconds).exec()
    else await this.#redis.hdel(key, worker)
  }

  async answers(id: string): Promise<ReadonlyMap<string, WorkerAnswer>> {
    const all = Object.entries(await this.#redis.hgetall(this.#key(id, 'workers')))
    const read = all.map(([worker, text]) => [withoutControls(worker), parsed<WorkerAnswer>(text)] as const)
    return new Map(read.flatMap(([worker, one]) => (one ? [[worker, { ...one, why: withoutControls(one.why) }]] : [])))
  }

  /** Workers whose connection stands, also those that are too busy to say a word. None where Redis does not tell who is connected. */
  async connected(): Promise<readonly string[]> {
    const list = String(await this.#redis.client('LIST').catch(() => ''))
    const here = list.split('\n').filter((line) => line.includes(` db=${this.#redis.options.db ?? 0} `))
    const names = here.flatMap((line) => / name=(\S+) /.exec(line)?.[1] ?? [])
    const own = names.filter((name) => name.startsWith(connectionOf)).map((name) => name.slice(connectionOf.length))
    return own.map((name) => withoutControls(Buffer.from(name, 'base64url')))
  }

  /** Puts jobs that are not there. */
  async put(id: string, jobs: readonly SweepJob[]): Promise<void> {
    const all = jobs.map((job) => ({ name: 'sets', data: { all: job.all }, opts: { ...jobOptions, jobId: job.id } }))
    await this.#queue(id).addBulk(all)
  }

  /** How many jobs Redis has that are not done, and of these that failed. What a job left is there before it is done. */
  async counts(id: string): Promise<{ all: number; failed: number }> {
    const counts = await this.#queue(id).getJobCounts()
    return { all: Object.values(counts).reduce((sum, one) => sum + one, 0), failed: counts.failed ?? 0 }
  }

  /** What the first jobs left that are done; it stays until it is taken away. Undefined of what no worker wrote. */
  async done(id: string): Promise<readonly (DoneJob | undefined)[]> {
    const found = await this.#redis.lrange(this.#key(id, 'results'), 0, 49)
    return found.map(unpackedJob)
  }

  async takeAway(id: string, jobs: number): Promise<void> {
    await this.#redis.ltrim(this.#key(id, 'results'), jobs, -1)
  }

  /** Why a job failed. */
  async failure(id: string): Promise<string | undefined> {
    const [job] = await this.#queue(id).getJobs(['failed'], 0, 0)
    return job && withoutControls(job.failedReason, 1000)
  }

  /**
   * Takes jobs of a sweep, so many at once. A job whose worker is gone goes to another.
   * @param lockMs milliseconds without a word of the worker after which it counts as gone
   */
  work(
    id: string,
    { worker, threads, lockMs }: { worker: string; threads: number; lockMs: number },
    run: (all: readonly TrialParams[]) => Promise<DoneJob['sets']>,
  ): SweepShift {
    const results = this.#key(id, 'results')
    const process = async (job: { id?: string; data: { all: readonly TrialParams[] } }): Promise<void> => {
      const done = packedJob({ id: job.id ?? '', worker, sets: await run(job.data.all) })
      const [error] = (await this.#redis.multi().rpush(results, done).expire(results, leaseSeconds).exec())?.[0] ?? []
      if (error) throw error
    }
    const shift: Worker = new this.#library.Worker(id, process, {
      connection: this.#redis,
      prefix,
      name: worker,
      concurrency: threads,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      maxStalledCount: maxLost,
    })
    // A job that another has taken over, or a Redis that is away: both mend themselves.
    shift.on('error', () => undefined)
    return {
      close: async (force) => {
        await shift.close(force)
        await this.#removeStray(id)
      },
    }
  }
}
