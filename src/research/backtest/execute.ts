import type { Account } from './account.js'
import { type DayRules, noBand, type PriceBand } from './day-rules.js'
import type { Income } from './income.js'
import { amountOf, type DecimalRate, rateOfAmount } from './money.js'
import { NumberRows } from './number-rows.js'
import type { FillMoment, Quotes } from './quotes.js'

export type Side = 'buy' | 'sell'

/**
 * Why an order was not filled, or not wholly. `gap`: the price jumped beyond its limits and nothing tells the ex-rights
 * behind it, so the position is stopped. `outside`: the price lies beyond the day's other limit, where nobody can trade: too low for a
 * purchase, too high for a sale. `price`: the bar did not trade through the limit of the order. `not-held`: a sale of more than there is.
 */
export type RejectReason =
  | 'delisted'
  | 'not-listed'
  | 'lot'
  | 'suspended'
  | 'gap'
  | 'price'
  | 'volume'
  | 'limit-up'
  | 'limit-down'
  | 'outside'
  | 'not-held'
  | 'T+1'
  | 'cash'

/** A fill; money in fen, the price in mills. */
export interface Fill {
  readonly time: number
  readonly symbol: number
  readonly side: Side
  readonly shares: number
  readonly price: number
  readonly amount: number
  readonly commission: number
  readonly stamp: number
  readonly transfer: number
}

export interface Rejected {
  readonly time: number
  readonly symbol: number
  readonly side: Side
  readonly wanted: number
  readonly filled: number
  readonly reason: RejectReason
}

/** What the price of a fill is worsened by: whole ticks, or basis points rounded to the tick against the trader. */
export type Slippage = { readonly ticks: number } | { readonly bps: number }

/** Fen bought and sold, and paid, by day. */
export interface Totals {
  readonly traded: Float64Array
  readonly costs: { readonly commission: Float64Array; readonly stamp: Float64Array; readonly transfer: Float64Array }
}

export interface ExecutionRules {
  /** Whether fills, refusals and the holdings of each day are kept. */
  readonly keepsRecords: boolean
  readonly slippage: Slippage
  /** Share of a bar's volume that all orders in it may have; undefined: all that is wanted. */
  readonly volumeShare: DecimalRate | undefined
}

export interface Order {
  readonly symbol: number
  readonly side: Side
  readonly shares: number
  /** Mills; the raw price at which it may be filled, before slippage. */
  readonly price: number
  /** Mills; slippage does not go beyond it. */
  readonly limit?: number
  /** Moment of the bar at which it is filled. */
  readonly at: FillMoment
}

/** A quantity that may be ordered: whole steps, and at least the least. */
export function wholeLots(shares: number, { lot }: DayRules): number {
  const whole = Math.floor(shares / lot.step) * lot.step
  return whole < lot.min ? 0 : whole
}

/** What orders are filled with. */
export interface TradingAccess {
  readonly quotes: Quotes
  readonly account: Account
  readonly execution: Execution
}

const fillNames = ['time', 'symbol', 'isBuy', 'shares', 'price', 'amount', 'commission', 'stamp', 'transfer'] as const

/** Fills orders against an account, or says why not. */
export class Execution {
  readonly rejected: Rejected[] = []
  readonly totals: Totals
  /** Instruments whose position is stopped. */
  readonly stopped: Uint8Array
  /** Of the targets at hand: 1 + the place of each instrument, 0 of those that are not named. */
  readonly named: Int32Array
  readonly #quotes: Quotes
  readonly #account: Account
  readonly #rules: ExecutionRules
  readonly #income: Income | undefined
  readonly #traded: Float64Array
  #tradedAt = -1
  /** Fills as numbers: a side is 1 for a purchase. */
  readonly fillRows = new NumberRows(fillNames)
  /** Of the order at hand. */
  #band: PriceBand = noBand
  #commission = 0
  #stamp = 0
  #transfer = 0

  constructor(quotes: Quotes, account: Account, rules: ExecutionRules, income?: Income) {
    const byDay = (): Float64Array => new Float64Array(quotes.panel.days.length)
    this.totals = { traded: byDay(), costs: { commission: byDay(), stamp: byDay(), transfer: byDay() } }
    this.#quotes = quotes
    this.#account = account
    this.#rules = rules
    this.#income = income
    this.#traded = new Float64Array(quotes.width)
    this.stopped = new Uint8Array(quotes.width)
    this.named = new Int32Array(quotes.width)
  }

