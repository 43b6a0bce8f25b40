import { invalid } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { LineKind } from '../../contract/statement-kinds.js'
import { LotBook } from './lot-book.js'
import { NumberRows } from './number-rows.js'
import type { StatementLine } from './statement-lines.js'

/** A line where it stands: its day and its instrument, negative where it has none. */
export interface PlacedLine extends StatementLine {
  readonly at: number
  readonly symbol: number
}

/** What a line that is no trade did. */
export interface TradedEvent {
  readonly time: number
  readonly symbol: number
  readonly event: LineKind
  readonly before: number
  readonly after: number
  readonly cash: number
}

/** Kinds whose cash is income of what is held, or of the account. */
const incomes: readonly LineKind[] = ['dividend', 'coupon', 'interest', 'tax', 'fee']

const fillNames = ['time', 'symbol', 'isBuy', 'shares', 'price', 'amount', 'commission', 'stamp', 'transfer'] as const

/** The account of somebody's statement, line by line. Money is in fen; what is lent by repos and paid for new shares counts as it was paid. */
export class TradedLines {
  cash: number
  /** Lent by repos, and paid for shares that are still to come. */
  owed = 0
  /** Since the last look at it: what came and went from outside. */
  flow = { in: 0, out: 0 }
  readonly book = new LotBook()
  readonly fills = new NumberRows(fillNames)
  readonly events: TradedEvent[] = []
  readonly warnings: Words[] = []
  readonly #loans: { readonly code: string; readonly fen: number }[] = []
  readonly #due: { readonly shares: number; readonly fen: number }[] = []
  /** Instruments whose end was paid by a line that tells no shares. */
  readonly #paid = new Set<number>()
  readonly #worthOf: (symbol: number, shares: number, at: number) => number

  /** @param worthOf fen of shares at the close of a day */
  constructor(cash: number, worthOf: (symbol: number, shares: number, at: number) => number) {
    this.cash = cash
    this.#worthOf = worthOf
  }

  /** What is held before the first line, as if it had been bought at its last price. */
  open(symbol: number, shares: number, fen: number): void {
    this.book.move(symbol, shares, -fen, 0)
  }

  #outside(fen: number): void {
    if (fen > 0) this.flow.in += fen
    else this.flow.out -= fen
  }

  take(line: PlacedLine): void {
    const { kind, cash, symbol, shares, at } = line
    this.cash += cash
    if (line.side) {
      this.#trade(line)
      return
    }
    const before = symbol < 0 ? 0 : this.book.shares(symbol)
    if (kind === 'transfer') this.#outside(cash)
    else if (kind === 'repo') this.#repo(line)
    else if (incomes.includes(kind)) this.book.spread(symbol, cash)
    else if (shares !== 0) this.#moveShares(line)
    else if (kind === 'subscription') this.#subscribe(line)
    else if (kind === 'redemption' && this.book.spread(symbol, cash)) this.#paid.add(symbol)
    const after = symbol < 0 ? 0 : this.book.shares(symbol)
    if (kind !== 'note') this.events.push({ time: at, symbol, event: kind, before, after, cash })
  }

  #trade({ at, symbol, side, shares, price, cash, costs, file, line, code }: PlacedLine): void {
    const all = costs.commission + costs.stamp + costs.transfer
    const amount = side === 'buy' ? -cash - all : cash + all
    const isBuy = side === 'buy' ? 1 : 0
    this.fills.add(at, symbol, isBuy, Math.abs(shares), Math.round(price * 1000), amount, ...Object.values(costs))
    if (this.book.move(symbol, shares, cash, at) > 0)
      throw invalid(sentence`${file}:${line}: shares: ${-shares} of ${code} are sold, and not so many are held`)
  }

  /** Money lent, which counts until it is back, or borrowed; a return that nothing in the file was lent for came from outside. */
  #repo({ code, cash, action, file, line }: PlacedLine): void {
    const open = this.#loans.findIndex(
      (one) => one.code === code && (cash - one.fen) / one.fen >= -1e-4 && (cash - one.fen) / one.fen < 0.05,
    )
    if (open >= 0) {
      const [loan] = this.#loans.splice(open, 1)
      this.owed -= loan?.fen ?? 0
    } else if (cash < 0 || /融资|拆入/.test(action)) {
      this.#loans.push({ code, fen: -cash })
      this.owed -= cash
    } else {
      this.#outside(cash)
      this.warnings.push(
        sentence`${file}:${line}: nothing was lent before that ${cash / 100} yuan of ${code} are the return of; they count as paid in`,
      )
    }
  }

  /** Money paid for new shares counts until they come; what comes back is of the last payment. */
  #subscribe({ cash, told }: PlacedLine): void {
    if (cash === 0) return
    this.owed -= cash
    if (cash < 0) this.#due.push({ shares: told, fen: -cash })
    else this.#due.pop()
  }

  /** Shares that come or go without a trade. */
  #moveShares({ kind, symbol, shares, cash, action, at }: PlacedLine): void {
    const due = shares > 0 && cash === 0 ? this.#due.findIndex((one) => one.shares === shares) : -1
    if (due >= 0) {
      const [paid] = this.#due.splice(due, 1)
      this.owed -= paid?.fen ?? 0
      this.book.move(symbol, shares, -(paid?.fen ?? 0), at)
      return
    }
    const held = this.book.shares(symbol)
    if (/红股|送|转增/.test(action) && held > 0) {
      this.book.spread(symbol, cash, held + shares)
      return
    }
    if (shares < 0 && this.#paid.has(symbol)) {
      this.book.move(symbol, shares, 0, at)
      return
    }
    const value =
      kind === 'shares' && cash === 0 ? this.#worthOf(symbol, Math.abs(shares), at) * Math.sign(shares) : -cash
    if (kind === 'shares' && cash === 0 && !/转股/.test(action)) this.#outside(value)
    if (shares > 0 || held > 0) this.book.move(symbol, shares, -value, at)
  }
}
