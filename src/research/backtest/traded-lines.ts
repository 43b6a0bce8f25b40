import { invalid } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { LineKind } from '../../contract/statement-kinds.js'
import { LotBook } from './lot-book.js'
import { NumberRows } from './number-rows.js'
import type { StatementLine } from './statement-lines.js'

/** A line with the places of its day and its instrument, negative without one. */
export interface PlacedLine extends StatementLine {
  readonly at: number
  readonly symbol: number
}

/** Money lent by a repo or paid for new shares, in fen. */
interface Claim {
  readonly kind: LineKind
  readonly code: string
  readonly shares: number
  readonly fen: number
}

const fillNames = ['time', 'symbol', 'isBuy', 'shares', 'price', 'amount', 'commission', 'stamp', 'transfer'] as const

/** The account of a statement, changed line by line. Money is in fen. */
export class TradedLines {
  cash: number
  /** Lent by repos, and paid for shares that are still to come. */
  owed = 0
  /** What came from outside, and went there, on the day. */
  flow = { in: 0, out: 0 }
  readonly book = new LotBook()
  readonly fills = new NumberRows(fillNames)
  readonly events: { time: number; symbol: number; event: LineKind; before: number; after: number; cash: number }[] = []
  readonly warnings: Words[] = []
  readonly #claims: Claim[] = []
  /** Instruments whose end was paid by a line without shares. */
  readonly #paid = new Set<number>()
  readonly #worthOf: (symbol: number, shares: number, at: number) => number

  /** @param worthOf fen of shares at the close of a day */
  constructor(cash: number, worthOf: (symbol: number, shares: number, at: number) => number) {
    this.cash = cash
    this.#worthOf = worthOf
  }

  take(line: PlacedLine): void {
    const { kind, cash, symbol, shares, at } = line
    this.cash += cash
    if (line.side) {
      this.#trade(line)
      return
    }
    const before = this.book.shares(symbol)
    if (kind === 'transfer') this.#outside(cash)
    else if (shares !== 0) this.#moveShares(line)
    else if ((kind === 'repo' || kind === 'subscription') && cash !== 0) this.#claim(line)
    else if (this.book.spread(symbol, cash) && kind === 'redemption') this.#paid.add(symbol)
    if (kind !== 'note')
      this.events.push({ time: at, symbol, event: kind, before, after: this.book.shares(symbol), cash })
  }

  #outside(fen: number): void {
    if (fen > 0) this.flow.in += fen
    else this.flow.out -= fen
  }

  #trade({ at, symbol, side, shares, price, cash, costs, file, line, code }: PlacedLine): void {
    const { commission, stamp, transfer } = costs
    const [amount, all] = [Math.abs(cash + commission + stamp + transfer), [commission, stamp, transfer]]
    this.fills.add(at, symbol, side === 'buy' ? 1 : 0, Math.abs(shares), Math.round(price * 1000), amount, ...all)
    if (this.book.move(symbol, shares, cash, at) > 0)
      throw invalid(sentence`${file}:${line}: shares: ${-shares} of ${code} are sold, and not so many are held`)
  }

  /** Fen of the first claim that fits, which ends. */
  #settled(fits: (one: Claim) => boolean): number | undefined {
    const at = this.#claims.findIndex(fits)
    const [claim] = at < 0 ? [] : this.#claims.splice(at, 1)
    this.owed -= claim?.fen ?? 0
    return claim?.fen
  }

  /** Money that is lent, or paid for new shares, counts until it is back. A return without such a payment in the files came from outside. */
  #claim({ kind, code, cash, told, action, file, line }: PlacedLine): void {
    const isReturn = (one: Claim): boolean => {
      const gain = (cash - one.fen) / one.fen
      return one.kind === kind && one.code === code && gain >= -1e-4 && gain < 0.05
    }
    if (this.#settled(isReturn) !== undefined) return
    if (cash < 0 || /融资|拆入/.test(action)) {
      this.#claims.push({ kind, code, shares: told, fen: -cash })
      this.owed -= cash
      return
    }
    this.#outside(cash)
    this.warnings.push(
      sentence`${file}:${line}: ${cash / 100} yuan of ${code} come back that no earlier line paid; they count as paid in`,
    )
  }

  /** Shares that come or go without a trade: new ones, a bonus, an end, a conversion; any others at their close, from outside. */
  #moveShares({ kind, symbol, shares, cash, action, at }: PlacedLine): void {
    const isNew = (one: Claim): boolean => one.kind === 'subscription' && one.shares === shares
    const paid = cash === 0 ? this.#settled(isNew) : undefined
    const held = this.book.shares(symbol)
    if (paid === undefined && held > 0 && /红股|送|转增/.test(action)) {
      this.book.spread(symbol, cash, held + shares)
      return
    }
    const isEnd = shares < 0 && this.#paid.has(symbol)
    const isMoved = paid === undefined && !isEnd && kind === 'shares' && cash === 0
    const value = isMoved ? this.#worthOf(symbol, shares, at) : (paid ?? -cash)
    if (isMoved && !/转股/.test(action)) this.#outside(value)
    if (shares > 0 || held > 0) this.book.move(symbol, shares, -value, at)
  }
}
