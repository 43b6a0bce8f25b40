import { writtenDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { directionOf, type LineKind, lineKindOf, sharesLeave } from '../../contract/statement-kinds.js'
import { instrumentClassOf } from '../../contract/trading-rules.js'
import type { Data } from '../../frame/data.js'
import { has, toObjects } from '../../frame/read-columns.js'
import type { Side } from './execute.js'
import { fenOf } from './money.js'

/** What a line of a statement does to an account. Money is in fen, with its sign. */
export interface StatementLine {
  readonly file: string
  readonly line: number
  readonly day: string
  readonly kind: LineKind
  readonly action: string
  /** Empty where it is of no instrument. */
  readonly code: string
  readonly name: string
  /** Undefined of what is no trade. */
  readonly side: Side | undefined
  /** Shares that came or, below 0, went. */
  readonly shares: number
  /** Shares as the file tells them, without a sign. */
  readonly told: number
  /** Of a trade yuan, else 0. */
  readonly price: number
  readonly cash: number
  /** Of a trade what it cost beside its amount: `cash` = -amount - costs of a purchase. */
  readonly costs: { readonly commission: number; readonly stamp: number; readonly transfer: number }
  /** Shares and money after it, where the file has them. */
  readonly balance: number | undefined
  readonly money: number | undefined
}

/** Kinds of lines by the words of a broker that are not known. */
export type TradedKinds = Readonly<Record<string, LineKind>>

/** A row of a statement as a table has it. */
type Row = Readonly<Record<string, unknown>>

const textOf = (row: Row, name: string): string => String(row[name] ?? '').trim()
const numberOf = (row: Row, name: string): number | undefined => {
  const value = row[name]
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined
}
/** Its own name, without its folder. */
const fileOf = (row: Row): string => textOf(row, 'file').replace(/^.*[\\/]/, '')
function refuse(row: Row, field: string, why: Words): never {
  throw new QuotebookError('INVALID_VALUE', sentence`${fileOf(row)}:${textOf(row, 'line')}: ${field}: ${why}`)
}

/** An instrument's code; empty for what a terminal writes where there is none. */
function codeOf(row: Row): string {
  const code = textOf(row, 'code').toUpperCase()
  if (/^\d{5,6}(\.[A-Z]+)?$/.test(code) && !/^0+$/.test(code)) return code
  return code === '' || /^[-0]+$/.test(code) ? '' : refuse(row, 'code', sentence`'${code}' is no code`)
}

/** What a line is. @param kinds of words that are not known, as the caller gives them */
function kindOf(row: Row, kinds: TradedKinds): LineKind {
  const action = textOf(row, 'action')
  const kind = Object.hasOwn(kinds, action) ? kinds[action] : lineKindOf(action)
  const isNothing = !numberOf(row, 'cash') && !numberOf(row, 'shares')
  if (kind === undefined) {
    if (isNothing) return 'note'
    return refuse(row, 'action', sentence`'${action}' is no kind of line that is known; say which with kinds (--kind)`)
  }
  return kind === 'trade' && isNothing ? 'note' : kind
}

const parts = ['commission', 'stamp', 'transfer', 'settlement', 'surcharge', 'other'] as const

/** Shares of a trade and its amount in fen, if that is told: ten times as many shares where a file counts lots of bonds, as its amount shows. */
function tradedShares(row: Row, code: string): { readonly shares: number; readonly amount?: number } {
  const [shares, price, amount] = [numberOf(row, 'shares') ?? 0, numberOf(row, 'price') ?? 0, numberOf(row, 'amount')]
  const each = Math.abs(shares)
  if (!Number.isInteger(each) || each === 0) refuse(row, 'shares', sentence`${shares} is no number of shares`)
  if (!(price > 0)) refuse(row, 'price', sentence`${price} is no price`)
  if (amount === undefined || amount === 0) return { shares: each }
  const times = Math.abs(amount) / (each * price)
  const isBond = instrumentClassOf(code)?.includes('bond') ?? false
  const lots = isBond && Math.abs(times - 10) < 0.1 ? 10 : 1
  if (Math.abs(times / lots - 1) > 0.01)
    refuse(row, 'amount', sentence`${amount} is not ${each} x ${price}, which is ${Number((each * price).toFixed(2))}`)
  return { shares: each * lots, amount: fenOf(Math.abs(amount)) }
}

/** The costs of a trade by kind: what its cash and its amount differ by, or, where one of them is missing, what the file lists. */
function tradeOf(row: Row, code: string, side: Side): Pick<StatementLine, 'shares' | 'price' | 'cash' | 'costs'> {
  const traded = tradedShares(row, code)
  const [price, sign] = [numberOf(row, 'price') as number, side === 'buy' ? -1 : 1]
  const listed = parts.map((name) => fenOf(Math.abs(numberOf(row, name) ?? 0)))
  const sum = listed.reduce((all, one) => all + one, 0)
  const told = fenOf(Math.abs(numberOf(row, 'cash') ?? 0))
  const amount = traded.amount ?? (told > 0 ? told + (side === 'buy' ? -sum : sum) : fenOf(traded.shares * price))
  const all = told > 0 ? sign * (amount - told) : sum
  if (all < 0)
    refuse(row, 'cash', sentence`${numberOf(row, 'cash')} leaves costs below 0 beside the amount ${amount / 100}`)
  const [stamp, transfer] = (listed[1] as number) + (listed[2] as number) <= all ? [listed[1], listed[2]] : [0, 0]
  const costs = {
    commission: all - (stamp as number) - (transfer as number),
    stamp: stamp as number,
    transfer: transfer as number,
  }
  return { shares: -sign * traded.shares, price, cash: sign * amount - all, costs }
}

const noCosts = { commission: 0, stamp: 0, transfer: 0 }

/** What a line that is no trade brings or takes. */
function otherOf(row: Row, kind: LineKind, code: string, isSigned: boolean) {
  const action = textOf(row, 'action')
  const told = fenOf(numberOf(row, 'cash') ?? 0)
  const shares = Math.abs(numberOf(row, 'shares') ?? 0)
  const about = instrumentClassOf(code)
  const comesAtOnce = kind === 'subscription' && told !== 0 && /基金|ETF|LOF/i.test(`${action}${about ?? ''}`)
  const leaves = kind === 'redemption' || sharesLeave(action, about?.includes('bond') ?? false)
  const moved = kind === 'shares' || kind === 'redemption' || comesAtOnce ? (leaves ? -shares : shares) : 0
  const cash = isSigned ? told : directionOf(kind, action) * Math.abs(told)
  const isLeft = kind === 'note' || kind === 'margin'
  return { shares: moved, price: 0, cash: isLeft ? 0 : cash, costs: noCosts }
}

function lineOf(row: Row, kinds: TradedKinds, isSigned: boolean): StatementLine {
  const day = writtenDate(String(row['day'] ?? ''))
  if (day === undefined) return refuse(row, 'day', sentence`'${textOf(row, 'day')}' is no day`)
  const currency = textOf(row, 'currency')
  if (currency !== '' && !/^(人民币|RMB|CNY|0)$/i.test(currency))
    refuse(row, 'currency', sentence`'${currency}': accounts are kept in yuan`)
  const [kind, code, action] = [kindOf(row, kinds), codeOf(row), textOf(row, 'action')]
  const side = kind === 'trade' ? (directionOf(kind, action) === 1 ? 'sell' : 'buy') : undefined
  if (side && code === '') refuse(row, 'code', sentence`a trade has a code`)
  const told = numberOf(row, 'cash') ?? 0
  if (side && isSigned && told !== 0 && told > 0 !== (side === 'sell'))
    refuse(row, 'cash', sentence`${told} has not the sign of '${action}'`)
  const own = side ? tradeOf(row, code, side) : otherOf(row, kind, code, isSigned)
  const about = {
    file: fileOf(row),
    line: Number(row['line']),
    day,
    kind,
    action,
    code,
    name: textOf(row, 'name'),
  }
  const shares = Math.abs(numberOf(row, 'shares') ?? 0)
  return { ...about, side, told: shares, ...own, balance: numberOf(row, 'balance'), money: numberOf(row, 'money') }
}

/** Rows in the order of time, without those that an earlier file has too: exports overlap. */
function inOrder(all: readonly Row[]): { readonly rows: readonly Row[]; readonly repeated: number } {
  const files = new Map<string, Row[]>()
  for (const row of all) files.set(textOf(row, 'file'), [...(files.get(textOf(row, 'file')) ?? []), row])
  const seen = new Map<string, number>()
  const rows: Row[] = []
  for (const own of files.values()) {
    const here = new Map<string, number>()
    const days = own.map((row) => String(row['day']))
    for (const row of (days[0] as string) > (days.at(-1) as string) ? own.toReversed() : own) {
      const key = JSON.stringify({ ...row, file: 0, line: 0 })
      here.set(key, (here.get(key) ?? 0) + 1)
      if ((here.get(key) as number) > (seen.get(key) ?? 0)) rows.push(row)
    }
    for (const [key, count] of here) seen.set(key, Math.max(count, seen.get(key) ?? 0))
  }
  const time = (row: Row): string => `${row['day']} ${textOf(row, 'time').replace(/\D/g, '').padStart(6, '0')}`
  const sorted = rows.map((row) => [time(row), row] as const).sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return { rows: sorted.map(([, row]) => row), repeated: all.length - rows.length }
}

/**
 * The lines of statements in the order of time, each with what it does to the account.
 * @param kinds of words of a broker that are not known: `{ 某业务: 'fee' }`
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE naming file, line, column and cell
 */
export function statementLines(data: Data, kinds: TradedKinds = {}) {
  const missing = ['day', 'code', 'action', 'shares', 'price'].find((name) => !has(data, name))
  if (missing) throw new QuotebookError('MISSING_COLUMN', sentence`a statement has no column ${missing}`)
  const all = toObjects(data).map((row, at): Row => ({ file: 'statement', line: at + 1, ...row }))
  const isSigned = new Set(all.filter((row) => (numberOf(row, 'cash') ?? 0) < 0).map((row) => textOf(row, 'file')))
  const { rows, repeated } = inOrder(all)
  return { lines: rows.map((row) => lineOf(row, kinds, isSigned.has(textOf(row, 'file')))), repeated }
}
