import type { DatasetName } from '../../src/contract/catalogue.js'
import { type DatasetBatch, generate } from '../../src/sample/generate-sample.js'
import type { SampleOptions } from '../../src/sample/sample-plan.js'

export type Cells = Record<string, unknown>

/** Whole number of 10^-places that a published decimal is; throws when it has more decimals. */
export function scaled(value: unknown, places: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))
  const part = match?.[3] ?? ''
  if (!match || part.length > places) throw new Error(`${value} is no decimal of ${places} places`)
  const size = BigInt(`${match[2]}${part.padEnd(places, '0')}`)
  return match[1] === '-' ? -size : size
}

/** Quotient with halves away from zero. */
export function halfUp(over: bigint, under: bigint): bigint {
  const size = over < 0n ? -over : over
  const whole = size / under
  const up = (size % under) * 2n >= under ? whole + 1n : whole
  return over < 0n ? -up : up
}

const cache = new Map<string, DatasetBatch[]>()

export function batchesOf(options: SampleOptions = {}): DatasetBatch[] {
  const key = JSON.stringify(options)
  const known = cache.get(key)
  if (known) return known
  const made = [...generate(options)].flatMap((batch) => ('ticks' in batch ? [] : [batch]))
  cache.set(key, made)
  return made
}

/** Rows of one dataset as objects. */
export function rowsOf(dataset: DatasetName, options: SampleOptions = {}): Cells[] {
  return batchesOf(options)
    .filter((batch) => batch.dataset === dataset)
    .flatMap(({ fields, rows }) => rows.map((row) => Object.fromEntries(fields.map((name, i) => [name, row[i]]))))
}

export function groupBy(rows: readonly Cells[], ...names: string[]): Map<string, Cells[]> {
  const groups = new Map<string, Cells[]>()
  for (const row of rows) {
    const key = names.map((name) => String(row[name])).join(' ')
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
