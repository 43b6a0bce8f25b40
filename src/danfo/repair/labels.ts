/*
 * Row labels: what they mean, that they are unique, and that two Series are paired by them.
 *
 * Stock danfo counts the labels of every column that is looked at anew, and pairs cells by position even when they belong
 * to different rows: after `sorted = df.sortValues('v')`, `sorted['v'].sub(df['v'])` subtracts strangers.
 *
 * Now labels are checked once for each array of them. Series, masks and frames that are used together must have the same
 * labels; they are paired by label, as pandas does it, and refused otherwise. Arrays have no labels: they go by position.
 */
import { type Label, NDframe, range, refuse, repair, type Vector } from './danfo.js'

/** Arrays of labels that are known to hold none twice. */
const checked = new WeakSet<readonly Label[]>()

/** Marks labels that come out of unique ones. */
export function unique(index: readonly Label[]): readonly Label[] {
  checked.add(index)
  return index
}

/** A copy of labels. @throws QuotebookError INVALID_VALUE for the first label that comes twice */
function distinct(index: readonly Label[]): readonly Label[] {
  const seen = new Set<Label>()
  for (const label of index) {
    if (seen.has(label)) {
      refuse(
        `an index holds every label once, and '${label}' comes twice; keep it as a column and filter or group by it`,
      )
    }
    seen.add(label)
  }
  return unique([...index])
}

interface Labelled {
  readonly $index: readonly Label[]
}

function same(a: readonly Label[], b: readonly Label[]): boolean {
  return a === b || (a.length === b.length && a.every((label, row) => label === b[row]))
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
  if (same(one.$index, other.$index)) return undefined
  if (one.$index.length !== other.$index.length) {
    refuse(`${other.$index.length} rows do not go with ${one.$index.length}`)
  }
  const places = placesOf(other.$index)
  return one.$index.map(
    (label) =>
      places.get(label) ??
      refuse(`there is no row '${label}' on the other side; rows go together by label, arrays (.values) by position`),
  )
}

/** The cells of a Series, or of an array, in the order of the rows of `one`. */
export function paired(one: Labelled, other: unknown): readonly unknown[] {
  if (ArrayBuffer.isView(other)) return paired(one, Array.from(other as unknown as ArrayLike<unknown>))
  if (Array.isArray(other)) {
    const { length } = one.$index
    return other.length === length ? other : refuse(`${other.length} values do not go with ${length} rows`)
  }
  if (typeof other !== 'object' || other === null || !('$isSeries' in other) || !other.$isSeries) {
    return refuse('an array or a Series is wanted')
  }
  const { $data, $index } = other as Vector
  const rows = pairing(one, { $index })
  return rows ? rows.map((row) => $data[row]) : $data
}

repair<Vector>(NDframe.prototype, {
  $setIndex(index: readonly Label[] | undefined): void {
    const [length] = this.shape
    if (!index) this.$index = unique(range(length))
    else if (index.length !== length) refuse(`${index.length} labels do not go with ${length} rows`)
    else this.$index = checked.has(index) ? index : distinct(index)
  },

  $resetIndex(): void {
    this.$index = unique(range(this.shape[0]))
  },
})
