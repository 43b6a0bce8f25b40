import { isDate } from '../../contract/date.js'
import { invalid, QuotebookError } from '../../contract/error.js'
import { nameHint, nearest } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { lineKindOf } from '../../contract/statement-kinds.js'
import type { TradingRules } from '../../contract/trading-rules.js'
import type { Data } from '../../frame/data.js'
import { columnNames, nullCounts, numbers, strings } from '../../frame/read-columns.js'
import { described } from '../../frame/table/shape.js'
import { firstFrom, placesOfCodes } from './join-columns.js'
import type { PanelCashflow } from './panel.js'
import { type ToldKind, toldColumn, toldTable } from './told-table.js'

const kinds = {
  terms: { code: 'code', maturity: 'date', last_trade_day: 'date', redemption_price: 'number', announced_on: 'date' },
  cashflows: { code: 'code', ex_day: 'date', pay_day: 'date', cash_per_share: 'number', kind: 'label' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ToldKind>>>>

function wrong(text: Words): never {
  throw invalid(text)
}

/**
 * Rows of a table of instruments: their codes, and the places of these, negative where the panel does not have one; whether a column is there, and a cell of it (`tells`); `days` of
 * a column, undefined where one is missing; notes of rows that nothing is done with.
 * @throws QuotebookError MISSING_COLUMN, also for a name that is nearly one; INVALID_VALUE for a code that the rules do not know, when asked for days that are none, and where all
 *   rows are of other instruments
 */
export function instrumentRows(
  given: Data,
  what: 'terms' | 'cashflows',
  symbols: readonly string[],
  rules: TradingRules,
) {
  const wanted = Object.keys(kinds[what])
  if (toldColumn(given, 'code') === undefined)
    throw new QuotebookError('MISSING_COLUMN', sentence`panel: ${what} have no column code`)
  const read = new Set(wanted.map((one) => toldColumn(given, one)))
  const wrongName = columnNames(given).find((one) => !read.has(one) && nearest(one, wanted))
  if (wrongName !== undefined) {
    const hint = nameHint(wrongName, wanted)
    throw new QuotebookError('MISSING_COLUMN', sentence`panel: ${what} have a column '${wrongName}'; ${hint}`)
  }
  const data = toldTable(given, kinds[what])
  const known = placesOfCodes(symbols)
  const codes = strings(data, 'code').map((code) => code ?? '')
  const strange = codes.find((code) => !known.has(code) && rules.classOf(code) === undefined)
  if (strange !== undefined) wrong(sentence`panel: ${what} name '${strange}', which is no code that the rules know`)
  const places = codes.map((code) => known.get(code) ?? -1)
  const others = new Set(codes.filter((_, row) => places[row] === -1)).size
  if (codes.length > 0 && places.every((place) => place < 0))
    wrong(sentence`panel: ${what} have no code of the prices: they have ${codes[0]}, the prices ${symbols[0]}`)
  const nulls = nullCounts(data)
  const tells = (column: string): boolean => (nulls.get(column) ?? codes.length) < codes.length
  const days = (column: string): readonly (string | undefined)[] => {
    if (!tells(column)) return codes.map(() => undefined)
    return strings(data, column).map((day, row) => {
      if (day === null || day === '') return undefined
      return isDate(day) ? day : wrong(sentence`panel: ${column} of ${codes[row]} is a day YYYYMMDD, not '${day}'`)
    })
  }
  const notes = others ? [sentence`${what}: ${others} codes are not among the prices`] : []
  return { data, codes, places, tells, days, notes }
}

/** Dividends and coupons as tables in Chinese call them too; any other word as it is. */
function flowKind(word: string | null | undefined): string | null | undefined {
  const known = lineKindOf(word ?? '')
  return known === 'interest' ? 'coupon' : (known ?? word)
}

/**
 * Cash flows of the instruments of a panel: a row of `code`, `ex_day`, `pay_day` (the ex day unless given), `cash_per_share` (yuan before tax,
 * kept to 8 decimals) and `kind`.
 */
export function readCashflows(given: Data, symbols: readonly string[], days: readonly string[], rules: TradingRules) {
  const { data, codes, places, days: dayCells, notes } = instrumentRows(given, 'cashflows', symbols, rules)
  const [exDays, payDays] = [dayCells('ex_day'), dayCells('pay_day')]
  const [cash, cellKinds] = [numbers(data, 'cash_per_share'), strings(data, 'kind')]
  const seen = new Set<string>()
  const cashflows = places.flatMap((symbol, row): PanelCashflow[] => {
    const [code, exDay, kind, each] = [codes[row], exDays[row], flowKind(cellKinds[row]), cash[row] as number]
    if (exDay === undefined) return wrong(sentence`panel: cashflows have no ex_day of ${code}`)
    if (kind !== 'dividend' && kind !== 'coupon')
      return wrong(sentence`panel: the kind of a cash flow is dividend or coupon, not ${described(cellKinds[row])}`)
    if (!(each > 0 && each < 1e6)) return wrong(sentence`panel: cash_per_share of ${code} is yuan above 0, not ${each}`)
    const payDay = payDays[row] ?? exDay
    if (payDay < exDay) return wrong(sentence`panel: ${code} pays on ${payDay}, before its ex_day ${exDay}`)
    if (symbol < 0) return []
    const key = `${symbol} ${exDay} ${kind}`
    if (seen.has(key)) return wrong(sentence`panel: two cash flows of ${code} on ${exDay}; sum them first`)
    seen.add(key)
    if (exDay < (days[0] as string) || exDay > (days.at(-1) as string)) return []
    const day = firstFrom(days, exDay)
    if (days[day] !== exDay) return wrong(sentence`panel: the ex_day ${exDay} of ${code} is no trading day`)
    return [{ day, payDay: firstFrom(days, payDay), symbol, cash: each, kind }]
  })
  return { cashflows, notes }
}
