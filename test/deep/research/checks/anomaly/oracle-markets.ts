import { tradingDays } from '../../../../../src/contract/calendar.js'
import { dateOf, dayNumber } from '../../../../../src/contract/date.js'
import {
  type Adjustment,
  Chance,
  codes,
  type Day,
  heads,
  indexPath,
  type Plan,
  thresholds,
  type Walk,
  walk,
} from './oracle-path.js'

/** A small market as the oracle reads it; `null` close: a suspended day that has a row all the same. */
export interface Market {
  readonly prices: readonly Price[]
  readonly benchmarks: readonly { readonly tradedate: string; readonly code: string; readonly close: number }[]
  readonly calendar: readonly string[]
  readonly st: readonly { readonly symbol: string; readonly tradedate: string }[]
  readonly options: Options
}

export interface Price {
  readonly tradedate: string
  readonly symbol: string
  readonly name: string | null
  readonly list_date: string | null
  readonly close: number | null
  readonly pre_close?: number | null
  readonly adj_factor?: number
}

export type Reset = { symbol: string; tradedate: string; measure: 'abnormal' | 'severe' }

export interface Options {
  readonly days: 'stock' | 'market'
  readonly resets: 'computed' | 'none' | readonly Reset[]
  readonly unlimited: readonly { readonly symbol: string; readonly tradedate: string }[]
  readonly halts?: readonly { readonly symbol: string; readonly tradedate: string }[]
}

const anchors = [
  '20230410',
  '20260706',
  '20230201',
  '20250128',
  '20260706',
  '20240930',
  '20230410',
  '20251001',
  '20221121',
  '20260501',
  '20260706',
]

/** The price of a path in one of the three ways to give ex-rights. */
export function given(days: readonly Day[], adjustment: Adjustment) {
  return days.map(({ close, reference, factor }) => {
    if (adjustment === 'pre_close')
      return { close: close / 100, pre_close: reference === null ? null : reference / 100 }
    if (adjustment === 'adj_factor') return { close: close / 100, adj_factor: factor.units / 10 ** factor.places }
    return { close: (close * factor.units) / 10 ** (factor.places + 2) }
  })
}

const boards = ['sh', 'sz', 'cy', 'sh', 'kc', 'sz', 'bj'] as const

function stockPlan(chance: Chance, dates: readonly string[], adjustment: Adjustment, number: number): Plan {
  const board = boards[number % boards.length] ?? 'sh'
  const symbol = `${chance.of(heads[board])}${String((number * 37) % 1000).padStart(3, '0')}`
  const span = dates.length
  const border = dates.findIndex((day) => day >= '20260706' || (day >= '20230410' && day < '20230501'))
  const spans: readonly (readonly [number, number])[] = [
    [0, 0],
    [0, span],
    [0, 0],
    [0, chance.whole(1, span)],
    [0, 0],
    [chance.whole(1, span), span],
    [0, 0],
    [Math.max(0, border), span],
  ]
  const listed = chance.of([null, null, '20100104', dates[chance.whole(0, Math.floor(span / 2))] ?? null, null, null])
  const crosses = border > 0 && (board === 'sh' || board === 'sz') && chance.often(0.6)
  const st = crosses ? ([0, span] as const) : (spans[number % spans.length] ?? [0, 0])
  return { board, symbol, listed, st, stBy: chance.of(['name', 'list'] as const), adjustment }
}

function rowsOf(chance: Chance, plan: Plan, dates: readonly string[], path: Walk, hasName: boolean): Price[] {
  const shown = given(path.days, plan.adjustment)
  const isSt = (at: number): boolean => plan.stBy === 'name' && plan.st[0] <= at && at < plan.st[1]
  const about = (at: number) => ({
    tradedate: dates[at] ?? '',
    symbol: plan.symbol,
    name: hasName ? (isSt(at) ? '*ST样本' : '样本') : null,
    list_date: plan.listed,
  })
  const rows: Price[] = path.days.map((day, i) => ({ ...about(day.at), ...(shown[i] ?? { close: null }) }))
  for (const at of path.suspended) {
    if (!chance.often(0.3)) continue
    const nothing = plan.adjustment === 'adj_factor' ? { adj_factor: 1 } : {}
    const empty = plan.adjustment === 'pre_close' ? { pre_close: null } : nothing
    rows.push({ ...about(at), close: null, ...empty })
  }
  return rows
}

const faults = ['zero', 'jump', 'twice', 'weekend', 'board', 'early', 'recent'] as const

