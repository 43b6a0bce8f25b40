/** Two things of which at least one is wrong. */
export type Conflict<T> = readonly [T, T]

/**
 * Who is to blame in conflicts: of the two, the one that more conflicts name; both where they are level. A number that
 * is wrong in the middle of a series conflicts with both neighbours, its neighbours only with it.
 */
export function blamed<T>(conflicts: readonly Conflict<T>[]): Set<T> {
  const named = new Map<T, number>()
  for (const pair of conflicts) for (const one of pair) named.set(one, (named.get(one) ?? 0) + 1)
  const found = new Set<T>()
  for (const [a, b] of conflicts) {
    const gap = (named.get(a) ?? 0) - (named.get(b) ?? 0)
    if (gap >= 0) found.add(a)
    if (gap <= 0) found.add(b)
  }
  return found
}
