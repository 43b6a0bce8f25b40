import { chinaRules } from '../../../src/contract/trading-rules.js'
import { rateOf } from '../../../src/research/backtest/money.js'
import { Panel } from '../../../src/research/backtest/panel.js'
import { runAccount, type Simulation, type SimulationRules } from '../../../src/research/backtest/run-account.js'
import { type GivenDecision, type Program, programOf } from './world-program.js'

/** A small market, its decisions, and how they are filled; prices and money are decimals in text. */
export interface World {
  readonly days: readonly string[]
  readonly cash: string
  readonly symbols: readonly {
    readonly symbol: string
    readonly class: string
    readonly listed: string | null
    readonly st: readonly (readonly [string, string])[]
    readonly end: { readonly day: string; readonly price: string | null } | null
  }[]
  readonly bars: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | number | null>>>>>>
  readonly options: {
    readonly fill: 'nextOpen' | 'nextClose' | 'sameClose'
    readonly slippage: { readonly ticks?: number; readonly bps?: number }
    readonly volumeCap: string | null
    readonly commission: { rate: string; min: string; byClass?: Record<string, { rate: string; min: string }> }
    readonly exRights: 'shares' | 'cash' | 'none'
    readonly band: number
    readonly sizeAt?: 'decision' | 'fill'
  }
  readonly decisions: Readonly<Record<string, GivenDecision>>
  readonly exits?: Readonly<Record<string, readonly string[]>>
  readonly program?: Program
}

const kinds: Readonly<Record<string, string>> = {
  chinext: 'ChiNext',
  star: 'STAR',
  bse: 'BSE',
  etf: 'ETF',
  etf20: 'ETF 20%',
  etf0: 'ETF T+0',
  bond: 'convertible bond',
}
const kindOf = (symbol: string, name: string): string =>
  kinds[name] ?? (symbol.endsWith('.SH') ? 'SSE main' : 'SZSE main')

export function panelOf(world: World): Panel {
  const { days } = world
  const known = [...world.symbols].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const size = days.length * known.length
  const names = ['open', 'high', 'low', 'close', 'pre_close', 'vol']
  const cols = Object.fromEntries(names.map((name) => [name, new Float64Array(size).fill(Number.NaN)]))
  const [present, marked] = [new Uint8Array(size), new Uint8Array(size)]
  const dayIndex = (date: string): number => (date < (days[0] as string) ? -1 : days.filter((day) => day < date).length)
  known.forEach(({ symbol, st }, place) => {
    days.forEach((day, at) => {
      const cell = at * known.length + place
      if (st.some(([from, until]) => day >= from && day < until)) marked[cell] = 1
      const bar = world.bars[symbol]?.[day]
      if (!bar) return
      present[cell] = 1
      for (const name of names) {
        const value = bar[name]
        if (value !== null && value !== undefined) (cols[name] as Float64Array)[cell] = Number(value)
      }
    })
  })
  const instruments = known.map(({ symbol, class: kind, listed, end }) => ({
    symbol,
    kind: kindOf(symbol, kind),
    listed: listed === null ? -1 : dayIndex(listed),
    end: end ? { day: dayIndex(end.day), price: end.price === null ? undefined : Number(end.price) } : undefined,
  }))
  return new Panel({
    days,
    minutes: [''],
    instruments,
    cols,
    known: new Map(),
    present,
    marked,
    rules: chinaRules,
    notes: [],
  })
}

export function rulesOf(world: World): SimulationRules {
  const { fill, slippage, volumeCap, commission, exRights, band: minTradeLots, sizeAt } = world.options
  const numbers = ({ rate, min }: { rate: string; min: string }) => ({ rate: Number(rate), min: Number(min) })
  const named = Object.entries(commission.byClass ?? {}).flatMap(([name, own]) =>
    (name === 'main' ? ['SSE main', 'SZSE main'] : [kinds[name] as string]).map(
      (kind) => [kind, numbers(own)] as const,
    ),
  )
  return {
    cash: Math.round(Number(world.cash) * 100),
    fill,
    slippage: slippage.bps === undefined ? { ticks: slippage.ticks ?? 0 } : { bps: slippage.bps },
    volumeShare: volumeCap === null ? undefined : rateOf(Number(volumeCap)),
    commission: { ...numbers(commission), byClass: Object.fromEntries(named) },
    exRights,
    minTradeLots,
    sizeAt: sizeAt ?? 'decision',
    keepsRecords: true,
  }
}

/** The run of a world in the words of the oracle; with what its decisions saw if it has a program. */
export function answerOf(world: World): unknown {
  const panel = panelOf(world)
  const { decide, seen } = programOf(world, panel)
  const run = runAccount(panel, rulesOf(world), decide)
  return { ...spoken(panel, run), ...(world.program && { seen }) }
}

function spoken(panel: Panel, run: Simulation): object {
  const yuan = (fen: number): number => fen / 100
  const day = (time: number): string => panel.days[time] as string
  const symbol = (place: number): string => panel.symbols[place] as string
  return {
    days: panel.days.map((name, at) => ({
      day: name,
      cash: yuan(run.cash[at] as number),
      equity: yuan(run.equity[at] as number),
      positions: run.holdings
        .objects()
        .filter((one) => one.day === at)
        .map((one) => ({
          symbol: symbol(one.symbol),
          shares: one.shares,
          sellable: one.sellable,
          value: yuan(one.value),
          stale: one.isStale === 1,
        })),
    })),
    fills: run.fills.map((fill) => ({
      day: day(fill.time),
      symbol: symbol(fill.symbol),
      side: fill.side,
      shares: fill.shares,
      price: fill.price / 1000,
      amount: yuan(fill.amount),
      commission: yuan(fill.commission),
      stamp: yuan(fill.stamp),
      transfer: yuan(fill.transfer),
    })),
    rejected: run.rejected.map((one) => ({
      day: day(one.time),
      symbol: symbol(one.symbol),
      side: one.side,
      wanted: one.wanted,
      filled: one.filled,
      reason: one.reason,
    })),
    exRights: run.events
      .filter(({ event }) => event === 'ex-rights')
      .map((one) => ({
        day: day(one.time),
        symbol: symbol(one.symbol),
        sharesBefore: one.before,
        sharesAfter: one.after,
        cash: yuan(one.cash),
      })),
    trips: run.account.trips.objects().map((trip) => ({
      symbol: symbol(trip.symbol),
      opened: day(trip.opened),
      closed: day(trip.closed),
      pnl: yuan(trip.pnl),
    })),
  }
}

const moneyNames = new Set(['cash', 'equity', 'value', 'price', 'amount', 'commission', 'stamp', 'transfer', 'pnl'])

/** The oracle's answer with its decimals as numbers. */
export function withNumbers(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withNumbers(one))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNumbers(one, key)]))
  }
  return moneyNames.has(name) ? Number(value) : value
}
