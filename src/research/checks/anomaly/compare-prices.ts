import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { filter } from '../../../frame/verb/filter.js'
import { roundHalfUp } from '../exact/decimal.js'
import { cellPlaces, usualPlaces } from '../exact/precision.js'
import { type AnomalyRules, anomalyRules, countText, type ParsedRule, parseRule } from './anomaly-rules.js'
import type { Candidate } from './candidates.js'
import {
  type Anomalies,
  type AnomalyReset,
  type ComputeAnomaliesOptions,
  computeAnomalies,
} from './compute/compute-anomalies.js'
import { listedIn } from './compute/price-table.js'

/** What published rows are recomputed from; see computeAnomalies for the columns and options. */
export interface AnomalyQuotes extends Omit<ComputeAnomaliesOptions, 'resets'> {
  /** `tradedate`, `symbol`, `close` in yuan, and what else computeAnomalies takes. */
  readonly prices: Table | DataFrame
  /** `tradedate`, `code`, `close` in points. */
  readonly benchmarks: Table | DataFrame
  readonly calendar?: readonly string[]
  readonly rules?: AnomalyRules
  /**
   * Where intervals may not run across. Absent, both `none` and `computed` are tried, and the one that explains more
   * rows is taken, `none` where they are level; the result says which.
   */
  readonly resets?: 'computed' | 'none' | readonly AnomalyReset[]
}

/** What a row's numbers are by computation, and which columns differ. */
export interface Judged {
  readonly verdict: 'equal' | 'mismatch' | 'unexpected' | 'unverifiable'
  readonly why: readonly Words[]
  /** Columns that differ. */
  readonly differs: readonly string[]
  /** Row of the computed table; -1 where there is none. */
  readonly computed: number
}

/** Published rows compared with what prices give. */
export interface Priced {
  readonly judged: readonly Judged[]
  /** All that was computed. */
  readonly table: Table
  /** Rows that were computed for a day that has published rows, and are not among them. */
  readonly absent: Table
  readonly refused: Anomalies['refused']
  readonly reasons: Anomalies['reasons']
  readonly resets: 'computed' | 'none' | 'given'
}

const compared = ['pct_chg', 'elapsed_days', 'deviation_pct', 'required_pct_chg', 'trigger_price'] as const
type Compared = (typeof compared)[number]
/** Decimals that computed percentages have. */
const computedPlaces = 4

/** Closes of each stock: its days in order, and its first day if that is the day of its listing. */
interface Held {
  readonly days: readonly string[]
  readonly listed: boolean
}

function heldOf(prices: Table): ReadonlyMap<string, Held> {
  const [dates, symbols, closes] = [
    dictionary(prices, 'tradedate'),
    dictionary(prices, 'symbol'),
    numbers(prices, 'close'),
  ]
  const listing = listedIn(prices, closes.length)
  const bare = symbols.words.map((symbol) => parseCode(symbol).bare)
  const days = new Map<string, string[]>()
  const listed = new Map<string, string>()
  for (let row = 0; row < closes.length; row++) {
    const [symbol, date] = [bare[symbols.codes[row] ?? -1], dates.words[dates.codes[row] ?? -1]]
    if (symbol === undefined || date === undefined || Number.isNaN(closes[row])) continue
    const own = days.get(symbol)
    if (own) own.push(date)
    else days.set(symbol, [date])
    const first = listing?.words[listing.codes[row] ?? -1]
    if (first !== undefined) listed.set(symbol, first)
  }
  return new Map(
    [...days].map(([symbol, own]) => {
      own.sort()
      return [symbol, { days: own, listed: listed.get(symbol) === own[0] }]
    }),
  )
}

/** Why a stock's closes do not reach back for the whole window that ends with a day; undefined when they do. */
function tooShort(held: Held | undefined, date: string, window: number, forecast: boolean): Words | undefined {
  if (!held) return sentence`the prices have no close of the stock`
  const closes = held.days.findLastIndex((day) => day <= date) + 1
  if (!forecast && held.days[closes - 1] !== date) return sentence`the prices have no close of the stock on ${date}`
  if (held.listed || closes >= window + (forecast ? 0 : 1)) return undefined
  return sentence`the prices begin with ${held.days[0]}, ${closes} closes for a window of ${window} days`
}

