import { misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { Account, type LifeEvent } from './account.js'
import { type AccountState, accountState, takeState } from './account-state.js'
import type { DecideAt } from './cursor.js'
import type { CommissionOption } from './day-rules.js'
import { Execution, type ExecutionRules, type Fill, type Rejected, type Totals } from './execute.js'
import { Income } from './income.js'
import { amountOf, millsOf } from './money.js'
import { NumberRows } from './number-rows.js'
import type { Panel } from './panel.js'
import { fillOrders } from './placed-orders.js'
import { type FillMoment, type Quotes, quotesOf } from './quotes.js'
import { type Decision, type Pending, placeSized, sizeTargets, waitingWith } from './rebalance.js'

/**
 * When a decision is filled: at the next bar's open, close or average price, or at the same bar's close. A bar that holds the opening auction alone (0930 of
 * bars) is passed over and the decision waits for the bar after it, unless `nextAuction` asks for it: the open of the next bar, whichever that is.
 */
export type FillAt = 'nextOpen' | 'nextClose' | 'nextVwap' | 'nextAuction' | 'sameClose'

/**
 * What becomes of a holding whose previous close the exchange has adjusted. `shares`: the difference comes as shares, what is
 * left of a share in cash. `cash`: it comes in cash. `none`: nothing comes, and the fall is a loss.
 */
export type ExRights = 'shares' | 'cash' | 'none'

/** Whether orders of a decision are sized by the prices at which it is made, or by those at which it is filled. */
export type SizeAt = 'decision' | 'fill'

export interface SimulationRules extends ExecutionRules {
  /** Fen. */
  readonly cash: number
  readonly fill: FillAt
  /** `open`: a decision comes before all fills of its bar, and sees none of them (default: `close`). */
  readonly decide?: DecideAt
  /** Default: `decision`. */
  readonly sizeAt?: SizeAt
  readonly commission: CommissionOption
  readonly exRights: ExRights
  readonly minTradeLots: number
  /** `fifo` keeps the records that its round trips are made from. */
  readonly trips?: 'flat' | 'fifo' | undefined
  /** Of the panel; made if not given. */
  readonly quotes?: Quotes
  /** Called after each day. */
  readonly onDay?: ((done: number, of: number) => void) | undefined
}

/** Asked at each time; undefined: no decision. */
export type Decide = (time: number, account: Account) => Decision | undefined

/** Holdings at the end of each day; the value is in fen. */
const holdingNames = ['day', 'symbol', 'shares', 'sellable', 'value', 'isStale'] as const

export interface Simulation extends Totals {
  /** By day: fen. */
  readonly equity: Float64Array
  readonly cash: Float64Array
  readonly owed: Float64Array
  readonly fills: readonly Fill[]
  readonly rejected: readonly Rejected[]
  readonly fillRows: Execution['fillRows']
  readonly holdings: NumberRows<(typeof holdingNames)[number]>
  /** How many of them are stale. */
  readonly stale: number
  readonly events: readonly LifeEvent[]
  readonly account: Account
  /** With what the next day goes on: what is held, and what was decided and is not yet filled. */
  readonly state: AccountState
}

const momentOf: Readonly<Record<FillAt, FillMoment>> = {
  nextOpen: 'open',
  nextClose: 'close',
  nextVwap: 'vwap',
  nextAuction: 'open',
  sameClose: 'close',
}

/** How many bars of a day, its first, hold the opening auction alone; none where there is no other bar. */
function auctionBars(minutes: readonly string[]): number {
  const count = minutes.filter((minute) => minute !== '' && minute <= '0930').length
  return count < minutes.length ? count : 0
}

/** Cells up to which the quotes of a panel are gathered, into 16 bytes each. */
const mostGathered = 2 ** 22

/** Rules for so many runs over a panel without records. The quotes of many are gathered, for as long as there is the panel. */
export function rulesOfRuns(panel: Panel, rules: SimulationRules, runs: number): SimulationRules {
  const plain = { ...rules, keepsRecords: rules.trips === 'fifo' }
  if (runs < 10 || panel.present.length > mostGathered) return plain
  const quotes = quotesOf(panel, momentOf[rules.fill], rules.commission)
  quotes.gather()
  return { ...plain, quotes }
}

/** One run of an account over a panel. */
class Run {
  readonly #panel: Panel
  readonly #rules: SimulationRules
  readonly #quotes: Quotes
  readonly #account: Account
  readonly #execution: Execution
  readonly #events: LifeEvent[] = []
  readonly #income: Income | undefined
  readonly #holdings = new NumberRows(holdingNames)

  constructor(panel: Panel, rules: SimulationRules) {
    this.#panel = panel
    this.#rules = rules
    this.#quotes = rules.quotes ?? quotesOf(panel, momentOf[rules.fill], rules.commission)
    this.#account = new Account(rules.cash, panel)
    if (panel.cashflows) this.#income = new Income(panel, this.#account, this.#events)
    this.#execution = new Execution(this.#quotes, this.#account, rules, this.#income)
  }

  /** Goes on from what was left after the time before. @returns what was decided there */
  goOn(state: AccountState, from: number): Pending | undefined {
    return takeState(state, { panel: this.#panel, quotes: this.#quotes, account: this.#account, from }, (symbol) => {
      this.#execution.stopped[symbol] = 1
    })
  }

  run(decide: Decide, until: number, from: number, left?: Pending): Simulation {
    const { days, minutes } = this.#panel
    const byDay = (): Float64Array => new Float64Array(days.length)
    const [equity, cash, owed] = [byDay(), byDay(), byDay()]
    const decidesFirst = this.#rules.decide === 'open'
    const isSame = this.#rules.fill === 'sameClose'
    const seen = !decidesFirst ? 'close' : this.#panel.has('open') ? 'open' : undefined
    const passed = this.#rules.fill === 'nextAuction' ? 0 : auctionBars(minutes)
    let pending = left
    for (let time = from; time < until; time++) {
      if (time % minutes.length === 0) this.#beginDay(time)
      const due = time % minutes.length < passed ? undefined : pending
      if (due) pending = undefined
      if (due && !decidesFirst) this.#fill(time, due)
      if (seen) this.#mark(time, seen)
      const decision = decide(time, this.#account)
      if (due && decidesFirst) this.#fill(time, due)
      const sized = decision && this.#sized(time, decision, seen)
      if (sized && isSame) this.#fill(time, sized)
      else if (sized) pending = pending ? waitingWith(pending, sized) : sized
      if (decidesFirst || (sized && isSame)) this.#mark(time, 'close')
      if ((time + 1) % minutes.length === 0) {
        const day = this.#quotes.dayOf(time)
        equity[day] = this.#account.equity(time)
        cash[day] = this.#account.cash
        owed[day] = this.#account.owed
        if (this.#rules.keepsRecords) this.#keepHoldings(day)
        this.#rules.onDay?.((time + 1 - from) / minutes.length, (until - from) / minutes.length)
      }
    }
    const { totals, rejected } = this.#execution
    const [execution, holdings, account, panel] = [this.#execution, this.#holdings, this.#account, this.#panel]
    return {
      equity,
      cash,
      owed,
      ...totals,
      rejected,
      events: this.#events,
      account,
      get state() {
        return accountState(panel, account, { stopped: execution.stopped, pending, until })
      },
      stale: holdings.column('isStale').filter(Boolean).length,
      fillRows: execution.fillRows,
      get fills() {
        return execution.fills
      },
      holdings,
    }
  }

  /** A portfolio with its orders, if they are sized when it is decided. */
  #sized(time: number, decision: Decision, moment: FillMoment | undefined): Pending {
    if (!moment || 'orders' in decision || this.#rules.sizeAt === 'fill') return decision
    const sizing = { time, moment, isMarked: moment === 'close', minTradeLots: this.#rules.minTradeLots }
    return { ...decision, sized: sizeTargets({ quotes: this.#quotes, account: this.#account }, decision, sizing) }
  }

  #fill(time: number, decision: Pending): void {
    const market = { quotes: this.#quotes, account: this.#account, execution: this.#execution }
    const { fill, minTradeLots } = this.#rules
    const moment = momentOf[fill]
    if (!('orders' in decision)) {
      const sized = decision.sized ?? sizeTargets(market, decision, { time, moment, isMarked: false, minTradeLots })
      placeSized(market, time, moment, sized)
      return
    }
    if (fill === 'sameClose' && decision.orders.some(({ at }) => at === 'open'))
      throw misuse(
        sentence`strategy: an order at the 'open' is decided after that open where fill is 'sameClose'; take fill: 'nextOpen'`,
      )
    fillOrders(market, time, moment, decision.orders)
  }

  /** What happens before the open: yesterday's purchases may be sold, income and delistings are paid, ex-rights come. */
  #beginDay(time: number): void {
    this.#account.unlock()
    this.#income?.begin(time)
    const { held, marks } = this.#account
    const day = this.#quotes.dayOf(time)
    const changed: number[] = []
    for (let at = 0; at < held.length; at++) {
      const symbol = held[at] as number
      if (this.#quotes.endsBy(day, symbol)) changed.push(symbol)
      else if (!this.#execution.stopped[symbol] && !this.#quotes.goesOn(time, symbol, marks[symbol] as number))
        changed.push(symbol)
    }
    for (const symbol of changed)
      if (this.#quotes.endsBy(day, symbol)) this.#payEnd(time, symbol)
      else this.#exRights(time, symbol)
  }

  #payEnd(time: number, symbol: number): void {
    const price = this.#panel.instruments[symbol]?.end?.price
    const before = this.#account.shares[symbol] as number
    const cash = amountOf(before, price === undefined ? (this.#account.marks[symbol] as number) : millsOf(price))
    const tax = this.#income?.moved(symbol, -before, time, this.#account.cash + cash) ?? 0
    this.#account.move(symbol, -before, cash - tax, time)
    this.#events.push({ time, symbol, event: 'end', before, after: 0, cash })
  }

  #exRights(time: number, symbol: number): void {
    const before = this.#account.shares[symbol] as number
    const last = this.#account.marks[symbol] as number
    const first = this.#firstBar(time, symbol)
    if (first < 0) return
    const pre = this.#quotes.namedPreClose(first, symbol)
    if (Number.isNaN(pre)) {
      this.#stopAtGap(first, symbol)
      return
    }
    if (pre === last) return
    if (this.#rules.exRights !== 'none') this.#account.scaleHigh(symbol, pre / last, time)
    if (this.#income?.explains(first, symbol, pre, this.#quotes)) return
    this.#quotes.believe(first, symbol, 'jump')
    if (this.#rules.exRights === 'none') return
    const asCash = this.#rules.exRights === 'cash' && pre < last
    const after = asCash ? before : Math.floor((before * last) / pre)
    const rest = asCash ? amountOf(before, last - pre) : Math.floor((before * last - after * pre + 5) / 10)
    this.#account.move(symbol, after - before, rest, time)
    this.#account.cost[symbol] = (this.#account.cost[symbol] as number) - rest
    this.#income?.resized(symbol, before, after)
    this.#events.push({ time, symbol, event: 'ex-rights', before, after, cash: rest })
  }

  /** The first bar of a day that an instrument has; negative where it has none. */
  #firstBar(time: number, symbol: number): number {
    for (let at = time; at < time + this.#panel.minutes.length; at++)
      if (!Number.isNaN(this.#quotes.close(at, symbol))) return at
    return -1
  }

  /** Without a previous close by the exchange, a first price beyond the band means ex-rights that nobody can compute. */
  #stopAtGap(time: number, symbol: number): void {
    const price = this.#panel.has('open') ? this.#quotes.price(time, symbol, 'open') : this.#quotes.close(time, symbol)
    const { up, down } = this.#quotes.band(time, symbol)
    if (!(price > up || price < down)) return
    this.#execution.stopped[symbol] = 1
    const before = this.#account.shares[symbol] as number
    this.#events.push({ time, symbol, event: 'stopped', before, after: before, cash: 0 })
  }

  #mark(time: number, moment: 'open' | 'close'): void {
    const [account, quotes, { stopped }] = [this.#account, this.#quotes, this.#execution]
    const isFirst = time % this.#panel.minutes.length === 0
    const { held, marks, stale } = account
    for (let at = 0; at < held.length; at++) {
      const symbol = held[at] as number
      const isOpen = moment === 'open'
      const price = stopped[symbol]
        ? Number.NaN
        : isOpen
          ? quotes.price(time, symbol, moment)
          : quotes.close(time, symbol)
      if (price > 0) {
        quotes.believe(time, symbol, moment)
        marks[symbol] = price
        stale[symbol] = 0
      } else if (isFirst) stale[symbol] = 1
    }
  }

  #keepHoldings(day: number): void {
    const account = this.#account
    const { held, shares, stale } = account
    for (let place = 0; place < held.length; place++) {
      const symbol = held[place] as number
      const [all, mark] = [shares[symbol] as number, stale[symbol] as number]
      this.#holdings.add(day, symbol, all, account.sellable(symbol), account.valueOf(symbol), mark)
    }
  }
}

/**
 * Runs an account over a panel. The order of a day: what was bought the day before may be sold; delistings are paid; ex-rights; fills of
 * pending decisions; a decision (at the open: before them); its fill where it is of the same bar; the account is marked at the close.
 * @param until the first time that is not run; all are unless given
 * @param from the first time that is run, the first of a day, that of the panel's `begin` unless given; days before have no equity
 * @param state of another run up to there, which this one goes on from
 */
export function runAccount(
  panel: Panel,
  rules: SimulationRules,
  decide: Decide,
  until = panel.times,
  from = panel.begin * panel.minutes.length,
  state?: AccountState,
): Simulation {
  const run = new Run(panel, rules)
  return run.run(decide, until, from, state && run.goOn(state, from))
}
