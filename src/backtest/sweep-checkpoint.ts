import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { QuotebookError } from '../contract/error.js'
import { version } from '../contract/version.js'
import type { RunCurve } from './account-curve.js'
import type { Panel } from './panel.js'
import { sha256Text, sourceOf } from './run-hash.js'
import type { TrialOptions } from './run-trials.js'
import type { Strategy } from './strategy.js'
import type { TrialParams } from './sweep-grid.js'

/** A line of the file: doubles as base64 of their bytes, little-endian. */
interface CheckpointLine {
  readonly key: string
  readonly turnover: number
  readonly equity: string
  readonly pnl: string
}

const encoded = (numbers: Float64Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')

function decoded(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

function parsed(line: string): CheckpointLine | undefined {
  try {
    const found = JSON.parse(line) as Partial<CheckpointLine> | null
    return typeof found?.key === 'string' && typeof found.equity === 'string' ? (found as CheckpointLine) : undefined
  } catch {
    return undefined
  }
}

/**
 * The trials that an interrupted sweep has run, in a file of a JSON line each. A trial is found again by a hash of the panel, the
 * options, its params, the source of its strategy and the version; a line that was cut short is run again.
 */
export class SweepCheckpoint {
  readonly #path: string
  readonly #base: string
  readonly #lines = new Map<string, CheckpointLine>()
  #isOpenLine = false

  /** @throws QuotebookError USAGE for a file that is no checkpoint */
  constructor(path: string, panel: Panel, context: TrialOptions) {
    this.#path = path
    this.#base = JSON.stringify([version, panel.hash, sourceOf(context.options), context.perYear])
    if (!existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    this.#isOpenLine = text !== '' && !text.endsWith('\n')
    for (const line of text.split('\n')) {
      const found = parsed(line)
      if (found) this.#lines.set(found.key, found)
    }
    if (text !== '' && this.#lines.size === 0 && !text.startsWith('{"key":"'))
      throw new QuotebookError('USAGE', `sweep: ${path} is no checkpoint of a sweep; name another file`)
  }

  keyOf(params: TrialParams, strategy: Strategy): string {
    return sha256Text(JSON.stringify([this.#base, sourceOf(params), sourceOf(strategy)]))
  }

  /** What a trial left when it was run; undefined where it was not. */
  find(key: string): RunCurve | undefined {
    const line = this.#lines.get(key)
    if (!line) return undefined
    const trades = Array.from(decoded(line.pnl), (pnl) => ({ pnl }))
    return { equity: decoded(line.equity), trades, turnover: line.turnover }
  }

  keep(key: string, { equity, trades, turnover }: RunCurve): void {
    const pnl = encoded(Float64Array.from(trades, (one) => one.pnl))
    const line: CheckpointLine = { key, turnover, equity: encoded(equity), pnl }
    appendFileSync(this.#path, `${this.#isOpenLine ? '\n' : ''}${JSON.stringify(line)}\n`)
    this.#isOpenLine = false
  }
}