interface Computed {
  readonly table: Table
  readonly counts: Counts
  /** Why stocks have no rows, by symbol. */
  readonly refused: ReadonlyMap<string, Words>
  readonly refusals: Pick<Anomalies, 'refused' | 'reasons'>
  readonly rowOf: ReadonlyMap<string, number>
  readonly keys: readonly (string | undefined)[]
  readonly values: Readonly<Record<Compared, Float64Array>>
  readonly status: readonly (string | null)[]
}

/** Texts of the counting rules, and the days that one of them looks back: its window, and that of the first movement. */
type Counts = ReadonlyMap<string, number>

function countsOf({ counts, abnormal }: AnomalyRules): Counts {
  const before = Math.max(1, ...abnormal.map(({ days }) => days)) - 1
  return new Map(
    counts.flatMap(({ days, times }) =>
      (['up', 'down'] as const).map((direction) => [countText(days, times, direction), days + before] as const),
    ),
  )
}

/** Names a rule by window and threshold, a counting rule by its text; undefined for a text that is neither. */
function ruleOf(text: string, parsed: ParsedRule | undefined, counts: Counts): string | undefined {
  if (parsed) return `${parsed.days} ${parsed.threshold}`
  return counts.has(text) ? text : undefined
}

function keyOf(date: string, symbol: string, rule: string): string {
  return `${date} ${parseCode(symbol).bare} ${rule}`
}

/** @param days that have published rows; rows of others get no key */
function compute(
  quotes: AnomalyQuotes,
  resets: ComputeAnomaliesOptions['resets'],
  days: ReadonlySet<string>,
): Computed {
  const { prices, benchmarks, calendar, rules, ...options } = quotes
  const { table, refused, reasons } = computeAnomalies(prices, benchmarks, calendar, rules, {
    ...options,
    resets: resets ?? 'none',
  })
  const [dates, symbols, rule] = [strings(table, 'tradedate'), strings(table, 'symbol'), strings(table, 'rule')]
  const counts = countsOf(rules ?? anomalyRules)
  const named = new Map([...new Set(rule)].map((text) => [text, ruleOf(text ?? '', parseRule(text ?? ''), counts)]))
  const keys = dates.map((date, row) => {
    const found = days.has(date ?? '') ? named.get(rule[row] ?? null) : undefined
    return found && keyOf(date ?? '', symbols[row] ?? '', found)
  })
  const [names, why] = [strings(refused, 'symbol'), strings(refused, 'why')]
  return {
    table,
    counts,
    refusals: { refused, reasons },
    refused: new Map(
      names.map((symbol, row) => [parseCode(symbol ?? '').bare, reasons.get(why[row] ?? '')?.[0] ?? '']),
    ),
    rowOf: new Map(keys.flatMap((key, row) => (key === undefined ? [] : [[key, row] as const]))),
    keys,
    values: Object.fromEntries(compared.map((name) => [name, numbers(table, name)])) as Computed['values'],
    status: strings(table, 'status'),
  }
}

/** Whether a published number is the computed one, at the decimals it was published with. */
function agree(given: number, found: number, places: number): boolean {
  if (Number.isNaN(given) || Number.isNaN(found)) return Number.isNaN(given) && Number.isNaN(found)
  if (places >= computedPlaces) return roundHalfUp(given, computedPlaces) === found
  return Math.abs(given - found) <= (10 ** -places + 10 ** -computedPlaces) / 2 + 1e-9
}

type Places = Readonly<Record<Compared, number>>

function givenOf(one: Candidate): Readonly<Record<Compared, number>> {
  return {
    pct_chg: one.pctChg,
    elapsed_days: one.elapsed,
    deviation_pct: one.deviationPct,
    required_pct_chg: one.requiredPct,
    trigger_price: one.price,
  }
}

function compareRow(one: Candidate, computed: Computed, row: number, places: Places): Judged {
  const given = givenOf(one)
  const off = compared.flatMap((name) => {
    const found = computed.values[name][row] as number
    const [mine, theirs] = [given[name], Number.isNaN(found) ? 'null' : String(found)]
    if (agree(mine, found, cellPlaces(mine, places[name]))) return []
    return [
      { name: name as string, why: sentence`${name} is ${Number.isNaN(mine) ? 'null' : mine}, computed ${theirs}` },
    ]
  })
  const status = computed.status[row] ?? ''
  if (one.status !== status)
    off.push({ name: 'status', why: sentence`${'status'} is ${one.status || 'null'}, computed ${status}` })
  if (off.length === 0) return { verdict: 'equal', why: [], differs: [], computed: row }
  return {
    verdict: 'mismatch',
    why: off.map(({ why }) => why),
    differs: off.map(({ name }) => name),
    computed: row,
  }
}

