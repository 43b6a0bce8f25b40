import type { Table } from 'apache-arrow'
import { asTable } from '../../../frame/as-table.js'
import type { Data } from '../../../frame/data.js'
import { dictionary, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, nullableIntegerColumn, resultTable } from '../check-columns.js'
import { recordColumns } from '../record-columns.js'
import {
  brokenLaws,
  type CellsOf,
  cellsByRow,
  duplicate,
  gap,
  type Law,
  type RowFinding,
  rowCheck,
  warn,
} from '../row-findings.js'
import { countNoun, daysInside } from './earlier-rows.js'

/** What may stand before the mark in a short name: ex-dividend and ex-rights days, share reform. */
const before = '(?:XD|XR|DR|[NSG])*'
const mark = new RegExp(`^${before}(\\*?)ST`)

/** The mark that a short name bears: `*ST华仪`, `S*ST前锋`, `XDST海越`; undefined when none. */
export function markInName(name: string | null): 'ST' | '*ST' | undefined {
  const found = name === null ? null : mark.exec(name)
  if (!found) return undefined
  return found[1] === '*' ? '*ST' : 'ST'
}

/** One row of a day's list; `mark` null when neither type nor name tells it. */
interface Marked {
  readonly row: number
  readonly name: string | null
  readonly mark: string | null
}

/** The lists of a table: its days ascending, and of each stock its rows by the place of their day, the first row of a day. */
interface Lists {
  readonly days: readonly string[]
  readonly stocks: ReadonlyMap<string, ReadonlyMap<number, Marked>>
  /** Later rows of a stock and day. */
  readonly twice: readonly number[]
}

function listsOf(table: Table): Lists {
  const [date, symbol, name, type] = ['tradedate', 'symbol', 'name', 'type'].map((one) => strings(table, one)) as [
    (string | null)[],
    (string | null)[],
    (string | null)[],
    (string | null)[],
  ]
  const days = [...new Set(date.flatMap((day) => day ?? []))].sort()
  const place = new Map(days.map((day, at) => [day, at]))
  const stocks = new Map<string, Map<number, Marked>>()
  const twice: number[] = []
  for (let row = 0; row < date.length; row++) {
    const [code, at] = [symbol[row] ?? '', place.get(date[row] ?? '') ?? -1]
    if (at < 0) continue
    const own = stocks.get(code) ?? new Map<number, Marked>()
    stocks.set(code, own)
    const word = name[row] ?? null
    if (own.has(at)) twice.push(row)
    else own.set(at, { row, name: word, mark: type[row] ?? markInName(word) ?? null })
  }
  return { days, stocks, twice }
}

type Verdict = 'pass' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

/** List days for which a mark does not come off and on again. */
const few = 5

function unmarked(type: string, name: string | null) {
  const own = markInName(name)
  if (own === type) return false
  if (own !== undefined)
    return { why: `type is ${type}, and the name ${name} says ${own}`, verdict: 'mismatch' } as const
  if (name === null) return { why: 'name is null', verdict: 'unverifiable' } as const
  return `type is ${type}, and the name ${name} bears no mark`
}

const laws: readonly Law<CellsOf<never, 'symbol' | 'name' | 'type'>, Verdict>[] = [
  {
    rule: 'symbol',
    verdict: 'mismatch',
    broken: ({ symbol }) => !/^\d{6}$/.test(symbol ?? '') && `${symbol} is no code of six digits`,
  },
  {
    rule: 'type',
    verdict: 'unverifiable',
    broken: ({ type, name }) =>
      type === null && `type is null${markInName(name) === undefined ? '' : `; the name says ${markInName(name)}`}`,
  },
  {
    rule: 'type',
    verdict: 'mismatch',
    broken: ({ type }) => type !== null && !isMark(type) && `type ${type} is none of ST and *ST`,
  },
  { rule: 'name', verdict: 'warn', broken: ({ type, name }) => type !== null && isMark(type) && unmarked(type, name) },
]

const isMark = (type: string): boolean => type === 'ST' || type === '*ST'

/** Rows whose description is not the one that most rows of their type have. */
function* descriptions(table: Table): Iterable<Found> {
  const [type, told] = [strings(table, 'type'), strings(table, 'type_name')]
  const rows = [...type.keys()].filter((row) => type[row] !== null && told[row] !== null)
  for (const [mark, own] of groupItems(rows, (row) => type[row])) {
    const groups = [...groupItems(own, (row) => told[row])]
    const usual = groups.reduce((most, one) => (one[1].length > most[1].length ? one : most))[0]
    for (const row of own) {
      if (told[row] === usual) continue
      yield warn(row, 'type_name', `type_name of ${mark} is ${told[row]}, and mostly ${usual}`)
    }
  }
}

function* returns({ days, stocks }: Lists): Iterable<Found> {
  for (const rows of stocks.values()) {
    const places = [...rows.keys()].sort((a, b) => a - b)
    for (let i = 1; i < places.length; i++) {
      const [before, at] = [places[i - 1] as number, places[i] as number]
      const away = at - before - 1
      if (away === 0 || away > few) continue
      const why = `back after ${countNoun(away, 'list day')} without a mark, last seen ${days[before]}`
      yield warn(rows.get(at)?.row as number, 'return', why)
    }
  }
}

