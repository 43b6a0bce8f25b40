import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, QuotebookError, worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { version } from '../../../contract/version.js'
import type { RunCurve } from '../account-curve.js'
import type { Panel } from '../panel.js'
import { importMake, moduleHash } from '../strategy-module.js'
import { trialKeys } from '../sweep-checkpoint.js'
import type { TrialParams } from '../sweep-grid.js'
import { runInThread } from '../sweep-threads.js'
import type { DoneSet } from './done-job.js'
import { SweepBoard, type SweepNote, type SweepShift, type WorkerAnswer, withoutControls } from './sweep-board.js'
import { runtime } from './sweep-by-queue.js'

/** What befell a worker. */
export type WorkerEvent =
  | { readonly is: 'connected'; readonly url: string }
  | { readonly is: 'trouble'; readonly why: Words }
  | { readonly is: 'ready'; readonly sweep: string; readonly file: string }
  | { readonly is: 'refused'; readonly sweep: string; readonly why: Words }
  | { readonly is: 'ran'; readonly sweep: string; readonly sets: number }
  | { readonly is: 'ended'; readonly sweep: string; readonly file: string; readonly sets: number }

/** A worker of sweeps that come by a queue. */
export interface SweepWorkerOptions {
  readonly queue: string
  /** By which the senders know it; no other worker has it. */
  readonly name: string
  /** Folder of the modules that it runs, and no others. */
  readonly strategies: string
  readonly threads: number
  /** Makes the panel of a module, from the worker's own source. */
  readonly panelOf: (file: string, params: TrialParams, days: SweepNote['days']) => Promise<Panel>
  readonly onEvent: (event: WorkerEvent) => void
  /** Ends it when the jobs that are under way are done. */
  readonly signal: AbortSignal
  /** Milliseconds of silence after which its jobs go to others. */
  readonly lockMs?: number
}

/** Milliseconds between two looks for sweeps. */
const lookMs = 500
/** Panels that are kept for the next sweep over them. */
const keptPanels = 2

const short = (hash: string | undefined): string => (hash ? hash.slice(0, 12) : 'unknown')

function refuse(why: Words): never {
  throw new QuotebookError('UNAVAILABLE', why)
}

/** The module of a hash in the worker's folder. */
function moduleIn(folder: string, { file, sha256 }: SweepNote): string {
  const paths = readdirSync(folder)
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => join(folder, name))
  const found = paths.find((path) => moduleHash(path) === sha256)
  return found ?? refuse(sentence`has no module ${file} of sha256 ${short(sha256)} among its strategies`)
}

/** A sweep as one worker serves it, from its first look on. */
class ServedSweep {
  readonly note: SweepNote
  readonly #id: string
  readonly #stop = new AbortController()
  #shift: SweepShift | undefined
  answer: Pick<WorkerAnswer, 'is' | 'why'> = { is: 'preparing' }
  /** Sets that were run here. */
  sets = 0

  constructor(id: string, note: SweepNote) {
    this.#id = id
    this.note = note
  }

