import type { Table } from 'apache-arrow'
import type { Progress, QueryOptions, Source } from '../../source/source.js'
import { type Call, provenance, withProvenance } from '../../table/provenance.js'
import { requestFor } from './request.js'
import type { Need } from './split.js'
import { summed } from './table.js'
import type { Wish } from './wish.js'

/** The requests behind a table. */
export function callsOf(table: Table): readonly Call[] {
  const call = provenance(table)?.call
  return call ? [call] : []
}

/** The same table with requests that were sent before it. */
export function withCalls(table: Table, calls: readonly Call[]): Table {
  const about = provenance(table)
  if (!about || calls.length === 0) return table
  return withProvenance(table, { ...about, call: summed([...calls, ...callsOf(table)]) })
}

/** Whether an answer has columns that the archive has no place for. */
export function hasExtra(table: Table): boolean {
  return provenance(table)?.extra !== undefined
}

/** How many requests a need takes; where a source can not tell, one a day. */
export async function requestsFor(inner: Source, wish: Wish, need: Need): Promise<number> {
  const { params, days } = requestFor(wish, need)
  if (!inner.explain) return Array.isArray(days) ? days.length : 1
  return (await inner.explain(wish.dataset, params, { whole: true, days })).requests
}

/** Progress over several questions, one after the other. */
class Steps {
  readonly #onProgress: (progress: Progress) => void
  #before = { done: 0, rows: 0 }
  #last = { done: 0, rows: 0 }

  constructor(onProgress: (progress: Progress) => void, rows: number) {
    this.#onProgress = onProgress
    this.#before = { done: 0, rows }
  }

  readonly tell = (progress: Progress): void => {
    const { done, rows } = this.#before
    this.#last = { done: done + progress.done, rows: rows + progress.rows }
    this.#onProgress({ ...progress, ...this.#last, of: done + progress.of })
  }

  next(): void {
    if (this.#last.done > 0) this.#before = this.#last
  }
}

/** The answers of the service to what the cache does not hold, with every column, one after the other. */
export async function fetchAll(
  inner: Source,
  wish: Wish,
  needs: readonly Need[],
  { onProgress, signal }: QueryOptions,
  held: number,
): Promise<Table[]> {
  const steps = onProgress && new Steps(onProgress, held)
  const tables: Table[] = []
  for (const need of needs) {
    signal?.throwIfAborted()
    const { params, days } = requestFor(wish, need)
    tables.push(await inner.query(wish.dataset, params, { whole: true, days, signal, onProgress: steps?.tell }))
    steps?.next()
  }
  return tables
}
