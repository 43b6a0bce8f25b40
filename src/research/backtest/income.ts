import { type DatedIncomeTax, inForce } from '../../contract/trading-rules.js'
import { quotientHalfUp } from '../checks/exact/decimal.js'
import type { Account, LifeEvent } from './account.js'
import type { Panel, PanelCashflow } from './panel.js'
import type { Quotes } from './quotes.js'

/** Shares of one purchase that are still held, and the dividends (1e-8 yuan, of all of them) that no tax was paid on yet. */
interface Lot {
  readonly day: string
  shares: number
  dividends: { readonly taxes: readonly DatedIncomeTax<string>[]; readonly units: bigint }[]
}

/** So many calendar months later; a day that the month does not have stands for its last. */
function monthsLater(day: string, months: number): string {
  const month = Number(day.slice(4, 6)) - 1 + months
  const year = Number(day.slice(0, 4)) + Math.floor(month / 12)
  return `${year}${String((month % 12) + 1).padStart(2, '0')}${day.slice(6)}`
}

/** Fen, half up, of so many percent of 1e-8 yuan. */
function fenOf(units: bigint, percent: number): number {
  return Number(quotientHalfUp(units * BigInt(Math.round(percent * 1000)), 100_000_000_000n))
}

/**
 * Dividends and coupons of an account, and the tax on them. Who holds before the open of the ex day is owed them from then on. Tax on a
 * coupon is withheld from it; on a dividend it is due when the share is sold, by how long it was held, first in first out.
 */
export class Income {
  readonly #panel: Panel
  readonly #account: Account
  readonly #events: LifeEvent[]
  readonly #flows = new Map<number, PanelCashflow[]>()
  /** Fen to be paid, by day. */
  readonly #due = new Map<number, number>()
  /** Of instruments whose dividends are taxed. */
  readonly #lots = new Map<number, Lot[]>()
  /** Mills by which the mark of a holding was lowered since its last bar. */
  readonly #lowered = new Map<number, number>()

  constructor(panel: Panel, account: Account, events: LifeEvent[]) {
    this.#panel = panel
    this.#account = account
    this.#events = events
    for (const flow of panel.cashflows ?? []) {
      this.#flows.set(flow.day, [...(this.#flows.get(flow.day) ?? []), flow])
      if (flow.kind === 'dividend' && this.#taxes(flow.symbol, flow).length > 0) this.#lots.set(flow.symbol, [])
    }
  }

  /** Rows of the tax on a cash flow. */
  #taxes(symbol: number, { kind, day }: Pick<PanelCashflow, 'kind' | 'day'>): DatedIncomeTax<string>[] {
    const { rules, instruments, days } = this.#panel
    const of = instruments[symbol]?.kind as string
    return inForce(rules.incomeTax ?? [], of, days[day] as string).filter((row) => row.income === kind)
  }

  #day(time: number): number {
    return Math.floor(time / this.#panel.minutes.length)
  }

  /** What a day brings before its open. */
  begin(time: number): void {
    const day = this.#day(time)
    this.#account.collect(this.#due.get(day) ?? 0)
    for (const symbol of this.#lowered.keys()) if (!this.#account.stale[symbol]) this.#lowered.delete(symbol)
    for (const flow of this.#flows.get(day) ?? []) if (this.#account.shares[flow.symbol]) this.#earn(flow, time)
  }

  #earn({ symbol, cash, kind, day, payDay }: PanelCashflow, time: number): void {
    const taxes = this.#taxes(symbol, { kind, day })
    const account = this.#account
    const before = account.shares[symbol] as number
    const each = BigInt(Math.round(cash * 1e8))
    const units = BigInt(before) * each
    const gross = fenOf(units, 100)
    this.#events.push({ time, symbol, event: kind, before, after: before, cash: gross })
    const tax = kind === 'coupon' ? fenOf(units, taxes[0]?.percent ?? 0) : 0
    if (tax > 0) this.#events.push({ time, symbol, event: 'tax', before, after: before, cash: -tax })
    account.earn(symbol, gross - tax)
    if (payDay <= day) account.collect(gross - tax)
    else this.#due.set(payDay, (this.#due.get(payDay) ?? 0) + gross - tax)
    if (kind === 'dividend')
      for (const lot of this.#lots.get(symbol) ?? []) lot.dividends.push({ taxes, units: BigInt(lot.shares) * each })
    const mark = account.marks[symbol] as number
    account.marks[symbol] = Math.max(1, mark - Math.round(cash * 1000))
    this.#lowered.set(symbol, (this.#lowered.get(symbol) ?? 0) + mark - (account.marks[symbol] as number))
  }

  /** Whether what was paid accounts for a previous close, to a tick, so that no ex-rights are left; also where the exchange took nothing off. */
  explains(time: number, symbol: number, preClose: number, quotes: Quotes): boolean {
    const lowered = this.#lowered.get(symbol) ?? 0
    const { tick } = quotes.rules(time, symbol)
    const mark = this.#account.marks[symbol] as number
    return lowered > 0 && preClose >= mark - tick && preClose <= mark + lowered + tick
  }

  /** Fen of tax that a sale on a day of so many shares makes due. */
  taxOf(symbol: number, shares: number, time: number): number {
    let [rest, units] = [shares, 0n]
    const today = this.#panel.days[this.#day(time)] as string
    for (const lot of this.#lots.get(symbol) ?? []) {
      const taken = Math.min(rest, lot.shares)
      if (taken === 0) break
      rest -= taken
      for (const { taxes, units: all } of lot.dividends) {
        const row = taxes.find(({ months }) => months === undefined || today <= monthsLater(lot.day, months))
        units += (all * BigInt(taken) * BigInt(Math.round(1000 * (row?.percent ?? 0)))) / BigInt(lot.shares)
      }
    }
    return fenOf(units, 0.001)
  }

  /** Notes a purchase or a sale, and gives the tax (fen, at most so much) that a sale pays. */
  moved(symbol: number, shares: number, time: number, most = Number.POSITIVE_INFINITY): number {
    const lots = this.#lots.get(symbol)
    if (!lots) return 0
    if (shares > 0) {
      const day = this.#panel.days[this.#day(time)] as string
      const last = lots.at(-1)
      if (last?.day === day && last.dividends.length === 0) last.shares += shares
      else lots.push({ day, shares, dividends: [] })
      return 0
    }
    const tax = Math.min(most, this.taxOf(symbol, -shares, time))
    const before = this.#account.shares[symbol] as number
    if (tax > 0) this.#events.push({ time, symbol, event: 'tax', before, after: before, cash: -tax })
    for (let rest = -shares; rest > 0; ) {
      const lot = lots[0] as Lot
      const taken = Math.min(rest, lot.shares)
      rest -= taken
      const left = lot.shares - taken
      const of = (units: bigint): bigint => (units * BigInt(left)) / BigInt(lot.shares)
      lot.dividends = lot.dividends.map(({ taxes, units }) => ({ taxes, units: of(units) }))
      lot.shares = left
      if (left === 0) lots.shift()
    }
    return tax
  }

  /** Spreads what ex-rights added or took over the lots; days of purchase and dividends stay. */
  resized(symbol: number, before: number, after: number): void {
    let [sum, done] = [0, 0]
    for (const lot of this.#lots.get(symbol) ?? []) {
      sum += lot.shares
      const until = Math.floor((sum * after) / before)
      lot.shares = until - done
      done = until
    }
    const kept = this.#lots.get(symbol)?.filter(({ shares }) => shares > 0)
    if (kept) this.#lots.set(symbol, kept)
  }
}
