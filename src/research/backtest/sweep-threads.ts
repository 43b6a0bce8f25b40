import { join } from 'node:path'
import root from '#root'
import { misuse } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { TradingRules } from '../../contract/trading-rules.js'
import { cellSignal } from '../../frame/show/notebook-output.js'
import { described } from '../../frame/table/shape.js'
import { defaultThreads, WorkerPool } from '../../threads/worker-pool.js'
import type { RunCurve } from './account-curve.js'
import type { Panel, PanelParts } from './panel.js'
import { sweepByQueue } from './queue/sweep-by-queue.js'
import type { TrialOptions } from './run-trials.js'
import { importMake, moduleUrl, type StrategyModule } from './strategy-module.js'
import { type SweepOptions, SweepPlan, sweepKinds } from './sweep.js'
import type { Grid, TrialParams } from './sweep-grid.js'
import type { Sweep } from './sweep-result.js'

/** Options of a sweep in threads. */
export interface ThreadedSweepOptions<G extends Grid = Grid> extends SweepOptions<G> {
  /** Default: one a processor, four at most. */
  readonly threads?: number
  /**
   * Redis, `redis://HOST:PORT` or `rediss://…` with the password that it asks for: the runs are done by the `quotebook worker`s that
   * wait there, and by none of this process.
   */
  readonly queue?: string
  /** Told what a sweep by queue waits for: a worker, or Redis; and which workers refuse it. */
  readonly onWait?: (why: Words) => void
  /** Ends the sweep; runs that are done stay in the checkpoint. */
  readonly signal?: AbortSignal
}

/** Some trials for one thread. */
export interface TrialsTask {
  /** The same for all tasks over one panel, which a thread then builds once. */
  readonly id: number
  readonly parts: PanelParts<string>
  readonly url: string
  readonly name: string
  /** `moduleHash` that the module must have, where it is compared with one. */
  readonly sha256?: string
  readonly all: readonly TrialParams[]
  readonly context: TrialOptions
}

/** What a thread tells after each trial. */
export interface TrialDone {
  readonly place: number
  readonly run: RunCurve
}

const pools = new Map<number, WorkerPool<TrialsTask, null>>()

/** Threads stay for the next sweep; idle ones do not keep the process alive. */
function poolOf(size: number): WorkerPool<TrialsTask, null> {
  const file = join(root, 'dist/lib/sweep-thread.cjs')
  const words = {
    worker: sentence`its thread`,
    workers: sentence`its threads`,
    failed: (name: Words, why: Words) => sentence`${name} failed: ${why}`,
    code: 'USAGE',
  } as const
  const pool = pools.get(size) ?? new WorkerPool<TrialsTask, null>({ size, file, heapMb: 4096, words })
  pools.set(size, pool)
  return pool
}

function shared<A extends Float64Array | Uint8Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array
  const kind = array.constructor as new (length: ArrayBufferLike) => A
  const copy = new kind(new SharedArrayBuffer(array.byteLength))
  copy.set(array)
  return copy
}

const known = new WeakMap<Panel, Pick<TrialsTask, 'id' | 'parts'>>()
let panels = 0

/** A panel whose columns all threads read, without a copy for each. */
function sharedPanel(panel: Panel): Pick<TrialsTask, 'id' | 'parts'> {
  const found = known.get(panel)
  if (found) return found
  const { present, marked, doubted, rules } = panel
  const sharedOf = (all: Readonly<Record<string, Float64Array>>) =>
    Object.fromEntries(Object.entries(all).map(([name, column]) => [name, shared(column)]))
  const cols = sharedOf(panel.cols)
  const variants = panel.variants?.map((one) => ({ ...one, cols: sharedOf(one.cols) }))
  const flags = { present: shared(present), marked: marked && shared(marked), doubted: doubted && shared(doubted) }
  // The class of a code is known by now: its function, which no thread can be given, is not asked again.
  const tables = Object.fromEntries(Object.entries(rules).filter(([, one]) => typeof one !== 'function'))
  const made = { id: ++panels, parts: { ...panel, cols, variants, ...flags, rules: tables as unknown as TradingRules } }
  known.set(panel, made)
  return made
}

/** Runs some trials of a panel in a thread, of which there are so many for all. */
export function runInThread(
  threads: number,
  panel: Panel,
  trials: Omit<TrialsTask, 'id' | 'parts'>,
  onRun: (done: TrialDone) => void,
  signal: AbortSignal,
): Promise<null> {
  return poolOf(threads).run({ ...sharedPanel(panel), ...trials }, [], {
    name: sentence`a run of the sweep`,
    timeoutMs: 2 ** 31 - 1,
    signal,
    onProgress: (done) => onRun(done as TrialDone),
  })
}

/**
 * Runs `sweep` in threads of this process or, with `queue`, on workers, with the same result in the order of the grid.
 * The strategies come from a module, which each thread loads; the columns of the panel are shared.
 *
 * The panel is not sent to workers: each builds it from its own source, by the default export of the module, and must
 * reach the same hash. Workers run only their own copies of the modules, by sha256, and never code from the queue.
 * @throws QuotebookError as `sweep`; USAGE for a module without the function, and for a strategy that throws;
 * UNREACHABLE if the queue does not answer; UNAVAILABLE if no worker has this panel or module; the signal's reason
 */
export async function sweepInThreads<C extends string, const G extends Grid>(
  panel: Panel<C>,
  grid: G,
  source: StrategyModule,
  options: ThreadedSweepOptions<G>,
): Promise<Sweep<G>> {
  const more = { threads: 'any', queue: 'text', onWait: 'a function', signal: 'an object' } as const
  checkOptions<ThreadedSweepOptions<G>>(options, { ...sweepKinds, ...more }, 'sweepInThreads')
  const kinds = { module: 'any', name: 'text', params: 'an object', days: 'an object' } as const
  checkOptions(source, kinds, sentence`module of sweepInThreads`)
  const { threads = defaultThreads(), queue, onWait, signal = cellSignal(), ...own } = options
  if (!Number.isInteger(threads) || threads < 1)
    throw misuse(sentence`sweep: threads is a whole number from 1, not ${described(threads)}`)
  const { module, name = 'make', params, days } = source
  const url = moduleUrl(module)
  const any = panel as unknown as Panel
  const make = await importMake(url, name)
  const elsewhere = Object.keys(params ?? {})
  const plan = new SweepPlan(any, grid, make, own as SweepOptions<G>)
  if (queue !== undefined) {
    await sweepByQueue(any, plan, { url, name, params, days }, { queue, onWait, signal })
    return plan.result(elsewhere)
  }
  const stop = new AbortController()
  const ending = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  // Some eight parts a thread, so that none waits long for the last.
  const size = Math.max(1, Math.ceil(plan.missing.length / (8 * threads)))
  const running = plan.parts(size).map(({ places, all }) => {
    const onRun = ({ place, run }: TrialDone): void => plan.add(places[place] as number, run)
    return runInThread(threads, any, { url, name, all, context: plan.context }, onRun, ending)
  })
  try {
    await Promise.all(running)
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(running)
    throw error
  }
  return plan.result(elsewhere)
}
