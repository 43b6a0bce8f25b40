/** Trading days from one run of a runner to its next. */
export const runCycle = 60

export type RunKind = 'up10' | 'down10' | 'up30'

/** Daily factor and length of a run: far enough for the severe thresholds of its board, inside its price limit. */
function pace(kind: RunKind, board: string): { factor: number; length: number } {
  if (kind === 'up30') return { factor: board === 'BSE' ? 1.055 : 1.044, length: 28 }
  if (kind === 'down10') return board === 'BSE' ? { factor: 0.895, length: 10 } : { factor: 0.924, length: 11 }
  if (board === 'BSE') return { factor: 1.115, length: 10 }
  return board === 'STAR' || board === 'ChiNext' ? { factor: 1.09, length: 10 } : { factor: 1.081, length: 10 }
}

/**
 * What a run multiplies a price by, for each day of its cycle: 1, then a fixed factor a day, three days of rest,
 * then a straight way back to 1.
 */
export function runShape(kind: RunKind, board: string): Float64Array {
  const { factor, length } = pace(kind, board)
  const shape = new Float64Array(runCycle).fill(1)
  let at = 1
  for (let day = 1; day <= length; day++) {
    at *= factor
    shape[day] = at
  }
  const rest = length + 3
  for (let day = length + 1; day < runCycle; day++) {
    const back = day <= rest ? 0 : (day - rest) / (runCycle - rest)
    shape[day] = at + (1 - at) * back
  }
  return shape
}
