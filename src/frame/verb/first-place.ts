/** The first place of ascending numbers, from one to another, that is not below a value, or with `above` greater than it. */
export function firstPlace(ascending: Float64Array, from: number, to: number, value: number, above: boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = ascending[middle] as number
    if (other < value || (above && other === value)) low = middle + 1
    else high = middle
  }
  return low
}
