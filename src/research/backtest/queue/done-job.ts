import type { RunCurve } from '../account-curve.js'

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

interface Head extends Omit<DoneJob, 'sets'> {
  readonly sets: readonly {
    readonly key: string
    readonly days: number
    readonly trades: number
    readonly read?: readonly string[] | undefined
  }[]
}

/** A line of JSON, then the doubles of all sets: turnover, equity, pnl. Little-endian, as all processors that Node runs on. */
export function packedJob({ id, worker, sets }: DoneJob): Buffer {
  const sizes = sets.map(({ key, equity, pnl, read }) => ({ key, days: equity.length, trades: pnl.length, read }))
  const head: Head = { id, worker, sets: sizes }
  const parts = sets.flatMap(({ turnover, equity, pnl }) => [Float64Array.of(turnover), equity, pnl])
  const bytes = parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...bytes])
}

/** @returns undefined of what `packedJob` did not write */
export function unpackedJob(bytes: Buffer): DoneJob | undefined {
  const end = bytes.indexOf('\n')
  try {
    const { id, worker, sets } = JSON.parse(bytes.toString('utf8', 0, end)) as Head
    const numbers = new Float64Array(new Uint8Array(bytes.subarray(end + 1)).buffer)
    let at = 0
    const next = (length: number): Float64Array => {
      at += length
      return numbers.subarray(at - length, at)
    }
    const own = sets.map(({ key, days, trades, read }) => ({
      read: read?.map(String),
      key,
      turnover: next(1)[0] as number,
      equity: next(days),
      pnl: next(trades),
    }))
    return at === numbers.length ? { id, worker, sets: own } : undefined
  } catch {
    return undefined
  }
}
