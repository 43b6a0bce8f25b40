import { isDate } from '../../../contract/date.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { type Candidate, isKnown, isWhole } from './candidates.js'
import type { Note } from './row-checks.js'

/** Trading days without any row on either side of a lone one. */
const far = 5

/** A short name without the marks that come and go: ST, listing days, ex-right days, reform. */
function withoutMarks(name: string): string {
  return name.replace(/^(?:N|C|U|W|XD|XR|DR|G|S|\*?ST|S\*?ST|\s)+(?=\p{Script=Han})/u, '').replace(/-[UWV]+$/, '')
}

/** Whether two names can be one stock's: a mark takes the place of one or two characters, so XD贵州茅 is 贵州茅台. */
function alike(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const [one, other] = [withoutMarks(a), withoutMarks(b)]
  const cut = (marked: string, name: string, whole: string): boolean =>
    marked !== name && name.length >= 2 && name.length >= whole.length - 2 && whole.includes(name)
  return one === other || cut(a, one, other) || cut(b, other, one)
}

/** The key of the largest group; undefined where two are level. */
function mostCommon<K>(groups: ReadonlyMap<K, readonly unknown[]>): K | undefined {
  const [first, second] = [...groups].sort(([, a], [, b]) => b.length - a.length)
  return first?.[1].length === second?.[1].length ? undefined : first?.[0]
}

const listed = (values: Iterable<unknown>): string =>
  [...values].map((value) => (Number.isNaN(value) ? 'null' : String(value))).join(', ')

/** When a row was computed. */
const computedIn = ({ computedOn }: Candidate): Words =>
  computedOn === undefined ? sentence`of the day` : sentence`from ${computedOn}`

/** One value in a group of rows: those that differ from most are named, all of them when there is no majority. */
function checkOneValue<K>(
  group: readonly Candidate[],
  rule: string,
  what: (values: string) => Words,
  cellOf: (one: Candidate) => K,
  note: Note,
): void {
  const values = groupItems(group, cellOf)
  if (values.size < 2) return
  const common = mostCommon(values)
  const differing = group.filter((one) => common === undefined || !Object.is(cellOf(one), common))
  note(differing, 'inconsistent', rule, what(listed(values.keys())))
}

/**
 * `name`: a stock keeps its name from day to day but for marks like ST. A name that comes once between others, or only
 * on the first or the last day that the stock has rows of, is suspect; one that stays is a new name.
 */
function checkNames(rows: readonly Candidate[], note: Note): void {
  for (const own of groupItems(rows, ({ symbol }) => symbol).values()) {
    const named = own.filter(({ name }) => name !== null)
    if (new Set(named.map(({ name }) => withoutMarks(name ?? ''))).size < 2) continue
    const days = [...groupItems(named, ({ tradedate }) => tradedate)].sort(([a], [b]) => (a < b ? -1 : 1))
    if (days.length < 2) continue
    const names = days.map(([, day]) => mostCommon(groupItems(day, ({ name }) => name ?? '')))
    days.forEach(([, day], i) => {
      const [before, name, after] = [names[i - 1], names[i], names[i + 1]]
      if (name === undefined || alike(name, before) || alike(name, after)) return
      const others = listed(new Set([before, after].filter((one) => one !== undefined)))
      note(day, 'warn', 'name', sentence`the stock is called ${others} on other days: a wrong name, or a new one`)
    })
  }
}

/**
 * `symbol`: no two stocks have one name. Of those that do, the one with fewer rows is suspect. Names that an ex-right mark
 * has cut are let pass: XD中国石 is either of two.
 */
function checkSymbols(rows: readonly Candidate[], note: Note): void {
  const named = rows.filter(({ name }) => name !== null && name !== '' && !/^(?:XD|XR|DR)/.test(name))
  for (const [name, group] of groupItems(named, (one) => withoutMarks(one.name ?? ''))) {
    const symbols = groupItems(group, ({ symbol }) => symbol)
    if (symbols.size < 2) continue
    const common = mostCommon(symbols)
    const others = group.filter(({ symbol }) => symbol !== common)
    note(others, 'warn', 'symbol', sentence`${name} is the name of ${listed(symbols.keys())}`)
  }
}

