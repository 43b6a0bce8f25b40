import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, has, numbers, strings } from '../../../frame/read-columns.js'
import { type Check, type CheckResult, conclude, fails, leavesOpen, passes, type Severities } from '../check.js'
import { type CheckColumns, LabelBuilder, labelColumn, numberColumn } from '../check-columns.js'
import { namePairs } from '../dataset/check-theme-daily.js'
import { exactDifference, sumDecimals } from '../exact/decimal.js'
import { groupItems } from '../group-items.js'
import { allowedCells, eachTable } from '../row-findings.js'
import { type Channel, type FlowUnit, filledCells, readChannels } from './southbound-channels.js'

/**
 * Verdicts of `checkSouthbound`. `double-count`: a channel is counted twice; `null-rule`: null where a value is due,
 * or the other way round.
 */
export type SouthboundVerdict = 'equal' | 'unverifiable' | 'double-count' | 'null-rule' | 'mismatch'

const severities: Severities<SouthboundVerdict> = {
  equal: 0,
  unverifiable: 1,
  'double-count': 2,
  'null-rule': 3,
  mismatch: 4,
}

/** Stocks of a channel and day. */
const listed = 10

interface Finding {
  readonly verdict: SouthboundVerdict
  readonly rule: string
  readonly why: string
}

interface Rows {
  readonly channels: readonly [Channel, Channel]
  readonly amount: Float64Array
  readonly net: Float64Array
  readonly market: readonly (string | null)[]
}

/** The sum over the channels that a row has; NaN when it has none. */
function total(parts: readonly number[]): number {
  const there = parts.filter((part) => !Number.isNaN(part))
  return there.length === 0 ? Number.NaN : sumDecimals(there)
}

function* channelRules(channel: Channel, row: number): Iterable<Finding> {
  const { prefix } = channel
  const at = (column: Float64Array): number => column[row] as number
  const cells = filledCells(channel, row)
  if (cells !== 0 && cells !== 4) {
    yield { verdict: 'null-rule', rule: `${prefix} cells`, why: `${cells} of the four ${prefix}_ numbers are there` }
  }
  const off = (left: Float64Array, other: number): number => sumDecimals([at(left), -at(channel.buy), other])
  if (off(channel.net, at(channel.sell)) !== 0 && cells === 4) {
    yield {
      verdict: 'mismatch',
      rule: `${prefix} net`,
      why: `${prefix}_net_amount is not ${prefix}_buy - ${prefix}_sell`,
    }
  }
  if (off(channel.amount, -at(channel.sell)) !== 0 && cells === 4) {
    yield {
      verdict: 'mismatch',
      rule: `${prefix} amount`,
      why: `${prefix}_amount is not ${prefix}_buy + ${prefix}_sell`,
    }
  }
  if (at(channel.buy) < 0 || at(channel.sell) < 0) {
    yield { verdict: 'mismatch', rule: `${prefix} sign`, why: `a buy or sell of ${prefix} is below 0` }
  }
}

function* amountRule({ channels, amount }: Rows, row: number): Iterable<Finding> {
  const given = amount[row] as number
  const parts = channels.map((channel) => channel.amount[row] as number)
  const sum = total(parts)
  if (Number.isNaN(sum)) return
  if (Number.isNaN(given)) {
    yield { verdict: 'null-rule', rule: 'amount', why: 'amount is null beside the turnover of a channel' }
    return
  }
  const off = exactDifference(given, sum)
  if (off === 0) return
  const twice = channels.find((channel) => channel.amount[row] === off)
  if (twice) {
    const why = `amount counts ${twice.prefix}_amount twice`
    yield { verdict: 'double-count', rule: 'amount', why }
    return
  }
  const alone = channels.find((channel) => channel.amount[row] === given)
  const why = alone ? `amount is ${alone.prefix}_amount alone` : 'amount is not sh_amount + sz_amount'
  yield { verdict: 'mismatch', rule: 'amount', why }
}

