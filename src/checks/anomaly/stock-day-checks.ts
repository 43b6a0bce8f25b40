import { isDate } from '../../contract/date.js'
import { groupItems } from '../group-items.js'
import { type Candidate, isKnown, isWhole } from './candidates.js'
import type { Note } from './row-checks.js'

/** Trading days without any row on either side of a lone one. */
const far = 5

/** A short name without the marks that come and go: ST, listing days, ex-right days, reform. */
function plain(name: string): string {
  return name.replace(/^(?:N|C|U|W|XD|XR|DR|G|S|\*?ST|S\*?ST|\s)+(?=\p{Script=Han})/u, '').replace(/-[UWV]+$/, '')
}

/** Whether two names can be one stock's: a mark takes the place of one or two characters, so XD贵州茅 is 贵州茅台. */
function alike(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const [one, other] = [plain(a), plain(b)]
  const cut = (marked: string, name: string, whole: string): boolean =>
    marked !== name && name.length >= 2 && name.length >= whole.length - 2 && whole.includes(name)
  return one === other || cut(a, one, other) || cut(b, other, one)
}

function most<K>(groups: ReadonlyMap<K, readonly unknown[]>): K | undefined {
  let best: K | undefined
  let count = 0
  let level = false
  for (const [key, { length }] of groups) {
    level = length === count || (length < count && level)
    if (length > count) [best, count, level] = [key, length, false]
  }
  return level ? undefined : best
}

const shown = (values: Iterable<unknown>): string =>
  [...values].map((value) => (Number.isNaN(value) ? 'null' : String(value))).join(', ')

/** One value in a group of rows: those that differ from most are named, all of them when there is no majority. */
function oneValue<K>(
  group: readonly Candidate[],
  rule: string,
  what: string,
  of: (one: Candidate) => K,
  note: Note,
): void {
  const values = groupItems(group, of)
  if (values.size < 2) return
  const common = most(values)
  const why = `${what}: ${shown(values.keys())}`
  for (const one of group) {
    if (common === undefined || !Object.is(of(one), common)) note(one.row, { verdict: 'inconsistent', rule, why })
  }
}

/**
 * `name`: a stock keeps its name from day to day but for marks like ST. A name that comes once between others, or only
 * on the first or the last day that the stock has rows of, is suspect; one that stays is a new name.
 */
function findNames(rows: readonly Candidate[], note: Note): void {
  for (const own of groupItems(rows, ({ symbol }) => symbol).values()) {
    const named = own.filter(({ name }) => name !== null)
    if (new Set(named.map(({ name }) => plain(name ?? ''))).size < 2) continue
    named.sort((a, b) => (a.tradedate < b.tradedate ? -1 : a.tradedate > b.tradedate ? 1 : a.row - b.row))
    const days = [...groupItems(named, ({ tradedate }) => tradedate).values()]
    const nameOf = (day: readonly Candidate[] | undefined): string | undefined =>
      day && most(groupItems(day, ({ name }) => name ?? ''))
    days.forEach((day, i) => {
      const [before, name, after] = [nameOf(days[i - 1]), nameOf(day), nameOf(days[i + 1])]
      if (name === undefined || alike(name, before) || alike(name, after) || days.length < 2) return
      const why = `the stock is called ${shown(new Set([before, after].filter((one) => one !== undefined)))} on other days: a wrong name, or a new one`
      for (const { row } of day) note(row, { verdict: 'warn', rule: 'name', why })
    })
  }
}

/**
 * `symbol`: no two stocks have one name. Of those that do, the one with fewer rows is suspect. Names that an ex-right mark
 * has cut are let pass: XD中国石 is either of two.
 */
function findSymbols(rows: readonly Candidate[], note: Note): void {
  const named = rows.filter(({ name }) => name !== null && name !== '' && !/^(?:XD|XR|DR)/.test(name))
  for (const [name, group] of groupItems(named, (one) => plain(one.name ?? ''))) {
    const symbols = groupItems(group, ({ symbol }) => symbol)
    if (symbols.size < 2) continue
    const common = most(symbols)
    const why = `${name} is the name of ${shown(symbols.keys())}`
    for (const one of group) if (one.symbol !== common) note(one.row, { verdict: 'warn', rule: 'symbol', why })
  }
}

/**
 * `day`: a date is a trading day; a later one than the completed day is the next; and no single row lies far from all
 * others.
 */
