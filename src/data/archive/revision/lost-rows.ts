import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { gatherCells, gatherRows } from '../../../frame/table/gather-cells.js'
import { type ColumnData, cellOf, concatCells, type RecordColumns } from '../../../frame/table/values.js'
import { type Condition, matchingSlice } from '../answer/row-conditions.js'
import { rowNumbers } from '../answer/row-slices.js'
import { sha256 } from '../file-access.js'
import { codesOf, keyOf, storedKey } from '../merge-rows.js'
import { placeOf } from './row-places.js'

/** What a later answer lacks of a settled day. */
export interface LostPart {
  readonly scope: string
  readonly day: string
  /** Rows that it has not, and values of rows that it has. */
  readonly rows: number
  readonly cells: number
  /** A checksum of the keys and columns of these: another answer lacks the same where it is the same. */
  readonly sum: string
  /** It has no row of the day. */
  readonly isAll: boolean
  /** What was there stays. */
  readonly isHeld: boolean
}

/** A day of a scope while it is looked at: rows before that give way, those of them that are lost, and lost values. */
interface Place {
  readonly scope: string
  readonly day: string
  readonly rows: number[]
  readonly lost: number[]
  readonly cells: { readonly name: string; readonly from: number; readonly row: number }[]
  readonly words: string[]
}

/** An answer beside the rows that it takes the place of. */
export interface Replacement {
  readonly before: RecordColumns
  /** Which of them give way. */
  readonly replaces: readonly (readonly Condition[])[]
  readonly fresh: RecordColumns
  /** All rows that came: one may have come under another day. */
  readonly everywhere: RecordColumns
  /** Days of which an answer may lose nothing at once. */
  readonly isKnown: (scope: string, day: string) => boolean
}

function placesOf(dataset: Dataset, { before, replaces, fresh, everywhere, isKnown }: Replacement): Place[] {
  const gone = new Set(replaces.flatMap((conditions) => [...rowNumbers(matchingSlice(before, conditions).rows)]))
  const key = dataset.list?.match ?? storedKey(dataset)
  const [old, now] = codesOf(before, fresh, key).sides as [Int32Array, Int32Array]
  const rowOf = new Map([...now].map((code, row) => [code, row]))
  const [all, came] = codesOf(before, everywhere, key).sides as [Int32Array, Int32Array]
  const codes = new Set(came)
  const columns = Object.entries<Column>({ ...dataset.columns, ...dataset.stored }).flatMap(([name, { nullable }]) => {
    const sides = [before, fresh].map((side) => side.columns.get(name))
    return nullable && sides[0] && sides[1] ? [[name, sides[0], sides[1]] as const] : []
  })
  const [place, word] = [placeOf(dataset, before), keyOf(dataset, before)]
  const places = new Map<string, Place>()
  for (const row of [...gone].sort((a, b) => a - b)) {
    const [scope, day] = place(row)
    if (!isKnown(scope, day)) continue
    const own = places.get(`${scope} ${day}`) ?? { scope, day, rows: [], lost: [], cells: [], words: [] }
    places.set(`${scope} ${day}`, own)
    own.rows.push(row)
    const at = rowOf.get(old[row] as number)
    if (at === undefined && !codes.has(all[row] as number)) {
      own.lost.push(row)
      own.words.push(word(row))
    }
    if (at === undefined) continue
    for (const [name, was, is] of columns) {
      if (cellOf(is, at) !== null || cellOf(was, row) === null) continue
      own.cells.push({ name, from: row, row: at })
      own.words.push(`${word(row)} ${name}`)
    }
  }
  return [...places.values()]
}

/** The rows of an answer with values of rows before in the place of those that they lack. */
function filled(fresh: RecordColumns, before: RecordColumns, cells: Place['cells']): RecordColumns {
  const columns = new Map(fresh.columns)
  for (const name of new Set(cells.map((one) => one.name))) {
    const sides = [fresh, before].map((side) => side.columns.get(name) as ColumnData)
    const rows = Array.from({ length: fresh.length }, (_, row) => row)
    for (const one of cells) if (one.name === name) rows[one.row] = fresh.length + one.from
    columns.set(name, gatherCells(concatCells(sides), rows))
  }
  return { length: fresh.length, columns }
}

/**
 * Holds what an answer lacks of settled days: lost rows are to be put back, lost values are filled in. Of a ranked list
 * nothing of the answer is taken, since a row more would shift the others.
 * @param isHeld whether what is lost stays
 */
export function holdLost(
  dataset: Dataset,
  given: Replacement,
  isHeld: (lost: Omit<LostPart, 'isHeld'>) => boolean,
): { readonly back: RecordColumns; readonly fresh: RecordColumns; readonly lost: readonly LostPart[] } {
  const { before, fresh } = given
  const places = placesOf(dataset, given)
  const inFresh = places.length > 0 && fresh.length > 0 ? placeOf(dataset, fresh) : () => ['', ''] as const
  const freshOf = ({ scope, day }: Place): number[] =>
    Array.from({ length: fresh.length }, (_, row) => row).filter((row) => inFresh(row).join(' ') === `${scope} ${day}`)
  const [back, cells, dropped] = [new Set<number>(), [] as Place['cells'], new Set<number>()]
  const lost = places.flatMap((place): LostPart[] => {
    if (place.words.length === 0) return []
    const own = freshOf(place)
    const sum = sha256(place.words.sort().join('\n')).slice(0, 16)
    const { scope, day } = place
    const part = { scope, day, rows: place.lost.length, cells: place.cells.length, sum, isAll: own.length === 0 }
    if (!isHeld(part)) return [{ ...part, isHeld: false }]
    if (dataset.list) for (const row of own) dropped.add(row)
    else cells.push(...place.cells)
    const stays = dataset.list ? place.rows : place.lost
    for (const row of stays) back.add(row)
    return [{ ...part, isHeld: true }]
  })
  const rows = Array.from({ length: fresh.length }, (_, row) => row).filter((row) => !dropped.has(row))
  const taken = cells.length > 0 ? filled(fresh, before, cells) : fresh
  return { back: gatherRows(before, [...back]), fresh: dropped.size > 0 ? gatherRows(taken, rows) : taken, lost }
}
