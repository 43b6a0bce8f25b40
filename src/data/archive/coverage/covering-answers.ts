import type { Dataset } from '../../../contract/dataset.js'
import { encodeKeys } from '../../../frame/table/group-rows.js'
import type { ColumnData, RecordColumns } from '../../../frame/table/values.js'
import type { Condition } from '../answer/row-conditions.js'
import type { DatasetEntry } from '../manifest-entries.js'
import { partition, storedKey } from '../merge-rows.js'
import { changingParts, type NewCoverage } from './coverage.js'
import { type DayRanges, intersection, union } from './day-ranges.js'
import { daysOfAnswer } from './ledger.js'

/** An answer that is to be stored with what it covers. */
export interface CoveringAnswer {
  readonly columns: RecordColumns
  readonly more: NewCoverage
  /** Which stored rows of its days give way to it. */
  readonly replaces: readonly Condition[]
}

/** Whether a row of one answer has the key, or is of the list, of a row of another. */
function shareKeys(dataset: Dataset, answers: readonly CoveringAnswer[]): boolean {
  const filled = answers.filter(({ columns }) => columns.length > 0)
  const names = dataset.list?.of ?? storedKey(dataset)
  if (filled.length < 2 || names.length === 0) return false
  const keys = names.map((name) => ({
    sides: filled.map(({ columns }) => columns.columns.get(name) as ColumnData),
    names: filled.map(() => name),
  }))
  const { sides, size } = encodeKeys(keys, 'alike')
  const owner = new Int32Array(size).fill(-1)
  return sides.some((codes, answer) =>
    codes.some((code) => {
      const before = owner[code] as number
      owner[code] = answer
      return before >= 0 && before !== answer
    }),
  )
}

/** Answers that may be stored as one: of other days or scopes, so that none of them takes the place of another. */
export class CoveringAnswers {
  readonly #answers: CoveringAnswer[] = []
  readonly #days = new Map<string, DayRanges>()
  #form: string | undefined

  /** @returns whether it goes with those before; else it is not taken */
  add(answer: CoveringAnswer): boolean {
    const { columns, more } = answer
    const [days, before] = [daysOfAnswer(more), this.#days.get(more.scope) ?? []]
    const form = JSON.stringify([more.observedAt === undefined, ...columns.columns.keys()])
    const isLike = columns.length === 0 || this.#form === undefined || form === this.#form
    if (!isLike || intersection(before, days).length > 0) return false
    if (columns.length > 0) this.#form = form
    this.#days.set(more.scope, union(before, days))
    this.#answers.push(answer)
    return true
  }

  /** All as one, or one by one where a row of one takes the place of a row of another after all. */
  groups(dataset: Dataset): readonly (readonly CoveringAnswer[])[] {
    return shareKeys(dataset, this.#answers) ? this.#answers.map((one) => [one]) : [this.#answers]
  }
}

/** When the last of the answers was there. */
export function latestAt(answers: readonly CoveringAnswer[]): string | undefined {
  return answers
    .flatMap(({ more }) => more.observedAt ?? [])
    .sort()
    .at(-1)
}

/** Fresh rows of a partition, and the places of the answers that change it. */
interface PartitionChange {
  readonly fresh: RecordColumns[]
  readonly own: number[]
}

/** What answers change, by partition: where they have rows, and where days could still change that they settle, or were settled. */
export function byPartition(
  dataset: Dataset,
  answers: readonly CoveringAnswer[],
  entry: DatasetEntry,
): ReadonlyMap<string, PartitionChange> {
  const changes = new Map<string, PartitionChange>()
  for (const [place, { columns, more }] of answers.entries()) {
    const fresh = partition(dataset, columns)
    for (const name of new Set([...fresh.keys(), ...changingParts(entry, more).map((part) => part.partition)])) {
      const change = changes.get(name) ?? { fresh: [], own: [] }
      changes.set(name, change)
      change.own.push(place)
      change.fresh.push(...(fresh.has(name) ? [fresh.get(name) as RecordColumns] : []))
    }
  }
  return changes
}
