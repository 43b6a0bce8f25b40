import { indexNames } from '../../contract/catalogue/theme-daily.js'
import { divideHalfUp, percentChange } from './exact-quotient.js'
import { below, drawsFrom, fork, level, wave } from './random.js'
import type { Day } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { sheetOf, type WholeRow } from './sample-sheet.js'

/** Names that count stocks: whole numbers that move a lot. Largest count by board. */
const breadth: readonly (readonly [RegExp, number])[] = [
  [/^涨跌家数$/, 5400],
  [/^停板家数$/, 120],
  [/^主板涨跌$/, 3200],
  [/^创业涨跌$/, 1390],
  [/^科创涨跌$/, 590],
  [/^北证涨跌$/, 280],
  [/^主板停板$/, 90],
  [/停板$/, 40],
]

interface Index {
  readonly symbol: string
  readonly name: string
  readonly root: number
  /** Largest count of a breadth index. */
  readonly most: number | undefined
  /** Usual level in hundredths of a point. */
  readonly base: number
}

function indices(seed: number): Index[] {
  const root = fork(seed, 'theme')
  return indexNames.map((name, place) => {
    const own = fork(root, name)
    const most = breadth.find(([pattern]) => pattern.test(name))?.[1]
    return { symbol: String(880_001 + place), name, root: own, most, base: 80_000 + below(fork(own, 'base'), 400_000) }
  })
}

/** Close of day t in hundredths of a point; a breadth index counts stocks. */
function closeOf({ root, most, base }: Index, t: number): number {
  if (most === undefined) return level(root, t, base, 0.4)
  const share = 500 + Math.round(wave(root, t) * 800) + below(fork(fork(root, 'count'), t), 600) - 300
  return 100 * Math.max(0, Math.min(most, divideHalfUp(most * share, 1000)))
}

function rowOf(sample: Sample, index: Index, day: Day): WholeRow<'theme_daily'> {
  const { int } = drawsFrom(fork(fork(index.root, 'day'), day.t))
  const close = closeOf(index, day.t)
  const before = closeOf(index, day.t - 1)
  const counts = index.most !== undefined
  const stray = (): number => (counts ? 100 * int(0, 5) : int(0, divideHalfUp(before, 200)))
  const open = counts ? before : before + divideHalfUp((close - before) * int(0, 60), 100)
  const low = Math.max(0, Math.min(open, close) - stray())
  return {
    tradedate: day.date,
    symbol: index.symbol,
    name: index.name,
    type: 'tj',
    open: open / 100,
    high: (Math.max(open, close) + stray()) / 100,
    low: low / 100,
    close: close / 100,
    pre_close: before / 100,
    change: (close - before) / 100,
    pct_chg: before === 0 ? null : percentChange(close, before),
    vol: int(1_000_000, 900_000_000),
    amount: (int(10_000_000, 2_000_000_000) * 100_000 + int(0, 99_999)) / 100,
    servertime: day.t === sample.latest.t ? `15:00:0${int(0, 9)}.${String(int(0, 999)).padStart(3, '0')}` : null,
  }
}

/**
 * The 48 statistical indices, codes from 880001 in the order of their names. Percentages are ROUND_HALF_UP to
 * 4 decimals, null after a close of 0; the snapshot time is there on the latest day only.
 */
export const themeDailySheet = sheetOf(
  'theme_daily',
  (sample) => sample.days,
  (sample, days) => {
    const all = indices(sample.seed)
    return days.flatMap((day) => all.map((index) => rowOf(sample, index, day)))
  },
)