function* netRule({ channels, net }: Rows, row: number): Iterable<Finding> {
  const sum = total(channels.map((channel) => channel.net[row] as number))
  const given = net[row] as number
  if (Number.isNaN(sum) && Number.isNaN(given)) return
  if (Number.isNaN(given)) {
    yield { verdict: 'null-rule', rule: 'net', why: 'net_amount is null beside the net of a channel' }
  } else if (Number.isNaN(sum)) {
    yield { verdict: 'null-rule', rule: 'net', why: 'net_amount stands there without the net of a channel' }
  } else if (exactDifference(given, sum) !== 0) {
    yield { verdict: 'mismatch', rule: 'net', why: 'net_amount is not sh_net_amount + sz_net_amount' }
  }
}

function* ownChannel({ channels, market }: Rows, row: number): Iterable<Finding> {
  const own = channels.find(({ code }) => code === market[row])
  if (!own) {
    yield { verdict: 'mismatch', rule: 'channel', why: `market_type ${market[row]} is none of 2 and 4` }
  } else if (filledCells(own, row) === 0) {
    const all = channels.every((channel) => filledCells(channel, row) === 0)
    yield all
      ? { verdict: 'unverifiable', rule: 'channel', why: 'no number of either channel' }
      : { verdict: 'null-rule', rule: 'channel', why: `a row of channel ${own.code} without ${own.prefix}_ numbers` }
  }
}

const shared = ['name', 'close', 'p_change', 'net_amount', 'sh_amount', 'sh_net_amount', 'sh_buy', 'sh_sell']
const sharedColumns = [...shared, 'sz_amount', 'sz_net_amount', 'sz_buy', 'sz_sell']

/** Rows of one stock and day: one for each channel at most, with the same numbers. */
function* acrossRows(table: Table): Iterable<readonly [number, Finding]> {
  const [date, code, market] = [strings(table, 'trade_date'), strings(table, 'code'), strings(table, 'market_type')]
  const cells = sharedColumns.map((name) => (name === 'name' ? strings(table, name) : numbers(table, name)))
  const groups = groupItems(date.keys(), (row) => `${date[row]} ${code[row]}`)
  for (const rows of groups.values()) {
    if (rows.length < 2) continue
    const twice = new Set(rows.map((row) => market[row])).size < rows.length
    const unlike = sharedColumns.filter((_, i) => new Set(rows.map((row) => cells[i]?.[row])).size > 1)
    for (const row of rows) {
      if (twice) yield [row, { verdict: 'mismatch', rule: 'key', why: 'the stock has two rows of one channel and day' }]
      if (unlike.length === 0) continue
      const why = `the rows of the stock on this day differ in ${unlike.join(', ')}`
      yield [row, { verdict: 'mismatch', rule: 'rows', why }]
    }
  }
}

/** Rows of each channel and day: of ten stocks at most, each under a rank of its own from 1 to 10; of a day, one code for a name. */
function* listRules(table: Table): Iterable<Finding & { readonly row: number }> {
  const [date, code, market] = [strings(table, 'trade_date'), strings(table, 'code'), strings(table, 'market_type')]
  const rank = has(table, 'rank') ? numbers(table, 'rank') : new Float64Array(table.numRows).fill(Number.NaN)
  const broken = (row: number, rule: string, why: string) => ({ row, verdict: 'mismatch', rule, why }) as const
  for (const rows of groupItems(date.keys(), (row) => `${date[row]} ${market[row]}`).values()) {
    const codes = new Set<string | null>()
    const holders = new Map<number, number>()
    for (const row of rows) {
      const [one, place] = [code[row] ?? null, rank[row] as number]
      codes.add(one)
      if (codes.size > listed) yield broken(row, 'list', `the channel has more than ${listed} stocks on this day`)
      if (Number.isNaN(place)) continue
      if (!(Number.isInteger(place) && place >= 1 && place <= listed)) {
        yield broken(row, 'rank', `rank ${place} is no place among ${listed}`)
        continue
      }
      const holder = holders.get(place)
      if (holder !== undefined && code[holder] !== one) {
        for (const each of [holder, row])
          yield broken(each, 'rank', `rank ${place} stands twice in the channel and day`)
      }
      holders.set(place, row)
    }
  }
  for (const { row, rule, why } of namePairs(code, strings(table, 'name'), date)) yield broken(row, rule, why)
}

