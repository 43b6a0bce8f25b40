import { tripNames } from './account.js'
import { NumberRows } from './number-rows.js'
import type { Simulation } from './run-account.js'

/** What counts as a round trip: `flat` from the first purchase until the last share went, `fifo` each purchase as far as a sale is of it, first in first out. */
export const tripWays = ['flat', 'fifo'] as const
export type TripWay = (typeof tripWays)[number]

/** Shares of one purchase that are still held, and all their cash (fen): what they cost, less what they brought. */
interface Lot {
  readonly opened: number
  shares: number
  cash: number
}

/** A part of fen by shares; what is rounded off stays with the rest. */
const share = (cash: number, part: number, of: number): number => (part === of ? cash : Math.round((cash * part) / of))

/** Holdings by purchase, and the round trips that they make in both ways. Money is in fen. */
export class LotBook {
  readonly fifo = new NumberRows(tripNames)
  readonly flat = new NumberRows(tripNames)
  readonly #lots = new Map<number, Lot[]>()
  /** Holdings as one: when they were begun, and all their cash since. */
  readonly #whole = new Map<number, Omit<Lot, 'shares'>>()

  shares(symbol: number): number {
    return (this.#lots.get(symbol) ?? []).reduce((sum, lot) => sum + lot.shares, 0)
  }

  /** Shares that came or, below 0, went, and the cash for them with its costs. @returns shares that were sold and not held */
  move(symbol: number, shares: number, cash: number, time: number): number {
    const lots = this.#lots.get(symbol) ?? []
    const whole = (lots.length > 0 && this.#whole.get(symbol)) || { opened: time, cash: 0 }
    whole.cash += cash
    if (shares > 0) {
      this.#lots.set(symbol, [...lots, { opened: time, shares, cash }])
      this.#whole.set(symbol, whole)
      return 0
    }
    const isHeld = lots.length > 0
    let [rest, left] = [-shares, cash]
    while (rest > 0 && lots.length > 0) {
      const lot = lots[0] as Lot
      const taken = Math.min(rest, lot.shares)
      const [paid, got] = [share(lot.cash, taken, lot.shares), share(left, taken, rest)]
      this.fifo.add(symbol, lot.opened, time, paid + got)
      ;[rest, left, lot.shares, lot.cash] = [rest - taken, left - got, lot.shares - taken, lot.cash - paid]
      if (lot.shares === 0) lots.shift()
    }
    if (isHeld && lots.length === 0) this.flat.add(symbol, whole.opened, time, whole.cash)
    return rest
  }

  /** Cash of a holding that is no trade, and shares that it became: spread over its purchases. @returns whether there is one */
  spread(symbol: number, cash: number, after = this.shares(symbol)): boolean {
    const lots = this.#lots.get(symbol) ?? []
    const whole = this.#whole.get(symbol)
    if (lots.length === 0 || !whole) return false
    whole.cash += cash
    let [rest, left, to] = [this.shares(symbol), cash, after]
    for (const lot of lots) {
      const [got, became] = [share(left, lot.shares, rest), share(to, lot.shares, rest)]
      ;[rest, left, to] = [rest - lot.shares, left - got, to - became]
      ;[lot.cash, lot.shares] = [lot.cash + got, became]
    }
    return true
  }
}

/** Round trips of a run in the way asked for. */
export function tripsOf(run: Simulation, way: TripWay = 'flat'): NumberRows<(typeof tripNames)[number]> {
  if (way === 'flat') return run.account.trips
  const book = new LotBook()
  const fills = run.fillRows.objects()
  // A tax that a sale brings is cash of that sale: an event of its instrument and time.
  const sales = new Map(fills.flatMap(({ isBuy, time, symbol }) => (isBuy ? [] : [[`${time} ${symbol}`, 0]])))
  const events = run.events.filter(({ event, time, symbol, cash }) => {
    const tax = event === 'tax' ? sales.get(`${time} ${symbol}`) : undefined
    if (tax !== undefined) sales.set(`${time} ${symbol}`, tax + cash)
    return tax === undefined
  })
  const steps = [
    ...events.map(({ time, event, symbol, before, after, cash }) => {
      if (event === 'end') return { time, do: () => book.move(symbol, -before, cash, time) }
      return { time, do: () => book.spread(symbol, cash, after === before ? undefined : after) }
    }),
    ...fills.map(({ time, symbol, isBuy, shares, amount, commission, stamp, transfer }) => ({
      time,
      do: () => {
        const key = `${time} ${symbol}`
        const costs = commission + stamp + transfer - (isBuy ? 0 : (sales.get(key) ?? 0))
        sales.set(key, 0)
        return book.move(symbol, isBuy ? shares : -shares, (isBuy ? -amount : amount) - costs, time)
      },
    })),
  ]
  for (const step of steps.sort((a, b) => a.time - b.time)) step.do()
  return book.fifo
}
