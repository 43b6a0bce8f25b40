import type { Table } from 'apache-arrow'
import { indexNames } from '../../../contract/catalogue/theme-daily.js'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, numberColumn } from '../check-columns.js'
import { exactDifference, percentOver } from '../exact/decimal.js'
import { divide, type Interval, intersect, multiply, point, rounded, subtract } from '../exact/interval.js'
import { usualPlaces } from '../exact/precision.js'
import { isDifference, isPercentChange, placesIn } from '../exact/rounding-tests.js'
import { duplicate, gap, mismatch, type RowFinding, rowCheck, unverifiable, warn } from '../row-findings.js'
import { type Before, countNoun, daysInside, rowsBefore } from './earlier-rows.js'

const known: ReadonlySet<string> = new Set(indexNames)
/** Missing names that are spelled out. */
const shown = 4

/**
 * The names that each day should have: the 48, where the table is known to be an answer for all symbols; otherwise those
 * that any of its days has, since a table may be of a few indices on purpose.
 */
function expectedOf(table: Table, names: readonly (string | null)[]): readonly string[] {
  const about = provenance(table)
  const whole = about !== undefined && about.request.params.symbols === undefined
  if (whole) return indexNames
  const there = new Set(names)
  return indexNames.filter((name) => there.has(name))
}

/**
 * Rows whose pair of code and name is not the one that the table has otherwise: one to one.
 * @param days of the rows, where a name is a code's for a day only; else it is for all
 */
export function* namePairs(
  symbol: readonly (string | null)[],
  name: readonly (string | null)[],
  days: readonly (string | null)[] = [],
): Iterable<RowFinding<'mismatch'>> {
  const firstOf = new Map<string, string>()
  for (let row = 0; row < symbol.length; row++) {
    const [code, word] = [symbol[row], name[row]]
    if (typeof code !== 'string' || typeof word !== 'string') continue
    for (const [key, value, of] of [
      [`symbol ${code}`, word, 'name'],
      [`name ${word}`, code, 'symbol'],
    ] as const) {
      const own = `${days[row] ?? ''} ${key}`
      const first = firstOf.get(own)
      if (first === undefined) firstOf.set(own, value)
      else if (first !== value) yield mismatch(row, 'name', `${key} has the ${of} ${value} here and ${first} before`)
    }
  }
}

/**
 * What is to be said of the names of index rows: a name that is none of the 48 is `warn`, a null one `unverifiable`,
 * symbols and names that do not belong together `mismatch`, and a day that lacks names that it should have `gap`, at its
 * first row.
 */
function* nameFindings(table: Table): Iterable<Found> {
  const [date, symbol, name] = [strings(table, 'tradedate'), strings(table, 'symbol'), strings(table, 'name')]
  yield* namePairs(symbol, name)
  for (const [row, word] of name.entries()) {
    if (word === null) yield unverifiable(row, 'name', 'name is null')
    else if (!known.has(word)) yield warn(row, 'name', `${word} is none of the 48 names`)
  }
  const expected = expectedOf(table, name)
  for (const [day, rows] of groupItems(date.keys(), (row) => date[row])) {
    const there = new Set(rows.map((row) => name[row]))
    const missing = expected.filter((word) => !there.has(word))
    if (missing.length === 0) continue
    const few = missing.slice(0, shown).join(', ') + (missing.length > shown ? ', …' : '')
    yield gap(rows[0] as number, 'names', `${day} lacks ${missing.length} of ${expected.length} names: ${few}`)
  }
}

type Verdict = 'pass' | 'within-rounding' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

const names = ['open', 'high', 'low', 'close', 'pre_close', 'change', 'pct_chg'] as const
type Name = (typeof names)[number]

interface Rows extends Before {
  readonly numbers: Readonly<Record<Name | 'vol' | 'amount', Float64Array>>
  readonly usual: Readonly<Record<Name, number>>
  readonly name: readonly (string | null)[]
  readonly type: readonly (string | null)[]
  readonly date: (row: number) => string
}

/** A number of a row, and what it may have been before it was rounded. */
interface Cell {
  readonly value: number
  readonly places: number
}

