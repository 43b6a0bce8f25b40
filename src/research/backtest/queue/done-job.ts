import type { RunCurve } from '../account-curve.js'
import { curveIn, type TrialLine, trialLine } from '../sweep-checkpoint.js'

/** A set of params as it was run. */
export interface DoneSet extends RunCurve {
  /** What it was run on: `trialKeys`. */
  readonly key: string
}

/** What a job left. */
export interface DoneJob {
  readonly id: string
  readonly worker: string
  readonly sets: readonly DoneSet[]
}

/** Its sets are lines as a checkpoint has them. */
export function packedJob({ id, worker, sets }: DoneJob): string {
  return JSON.stringify({ id, worker, sets: sets.map((set) => trialLine(set.key, set)) })
}

/** @returns undefined of what `packedJob` did not write */
export function unpackedJob(text: string): DoneJob | undefined {
  try {
    const { id, worker, sets } = JSON.parse(text) as { id: string; worker: string; sets: readonly TrialLine[] }
    return { id, worker, sets: sets.map((line) => ({ key: line.key, ...curveIn(line) })) }
  } catch {
    return undefined
  }
}
