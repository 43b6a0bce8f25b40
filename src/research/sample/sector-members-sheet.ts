import { below, fork, isChosen } from './random.js'
import type { Sample } from './sample-plan.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'

type Row = WholeRow<'thememembers_jx'>

const parents = 6
const children = 3

/**
 * Whether a stock belongs to a first-level sector at a snapshot. The newest snapshot drops a few members of the older
 * one and takes in others.
 */
function belongs(root: number, code: string, sector: number, newest: boolean): boolean {
  const own = fork(fork(root, code), sector)
  const moved = newest && isChosen(fork(own, 'moved'), 12)
  return isChosen(own, 4) !== moved
}

function* sectorRows(sample: Sample, root: number, sector: number, date: string): Iterable<Row> {
  const newest = date === sample.latest.date
  const codes = sample.stocks.map((stock) => stock.code).sort()
  const members = codes.filter((code) => belongs(root, code, sector, newest))
  yield { theme_symbol: String(801_001 + sector), symbols: members, level: 'parent', snapshot_date: date }
  for (let child = 0; child < children; child++) {
    const symbols = members.filter((code) => below(fork(fork(root, code), 100 + sector), children + 1) === child)
    const theme_symbol = String(802_001 + sector * 10 + child)
    yield { theme_symbol, symbols, level: 'child', snapshot_date: date }
  }
}

/**
 * Curated sectors: six first-level ones (801001 ...) with three second-level ones each (802001 ...), whose lists are
 * parts of the parent's. Two snapshots, of the middle and of the latest day.
 */
export const sectorMembersSheet = wholeSheetOf(
  'thememembers_jx',
  (sample) => sample.days,
  (sample, days) => {
    const root = fork(sample.seed, 'sector')
    const dates = new Set([days[Math.floor((days.length - 1) / 2)]?.date ?? '', sample.latest.date])
    const sectors = [...Array(parents).keys()]
    return [...dates].flatMap((date) => sectors.flatMap((sector) => [...sectorRows(sample, root, sector, date)]))
  },
)