function cell({ numbers: columns, usual }: Rows, name: Name, row: number): Cell {
  const value = columns[name][row] as number
  return { value, places: placesIn(value, usual[name]) }
}

function span({ value, places }: Cell): Interval {
  return rounded(value, places)
}

function* changeRules(rows: Rows, row: number): Iterable<Found> {
  const [close, before, change, percent] = (['close', 'pre_close', 'change', 'pct_chg'] as const).map((name) =>
    cell(rows, name, row),
  ) as [Cell, Cell, Cell, Cell]
  if (!Number.isFinite(close.value) || !Number.isFinite(before.value)) return
  if (Number.isFinite(change.value) && !isDifference(change.value, close.value, before.value, change.places)) {
    const explained = intersect(subtract(span(close), span(before)), span(change)) !== undefined
    const why = explained ? 'change is close - pre_close before rounding' : 'change is not close - pre_close'
    const compared = { given: change.value, due: exactDifference(close.value, before.value) }
    yield { row, verdict: explained ? 'within-rounding' : 'mismatch', rule: 'change', why, ...compared }
  }
  if (!Number.isFinite(percent.value)) return
  if (before.value === 0) {
    yield warn(row, 'pct_chg', 'pct_chg is there though pre_close is 0')
  } else if (!isPercentChange(percent.value, close.value, before.value, percent.places)) {
    const exact = multiply(subtract(divide(span(close), span(before)), point(1)), point(100))
    const explained = intersect(exact, span(percent)) !== undefined
    const why = explained
      ? 'pct_chg is (close - pre_close) / pre_close x 100 before rounding'
      : 'pct_chg is not (close - pre_close) / pre_close x 100'
    const compared = { given: percent.value, due: percentOver(close.value, before.value, percent.places) }
    yield { row, verdict: explained ? 'within-rounding' : 'mismatch', rule: 'pct_chg', why, ...compared }
  }
}

/** Surely above: by more than the rounding of the one with fewer decimals. */
function isAbove(a: Cell, b: Cell): boolean {
  if (!(a.value > b.value)) return false
  return a.places === b.places || exactDifference(a.value, b.value) > 0.5 * 10 ** -Math.min(a.places, b.places)
}

/** Names of indices that count stocks; a provider may put other counts in the place of open, high and low. */
const counts = /(家数|涨跌|停板)$/

function* rangeRules(rows: Rows, row: number): Iterable<Found> {
  const [high, low] = [cell(rows, 'high', row), cell(rows, 'low', row)]
  if (isAbove(low, high)) {
    yield mismatch(row, 'range', 'high is below low', high.value, low.value)
    return
  }
  const verdict = counts.test(rows.name[row] ?? '') ? 'warn' : 'mismatch'
  for (const name of ['open', 'close'] as const) {
    const one = cell(rows, name, row)
    const [above, below] = [isAbove(one, high), isAbove(low, one)]
    if (!above && !below) continue
    const why = above ? `${name} is above high` : `${name} is below low`
    yield { row, verdict, rule: 'range', why, given: one.value, due: above ? high.value : low.value }
  }
}

/** The same number published twice: equal, or where one has fewer decimals, rounded to those. */
function isSame(a: Cell, b: Cell): boolean {
  if (a.value === b.value) return true
  const [coarse, fine] = a.places <= b.places ? [a, b] : [b, a]
  return coarse.places < fine.places && isDifference(coarse.value, fine.value, 0, coarse.places)
}

function* chainRule(rows: Rows, row: number, inside: (from: string, to: string) => number): Iterable<Found> {
  const earlier = rows.row[row] as number
  if (earlier < 0) return
  const [given, due] = [cell(rows, 'pre_close', row), cell(rows, 'close', earlier)]
  if (!Number.isFinite(given.value) || !Number.isFinite(due.value) || isSame(given, due)) return
  const from = rows.date(earlier)
  const days = inside(from, rows.date(row))
  const why = `pre_close is not the close of ${from}, the index's row before`
  const compared = { row, rule: 'pre_close', given: given.value, due: due.value }
  if (days === 0) yield { ...compared, verdict: 'mismatch', why }
  else yield { ...compared, verdict: 'gap', why: `${why}; ${countNoun(days, 'trading day')} between without a row` }
}