function judge(rows: readonly Candidate[], computed: Computed, held: ReadonlyMap<string, Held>): Judged[] {
  const usual = (of: (one: Candidate) => number): number => usualPlaces(rows.map(of))
  const places: Places = {
    pct_chg: usual((one) => one.pctChg),
    elapsed_days: 0,
    deviation_pct: usual((one) => one.deviationPct),
    required_pct_chg: usual((one) => one.requiredPct),
    trigger_price: 2,
  }
  const open = (why: Words, row = -1): Judged => ({ verdict: 'unverifiable', why: [why], differs: [], computed: row })
  return rows.map((one) => {
    const rule = ruleOf(one.ruleText, one.rule, computed.counts)
    const window = one.rule?.days ?? computed.counts.get(one.ruleText)
    if (rule === undefined || window === undefined) return open(sentence`the rule is not understood: ${one.ruleText}`)
    const { bare } = parseCode(one.symbol)
    const refusal = computed.refused.get(bare)
    if (refusal !== undefined) return open(sentence`the prices of the stock are refused: ${refusal}`)
    if (one.basis === 'live') return open(sentence`the day is not over`)
    const row = computed.rowOf.get(keyOf(one.tradedate, one.symbol, rule))
    const found = row === undefined ? undefined : compareRow(one, computed, row, places)
    if (found?.verdict === 'equal') return found
    const end = (one.basis === 'forecast' ? one.computedOn : undefined) ?? one.tradedate
    const short = tooShort(held.get(bare), end, window, one.basis === 'forecast')
    if (short) return open(short, row)
    const none = [sentence`by the prices the stock is no candidate by this rule on this day`]
    return found ?? { verdict: 'unexpected', why: none, differs: [], computed: -1 }
  })
}

/** Computed rows of days and measures that have published rows, and of whole windows, that were not published. */
function absentRows(rows: readonly Candidate[], computed: Computed, held: ReadonlyMap<string, Held>): Table {
  const windows = new Set(rows.map(({ rule }) => rule?.days))
  const published = new Set(
    rows.flatMap((one) => {
      const rule = ruleOf(one.ruleText, one.rule, computed.counts)
      return rule === undefined ? [] : [keyOf(one.tradedate, one.symbol, rule)]
    }),
  )
  const [dates, symbols, from] = [
    strings(computed.table, 'tradedate'),
    strings(computed.table, 'symbol'),
    strings(computed.table, 'computed_on'),
  ]
  const [window, measure] = [numbers(computed.table, 'window_days'), strings(computed.table, 'measure')]
  const rules = strings(computed.table, 'rule')
  const severe = rows.some(({ rule }) => rule !== undefined && rule.days > 3)
  const counted = rows.some(({ ruleText }) => computed.counts.has(ruleText))
  const isAsked = (row: number): boolean => {
    if (measure[row] === 'severe') return severe
    return measure[row] === 'severe by count' ? counted : windows.has(window[row] as number)
  }
  const mask = Uint8Array.from(computed.keys, (key, row) => {
    const [date, end] = [dates[row] ?? '', from[row] ?? '']
    if (key === undefined || published.has(key)) return 0
    const size = computed.counts.get(rules[row] ?? '') ?? (window[row] as number)
    return isAsked(row) && !tooShort(held.get(parseCode(symbols[row] ?? '').bare), end, size, date > end) ? 1 : 0
  })
  return filter(computed.table, mask)
}

const equals = (judged: readonly Judged[]): number => judged.filter(({ verdict }) => verdict === 'equal').length

/** Holds published rows against computeAnomalies; see checkAnomalies. */
export function compareWithPrices(rows: readonly Candidate[], quotes: AnomalyQuotes): Priced {
  const held = heldOf(asTable(quotes.prices))
  const days = new Set(rows.map(({ tradedate }) => tradedate))
  const tried = (quotes.resets === undefined ? (['none', 'computed'] as const) : [quotes.resets]).map((resets) => {
    const computed = compute(quotes, resets, days)
    return { resets, computed, judged: judge(rows, computed, held) }
  })
  const best = tried.reduce((a, b) => (equals(b.judged) > equals(a.judged) ? b : a))
  return {
    judged: best.judged,
    table: best.computed.table,
    absent: absentRows(rows, best.computed, held),
    ...best.computed.refusals,
    resets: typeof best.resets === 'string' ? best.resets : 'given',
  }
}
