import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { misuse, unwritten } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import type { RunCurve } from './account-curve.js'
import type { Panel } from './panel.js'
import { sha256Text, sourceOf } from './run-hash.js'
import type { TrialOptions } from './run-trials.js'
import type { Strategy } from './strategy.js'
import type { TrialParams } from './sweep-grid.js'

/** A run as JSON: doubles as base64 of their bytes, little-endian. */
export interface TrialLine {
  /** What it was run on: `trialKeys`. */
  readonly key: string
  readonly turnover: number
  readonly equity: string
  readonly pnl: string
  readonly read?: readonly string[] | undefined
}

const encoded = (numbers: Float64Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')

function decoded(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

export function trialLine(key: string, { turnover, equity, pnl, read }: RunCurve): TrialLine {
  return { key, turnover, equity: encoded(equity), pnl: encoded(pnl), read }
}

export function curveIn({ turnover, equity, pnl, read }: TrialLine): RunCurve {
  return { turnover, equity: decoded(equity), pnl: decoded(pnl), read }
}

/** Names a run by a hash of the panel, the options, its params, the source of its strategy and the version. */
export function trialKeys(
  panel: Panel,
  { options, perYear }: TrialOptions,
): (params: TrialParams, strategy: Strategy) => string {
  const base = JSON.stringify([version, panel.hash, sourceOf(options), perYear])
  return (params, strategy) => sha256Text(JSON.stringify([base, sourceOf(params), sourceOf(strategy)]))
}

function parsed(line: string): TrialLine | undefined {
  try {
    const found = JSON.parse(line) as Partial<TrialLine> | null
    return typeof found?.key === 'string' && typeof found.equity === 'string' ? (found as TrialLine) : undefined
  } catch {
    return undefined
  }
}

/** The trials that an interrupted sweep has run, in a file of a JSON line each. A line that was cut short is run again. */
export class SweepCheckpoint {
  readonly #path: string
  readonly #lines = new Map<string, TrialLine>()
  #isOpenLine = false

  /** @throws QuotebookError USAGE for a file that is no checkpoint */
  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    this.#isOpenLine = text !== '' && !text.endsWith('\n')
    for (const line of text.split('\n')) {
      const found = parsed(line)
      if (found) this.#lines.set(found.key, found)
    }
    if (text !== '' && this.#lines.size === 0 && !text.startsWith('{"key":"'))
      throw misuse(sentence`sweep: ${path} is no checkpoint of a sweep; name another file`)
  }

  /** What a trial left when it was run; undefined where it was not. */
  find(key: string): RunCurve | undefined {
    const line = this.#lines.get(key)
    return line && curveIn(line)
  }

  keep(key: string, curve: RunCurve): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true })
      appendFileSync(this.#path, `${this.#isOpenLine ? '\n' : ''}${JSON.stringify(trialLine(key, curve))}\n`)
    } catch (cause) {
      throw unwritten(this.#path, cause)
    }
    this.#isOpenLine = false
  }
}