function* ownRules(rows: Rows, row: number): Iterable<Found> {
  const { numbers: columns } = rows
  if (rows.twice[row]) yield duplicate(row, 'key', 'the index has two rows of this day')
  const type = rows.type[row] ?? null
  if (type !== null && type !== 'tj') yield mismatch(row, 'type', `type is ${type}, not tj`)
  for (const name of ['vol', 'amount'] as const) {
    const given = columns[name][row] as number
    if (given < 0) yield mismatch(row, 'sign', `${name} is below 0`, given)
  }
  const due = (name: Name): boolean => name !== 'pct_chg' || columns.pre_close[row] !== 0
  const missing = names.filter((name) => Number.isNaN(columns[name][row]) && due(name))
  if (missing.length > 0) yield unverifiable(row, 'null', `null: ${missing.join(', ')}; the rest was checked`)
}

function* findings(rows: Rows, table: Table): Iterable<Found> {
  const inside = daysInside()
  for (let row = 0; row < rows.name.length; row++) {
    yield* ownRules(rows, row)
    yield* changeRules(rows, row)
    yield* rangeRules(rows, row)
    yield* chainRule(rows, row, inside)
  }
  yield* nameFindings(table)
}

/**
 * Index rows against their own numbers, the row before and the 48 names. Every number may be rounded to the
 * decimals that its column is published with; an index can be negative or count stocks, so no sign is asked of a point.
 *
 * - change = close - pre_close, pct_chg = (close / pre_close - 1) x 100; low <= open, close <= high.
 * - pre_close = close of the index's row before. vol and amount are not below 0.
 * - name is one of the 48, symbol and name belong together one to one on all days, and no day lacks an index that the
 *   others have (or one of the 48, where the table is known to be an answer for all symbols).
 */
export const themeDailyCheck = rowCheck<Verdict>({
  name: 'index day',
  summary: 'daily quotes of indices, and the 48 names',
  chinese: '统计指数日行情：涨跌、昨收、高低区间，48 个指数是否齐全',
  dataset: 'theme_daily',
  rule: 'change and pct_chg are recomputed from close and pre_close, pre_close is compared with the close of the row before, open and close against low and high, and the rows of a day against the 48 names.',
  verdicts: {
    pass: passes('Change, range, previous close and name agree.'),
    'within-rounding': passes('Differs by no more than the rounding of the published points can give.'),
    unverifiable: leavesOpen('A number or the name is null; the rest of the row was checked.'),
    gap: leavesOpen('The day lacks indices, or the days before it do, so that the previous close can not be told.'),
    warn: leavesOpen('An unknown name, or a count of stocks outside its low and high, which a provider may mean.'),
    duplicate: fails('The index has two rows of the day.'),
    mismatch: fails('A number is not what the others give, a symbol changed its name, or the type is not tj.'),
  },
  confirmedAs: 'recomputed to the published decimals',
  read: (table) => {
    const [date, symbol, name] = [
      dictionary(table, 'tradedate'),
      dictionary(table, 'symbol'),
      dictionary(table, 'name'),
    ]
    const every = [...names, 'vol', 'amount'] as const
    const columns = Object.fromEntries(every.map((one) => [one, numbers(table, one)])) as Rows['numbers']
    const usual = Object.fromEntries(names.map((one) => [one, usualPlaces(columns[one])])) as Rows['usual']
    const rows: Rows = {
      ...rowsBefore(symbol, date),
      numbers: columns,
      usual,
      name: strings(table, 'name'),
      type: strings(table, 'type'),
      date: (row) => date.words[date.codes[row] ?? -1] ?? '',
    }
    const before = Float64Array.from(rows.row, (row) => columns.close[row] ?? Number.NaN)
    return {
      findings: findings(rows, table),
      compares: true,
      columns: {
        tradedate: labelColumn('date', 'Trading day.', date),
        symbol: labelColumn('code', 'Code of the index.', symbol),
        name: labelColumn('label', 'Chinese name of the index.', name),
        before: numberColumn('point', 'Close of the row before of the index; null when there is none.', before),
        pre_close: numberColumn('point', 'Close of the trading day before as published.', columns.pre_close),
        close: numberColumn('point', 'Close, or latest point.', columns.close),
      },
    }
  },
})
