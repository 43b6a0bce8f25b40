import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { arch, versions } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { messageOf, misuse, QuotebookError } from '../../../contract/error.js'
import { listOf, sentence, type Words } from '../../../contract/sentence.js'
import { version } from '../../../contract/version.js'
import type { Panel } from '../panel.js'
import { variantParams } from '../panel-variants.js'
import { importMake, moduleHash, type StrategyModule } from '../strategy-module.js'
import type { SweepPlan } from '../sweep.js'
import type { Grid, TrialParams } from '../sweep-grid.js'
import type { DoneJob } from './done-job.js'
import { SweepBoard, type SweepNote, type WorkerAnswer, withoutControls } from './sweep-board.js'

/** Where the strategies of a sweep come from. */
interface Source {
  readonly url: string
  readonly name: string
  readonly params: TrialParams | undefined
  readonly days: StrategyModule['days']
}

interface QueueOptions {
  readonly queue: string
  readonly onWait: ((why: Words) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Milliseconds between two looks at the jobs, where none is done, and between two at the workers. */
const [jobsMs, workersMs] = [50, 1000]
/** Looks at the workers: time during which Redis is away counts for nobody. */
const [looksToMiss, looksToRefuse, looksToDie] = [3, 5, 60]
/** Milliseconds in which a sweep that ends takes its jobs from Redis. */
const grace = 2000

export const runtime = `V8 ${versions.v8} on ${arch}`

/** What JSON carries whole, or an error: no NaN, no -0, no function. */
function carried<T>(value: T, what: Words): T {
  const bare: unknown = JSON.parse(JSON.stringify(value))
  const own = Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value as object).filter(([, one]) => one !== undefined))
  if (isDeepStrictEqual(bare, own)) return value
  throw misuse(sentence`sweep: a queue carries ${what} that JSON can write: no NaN, -0, function or date`)
}

/** Jobs of sets: where rankings are shared, or sets are many, 20 neighbours; else some hundred jobs. */
function jobsOf<G extends Grid>(plan: SweepPlan<G>): Map<string, SweepChunk> {
  const size = plan.context.scoreParams ? 20 : Math.max(1, Math.min(20, Math.ceil(plan.missing.length / 100)))
  const chunks = plan.parts(size).map((part) => ({ ...part, keys: part.places.map((place) => plan.keyOf(place)) }))
  return new Map(chunks.map((chunk, at) => [`sets-${at * size}`, chunk]))
}

interface SweepChunk {
  readonly places: readonly number[]
  readonly keys: readonly string[]
  readonly all: readonly TrialParams[]
}

/** Hears what the workers say, look by look, and when they last gave a sign of life. */
function rollCall(url: string, onWait: (why: Words) => void) {
  const seen = new Map<string, { readonly beat: number; readonly at: number }>()
  const told = new Set<string>()
  let [now, alone, refused] = [0, 0, 0]
  const tell = (why: Words): void => {
    if (!told.has(`${why}`)) onWait(why)
    told.add(`${why}`)
  }
  /**
   * @param connected who has a connection: asked before a sweep counts as one that nobody takes
   * @throws QuotebookError UNAVAILABLE where all that live refuse
   */
  return async (answers: ReadonlyMap<string, WorkerAnswer>, connected: () => Promise<readonly string[]>) => {
    now++
    for (const [worker, { beat }] of answers) if (seen.get(worker)?.beat !== beat) seen.set(worker, { beat, at: now })
    const living = [...answers].filter(([worker]) => now - (seen.get(worker)?.at ?? 0) < looksToDie)
    const refusals = living.flatMap(([worker, { is, why }]) =>
      is === 'refused' ? [sentence`worker ${worker} ${why}`] : [],
    )
    for (const one of refusals) tell(one)
    if (living.length > 0) alone = now
    if (refusals.length === 0 || refusals.length < living.length) refused = now
    const isAlone = now - alone === looksToMiss
    if (!isAlone && now - refused < looksToRefuse) return
    const mayYet = (await connected()).some((worker) => answers.get(worker)?.is !== 'refused')
    if (mayYet) [alone, refused] = [now, now]
    else if (isAlone) onWait(sentence`no worker has answered at ${url}: the sweep waits for a quotebook worker`)
    else throw new QuotebookError('UNAVAILABLE', sentence`sweep: no worker at ${url} can run it: ${listOf(refusals)}`)
  }
}

