import { agreement, bounded, type Interval, meet, middle } from '../exact/interval.js'
import { groupBy } from '../group.js'
import type { Finding } from './inside.js'
import { type Candidate, indexGrowth, isWhole, lastClose } from './row.js'

/** Writes a finding about a row. */
export type Note = (row: number, finding: Finding) => void

function groups(rows: readonly Candidate[], key: (one: Candidate) => unknown[]): Candidate[][] {
  return [...groupBy(rows, (one) => JSON.stringify(key(one))).values()]
}

const day = (one: Candidate): unknown[] => [one.tradedate, one.basis, one.computedOn]
const stockDay = (one: Candidate): unknown[] => [...day(one), one.symbol]
const stockStart = (one: Candidate): unknown[] => [...stockDay(one), one.elapsed]
const boardStart = (one: Candidate): unknown[] => [...day(one), one.board, one.elapsed]

function oneValue(
  group: readonly Candidate[],
  rule: string,
  what: string,
  of: (one: Candidate) => unknown,
  note: Note,
) {
  const values = new Set(group.map(of))
  if (values.size < 2) return
  const why = `${what}: ${[...values].map((value) => (Number.isNaN(value) ? 'null' : String(value))).join(', ')}`
  for (const { row } of group) note(row, { verdict: 'inconsistent', rule, why })
}

function noteApart(
  group: readonly Candidate[],
  of: (one: Candidate) => Interval,
  finding: (value: Interval, common: Interval | undefined) => Finding,
  note: Note,
): void {
  const values = group.map(of)
  const { common, apart } = agreement(values)
  for (const i of apart) {
    const [one, value] = [group[i], values[i]]
    if (one && value) note(one.row, finding(value, common))
  }
}

const percent = (growth: Interval): string => ((middle(growth) - 1) * 100).toFixed(2)

/** Index growth of a row where it can be told. */
function growthOf(one: Candidate): Interval | undefined {
  const growth = indexGrowth(one)
  return growth && bounded(growth) ? growth : undefined
}

/** Rows of one board, day and interval length, and the benchmark growth that most of them imply. */
export interface Peers {
  readonly common: Interval | undefined
  readonly rows: number
  readonly elapsed: number
  /** Board and day, as a key. */
  readonly place: string
}

/** The peers of every row whose index growth can be told. */
export function peersOf(rows: readonly Candidate[]): ReadonlyMap<Candidate, Peers> {
  const found = new Map<Candidate, Peers>()
  const known = rows.filter((one) => one.board !== undefined && growthOf(one) !== undefined)
  for (const group of groups(known, boardStart)) {
    const [first] = group
    if (!first) continue
    const { common } = agreement(group.flatMap((one) => growthOf(one) ?? []))
    const place = JSON.stringify([...day(first), first.board])
    const peers = { common, rows: group.length, elapsed: first.elapsed, place }
    for (const one of group) found.set(one, peers)
  }
  return found
}

/**
 * Stocks of one board whose intervals began on one day share the return of the index. Equal `elapsed_days` mean that
 * only for stocks that traded on every day; one that was suspended began earlier and agrees with a longer interval.
 */
function acrossStocks(peers: ReadonlyMap<Candidate, Peers>, note: Note): void {
  const all = groupBy(new Set(peers.values()), ({ place }) => place)
  for (const [one, own] of peers) {
    const growth = growthOf(one)
    if (!growth || (own.common && meet(growth, own.common))) continue
    const longer = all
      .get(own.place)
      ?.some(({ common, elapsed }) => elapsed > own.elapsed && common && meet(growth, common))
    if (longer) continue
    const others = own.common ? `its peers ${percent(own.common)}%` : 'its peers differ'
    const why = `implies an index return of ${percent(growth)}%, ${others}: a wrong number, or days without trade`
    note(one.row, { verdict: 'suspect', rule: 'index', why })
  }
}

/**
 * How many other rows a row was held against within its day: those of its stock, and those of its board and interval
 * that imply an index return.
 */
export function heldWithin(
  rows: readonly Candidate[],
  peers: ReadonlyMap<Candidate, Peers>,
): ReadonlyMap<Candidate, number> {
  const boards = groupBy(peers.keys(), (one) => peers.get(one))
  const found = new Map<Candidate, number>()
  for (const own of groups(rows.filter(isWhole), stockDay)) {
    for (const one of own) {
      const board = boards.get(peers.get(one)) ?? []
      const strangers = peers.has(one) ? board.filter(({ symbol }) => symbol !== one.symbol) : []
      found.set(one, own.length - 1 + strangers.length)
    }
  }
  return found
}

/** What rows break together. */
export function findBetween(rows: readonly Candidate[], peers: ReadonlyMap<Candidate, Peers>, note: Note): void {
  for (const group of groups(rows, (one) => [one.tradedate, one.computedOn, one.symbol, one.ruleText])) {
    if (group.length === 1) continue
    const why = `${group.length} rows of ${group[0]?.symbol} have this day and rule`
    for (const { row } of group) note(row, { verdict: 'inconsistent', rule: 'key', why })
  }
  const whole = rows.filter(isWhole)
  for (const group of groups(rows, stockDay)) {
    oneValue(group, 'pct_chg', 'one stock and day has several changes', (one) => one.pctChg, note)
    oneValue(group, 'name', 'one stock and day has several names', (one) => one.name, note)
  }
  for (const group of groups(whole, stockDay)) {
    noteApart(
      group,
      lastClose,
      (value, common) => ({
        verdict: 'inconsistent',
        rule: 'close',
        why: `trigger_price and required_pct_chg imply a last close of ${middle(value).toFixed(3)}, ${
          common ? `the stock's other rows ${middle(common).toFixed(3)}` : "the stock's rows differ"
        }`,
      }),
      note,
    )
  }
  for (const group of groups(whole, stockStart)) {
    oneValue(group, 'deviation', 'one interval has several deviations', (one) => one.deviationPct, note)
    noteApart(
      group.filter((one) => growthOf(one) !== undefined),
      (one) => growthOf(one) ?? { lo: 0, hi: 0 },
      (value) => ({
        verdict: 'inconsistent',
        rule: 'index',
        why: `implies an index return of ${percent(value)}%, another rule of the stock over the same days another`,
      }),
      note,
    )
  }
  acrossStocks(peers, note)
}

/** Forecasts speak of one day, the first after the completed one. */
export function findLateForecasts(rows: readonly Candidate[], note: Note): void {
  const later = groups(
    rows.filter((one) => one.basis !== 'completed'),
    (one) => [one.computedOn],
  )
  for (const group of later) {
    const [first] = group.map(({ tradedate }) => tradedate).sort()
    for (const one of group) {
      if (one.tradedate === first) continue
      const why = `a forecast for ${one.tradedate} beside one for ${first}, both ${one.computedOn}`
      note(one.row, { verdict: 'broken', rule: 'quote', why })
    }
  }
}