  get fills(): Fill[] {
    return this.fillRows.objects().map(({ isBuy, ...fill }) => ({ ...fill, side: isBuy ? 'buy' : 'sell' }))
  }

  reject(
    time: number,
    { symbol, side, shares }: Pick<Order, 'symbol' | 'side' | 'shares'>,
    filled: number,
    reason: RejectReason,
  ): void {
    if (this.#rules.keepsRecords) this.rejected.push({ time, symbol, side, wanted: shares, filled, reason })
  }

  /** Whether an instrument is listed on the day of a time, and not yet gone. */
  life(time: number, symbol: number): 'delisted' | 'not-listed' | undefined {
    const day = this.#quotes.dayOf(time)
    if (this.#quotes.endsBy(day, symbol)) return 'delisted'
    return this.#quotes.isListed(day, symbol) ? undefined : 'not-listed'
  }

  /** What forbids any fill at all. The raw price and the previous close alone count, not what the day did later. */
  #forbidden(time: number, { symbol, side, price }: Order): RejectReason | undefined {
    if (Number.isNaN(price)) return 'suspended'
    if (this.stopped[symbol]) return 'gap'
    if (this.#quotes.volume(time, symbol) === 0) return 'volume'
    this.#quotes.believe(time, symbol, 'pre_close')
    if (this.#rules.volumeShare) this.#quotes.believe(time, symbol, 'vol')
    const band = this.#quotes.band(time, symbol)
    this.#band = band
    const isGap = price > band.up || price < band.down
    if (isGap && Number.isNaN(this.#quotes.namedPreClose(time, symbol))) return 'gap'
    if (side === 'buy' && price >= band.up) return 'limit-up'
    if (side === 'sell' && price <= band.down) return 'limit-down'
    const slack = this.#quotes.panel.derivesPreClose ? this.#quotes.rules(time, symbol).tick : 0
    return price > band.up + slack || price < band.down - slack ? 'outside' : undefined
  }

  #refuses(time: number, order: Order): boolean {
    const forbidden = this.#forbidden(time, order)
    if (forbidden) this.reject(time, order, 0, forbidden)
    return forbidden !== undefined
  }

  /** Room within the share of the bar's volume, both sides together. */
  #room(time: number, symbol: number): number {
    const { volumeShare } = this.#rules
    if (volumeShare === undefined || !this.#quotes.hasVolume) return Number.POSITIVE_INFINITY
    if (this.#tradedAt !== time) {
      this.#traded.fill(0)
      this.#tradedAt = time
    }
    const volume = this.#quotes.volume(time, symbol)
    if (Number.isNaN(volume)) return 0
    const share = Math.floor((volume * volumeShare.digits) / volumeShare.divisor)
    return Math.max(0, share - (this.#traded[symbol] as number))
  }

  /** The price after slippage, within the limits of the day. */
  #slipped({ side, price, limit }: Order, { tick }: DayRules): number {
    const { slippage } = this.#rules
    const sign = side === 'buy' ? 1 : -1
    let slipped = price
    if ('ticks' in slippage) slipped += sign * slippage.ticks * tick
    else {
      const exact = price * (100_000_000 + sign * Math.round(slippage.bps * 10_000))
      const unit = 100_000_000 * tick
      slipped = (sign > 0 ? Math.ceil(exact / unit) : Math.floor(exact / unit)) * tick
    }
    const { up, down } = this.#band
    if (side === 'buy') return Math.max(tick, Math.min(up, slipped, limit ?? up))
    return Math.max(tick, down, slipped, limit ?? down)
  }

  sell(time: number, order: Order): void {
    const { symbol, shares } = order
    if (this.#refuses(time, order)) return
    const rules = this.#quotes.rules(time, symbol)
    const holding = this.#account.shares[symbol] as number
    let reason: RejectReason | undefined
    let quantity = shares
    if (quantity > holding) [quantity, reason] = [holding, 'not-held']
    const sellable = this.#account.sellable(symbol)
    if (quantity > sellable) [quantity, reason] = [sellable, 'T+1']
    const room = this.#room(time, symbol)
    if (quantity > room) [quantity, reason] = [room, 'volume']
    if (quantity < holding) quantity = wholeLots(quantity, rules)
    const price = this.#slipped(order, rules)
    const amount = amountOf(quantity, price)
    const tax = this.#income?.taxOf(symbol, quantity, time) ?? 0
    const costs = this.#costsOf(amount, 'sell', rules) + tax
    if (quantity > 0 && this.#account.cash + amount < costs) [quantity, reason] = [0, 'cash']
    if (quantity > 0) this.#fill(time, order, quantity, price, amount)
    if (quantity < shares) this.reject(time, order, quantity, reason ?? 'lot')
  }

  buy(time: number, order: Order): void {
    const { symbol, shares } = order
    if (this.#refuses(time, order)) return
    const rules = this.#quotes.rules(time, symbol)
    let reason: RejectReason | undefined
    let quantity = wholeLots(shares, rules)
    const room = this.#room(time, symbol)
    if (quantity > room) [quantity, reason] = [wholeLots(room, rules), 'volume']
    const price = this.#slipped(order, rules)
    if (quantity > 0 && !this.#pays(quantity, price, rules)) {
      reason = 'cash'
      quantity = this.#affordable(quantity, price, rules)
      this.#pays(quantity, price, rules)
    }
    if (quantity > 0) {
      this.#fill(time, order, quantity, price, amountOf(quantity, price))
      if (rules.settlement > 0) this.#account.lock(symbol, quantity)
    }
    if (quantity < shares) this.reject(time, order, quantity, reason ?? 'lot')
  }

  /** Keeps the costs of a fill, and gives their sum. */
  #costsOf(amount: number, side: Side, { commission, stamp, transfer }: DayRules): number {
    this.#commission = Math.max(commission.min, rateOfAmount(amount, commission.rate))
    this.#stamp = rateOfAmount(amount, stamp[side])
    this.#transfer = rateOfAmount(amount, transfer[side])
    return this.#commission + this.#stamp + this.#transfer
  }

  /** Whether the cash pays a purchase with its costs, which are kept. */
  #pays(shares: number, price: number, rules: DayRules): boolean {
    const amount = amountOf(shares, price)
    return amount + this.#costsOf(amount, 'buy', rules) <= this.#account.cash
  }

  /** The largest quantity, at most the one given, that the cash pays with all costs. */
  #affordable(quantity: number, price: number, rules: DayRules): number {
    const { step } = rules.lot
    let [low, high] = [0, Math.floor(Math.min(quantity, (this.#account.cash * 10) / price) / step) + 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.#pays(middle * step, price, rules)) low = middle
      else high = middle
    }
    return wholeLots(low * step, rules)
  }

  #fill(time: number, { symbol, side, at }: Order, shares: number, price: number, amount: number): void {
    const [commission, stamp, transfer] = [this.#commission, this.#stamp, this.#transfer]
    const sign = side === 'buy' ? 1 : -1
    if (this.#account.shares[symbol] === 0) {
      this.#account.marks[symbol] = price
      this.#account.beginHigh(symbol, price, at === 'open' ? time : time + 1)
    }
    this.#account.enter(symbol, sign * shares, amount)
    const tax = this.#income?.moved(symbol, sign * shares, time) ?? 0
    this.#account.move(symbol, sign * shares, -sign * amount - (commission + stamp + transfer + tax), time)
    this.#traded[symbol] = (this.#traded[symbol] as number) + shares
    if (this.#rules.keepsRecords) {
      const isBuy = side === 'buy' ? 1 : 0
      this.fillRows.add(time, symbol, isBuy, shares, price, amount, commission, stamp, transfer)
    }
    const day = this.#quotes.dayOf(time)
    const { traded, costs } = this.totals
    traded[day] = (traded[day] as number) + amount
    costs.commission[day] = (costs.commission[day] as number) + commission
    costs.stamp[day] = (costs.stamp[day] as number) + stamp
    costs.transfer[day] = (costs.transfer[day] as number) + transfer
  }
}