function findDays(rows: readonly Candidate[], note: Note): void {
  const known = rows.filter(({ day, tradedate }) => Number.isInteger(day) && isKnown(tradedate))
  const days = [...groupItems(known, ({ day }) => day)].sort(([a], [b]) => a - b)
  for (const one of known) {
    if (one.basis === 'completed' || !Number.isInteger(one.last) || one.day === one.last + 1) continue
    const why = `a row for ${one.tradedate} that is computed ${one.computedOn}, which is not the trading day before`
    note(one.row, { verdict: 'invalid', rule: 'day', why })
  }
  for (const { tradedate, day, row } of rows) {
    if (!isDate(tradedate)) {
      note(row, { verdict: 'invalid', rule: 'day', why: `${tradedate || 'null'} is no date` })
    } else if (isKnown(tradedate)) {
      if (Number.isInteger(day)) continue
      note(row, { verdict: 'invalid', rule: 'day', why: `${tradedate} is not a trading day` })
    } else if (days.length > 0) {
      const why = `${tradedate} lies outside the trading calendar, other rows inside`
      note(row, { verdict: 'warn', rule: 'day', why })
    }
  }
  findLone(rows, days, note)
}

/** In a table of many stocks that has rows day after day, a row that lies far from all others. */
function findLone(
  rows: readonly Candidate[],
  days: readonly (readonly [number, readonly Candidate[]])[],
  note: Note,
): void {
  if (days.length < 6 || new Set(rows.map(({ symbol }) => symbol)).size < 5) return
  const gap = (i: number): number => {
    const [before, day, after] = [
      days[i - 1]?.[0] ?? -Infinity,
      days[i]?.[0] ?? Number.NaN,
      days[i + 1]?.[0] ?? Infinity,
    ]
    return Math.min(day - before, after - day)
  }
  const gaps = days.map((_, i) => gap(i))
  if (gaps.filter((days) => days === 1).length < 0.9 * (days.length - 1)) return
  days.forEach(([, group], i) => {
    const [first] = group
    if (!first || group.length > 1 || (gaps[i] ?? 0) <= far) return
    note(first.row, {
      verdict: 'warn',
      rule: 'day',
      why: `the only row of ${first.tradedate}, ${gaps[i]} trading days from any other`,
    })
  })
}

/** What the rows say of themselves: their stock, its name and their day. */
export function findIdentity(rows: readonly Candidate[], note: Note): void {
  findDays(rows, note)
  findNames(rows, note)
  findSymbols(rows, note)
}

const stockDay = (one: Candidate): string => `${one.tradedate} ${one.basis} ${one.computedOn} ${one.symbol}`

/** A published number without the noise that arithmetic of doubles leaves. */
const withoutNoise = (x: number): number => Math.round(x * 1e6) / 1e6

/**
 * What rows of one stock and day break together: one row for a rule, one change, one name, one deviation for an
 * interval.
 */
export function findBetween(rows: readonly Candidate[], note: Note): void {
  const key = (one: Candidate): string => `${one.tradedate} ${one.computedOn} ${one.symbol} ${one.ruleText}`
  for (const group of groupItems(rows, key).values()) {
    if (group.length === 1) continue
    const why = `${group.length} rows of ${group[0]?.symbol} have this day and rule`
    for (const { row } of group) note(row, { verdict: 'inconsistent', rule: 'key', why })
  }
  for (const group of groupItems(rows, stockDay).values()) {
    oneValue(group, 'pct_chg', 'one stock and day has several changes', (one) => withoutNoise(one.pctChg), note)
    oneValue(group, 'name', 'one stock and day has several names', (one) => one.name, note)
  }
  // Of a rule that is not understood elapsed_days may be another interval's: a count's is since the first movement.
  const ended = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live')
  const interval = (one: Candidate): string => {
    const end = Number.isInteger(one.last) ? one.last : stockDay(one)
    return `${one.symbol} ${end} ${one.elapsed}`
  }
  for (const group of groupItems(ended, interval).values()) {
    oneValue(group, 'deviation', 'one interval has several deviations', (one) => withoutNoise(one.deviationPct), note)
  }
}

/** Forecasts speak of one day, the first after the completed one. */
export function findLateForecasts(rows: readonly Candidate[], note: Note): void {
  const later = groupItems(
    rows.filter((one) => one.basis !== 'completed'),
    (one) => one.computedOn,
  )
  for (const group of later.values()) {
    const [first] = group.map(({ tradedate }) => tradedate).sort()
    for (const one of group) {
      if (one.tradedate === first) continue
      const why = `a forecast for ${one.tradedate} beside one for ${first}, both ${one.computedOn}`
      note(one.row, { verdict: 'invalid', rule: 'quote', why })
    }
  }
}