  /** Takes jobs, unless it can not; never throws. */
  async begin(board: SweepBoard, options: SweepWorkerOptions, panelFor: ReturnType<typeof panelShelf>): Promise<void> {
    const { name: worker, threads, strategies, lockMs = 10_000, onEvent, signal } = options
    const { note } = this
    try {
      if (note.version !== version) refuse(sentence`runs Quotebook ${version}, the sweep ${note.version}`)
      if (note.runtime !== runtime) refuse(sentence`runs ${runtime}, the sweep ${note.runtime}: last digits may differ`)
      const file = moduleIn(strategies, note)
      const url = pathToFileURL(file).href
      const make = await importMake(url, note.name, note.sha256)
      const panel = await panelFor(file, note)
      if (this.#stop.signal.aborted || signal.aborted) return
      const keyOf = trialKeys(panel, note.context)
      const run = async (all: readonly TrialParams[]): Promise<readonly DoneSet[]> => {
        const runs: RunCurve[] = []
        const trials = { url, name: note.name, sha256: note.sha256, all, context: note.context }
        await runInThread(threads, panel, trials, ({ place, run }) => (runs[place] = run), this.#stop.signal)
        this.sets += all.length
        onEvent({ is: 'ran', sweep: this.#id, sets: this.sets })
        return all.map((params, place) => ({ key: keyOf(params, make(params)), ...(runs[place] as RunCurve) }))
      }
      this.#shift = board.work(this.#id, { worker, threads, lockMs }, run)
      this.answer = { is: 'ready' }
      onEvent({ is: 'ready', sweep: this.#id, file: note.file })
    } catch (error) {
      const why = withoutControls(messageOf(error), 1000)
      this.answer = { is: 'refused', why }
      onEvent({ is: 'refused', sweep: this.#id, why })
    }
  }

  async close(force: boolean): Promise<void> {
    if (force) this.#stop.abort(worded(Error, sentence`the sweep has ended`))
    await this.#shift?.close(force)
  }
}

/** The last panels that were made, by their hashes: a source need not be read again for the next sweep. */
function panelShelf(make: SweepWorkerOptions['panelOf']) {
  const kept = new Map<string, Panel>()
  return async (file: string, note: SweepNote): Promise<Panel> => {
    const panel = kept.get(note.panel) ?? (await make(file, note.params, note.days))
    if (panel.hash !== note.panel) {
      const own = sentence`state ${short(panel.state)} makes panel ${short(panel.hash)}`
      refuse(
        sentence`has another panel: its source of ${own}, the sweep's of state ${short(note.state)} panel ${short(note.panel)}`,
      )
    }
    kept.delete(note.panel)
    kept.set(note.panel, panel)
    for (const hash of [...kept.keys()].slice(0, -keptPanels)) kept.delete(hash)
    return panel
  }
}

/**
 * Runs the sets of sweeps that wait in Redis until the signal is aborted. A sweep is taken that can be run with what is here: the
 * module, by its sha256, and a source that gives its panel; no code comes over the queue.
 * @throws QuotebookError USAGE for a queue that is no address; UNREACHABLE for one that does not answer at first
 */
export async function serveSweeps(options: SweepWorkerOptions): Promise<void> {
  const { queue, name, panelOf, onEvent, signal } = options
  let trouble: Words | undefined
  const tell = (why: Words): void => {
    if (`${why}` !== `${trouble}`) onEvent({ is: 'trouble', why })
    trouble = why
  }
  const board = await SweepBoard.open(queue, tell, name)
  board.removeStrays().catch(() => undefined)
  onEvent({ is: 'connected', url: board.url })
  const panelFor = panelShelf(panelOf)
  const served = new Map<string, ServedSweep>()
  let ready = Promise.resolve()
  const look = async (beat: number): Promise<void> => {
    const notes = await board.sweeps()
    for (const [id, one] of served) {
      if (notes.has(id)) continue
      served.delete(id)
      one.close(true).catch(() => undefined)
      if (one.answer.is === 'ready') onEvent({ is: 'ended', sweep: id, file: one.note.file, sets: one.sets })
    }
    for (const [id, note] of notes) {
      const one = served.get(id) ?? new ServedSweep(id, note)
      // One after another: each may read much from the source.
      if (!served.has(id)) ready = ready.then(() => one.begin(board, options, panelFor))
      served.set(id, one)
      await board.answer(id, name, { beat, ...one.answer })
    }
  }
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    for (let beat = 0; !signal.aborted; beat++) {
      const forget = (): void => {
        trouble = undefined
      }
      const looked = look(beat).then(forget, (error) => tell(messageOf(error)))
      await Promise.race([stopped, looked])
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, lookMs))])
    }
    const ending = [...served].map(async ([id, one]) => {
      await one.close(false)
      await board.answer(id, name, undefined)
    })
    await Promise.allSettled(ending)
  } finally {
    board.close()
  }
}
