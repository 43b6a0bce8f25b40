import type { Table } from 'apache-arrow'
import { countsStocks, indexNames } from '../../../contract/catalogue/theme-daily.js'
import { sentence } from '../../../contract/sentence.js'
import { numbersToRead, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { numberColumn } from '../check-columns.js'
import { usualPlaces } from '../exact/precision.js'
import { isDifference, placesIn } from '../exact/rounding-tests.js'
import { gap, type RowFinding, unverifiable } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { chainFinding, daysInside, rowsBefore } from './earlier-rows.js'
import { namePairs } from './name-pairs.js'
import { changeFindings, nullFindings, type QuoteCell, rangeFindings } from './quote-rules.js'

/** Missing names that are spelled out. */
const shown = 4

/**
 * The names that each day should have: the 48, where the table is known to be an answer for all symbols; otherwise those
 * that any of its days has, since a table may be of a few indices on purpose.
 */
function expectedOf(table: Table, names: readonly (string | null)[]): readonly string[] {
  const about = provenance(table)
  if (about !== undefined && about.request.params.symbols === undefined) return indexNames
  const there = new Set(names)
  return indexNames.filter((name) => there.has(name))
}

/** Symbols and names that do not belong together, and days that lack names that they should have, told at their first rows. */
function* nameFindings(table: Table): Iterable<RowFinding> {
  const [date, name] = [strings(table, 'tradedate'), strings(table, 'name')]
  yield* namePairs(table, 'symbol')
  for (const [row, word] of name.entries()) if (word === null) yield unverifiable(row, 'name', sentence`name is null`)
  const expected = expectedOf(table, name)
  for (const [day, rows] of groupItems(date.keys(), (row) => date[row])) {
    const there = new Set(rows.map((row) => name[row]))
    const missing = expected.filter((word) => !there.has(word))
    if (missing.length === 0) continue
    const few = missing.slice(0, shown).join(', ') + (missing.length > shown ? ', …' : '')
    const why = sentence`${day} lacks ${missing.length} of ${expected.length} names: ${few}`
    yield gap(rows[0] as number, 'names', why)
  }
}

const names = ['open', 'high', 'low', 'close', 'pre_close', 'change', 'pct_chg'] as const
type Name = (typeof names)[number]
type Quote = Readonly<Record<Name, QuoteCell>>

/** The numbers of each row with the decimals that they are published with. */
function quotesOf(table: Table): Quote[] {
  const columns = names.map((name) => {
    const column = numbersToRead(table, name)
    return { name, column, usual: usualPlaces(column) }
  })
  return Array.from({ length: table.numRows }, (_, row) => {
    const cells = columns.map(({ name, column, usual }) => {
      const value = column[row] as number
      return [name, { value, places: placesIn(value, usual) }] as const
    })
    return Object.fromEntries(cells) as Quote
  })
}

/** The same number published twice: equal, or where one has fewer decimals, rounded to those. */
function isSame(a: QuoteCell, b: QuoteCell): boolean {
  if (a.value === b.value) return true
  const [coarse, fine] = a.places <= b.places ? [a, b] : [b, a]
  return coarse.places < fine.places && isDifference(coarse.value, fine.value, 0, coarse.places)
}

function* findings(table: Table, quotes: readonly Quote[], before: Int32Array): Iterable<RowFinding> {
  const inside = daysInside()
  const [date, name] = [strings(table, 'tradedate'), strings(table, 'name')]
  for (const [row, quote] of quotes.entries()) {
    const { pre_close: given } = quote
    const isDue = (one: Name): boolean => one !== 'pct_chg' || given.value !== 0
    yield* nullFindings(
      row,
      names.filter((one) => Number.isNaN(quote[one].value) && isDue(one)),
    )
    yield* changeFindings(row, quote, '(close - pre_close) / pre_close x 100', true)
    yield* rangeFindings(row, quote, countsStocks(name[row]) ? 'warn' : 'mismatch')
    const earlier = before[row] as number
    const due = quotes[earlier]?.close
    if (!due || !Number.isFinite(given.value) || !Number.isFinite(due.value) || isSame(given, due)) continue
    const from = date[earlier] ?? ''
    const why = sentence`pre_close is not the close of ${from}, the index's row before`
    const days = inside(from, date[row] ?? '')
    yield chainFinding(row, 'pre_close', why, [given.value, due.value], days, sentence`a row`)
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
export const themeDailyCheck = rowCheck({
  name: 'index day',
  summary: 'daily quotes of indices, and the 48 names',
  dataset: 'theme_daily',
  rule: 'change and pct_chg are recomputed from close and pre_close, pre_close is compared with the close of the row before, open and close against low and high, and the rows of a day against the 48 names.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Change, range, previous close and name agree.`),
    'within-rounding': passes(sentence`Differs by no more than the rounding of the published points can give.`),
    unverifiable: leavesOpen(sentence`A number or the name is null; the rest of the row was checked.`),
    gap: leavesOpen(sentence`The day lacks indices, or the days before it do, so that the previous close can not be told.`),
    warn: leavesOpen(sentence`An unknown name, or a count of stocks outside its low and high, which a provider may mean.`),
    duplicate: fails(sentence`The index has two rows of the day.`),
    mismatch: fails(sentence`A number is not what the others give, a symbol changed its name, or the type is not tj.`),
  },
  confirmedAs: 'recomputed to the published decimals',
  compares: true,
  twice: () => sentence`the index has two rows of this day`,
  read: (table) => {
    const quotes = quotesOf(table)
    const before = rowsBefore(strings(table, 'symbol'), strings(table, 'tradedate'))
    const closed = Float64Array.from(before, (row) => quotes[row]?.close.value ?? Number.NaN)
    return {
      findings: findings(table, quotes, before),
      columns: {
        ...givenColumns(table, 'theme_daily', 'tradedate', 'symbol', 'name'),
        before: numberColumn('point', 'Close of the row before of the index; null when there is none.', closed),
        ...givenColumns(table, 'theme_daily', 'pre_close', 'close'),
      },
    }
  },
})
