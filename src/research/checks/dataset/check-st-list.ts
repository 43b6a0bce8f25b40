import type { Table } from 'apache-arrow'
import { sentence } from '../../../contract/sentence.js'
import { strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { cellsByRow, gap, mismatch, type RowFinding, unverifiable, warn } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { daysInside, tradingDayCount } from './earlier-rows.js'
import { markInName, type StLists, stListsOf } from './st-lists.js'

/** List days for which a mark does not come off and on again. */
const few = 5

function* marks(table: Table): Iterable<RowFinding> {
  for (const { row, name, type } of cellsByRow(table, [], ['name', 'type'])) {
    const own = markInName(name)
    if (type === null) {
      const isNull = sentence`type is null`
      yield unverifiable(row, 'type', own === undefined ? isNull : [isNull, sentence`the name says ${own}`])
    } else if (own === type) continue
    else if (own !== undefined) yield mismatch(row, 'name', sentence`type is ${type}, and the name ${name} says ${own}`)
    else if (name === null) yield unverifiable(row, 'name', sentence`name is null`)
    else yield warn(row, 'name', sentence`type is ${type}, and the name ${name} bears no mark`)
  }
}

/** Rows whose description is not the one that most rows of their type have. */
function* descriptions(table: Table): Iterable<RowFinding> {
  const [type, told] = [strings(table, 'type'), strings(table, 'type_name')]
  const rows = [...type.keys()].filter((row) => type[row] !== null && told[row] !== null)
  for (const [mark, own] of groupItems(rows, (row) => type[row])) {
    const groups = [...groupItems(own, (row) => told[row])]
    const usual = groups.reduce((most, one) => (one[1].length > most[1].length ? one : most))[0]
    for (const row of own) {
      if (told[row] === usual) continue
      yield warn(row, 'type_name', sentence`type_name of ${mark} is ${told[row]}, and mostly ${usual}`)
    }
  }
}

function* returns({ days, stocks }: StLists): Iterable<RowFinding> {
  for (const rows of stocks.values()) {
    const places = [...rows.keys()].sort((a, b) => a - b)
    for (let i = 1; i < places.length; i++) {
      const [before, at] = [places[i - 1] as number, places[i] as number]
      const away = at - before - 1
      if (away === 0 || away > few) continue
      const count = away === 1 ? sentence`1 list day` : sentence`${away} list days`
      const why = sentence`back after ${count} without a mark, last seen ${days[before]}`
      yield warn(rows.get(at)?.row as number, 'return', why)
    }
  }
}

/** Days without any row, said at the first row of the next list; not of an answer for some symbols only. */
function* missingDays(table: Table, { days }: StLists): Iterable<RowFinding> {
  if (provenance(table)?.request.params.symbols !== undefined) return
  const inside = daysInside()
  const date = strings(table, 'tradedate')
  for (const [at, day] of days.entries()) {
    const before = days[at - 1]
    const missing = before === undefined ? 0 : inside(before, day)
    if (missing === 0) continue
    const why = sentence`${tradingDayCount(missing)} between ${before} and ${day} without a list`
    yield gap(date.indexOf(day), 'days', why)
  }
}

function* findings(table: Table): Iterable<RowFinding> {
  const lists = stListsOf(table)
  yield* marks(table)
  yield* descriptions(table)
  yield* returns(lists)
  yield* missingDays(table, lists)
}

/**
 * Lists of ST marks against themselves: one row a stock and day, a type of ST or *ST that the name bears too (also
 * behind XD, XR, DR, N, S, G), one description for each type, and stocks that do not leave the list for a few days.
 */
export const stListCheck = rowCheck({
  name: 'st list',
  summary: 'marks of ST stocks, and who comes and goes',
  dataset: 'st',
  rule: 'One row a stock and day, whose type is the mark that its name bears; one description a type; no stock that leaves for a few days only; no trading day without a list.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Type, name and description agree, and the stock is not back after a few days away.`),
    unverifiable: leavesOpen(sentence`Type or name is null.`),
    gap: leavesOpen(sentence`Trading days before this one have no list.`),
    warn: leavesOpen(sentence`The name bears no mark, the description is an unusual one, or the stock was away for a few days.`),
    duplicate: fails(sentence`The stock has two rows of the day.`),
    mismatch: fails(sentence`Type and name contradict each other, or the day, the type or the code is not a valid one.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  twice: () => sentence`the stock has two rows of this day`,
  read: (table) => ({
    findings: findings(table),
    columns: givenColumns(table, 'st', 'tradedate', 'symbol', 'name', 'type'),
  }),
})
