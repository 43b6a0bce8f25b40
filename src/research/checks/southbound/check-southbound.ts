import type { Table } from 'apache-arrow'
import { southboundTop10 } from '../../../contract/catalogue/southbound-top10.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { allowedCells } from '../allowed-cells.js'
import { type Check, type CheckResult, type Concluded, conclude, fails, leavesOpen, passes } from '../check.js'
import { type CheckColumns, LabelBuilder, labelColumn, numberColumn } from '../check-columns.js'
import { namePairs } from '../dataset/name-pairs.js'
import { brokenLaws } from '../declared-laws.js'
import { exactDifference, sumDecimals } from '../exact/decimal.js'
import {
  type CellsOf,
  cellsByRow,
  doubtedIn,
  finding,
  inColumns,
  mismatch,
  type RowFinding,
  reasonsOf,
} from '../findings.js'
import { ReasonBuilder } from '../reasons.js'
import { eachTable, givenColumns } from '../row-check.js'
import { channels, type FlowUnit } from './southbound-channels.js'

/**
 * Verdicts of `checkSouthbound`. `double-count`: a channel is counted twice; `null-rule`: null where a value is due,
 * or the other way round.
 */
export type SouthboundVerdict = 'equal' | 'unverifiable' | 'double-count' | 'null-rule' | 'mismatch'

const southbound: Concluded<SouthboundVerdict> = {
  name: 'southbound',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    equal: passes(sentence`Every sum in the row is the sum of its parts.`),
    unverifiable: leavesOpen(sentence`The row has no number of either channel.`),
    'double-count': fails(sentence`amount counts one channel twice, as published rows are known to do. southboundFlows takes buys and sells and does not use it.`),
    'null-rule': fails(sentence`A number is missing where one is due, or stands where none can be.`),
    mismatch: fails(sentence`A sum is not the sum of its parts, two rows of a stock differ, a rank stands twice, or the day is no trading day.`),
  },
}

/** Stocks of a channel and day. */
const listed = 10

type Found = RowFinding<SouthboundVerdict | 'warn'> & { readonly twice?: 'sh' | 'sz' }

const columns = ['amount', 'net_amount', 'buy', 'sell'] as const
const cellsOf = (prefix: 'sh' | 'sz') => columns.map((name) => `${prefix}_${name}` as const)
const numberNames = ['amount', 'net_amount', ...cellsOf('sh'), ...cellsOf('sz')] as const
type Row = CellsOf<(typeof numberNames)[number], 'market_type'>

/** How many of a row's four numbers of a channel are there. */
function filled(one: Row, prefix: 'sh' | 'sz'): number {
  return cellsOf(prefix).filter((name) => !Number.isNaN(one[name])).length
}

/** The sum over the channels that a row has; NaN when it has none. */
function total(parts: readonly number[]): number {
  const there = parts.filter((part) => !Number.isNaN(part))
  return there.length === 0 ? Number.NaN : sumDecimals(there)
}

const sumOfAmounts = (one: Row): number => total(channels.map(({ prefix }) => one[`${prefix}_amount`]))

/** Of each channel all four numbers are there, or none. */
function* channelCells(one: Row): Iterable<Found> {
  for (const { prefix } of channels)
    if (filled(one, prefix) % 4 !== 0) {
      const why = sentence`${filled(one, prefix)} of the four ${`${prefix}_`} numbers are there`
      yield finding('null-rule', one.row, `${prefix} cells`, why)
    }
}

function* netFindings(one: Row): Iterable<Found> {
  const sum = total(channels.map(({ prefix }) => one[`${prefix}_net_amount`]))
  const { row, net_amount: given } = one
  if (Number.isNaN(sum) && Number.isNaN(given)) return
  if (Number.isNaN(given))
    yield finding('null-rule', row, 'net', sentence`net_amount is null beside the net of a channel`)
  else if (Number.isNaN(sum))
    yield finding('null-rule', row, 'net', sentence`net_amount stands there without the net of a channel`)
  else if (exactDifference(given, sum) !== 0)
    yield mismatch(row, 'net', sentence`net_amount is not ${'sh_net_amount + sz_net_amount'}`)
}