function columnsOf(
  table: Table,
  rows: Rows,
  off: Float64Array,
  broken: LabelBuilder,
  doubled: LabelBuilder,
  unit: FlowUnit,
): CheckColumns {
  const sum = Float64Array.from(rows.amount, (_, row) =>
    total(rows.channels.map(({ amount }) => amount[row] as number)),
  )
  return {
    trade_date: labelColumn('date', 'Trading day.', dictionary(table, 'trade_date')),
    market_type: labelColumn('label', 'Channel of the row: 2 Shanghai, 4 Shenzhen.', dictionary(table, 'market_type')),
    code: labelColumn('code', 'Security code.', dictionary(table, 'code')),
    name: labelColumn('label', 'Name of the security.', dictionary(table, 'name')),
    given: numberColumn(unit, 'amount as published.', rows.amount),
    recomputed: numberColumn(unit, 'sh_amount + sz_amount, where a null channel adds nothing.', sum),
    difference: numberColumn(unit, 'given - recomputed.', off),
    twice: labelColumn('label', 'The channel that amount counts twice, sh or sz; null when none.', doubled),
    broken: labelColumn('label', 'Rules that the row breaks, in order; null when none.', broken),
  }
}

function worstOf(findings: readonly Finding[]): SouthboundVerdict {
  return findings.reduce<SouthboundVerdict>(
    (worst, { verdict }) => (severities[verdict] > severities[worst] ? verdict : worst),
    'equal',
  )
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
  const rows: Rows = {
    channels: readChannels(table),
    amount: numbers(table, 'amount'),
    net: numbers(table, 'net_amount'),
    market: strings(table, 'market_type'),
  }
  const findings = Array.from(rows.amount, (_, row): Finding[] => [
    ...rows.channels.flatMap((channel) => [...channelRules(channel, row)]),
    ...netRule(rows, row),
    ...amountRule(rows, row),
    ...ownChannel(rows, row),
  ])
  for (const [row, finding] of acrossRows(table)) findings[row]?.push(finding)
  for (const { row, ...finding } of [...forbidden, ...listRules(table)]) findings[row]?.push(finding)
  const count = findings.length
  const [verdict, why, broken, doubled] = [
    new LabelBuilder(count),
    new LabelBuilder(count),
    new LabelBuilder(count),
    new LabelBuilder(count),
  ]
  findings.forEach((found, row) => {
    verdict.set(row, worstOf(found))
    const twice = found.find((one) => one.verdict === 'double-count')
    if (twice) doubled.set(row, /sh_/.test(twice.why) ? 'sh' : 'sz')
    if (found.length === 0) return
    broken.set(row, found.map(({ rule }) => rule).join(', '))
    why.set(row, found.map((one) => one.why).join('; '))
  })
  const off = Float64Array.from(rows.amount, (given, row) =>
    exactDifference(given, total(rows.channels.map(({ amount }) => amount[row] as number))),
  )
  return conclude(
    'southbound',
    severities,
    verdict,
    why,
    off,
    columnsOf(table, rows, off, broken, doubled, options.unit ?? 'yuan'),
  )
}

/** net = buy - sell, turnover = buy + sell, and no channel counted twice. */
export const southboundCheck: Check = {
  name: 'southbound',
  summary: 'sums of both channels against their parts',
  chinese: '港股通两条通道的合计对照各分项',
  dataset: 'southbound_top10',
  rule: 'Of each channel, net must be buys minus sells and turnover buys plus sells; of each row, the totals must be the sums over its channels; of a stock in both channels, its two rows must agree; a channel has ten stocks a day at most, each rank once. Compared to the last decimal.',
  verdicts: {
    equal: passes('Every sum in the row is the sum of its parts.'),
    unverifiable: leavesOpen('The row has no number of either channel.'),
    'double-count': fails(
      'amount counts one channel twice, as published rows are known to do. southboundFlows takes buys and sells and does not use it.',
    ),
    'null-rule': fails('A number is missing where one is due, or stands where none can be.'),
    mismatch: fails(
      'A sum is not the sum of its parts, two rows of a stock differ, a rank stands twice, or the day is no trading day.',
    ),
  },
  confirmedAs: 'without contradiction',
  runs: eachTable('southbound_top10', checkSouthbound),
}
