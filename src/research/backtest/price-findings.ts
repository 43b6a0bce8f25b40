import { misuse, QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'

/**
 * What a value was held against. `limits`: the price limits of its day. `range`: low and high of its bar. `turnover`: amount / volume lies between low
 * and high. `pre_close`: it follows the last close, or a dividend, bonus or split explains the difference. `shifted`: it is the close of another
 * day. `tick`: it lies on the price step of the class.
 */
export type PriceLaw = 'limits' | 'range' | 'turnover' | 'pre_close' | 'shifted' | 'tick'

/** A value that its own day contradicts. */
export interface PriceFinding {
  readonly law: PriceLaw
  readonly symbol: string
  /** Its day, `YYYYMMDD`, and the closing minute of a bar: `20260608 1000`. */
  readonly at: string
  readonly column: string
  readonly value: number
  /** What it should lie within. */
  readonly low: number
  readonly high: number
  /** Of a previous close: the day of the last close. */
  readonly since?: string
}

/** Which values of a cell are in doubt, as bits. `jump`: what leads from the last close to the previous close. */
export const doubts = { open: 1, close: 2, high: 4, low: 8, pre_close: 16, jump: 32, vol: 64 } as const

export type Doubt = keyof typeof doubts

/** Whether one of the values of a cell is in doubt. */
export function isDoubted(
  { doubted }: { readonly doubted: Uint8Array | undefined },
  cell: number,
  what: Doubt,
): boolean {
  return doubted !== undefined && ((doubted[cell] ?? 0) & doubts[what]) > 0
}

/** More findings than these are counted, not listed. */
const mostListed = 5

const shown = (value: number): string => String(Number(value.toPrecision(10)))

/** A finding in words. */
export function findingText({ law, symbol, at, column, value, low, high, since = '' }: PriceFinding): Words {
  const [from, to] = [shown(low), shown(high)]
  const what = sentence`${symbol} ${at}: ${column} ${shown(value)}`
  if (law === 'limits') return sentence`${what} lies outside ${from} to ${to}, the price limits of the day`
  if (law === 'range') return sentence`${what} contradicts the other prices of its bar, ${from} to ${to}`
  if (law === 'turnover') return sentence`${what}: amount / ${column} is not between ${from} and ${to} yuan`
  if (law === 'tick')
    return sentence`${what} lies between the ticks ${from} and ${to}: it is adjusted, or ${symbol} is of another class`
  if (law === 'shifted') return sentence`${what}: pre_close is off by a day from here on`
  return sentence`${what} does not follow the last close, ${from} on ${since}: no dividend, bonus, rights, split or merge explains it`
}

/** Lines for the first findings, and the number of the others. */
export function findingLines(findings: readonly PriceFinding[]): Words[] {
  const more = findings.length - mostListed
  const listed = findings.slice(0, more === 1 ? findings.length : mostListed).map(findingText)
  return more > 1
    ? [...listed, sentence`${more} more values contradict their own day: see the panel's findings`]
    : listed
}

function contradicted({ symbol, at }: Pick<PriceFinding, 'symbol' | 'at'>, why: Words, law?: PriceLaw): QuotebookError {
  const row = sentence`${symbol} ${at.slice(0, 8)}`
  const wider = law === 'limits' ? sentence`; if other limits apply to ${symbol}, name its class in classes` : ''
  return new QuotebookError(
    'CONTRADICTED',
    sentence`${why}. Correct the data, or believe it as it is with ignore: ['${row}']${wider}`,
  )
}

/** What is told of a panel in an error. */
interface Told {
  readonly symbols: readonly string[]
  readonly findings: readonly PriceFinding[]
  timeText(time: number): string
}

/** What to throw where an account is about to use a value that its own day contradicts. */
export function refusal(panel: Told, time: number, symbol: number): QuotebookError {
  const [code, at] = [panel.symbols[symbol] as string, panel.timeText(time)]
  const own = panel.findings.filter((one) => one.symbol === code)
  const found = own.find((one) => one.at === at) ?? own.findLast((one) => one.at < at) ?? own[0]
  const others = panel.findings.length - 1
  const more = others > 0 ? sentence`; ${others} more in the panel's findings` : ''
  const why = found ? findingText(found) : sentence`${code} ${at} contradicts its own day`
  const uses = sentence`the account would use a value that its own day contradicts: ${why}${more}`
  return contradicted(found ?? { symbol: code, at }, uses, found?.law)
}

/** @throws QuotebookError CONTRADICTED if any value is in doubt */
export function refuseFindings(findings: readonly PriceFinding[]): void {
  const [first] = findings
  if (!first) return
  const all = sentence`strict: values that contradict their own day: ${findings.length}, the first: ${findingText(first)}`
  throw contradicted(first, all, first.law)
}

/**
 * Whether a value of a code and day is to be believed as it is.
 * @param ignore `600000.SH`, or `600000.SH 20260608`
 * @throws QuotebookError USAGE for a code or a day that the panel does not have
 */
export function ignoredRows(
  ignore: readonly string[],
  symbols: readonly string[],
  days: readonly string[],
): (symbol: string, day: string) => boolean {
  for (const row of ignore) {
    const [, code = '', day] = /^(\S+)(?: (\d{8}))?$/.exec(String(row)) ?? []
    if (!symbols.includes(code))
      throw misuse(sentence`panel: ignore names no code of the prices: '${row}'; ${nameHint(code, symbols)}`)
    if (day !== undefined && !days.includes(day))
      throw misuse(sentence`panel: ignore names no day of the prices: '${row}'`)
  }
  const rows = new Set(ignore)
  return (symbol, day) => rows.has(symbol) || rows.has(`${symbol} ${day}`)
}
