import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { arch, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { version } from '../../contract/version.js'
import type { Panel } from '../panel.js'
import { importMake, moduleHash } from '../strategy-module.js'
import type { SweepPlan } from '../sweep.js'
import { curveIn } from '../sweep-checkpoint.js'
import type { Grid, TrialParams } from '../sweep-grid.js'
import { type DoneJob, SweepBoard, type SweepNote, type WorkerAnswer } from './sweep-board.js'

/** Where the strategies of a sweep come from. */
interface Source {
  readonly url: string
  readonly name: string
  readonly params: TrialParams | undefined
}

interface QueueOptions {
  readonly queue: string
  readonly onWait: ((why: string) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Milliseconds between two looks at Redis; other times are counted in them. */
const turnMs = 50
const [turnsToAnnounce, turnsToRefuse, turnsToMiss, turnsToDie] = [20, 40, 60, 1200]

export const runtime = `V8 ${versions.v8} on ${arch}`

/** What JSON carries whole, or an error: no NaN, no -0, no function. */
function carried<T>(value: T, what: string): T {
  const bare: unknown = JSON.parse(JSON.stringify(value))
  const own = Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value as object).filter(([, one]) => one !== undefined))
  if (isDeepStrictEqual(bare, own)) return value
  throw new QuotebookError('USAGE', `sweep: a queue carries ${what} that JSON can write: no NaN, -0, function or date`)
}

/** Jobs of sets: where rankings are shared, or sets are many, 20 neighbours; else some hundred jobs. */
function jobsOf<G extends Grid>(plan: SweepPlan<G>): Map<string, SweepChunk> {
  const { all, missing, context } = plan
  const size = context.scoreParams ? 20 : Math.max(1, Math.min(20, Math.ceil(missing.length / 100)))
  const jobs = new Map<string, SweepChunk>()
  for (let from = 0; from < missing.length; from += size) {
    const places = missing.slice(from, from + size)
    const keys = places.map((place) => plan.keyOf(place))
    jobs.set(`sets-${from}`, { places, keys, all: places.map((place) => all[place] as TrialParams) })
  }
  return jobs
}

interface SweepChunk {
  readonly places: readonly number[]
  readonly keys: readonly string[]
  readonly all: readonly TrialParams[]
}

/** What the workers say, and when they last gave a sign of life. */
class Roll {
  readonly #seen = new Map<string, { readonly beat: number; readonly turn: number }>()
  readonly #told = new Set<string>()
  readonly #url: string
  readonly #onWait: (why: string) => void
  #alone = 0
  #refused = 0

  constructor(url: string, onWait: (why: string) => void) {
    this.#url = url
    this.#onWait = onWait
  }

  /** @throws QuotebookError UNAVAILABLE where all that live refuse */
  look(turn: number, answers: ReadonlyMap<string, WorkerAnswer>): void {
    for (const [worker, { beat }] of answers)
      if (this.#seen.get(worker)?.beat !== beat) this.#seen.set(worker, { beat, turn })
    const living = [...answers].filter(([worker]) => turn - (this.#seen.get(worker)?.turn ?? 0) < turnsToDie)
    const refusals = living.flatMap(([worker, { is, why }]) => (is === 'refused' ? [`worker ${worker} ${why}`] : []))
    this.#missWorkers(turn, living.length)
    for (const one of refusals) this.#tell(one)
    if (refusals.length === 0 || refusals.length < living.length) this.#refused = turn
    if (turn - this.#refused < turnsToRefuse) return
    throw new QuotebookError('UNAVAILABLE', `sweep: no worker at ${this.#url} can run it: ${refusals.join('; ')}`)
  }

  #missWorkers(turn: number, living: number): void {
    if (living > 0) this.#alone = turn
    if (turn - this.#alone !== turnsToMiss) return
    this.#onWait(`no worker has answered at ${this.#url}: the sweep waits for a quotebook worker`)
  }

  #tell(why: string): void {
    if (!this.#told.has(why)) this.#onWait(why)
    this.#told.add(why)
  }
}

/** Adds what a job left, if it was of this sweep and is not known yet. */
function take<G extends Grid>(plan: SweepPlan<G>, chunk: SweepChunk, { lines, worker }: DoneJob): void {
  const isOwn = lines.length === chunk.keys.length && lines.every((line, at) => line?.key === chunk.keys[at])
  if (!isOwn)
    throw new QuotebookError('UNSTABLE', `sweep: worker ${worker} ran other inputs than those that it was asked to`)
  chunk.places.forEach((place, at) => {
    plan.add(place, curveIn(lines[at] as DoneJob['lines'][number]))
  })
}

async function noteOf(
  panel: Panel,
  { context }: SweepPlan<Grid>,
  { url, name, params = {} }: Source,
): Promise<SweepNote> {
  if (!url.startsWith('file:'))
    throw new QuotebookError('USAGE', `sweep: by a queue the module is a file, which workers have too, not ${url}`)
  const path = fileURLToPath(url)
  const sha256 = moduleHash(path)
  await importMake(url, name, sha256)
  carried(context.options, 'options')
  const module = { file: basename(path), sha256, name, params: carried(params, 'params') }
  return { version, runtime, ...module, panel: panel.hash, state: panel.state, context }
}

/** One turn after another until all jobs are done. */
async function follow<G extends Grid>(
  board: SweepBoard,
  id: string,
  note: SweepNote,
  plan: SweepPlan<G>,
  { onWait, signal }: QueueOptions,
): Promise<void> {
  const jobs = jobsOf(plan)
  const roll = new Roll(board.url, (why) => onWait?.(why))
  for (let turn = 0; jobs.size > 0; turn++) {
    signal?.throwIfAborted()
    if (turn % turnsToAnnounce === 0) await board.announce(id, note)
    const { all, done, failed } = await board.counts(id)
    if (failed > 0) throw new QuotebookError('USAGE', (await board.failure(id)) ?? 'a run of the sweep failed')
    // At first there are none; after a restart of a Redis that keeps nothing some or all are lost.
    if (all < jobs.size)
      await board.put(
        id,
        [...jobs].map(([job, chunk]) => ({ id: job, all: chunk.all })),
      )
    for (const job of done > 0 ? await board.done(id) : []) {
      const chunk = jobs.get(job.id)
      jobs.delete(job.id)
      if (chunk) take(plan, chunk, job)
      await board.takeAway(id, job.id)
    }
    roll.look(turn, await board.answers(id))
    if (done === 0) await new Promise((resolve) => setTimeout(resolve, turnMs))
  }
}

/**
 * Has the missing runs of a sweep done by workers.
 * @throws QuotebookError as `sweepInThreads`; the signal's reason
 */
export async function sweepByQueue<G extends Grid>(
  panel: Panel,
  plan: SweepPlan<G>,
  source: Source,
  options: QueueOptions,
): Promise<void> {
  const { queue, onWait, signal } = options
  signal?.throwIfAborted()
  const note = await noteOf(panel, plan as unknown as SweepPlan<Grid>, source)
  carried(plan.all, 'values of params')
  const told = new Set<string>()
  const board = await SweepBoard.open(queue, (why) => {
    if (!told.has(why)) onWait?.(why)
    told.add(why)
  })
  const id = randomBytes(8).toString('hex')
  const work = follow(board, id, note, plan, options)
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    await Promise.race([work, stopped])
  } catch (error) {
    if (error === signal?.reason || error instanceof QuotebookError) throw error
    throw new QuotebookError('UNREACHABLE', `sweep: ${board.url} answers: ${messageOf(error)}`, { cause: error })
  } finally {
    // Not while its last turn may still put jobs. A Redis that is away forgets the sweep by itself.
    const ended = work.catch(() => undefined).then(() => board.end(id))
    await Promise.race([ended.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 2000))])
    board.close()
  }
}