/** Rows of a stock that must be refused. */
function perturbed(chance: Chance, rows: Price[], fault: (typeof faults)[number], firstDay: string): Price[] {
  const at = chance.whole(Math.min(1, rows.length - 1), rows.length - 1)
  const row = rows[at]
  if (row === undefined) return rows
  if (fault === 'zero') return rows.with(at, { ...row, close: chance.of([0, -1.5]) })
  if (fault === 'jump') return rows.with(at, { ...row, close: (row.close ?? 1) * 3 })
  if (fault === 'twice') return [...rows, row]
  if (fault === 'weekend') return rows.with(at, { ...row, tradedate: '20240106', close: row.close ?? 1 })
  if (fault === 'board') return rows.map((one) => ({ ...one, symbol: `900${one.symbol.slice(3)}` }))
  const listed = fault === 'early' ? row.tradedate : dateOf(dayNumber(firstDay) - chance.whole(18, 22))
  return rows.map((one) => ({ ...one, list_date: listed }))
}

/** Some of a stock's suspended days, and now and then the next day or one with a close. */
function haltsOf(chance: Chance, { symbol }: Plan, path: Walk, calendar: readonly string[], dates: readonly string[]) {
  const some = [...path.suspended].flatMap((at) => (chance.often(0.4) ? [dates[at] ?? ''] : []))
  const next = calendar[calendar.indexOf(dates.at(-1) ?? '') + 1]
  if (next !== undefined && chance.often(0.05)) some.push(next)
  if (chance.often(0.02)) some.push(chance.of(dates))
  return some.map((tradedate) => ({ symbol, tradedate }))
}

function shuffled<T>(chance: Chance, rows: readonly T[]): T[] {
  const out = [...rows]
  for (let i = out.length - 1; i > 0; i--) {
    const other = chance.whole(0, i)
    const kept = out[i] as T
    out[i] = out[other] as T
    out[other] = kept
  }
  return out
}

function resetsOf(chance: Chance, prices: readonly Price[], number: number): Options['resets'] {
  const kind = (['computed', 'none', 'computed', 'given', 'computed'] as const)[number % 5]
  if (kind !== 'given') return kind ?? 'computed'
  return Array.from({ length: chance.whole(4, 12) }, () => {
    const { symbol, tradedate } = chance.of(prices)
    return { symbol, tradedate, measure: chance.of(['abnormal', 'severe'] as const) }
  })
}

/** Days of a table around one of the dates on which a rule changes or the exchanges were closed. */
function calendarOf(chance: Chance, number: number): { readonly calendar: string[]; readonly dates: string[] } {
  const anchor = anchors[number % anchors.length] ?? ''
  const year = Number(anchor.slice(0, 4))
  const around = tradingDays(`${Math.max(2022, year - 1)}0601`, `${Math.min(2026, year + 1)}1231`)
  const middle = around.findIndex((day) => day >= anchor)
  const length = chance.whole(5, 60)
  const start = Math.max(0, middle - chance.whole(0, length))
  const dates = around.slice(start, start + length)
  const after = chance.often(0.85) ? chance.whole(1, 4) : 0
  const before = chance.whole(0, 6)
  return { dates, calendar: around.slice(Math.max(0, start - before), start + length + after) }
}

/** Market number so and so of a seed; what must happen now and then goes round by its number. */
export function marketOf(seed: number, number: number, stocks: number): Market {
  const chance = new Chance(seed + 7919 * number)
  const { calendar, dates } = calendarOf(chance, number)
  const adjustment = (['pre_close', 'adj_factor', 'adjusted'] as const)[number % 3] ?? 'pre_close'
  const hasName = number % 8 !== 7
  const isWild = number % 7 === 2 || number % 7 === 5
  const levels = Object.fromEntries(
    [...Object.values(codes), 'BSE-MEAN'].map((code) => [code, indexPath(chance, dates.length, isWild)]),
  )
  const benchmarks = Object.entries(levels).flatMap(([code, path]) =>
    path.map((level, at) => ({ tradedate: dates[at] ?? '', code, close: level / 100 })),
  )
  const prices: Price[] = []
  const st: Market['st'][number][] = []
  const unlimited: Options['unlimited'][number][] = []
  const halts: Options['unlimited'][number][] = []
  for (let position = 0; position < stocks; position++) {
    const plan = stockPlan(chance, dates, adjustment, number * stocks + position)
    const path = walk(chance, plan, dates, levels[codes[plan.board]] ?? [], thresholds[plan.board])
    const rows = rowsOf(chance, plan, dates, path, hasName)
    if (number % 2 === 0) halts.push(...haltsOf(chance, plan, path, calendar, dates))
    const fault = position === 0 && number % 3 === 1 ? faults[((number - 1) / 3) % faults.length] : undefined
    prices.push(...(fault ? perturbed(chance, rows, fault, calendar[0] ?? '') : rows))
    unlimited.push(...path.unlimited.map((at) => ({ symbol: plan.symbol, tradedate: dates[at] ?? '' })))
    if (plan.stBy === 'name' && hasName) continue
    for (const tradedate of dates.slice(...plan.st)) st.push({ symbol: plan.symbol, tradedate })
  }
  const options = {
    days: number % 4 === 3 ? 'market' : 'stock',
    resets: resetsOf(chance, prices, number),
    unlimited,
    halts,
  } as const
  return { prices: shuffled(chance, prices), benchmarks: shuffled(chance, benchmarks), calendar, st, options }
}
