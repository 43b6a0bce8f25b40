import { sentence } from '../../contract/sentence.js'
import { lastOfDays } from './forward-returns.js'
import { fenOf } from './money.js'
import type { Panel } from './panel.js'
import { type PlacedLine, TradedLines } from './traded-lines.js'

/** Closes of each instrument of panels in yuan, by code and day. */
export function codeCloses(panels: readonly Panel[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const panel of panels)
    panel.symbols.forEach((symbol, at) => {
      const own = found.get(symbol) ?? new Map<string, number>()
      lastOfDays(panel, panel.column('close'), at).forEach((close, day) => {
        if (!Number.isNaN(close)) own.set(panel.days[day] as string, close)
      })
      found.set(symbol, own)
    })
  return found
}

/** The price of an instrument on each day: its close, or that at which it was traded; else the last of an earlier day, which is stale. */
export function marksOf(days: readonly string[], closes: ReadonlyMap<string, number>, traded: readonly PlacedLine[]) {
  const known = new Map([...traded.map(({ at, price }) => [days[at] as string, price] as const), ...closes])
  const sorted = [...known.keys()].sort()
  let last = known.get(sorted.findLast((day) => day < (days[0] as string)) ?? sorted[0] ?? '') ?? 0
  return days.map((day) => {
    last = known.get(day) ?? last
    return { close: last, isStale: closes.has(day) ? 0 : 1 }
  })
}

export const sumOf = (all: Iterable<number>): number => [...all].reduce((sum, one) => sum + one, 0)

/** As much as has to be there before changes by which nothing falls below 0. */
function neededFor(changes: readonly number[]): number {
  let [sum, least] = [0, 0]
  for (const change of changes) {
    sum += change
    least = Math.min(least, sum)
  }
  return -least
}

/** Shares held before the first line: by the file's column, and as many as its sales need. */
function openingShares(lines: readonly PlacedLine[]): number {
  const first = lines.find(({ shares }) => shares !== 0)
  const told = first?.balance === undefined ? 0 : first.balance - first.shares
  return Math.max(told, neededFor(lines.map(({ shares }) => shares)))
}

export type DayMarks = ReadonlyMap<number, ReturnType<typeof marksOf>>

/** The account before its first line: its cash, and what was held at its last close. */
export function opened(
  rows: readonly PlacedLine[],
  symbols: readonly string[],
  marks: DayMarks,
  yuan: number | undefined,
) {
  const worthOf = (symbol: number, shares: number, at: number): number =>
    fenOf(shares * (marks.get(symbol)?.[at]?.close ?? 0))
  const changes = rows.map(({ cash }) => cash)
  const at = rows.findIndex(({ money }) => money !== undefined)
  const told = at < 0 ? undefined : fenOf(rows[at]?.money) - sumOf(changes.slice(0, at + 1))
  const fen = yuan === undefined ? (told ?? neededFor(changes)) : fenOf(yuan)
  const taken = new TradedLines(fen, worthOf)
  if (yuan === undefined && told === undefined && fen > 0)
    taken.warnings.push(
      sentence`no line has the money at the start: ${fen / 100} yuan are taken, which its lines need (--cash)`,
    )
  let start = fen
  for (const [symbol, code] of symbols.entries()) {
    const shares = openingShares(rows.filter((line) => line.symbol === symbol))
    if (shares === 0) continue
    const worth = worthOf(symbol, shares, 0)
    taken.book.move(symbol, shares, -worth, 0)
    start += worth
    taken.warnings.push(
      sentence`${shares} of ${code} were held before the first line: their cost is taken as ${worth / 100} yuan, their value then`,
    )
  }
  return { taken, start, worthOf }
}
