import { bounded, type Interval, intersect } from '../exact/interval.js'
import { type Based, findPaths, readBases } from './bases.js'
import { findBoards, type Implied, type Peers } from './board.js'
import { readCents } from './cents.js'
import type { AnomalyHalt } from './compute.js'
import { findExtreme } from './extreme.js'
import type { Note } from './inside.js'
import { begunAnewIn } from './restarts.js'
import { type Candidate, indexGrowth } from './row.js'
import { priceLimit } from './rules.js'
import { readRuns } from './series.js'

/** What rows of different days and stocks say of one another. */
export interface Between {
  /** Rows of the board over the same days. */
  readonly peers: ReadonlyMap<Candidate, Peers>
  /** How many other rows of its own stock a row was held against. */
  readonly own: ReadonlyMap<Candidate, number>
  /** Growth of the benchmark since the interval began that a row, with its stock's others, implies. */
  readonly growth: ReadonlyMap<Candidate, Interval>
}

/** Growth of a benchmark over one day where nobody can tell: within the price limit of its shares. */
function anyDay({ board, tradedate }: Candidate): Interval {
  const limit = board ? priceLimit(board, false, tradedate) / 100 : 0.3
  return { lo: 1 - limit, hi: 1 + limit }
}

/** Growth that a row implies by itself where its stock's other rows add nothing. */
function growthOf(one: Candidate, based: Based | undefined): Interval | undefined {
  const alone = indexGrowth(one)
  const own = alone && bounded(alone) ? alone : undefined
  if (!based) return own
  return own ? (intersect(own, based.index) ?? based.index) : based.index
}

/**
 * Findings between days and stocks: runs of closes, base closes, the index of the board, the extreme of each window.
 */
export function findAcross(rows: readonly Candidate[], note: Note, halts?: readonly AnomalyHalt[]): Between {
  const runs = readRuns(rows, readCents(rows), note)
  const based = runs.map((run) => readBases(run, note))
  runs.forEach((run, i) => {
    findPaths(run, based[i] ?? [], note)
  })
  const basedOf = new Map(based.flat().map((one) => [one.one, one]))
  const growth = new Map<Candidate, Interval>()
  const implied: Implied[] = []
  for (const one of rows) {
    const found = growthOf(one, basedOf.get(one))
    if (!found) continue
    growth.set(one, found)
    implied.push({ one, growth: found })
  }
  const { peers, dayIndex } = findBoards(implied, note)
  const own = new Map<Candidate, number>()
  const begunAnew = begunAnewIn(rows, halts)
  runs.forEach((run, i) => {
    const mine = run.flatMap((at) => at.rows)
    for (const one of mine) own.set(one, mine.length - 1)
    findExtreme(based[i] ?? [], mine, (one, day) => dayIndex(one, day) ?? anyDay(one), begunAnew, note)
  })
  return { peers, own, growth }
}