function* amountFindings(one: Row): Iterable<Found> {
  const { row, amount: given } = one
  const sum = sumOfAmounts(one)
  if (Number.isNaN(sum)) return
  if (Number.isNaN(given)) {
    yield finding('null-rule', row, 'amount', sentence`amount is null beside the turnover of a channel`)
    return
  }
  const off = exactDifference(given, sum)
  if (off === 0) return
  const channelOf = (amount: number) => channels.find(({ prefix }) => one[`${prefix}_amount`] === amount)?.prefix
  const [twice, alone] = [channelOf(off), channelOf(given)]
  if (twice) {
    const why = sentence`amount counts ${`${twice}_amount`} twice`
    yield { ...finding('double-count', row, 'amount', why), twice, columns: ['amount'] }
    return
  }
  const why = alone
    ? sentence`amount is ${`${alone}_amount`} alone`
    : sentence`amount is not ${'sh_amount + sz_amount'}`
  yield inColumns(['amount', 'sh_amount', 'sz_amount'], mismatch(row, 'amount', why))
}

function* channelFindings(one: Row): Iterable<Found> {
  const own = channels.find(({ code }) => code === one.market_type)
  if (!own || filled(one, own.prefix) > 0) return
  if (channels.every(({ prefix }) => filled(one, prefix) === 0))
    yield finding('unverifiable', one.row, 'channel', sentence`no number of either channel`)
  else {
    const why = sentence`a row of channel ${own.code} without ${`${own.prefix}_`} numbers`
    yield finding('null-rule', one.row, 'channel', why)
  }
}

const sharedColumns = ['name', 'close', 'p_change', 'net_amount', ...cellsOf('sh'), ...cellsOf('sz')] as const

/** Rows of one stock and day: one for each channel at most, with the same numbers. */
function* acrossRows(table: Table): Iterable<Found> {
  const [date, code, market] = [strings(table, 'trade_date'), strings(table, 'code'), strings(table, 'market_type')]
  const cells = sharedColumns.map((name) => (name === 'name' ? strings(table, name) : numbers(table, name)))
  const groups = groupItems(date.keys(), (row) => `${date[row]} ${code[row]}`)
  for (const rows of groups.values()) {
    if (rows.length < 2) continue
    const twice = new Set(rows.map((row) => market[row])).size < rows.length
    const unlike = sharedColumns.filter((_, i) => new Set(rows.map((row) => cells[i]?.[row])).size > 1)
    for (const row of rows) {
      if (twice) yield mismatch(row, 'key', sentence`the stock has two rows of one channel and day`)
      if (unlike.length > 0)
        yield mismatch(row, 'rows', sentence`the rows of the stock on this day differ in ${unlike.join(', ')}`)
    }
  }
}

/** Rows of each channel and day: of ten stocks at most, each under a rank of its own from 1 to 10; of a day, one code for a name. */
function* listRules(table: Table): Iterable<Found> {
  const [date, code, market] = [strings(table, 'trade_date'), strings(table, 'code'), strings(table, 'market_type')]
  const rank = has(table, 'rank') ? numbers(table, 'rank') : new Float64Array(table.numRows).fill(Number.NaN)
  for (const rows of groupItems(date.keys(), (row) => `${date[row]} ${market[row]}`).values()) {
    const codes = new Set<string | null>()
    const holders = new Map<number, number>()
    for (const row of rows) {
      const [one, place] = [code[row] ?? null, rank[row] as number]
      codes.add(one)
      if (codes.size > listed)
        yield mismatch(row, 'list', sentence`the channel has more than ${listed} stocks on this day`)
      if (Number.isNaN(place)) continue
      if (!(Number.isInteger(place) && place >= 1 && place <= listed)) {
        yield mismatch(row, 'rank', sentence`rank ${place} is no place among ${listed}`)
        continue
      }
      const holder = holders.get(place)
      if (holder !== undefined && code[holder] !== one) {
        for (const each of [holder, row])
          yield mismatch(each, 'rank', sentence`rank ${place} stands twice in the channel and day`)
      }
      holders.set(place, row)
    }
  }
  yield* namePairs(table, 'code', 'trade_date')
}

