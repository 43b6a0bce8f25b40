import type { Dataset } from '../../contract/dataset.js'
import { rowMoment } from '../../contract/known-at.js'
import { readColumns } from '../../frame/as-table.js'
import { outputPlace } from '../../frame/show/notebook-output.js'
import { provenance } from '../../frame/table/provenance.js'
import { cellOf } from '../../frame/table/values.js'
import { EtagCache } from '../source/reply/etag-cache.js'
import { Change } from './change.js'
import { PollInterval, type WatchOptions } from './poll-interval.js'
import { type AnyTable, isChange, rowChanges } from './row-changes.js'

/** A question to a source. */
export interface WatchedQuestion<T extends AnyTable> {
  readonly dataset: Dataset
  /** @param seen what came of it before */
  ask(seen: EtagCache): Promise<T>
  /** The state of an archive on this machine, where it is one: while that stays, nothing is asked. */
  readonly state?: (() => Promise<string>) | undefined
}

/**
 * The states of a question in which rows are other ones than before, the first at once. The next one is asked for when the
 * caller wants it: whoever is slow gets the newest state, and none that it has missed.
 * @throws QuotebookError USAGE for options that are none; then whatever the source throws, one that is away after `patience`
 */
export function watchRows<T extends AnyTable>(
  question: WatchedQuestion<T>,
  options: WatchOptions,
): AsyncGenerator<Change<T>, undefined, undefined> {
  return changesOf(question, options, new PollInterval(question.dataset, options))
}

async function* changesOf<T extends AnyTable>(
  { dataset, ask, state }: WatchedQuestion<T>,
  { signal, onAnswer }: WatchOptions,
  pace: PollInterval,
): AsyncGenerator<Change<T>, undefined, undefined> {
  const seen = new EtagCache()
  const place = outputPlace()
  let last: T | undefined
  const next = async (): Promise<T> => {
    if (last && state && (await state()) === provenance(last)?.state) return last
    return ask(seen)
  }
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { at, result: rows } = await pace.ask(next)
      seen.endRound()
      onAnswer?.(at)
      const [former, isFirst] = [last, last === undefined]
      last = rows
      const changes = rows === former ? undefined : rowChanges(dataset, former, rows)
      const isNew = changes !== undefined && (isFirst || isChange(changes))
      const about = { rows, isFirst, at, newest: newestMoment(dataset, rows), state: provenance(rows)?.state }
      if (isNew) yield new Change(about, changes, place)
      await pace.rest(isNew)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/**
 * The moment of the newest row, Beijing time: its own where rows carry one, the close of its bar, else its day. Undefined where
 * no row tells, as in data without history.
 */
function newestMoment(dataset: Dataset, table: AnyTable): string | undefined {
  const { columns, length } = readColumns(table)
  let newest: string | undefined
  for (let row = 0; row < length; row++) {
    const moment = rowMoment(dataset, (name) => {
      const values = columns.get(name)
      const text = values && cellOf(values, row)
      return typeof text === 'string' && text !== '' ? text : undefined
    })
    if (moment !== undefined && (newest === undefined || moment > newest)) newest = moment
  }
  return newest
}
