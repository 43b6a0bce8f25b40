/** The place of a value among bins of a width, 0 beginning at 0; an edge that doubles miss by a hair is met. */
export const binOf = (value: number, width: number): number => Math.floor(value / width + 1e-9)

/** How many values lie in each of so many bins, from the place of the first on; what lies beyond is in the outer ones. */
export function binCounts(
  values: Iterable<number>,
  { width, first, count }: { readonly width: number; readonly first: number; readonly count: number },
): Float64Array {
  const counts = new Float64Array(count)
  for (const value of values) {
    const at = Math.min(count - 1, Math.max(0, binOf(value, width) - first))
    counts[at] = (counts[at] as number) + 1
  }
  return counts
}