function columnsOf(table: Table, sum: Float64Array, off: Float64Array, unit: FlowUnit): CheckColumns {
  return {
    ...givenColumns(table, 'southbound_top10', 'trade_date', 'market_type', 'code', 'name'),
    given: numberColumn(unit, 'amount as published.', numbers(table, 'amount')),
    recomputed: numberColumn(unit, 'sh_amount + sz_amount, where a null channel adds nothing.', sum),
    difference: numberColumn(unit, 'given - recomputed.', off),
  }
}

/**
 * Holds southbound rows against their own sums, compared as the decimals that were sent.
 *
 * For each channel: net = buy - sell, amount = buy + sell, neither below 0, and its four numbers are all there or all
 * null (null is "not in this channel's top ten", and adds nothing to a sum). For the row: net_amount and amount are the
 * sums over the channels, and the channel of the row has numbers. Between the rows of one stock and day: one for each
 * channel at most, equal in all but amount, rank and market_type. Of a channel and day: at most ten stocks, each rank from 1 to 10
 * once. Of a day, one code for a name; and a trading day, in the years of the calendar.
 *
 * - `double-count`: amount counts one channel twice, column `twice`; published rows do that.
 * - `null-rule`: a number is missing where one is due, or the other way about.
 * - `mismatch`: any other of these does not hold. `unverifiable`: a row without any number of a channel.
 *
 * @param options `unit` that the amounts are in, yuan as the contract says; the exchange publishes Hong Kong dollars
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkSouthbound(
  input: Table | DataFrame,
  options: { readonly unit?: FlowUnit } = {},
): CheckResult<SouthboundVerdict> {
  checkOptions(options, { unit: ['yuan', 'Hong Kong dollar'] }, 'checkSouthbound')
  const { table, forbidden } = allowedCells(asTable(input), 'southbound_top10')
  const rows = cellsByRow(table, numberNames, ['market_type'])
  const laws = southboundTop10.laws
  const own = rows.flatMap((one): Found[] => [
    ...channelCells(one),
    ...netFindings(one),
    ...amountFindings(one),
    ...channelFindings(one),
  ])
  const findings: Found[] = [
    ...brokenLaws(laws, table),
    ...own,
    ...acrossRows(table),
    ...forbidden,
    ...listRules(table),
  ]
  const [verdict, why] = [new LabelBuilder(rows.length, 'equal'), new ReasonBuilder(rows.length)]
  const [broken, doubled] = [new LabelBuilder(rows.length), new LabelBuilder(rows.length)]
  const worstLast = Object.keys(southbound.verdicts)
  for (const [row, found] of groupItems(findings, (one) => one.row)) {
    const worst = Math.max(...found.map((one) => worstLast.indexOf(one.verdict)))
    verdict.set(row, worstLast[worst] ?? null)
    doubled.set(row, found.find(({ twice }) => twice)?.twice ?? null)
    broken.set(row, found.map(({ rule }) => rule).join(', '))
    why.set(row, reasonsOf(found))
    const columns = doubtedIn(southbound.verdicts, found)
    if (columns) why.doubted.set(row, columns)
  }
  const sum = Float64Array.from(rows, sumOfAmounts)
  const off = sum.map((due, row) => exactDifference(rows[row]?.amount as number, due))
  return conclude(southbound, verdict, why, off, {
    ...columnsOf(table, sum, off, options.unit ?? 'yuan'),
    twice: labelColumn('label', 'The channel that amount counts twice, sh or sz; null when none.', doubled),
    broken: labelColumn('label', 'Rules that the row breaks, in order; null when none.', broken),
  })
}

/** net = buy - sell, turnover = buy + sell, and no channel counted twice. */
export const southboundCheck: Check = {
  ...southbound,
  summary: 'sums of both channels against their parts',
  dataset: 'southbound_top10',
  rule: 'Of each channel, net must be buys minus sells and turnover buys plus sells; of each row, the totals must be the sums over its channels; of a stock in both channels, its two rows must agree; a channel has ten stocks a day at most, each rank once. Compared to the last decimal.',
  confirmedAs: 'without contradiction',
  runs: eachTable('southbound_top10', checkSouthbound),
}