/** `day`: a date is a trading day; a later one than the completed day is the next. */
function checkDays(rows: readonly Candidate[], note: Note): void {
  const someKnown = rows.some(({ day, tradedate }) => Number.isInteger(day) && isKnown(tradedate))
  for (const one of rows) {
    const { tradedate, day, last } = one
    if (!isDate(tradedate)) note([one], 'invalid', 'day', sentence`${tradedate || 'null'} is no date`)
    else if (!isKnown(tradedate)) {
      if (someKnown)
        note([one], 'warn', 'day', sentence`${tradedate} lies outside the trading calendar, other rows inside`)
    } else if (!Number.isInteger(day)) note([one], 'invalid', 'day', sentence`${tradedate} is not a trading day`)
    else if (one.basis !== 'completed' && Number.isInteger(last) && day !== last + 1) {
      const why = sentence`a row for ${tradedate} that is computed ${computedIn(one)}, which is not the trading day before`
      note([one], 'invalid', 'day', why)
    }
  }
}

/** `day`: in a table of many stocks that has rows day after day, no single row lies far from all others. */
function checkLone(rows: readonly Candidate[], note: Note): void {
  const known = rows.filter(({ day, tradedate }) => Number.isInteger(day) && isKnown(tradedate))
  const days = [...groupItems(known, ({ day }) => day)].sort(([a], [b]) => a - b)
  if (days.length < 6 || new Set(rows.map(({ symbol }) => symbol)).size < 5) return
  const gaps = days.map(([day], i) =>
    Math.min(day - (days[i - 1]?.[0] ?? -Infinity), (days[i + 1]?.[0] ?? Infinity) - day),
  )
  if (gaps.filter((gap) => gap === 1).length < 0.9 * (days.length - 1)) return
  days.forEach(([, group], i) => {
    const gap = gaps[i] ?? 0
    if (group.length > 1 || gap <= far) return
    note(group, 'warn', 'day', sentence`the only row of ${group[0]?.tradedate}, ${gap} trading days from any other`)
  })
}

/** `quote`: forecasts speak of one day, the first after the completed one. */
function checkLateForecasts(rows: readonly Candidate[], note: Note): void {
  const later = rows.filter(({ basis }) => basis !== 'completed')
  for (const group of groupItems(later, (one) => one.computedOn).values()) {
    const [first] = group.map(({ tradedate }) => tradedate).sort()
    for (const one of group) {
      if (one.tradedate === first) continue
      const why = sentence`a forecast for ${one.tradedate} beside one for ${first}, both ${computedIn(one)}`
      note([one], 'invalid', 'quote', why)
    }
  }
}

/** A published number without the noise that arithmetic of doubles leaves. */
const withoutNoise = (x: number): number => Math.round(x * 1e6) / 1e6

/** `key`, `pct_chg`, `name`, `deviation`: one row of a stock and day for a rule, one change, one name, one deviation for an interval. */
function checkStockDay(rows: readonly Candidate[], note: Note): void {
  const key = (one: Candidate): string => `${one.tradedate} ${one.computedOn} ${one.symbol} ${one.ruleText}`
  for (const group of groupItems(rows, key).values()) {
    if (group.length === 1) continue
    note(group, 'inconsistent', 'key', sentence`${group.length} rows of ${group[0]?.symbol} have this day and rule`)
  }
  const stockDay = (one: Candidate): string => `${one.tradedate} ${one.basis} ${one.computedOn} ${one.symbol}`
  for (const group of groupItems(rows, stockDay).values()) {
    checkOneValue(
      group,
      'pct_chg',
      (all) => sentence`one stock and day has several changes: ${all}`,
      (one) => withoutNoise(one.pctChg),
      note,
    )
    checkOneValue(
      group,
      'name',
      (all) => sentence`one stock and day has several names: ${all}`,
      ({ name }) => name,
      note,
    )
  }
  // Of a rule that is not understood elapsed_days may be another interval's: a count's is since the first movement.
  const measured = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live')
  const interval = (one: Candidate): string =>
    `${one.symbol} ${Number.isInteger(one.last) ? one.last : stockDay(one)} ${one.elapsed}`
  const deviation = (one: Candidate): number => withoutNoise(one.deviationPct)
  for (const group of groupItems(measured, interval).values()) {
    checkOneValue(group, 'deviation', (all) => sentence`one interval has several deviations: ${all}`, deviation, note)
  }
}

/** What rows say of their stock, its name and their day, and what rows of one stock and day say together. */
export function checkStockDays(rows: readonly Candidate[], note: Note): void {
  checkDays(rows, note)
  checkLone(rows, note)
  checkNames(rows, note)
  checkSymbols(rows, note)
  checkLateForecasts(rows, note)
  checkStockDay(rows, note)
}
