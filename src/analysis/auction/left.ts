import { QuotebookError } from '../../contract/error.js'
import type { AuctionOptions, TickColumns } from './columns.js'

/** Matched and left-over volume are added up, so they have to count in one unit. */
function checkUnits(what: string, ticks: TickColumns): void {
  const [matched, left] = [ticks.unit('vol'), ticks.unit('unmatched')]
  if (matched === undefined || left === undefined || matched === left) return
  const names = `${ticks.name('vol')} counts in ${matched}, ${ticks.name('unmatched')} in ${left}`
  throw new QuotebookError('INVALID_VALUE', `${what} needs both volumes in one unit: ${names}`)
}

/**
 * Volume left over at the indicative price, by row: above zero of buyers, below zero of sellers. NaN where the volume is
 * missing, and where it is above zero and its side is missing or neither word; 0 needs no side.
 * @throws QuotebookError INVALID_VALUE where the file states another unit for it than for the matched volume
 */
export function signedLeft(what: string, ticks: TickColumns, { sides }: AuctionOptions): Float64Array {
  checkUnits(what, ticks)
  const { data, words } = ticks.text('side')
  const { buyers, sellers } = sides ?? { buyers: 'b', sellers: 's' }
  const signs = words.map((word) => (word === buyers ? 1 : word === sellers ? -1 : Number.NaN))
  const left = ticks.volumes('unmatched')
  for (let row = 0; row < left.length; row++) {
    const volume = left[row] as number
    left[row] = volume === 0 ? 0 : volume * (signs[data[row] as number] ?? Number.NaN)
  }
  return left
}

/**
 * Order imbalance from -1 (sellers alone) to 1: signed left-over volume / (matched + left-over), which is (bid - asked) over
 * the larger of the two at that price. A convention. NaN where a volume is missing, or both are 0.
 */
export function imbalanceOf(matched: number, left: number): number {
  const all = matched + Math.abs(left)
  return all > 0 ? left / all : Number.NaN
}
