/*
 * Row labels: what they mean, that they are unique, and that two Series are paired by them.
 *
 * Stock danfo counts the labels of every column that is looked at anew, and pairs cells by position even when they belong
 * to different rows: after `sorted = df.sortValues('v')`, `sorted['v'].sub(df['v'])` subtracts other rows.
 *
 * Now labels are checked once for each array of them. Series, masks and frames that are used together must have the same
 * labels; they are paired by label, as pandas does it, and refused otherwise. Arrays have no labels: they go by position.
 */
import { sentence } from '../../../contract/sentence.js'
import { getLabels, lengthOf, setLabels } from '../frame-store.js'
import { type Cells, cellsOf, type DataFrame, type Label, NDframe, range, refuse, repair, Series } from './model.js'

/** Arrays of labels that are known to hold none twice. */
const checked = new WeakSet<readonly Label[]>()

/** Marks labels that come out of unique ones. */
export function unique(index: readonly Label[]): readonly Label[] {
  checked.add(index)
  return index
}

/** A copy of labels. @throws QuotebookError INVALID_VALUE for the first label that comes twice */
function checkedCopy(index: readonly Label[]): readonly Label[] {
  const seen = new Set<Label>()
  for (const label of index) {
    if (seen.has(label)) {
      refuse(
        sentence`an index holds every label once, and '${label}' comes twice; keep it as a column and filter or group by it`,
      )
    }
    seen.add(label)
  }
  return unique([...index])
}

interface Labelled {
  readonly $index: readonly Label[]
}

const places = new WeakMap<readonly Label[], Map<Label, number>>()

/** Where each label stands. */
export function placesOf(index: readonly Label[]): ReadonlyMap<Label, number> {
  let found = places.get(index)
  if (!found) {
    found = new Map(index.map((label, row) => [label, row]))
    places.set(index, found)
  }
  return found
}

/** For every row of one its row in the other; undefined when they are the same. */
export function pairing(one: Labelled, other: Labelled): number[] | undefined {
  const isOwn = (side: Labelled): boolean => side instanceof NDframe && getLabels(side) === undefined
  if (isOwn(one) && isOwn(other) && lengthOf(one) === lengthOf(other)) return undefined
  const [a, b] = [one.$index, other.$index]
  if (a === b || (a.length === b.length && a.every((label, row) => label === b[row]))) return undefined
  if (a.length !== b.length) refuse(sentence`${b.length} rows do not go with ${a.length}`)
  const places = placesOf(b)
  return a.map(
    (label) =>
      places.get(label) ??
      refuse(
        sentence`there is no row '${label}' on the other side; rows go together by label, arrays (.values) by position`,
      ),
  )
}

/** The cells of a Series, or of an array, in the order of the rows of `one`. */
export function paired(one: Labelled, other: unknown): Cells {
  if (ArrayBuffer.isView(other)) return paired(one, Array.from(other as unknown as ArrayLike<unknown>))
  if (Array.isArray(other)) {
    const { length } = one.$index
    return other.length === length ? other : refuse(sentence`${other.length} values do not go with ${length} rows`)
  }
  if (typeof other !== 'object' || other === null || !('$isSeries' in other) || !other.$isSeries) {
    return refuse(sentence`an array or a Series is wanted`)
  }
  const cells = cellsOf(other as Series)
  const rows = pairing(one, other as Series)
  return rows ? rows.map((row) => cells[row]) : cells
}

/** A Series along the columns of a frame goes by their names when it has them for labels, and by position otherwise. */
export function alongColumns({ $columns }: DataFrame, other: unknown): readonly Label[] {
  const labels = other instanceof Series ? (other as Series).$index : $columns
  return labels.length === $columns.length && labels.every((label, at) => label === at) ? labels : $columns
}

/** Whether no position comes twice; those of masks and orders are told without looking each up. */
function areDistinct(at: ArrayLike<number>, length: number): boolean {
  const seen = new Uint8Array(length)
  for (let i = 0; i < at.length; i++) {
    const row = at[i] as number
    if (seen[row] === 1) return false
    seen[row] = 1
  }
  return true
}

/** Labels at positions, of rows that are numbered from 0 where there is no index; as unique as the positions are. */
export function labelsAt(index: readonly Label[] | undefined, at: ArrayLike<number>, length: number): readonly Label[] {
  const labels = new Array<Label>(at.length)
  for (let i = 0; i < labels.length; i++) labels[i] = index ? (index[at[i] as number] as Label) : (at[i] as number)
  return areDistinct(at, length) ? unique(labels) : labels
}

repair<Series>(NDframe.prototype, {
  /** Numbers from 0 are made when they are first asked for. */
  get $index(): readonly Label[] {
    const known = getLabels(this)
    if (known) return known
    const own = unique(range(lengthOf(this)))
    setLabels(this, own)
    return own
  },

  set $index(index: readonly Label[]) {
    setLabels(this, index)
  },

  $setIndex(index: readonly Label[] | undefined): void {
    const [length] = this.shape
    if (!index) setLabels(this, undefined)
    else if (index.length !== length) refuse(sentence`${index.length} labels do not go with ${length} rows`)
    else this.$index = checked.has(index) ? index : checkedCopy(index)
  },

  $resetIndex(): void {
    setLabels(this, undefined)
  },
})