/** Days without any row, said at the first row of the next list; not of an answer for some symbols only. */
function* missingDays(table: Table, { days }: Lists): Iterable<Found> {
  if (provenance(table)?.request.params.symbols !== undefined) return
  const inside = daysInside()
  const date = strings(table, 'tradedate')
  for (let at = 1; at < days.length; at++) {
    const missing = inside(days[at - 1] as string, days[at] as string)
    if (missing === 0) continue
    const why = `${countNoun(missing, 'trading day')} between ${days[at - 1]} and ${days[at]} without a list`
    yield gap(date.indexOf(days[at] as string), 'days', why)
  }
}

function* findings(table: Table): Iterable<Found> {
  const lists = listsOf(table)
  for (const row of lists.twice) yield duplicate(row, 'key', 'the stock has two rows of this day')
  yield* brokenLaws(laws, cellsByRow(table, [], ['symbol', 'name', 'type']))
  yield* descriptions(table)
  yield* returns(lists)
  yield* missingDays(table, lists)
}

/**
 * Lists of ST marks against themselves: one row a stock and day, a type of ST or *ST that the name bears too (also
 * behind XD, XR, DR, N, S, G), one description for each type, and stocks that do not leave the list for a few days.
 */
export const stListCheck = rowCheck<Verdict>({
  name: 'st list',
  summary: 'marks of ST stocks, and who comes and goes',
  chinese: 'ST 标记，以及戴帽、摘帽与变更',
  dataset: 'st',
  rule: 'One row a stock and day, whose type is the mark that its name bears; one description a type; no stock that leaves for a few days only; no trading day without a list.',
  verdicts: {
    pass: passes('Type, name and description agree, and the stock is not back after a few days away.'),
    unverifiable: leavesOpen('Type or name is null.'),
    gap: leavesOpen('Trading days before this one have no list.'),
    warn: leavesOpen(
      'The name bears no mark, the description is an unusual one, or the stock was away for a few days.',
    ),
    duplicate: fails('The stock has two rows of the day.'),
    mismatch: fails('Type and name contradict each other, or the day, the type or the code is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    columns: {
      tradedate: labelColumn('date', 'Trading day.', dictionary(table, 'tradedate')),
      symbol: labelColumn('code', 'Stock code.', dictionary(table, 'symbol')),
      name: labelColumn('label', 'Short name of the stock.', dictionary(table, 'name')),
      type: labelColumn('label', 'Mark as published.', dictionary(table, 'type')),
    },
  }),
})

interface Transition {
  readonly date: string
  readonly since: string
  readonly symbol: string
  readonly name: string | null
  readonly from: string
  readonly to: string
}

const none = 'none'

/** A list knows only marks; a mark that neither type nor name tells is no change of the one before. */
function* changes({ days, stocks }: Lists): Iterable<Transition> {
  for (const [symbol, rows] of stocks) {
    let from = rows.has(0) ? (rows.get(0)?.mark ?? null) : none
    let name = rows.get(0)?.name ?? null
    for (let at = 1; at < days.length; at++) {
      const now = rows.get(at)
      const to = now ? now.mark : none
      name = now?.name ?? name
      if (to === null && from !== none) continue
      const mark = to ?? 'unknown'
      if (from !== null && mark !== from) {
        yield { date: days[at] as string, since: days[at - 1] as string, symbol, name, from, to: mark }
      }
      from = mark
    }
  }
}

function kindOf({ from, to }: Transition): string {
  if (from === none) return 'enter'
  return to === none ? 'leave' : 'change'
}

/**
 * The changes of ST marks between one list day of a table and the next, by day, then stock. The first day has none: what
 * was before it is not known.
 *
 * Columns: `tradedate` the first list day with the new mark; `symbol`; `name` as of that day, or last seen where the stock
 * left; `from` and `to`, one of none, ST, *ST, or unknown where a row has neither type nor mark in its name; `kind`, one of
 * enter, leave, change; `since` the list day before; `unlisted_days`, the days between on which there may have been
 * trading and the table has no list: the change fell on one of them or on `tradedate`.
 *
 * For a table of some stocks or of one type only, leave and enter mean: its rows end, or begin.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a tradedate that is no date
 */
export function stTransitions(input: Data): Table {
  const inside = daysInside()
  const key = ({ date, symbol }: Transition): string => `${date} ${symbol}`
  const all = [...changes(listsOf(asTable(input)))].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  const { text } = recordColumns(all)
  return resultTable({
    tradedate: text('date', 'First list day with the new mark.', ({ date }) => date),
    symbol: text('code', 'Stock code, 6 digits.', ({ symbol }) => symbol),
    name: text('label', 'Short name on that day, or last seen.', ({ name }) => name),
    from: text('label', 'Mark before: none, ST, *ST or unknown.', ({ from }) => from),
    to: text('label', 'Mark since: none, ST, *ST or unknown.', ({ to }) => to),
    kind: text('label', 'One of: enter, leave, change.', kindOf),
    since: text('date', 'List day before.', ({ since }) => since),
    unlisted_days: nullableIntegerColumn(
      'day',
      'Days between on which there may have been trading and the table has no list.',
      Float64Array.from(all, (one) => inside(one.since, one.date)),
    ),
  })
}