/** Adds what a job left, if it was of this sweep. */
function take<G extends Grid>(plan: SweepPlan<G>, chunk: SweepChunk, { sets, worker }: DoneJob): void {
  const isOwn = sets.length === chunk.keys.length && sets.every(({ key }, at) => key === chunk.keys[at])
  if (!isOwn)
    throw new QuotebookError(
      'UNSTABLE',
      sentence`sweep: worker ${withoutControls(worker)} ran other inputs than those that it was asked to`,
    )
  sets.forEach((set, at) => {
    plan.add(chunk.places[at] as number, { ...set, read: set.read?.map((name) => withoutControls(name)) })
  })
}

async function noteOf(
  panel: Panel,
  { context }: SweepPlan<Grid>,
  { url, name, params = {}, days = {} }: Source,
): Promise<SweepNote> {
  if (!url.startsWith('file:'))
    throw misuse(sentence`sweep: by a queue the module is a file, which workers have too, not ${url}`)
  if (panel.variants)
    throw misuse(
      sentence`sweep: a join reads ${variantParams(panel).join(', ')}, which workers of a queue are not sent; sweep it with threads`,
    )
  const path = fileURLToPath(url)
  const sha256 = moduleHash(path)
  await importMake(url, name, sha256)
  carried(context.options, 'options')
  const module = { file: basename(path), sha256, name, params: carried(params, 'params'), days }
  return { version, runtime, ...module, panel: panel.hash, state: panel.state, context }
}

/** Says that the sweep is under way, and hears what workers say of it, until the signal; never ends by itself but by an error. */
async function call(
  board: SweepBoard,
  id: string,
  note: SweepNote,
  onWait: (why: Words) => void,
  signal: AbortSignal,
): Promise<never> {
  const look = rollCall(board.url, onWait)
  for (;;) {
    await board.announce(id, note)
    await look(await board.answers(id), () => board.connected())
    await pause(workersMs, undefined, { signal })
  }
}

/** Puts jobs and takes what they left, until all are done. */
async function collect<G extends Grid>(
  board: SweepBoard,
  id: string,
  plan: SweepPlan<G>,
  signal: AbortSignal,
): Promise<void> {
  const jobs = jobsOf(plan)
  while (jobs.size > 0) {
    signal.throwIfAborted()
    const { all, failed } = await board.counts(id)
    if (failed > 0) throw misuse((await board.failure(id)) ?? sentence`a run of the sweep failed`)
    const left = await board.done(id)
    for (const job of left) {
      // A job that was run twice is known by now.
      const chunk = job && jobs.get(job.id)
      if (!job || !chunk) continue
      jobs.delete(job.id)
      take(plan, chunk, job)
    }
    if (left.length > 0) {
      await board.takeAway(id, left.length)
      continue
    }
    // At first there are none; after a restart of a Redis that keeps nothing some or all are lost.
    const unfinished = [...jobs].map(([job, chunk]) => ({ id: job, all: chunk.all }))
    if (all < jobs.size) await board.put(id, unfinished)
    await pause(jobsMs, undefined, { signal })
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
  carried(plan.all, sentence`values of params`)
  const told = new Set<string>()
  const board = await SweepBoard.open(queue, (why) => {
    if (!told.has(`${why}`)) onWait?.(why)
    told.add(`${why}`)
  })
  const id = randomBytes(8).toString('hex')
  const stop = new AbortController()
  const ending = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const work = [collect(board, id, plan, ending), call(board, id, note, (why) => onWait?.(why), ending)]
  const stopped = new Promise<never>((_, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason), { once: true })
  })
  try {
    await Promise.race([...work, stopped])
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof QuotebookError) throw error
    throw new QuotebookError('UNREACHABLE', sentence`sweep: ${board.url} answers: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    stop.abort()
    // Not while jobs may still be put. A Redis that is away forgets the sweep by itself.
    const ended = Promise.allSettled(work).then(() => board.end(id))
    await Promise.race([ended.catch(() => undefined), pause(grace, undefined, { ref: false })])
    board.close()
  }
}
