import type { Table } from 'apache-arrow'
import { dictionary, numbers } from '../../../frame/read-columns.js'
import { resultTable } from '../../checks/check-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { recordColumns } from '../../checks/record-columns.js'
import { adjoin } from './mainland-days.js'
import { type FlowChannel, type Flows, flowChannels } from './southbound-flows.js'

interface Streak {
  readonly channel: FlowChannel
  readonly side: 'buying' | 'selling'
  readonly days: string[]
  readonly nets: number[]
  /** The day before its first, or after its last, is not known. */
  readonly isCutBefore: boolean
  isCutAfter: boolean
}

/** The streaks of one channel: its net on every day of the flows, NaN where it is not known. */
function streaksOf(channel: FlowChannel, days: readonly string[], nets: Float64Array): Streak[] {
  const found: Streak[] = []
  let current: Streak | undefined
  days.forEach((day, at) => {
    const net = nets[at] as number
    const isKnown = !Number.isNaN(net)
    const isNext = at > 0 && adjoin(days[at - 1] as string, day)
    if (current && (!isNext || !isKnown)) {
      current.isCutAfter = true
      current = undefined
    }
    const side = net > 0 ? 'buying' : net < 0 ? 'selling' : undefined
    if (side === undefined) current = undefined
    else if (current?.side === side) {
      current.days.push(day)
      current.nets.push(net)
    } else {
      const isCutBefore = !isNext || Number.isNaN(nets[at - 1])
      current = { channel, side, days: [day], nets: [net], isCutBefore, isCutAfter: false }
      found.push(current)
    }
  })
  if (current) current.isCutAfter = true
  return found
}

function cutEnds({ isCutBefore, isCutAfter }: Streak): string | null {
  if (isCutBefore) return isCutAfter ? 'both' : 'start'
  return isCutAfter ? 'end' : null
}

/**
 * Finds runs of days with net buying, or with net selling: one row a streak, by channel (2, 4, both), then by day.
 *
 * | column           | meaning                                                                       |
 * |------------------|-------------------------------------------------------------------------------|
 * | `channel`        | `2` Shanghai, `4` Shenzhen, `both`                                             |
 * | `side`           | `buying` or `selling`                                                         |
 * | `start`, `end`   | first and last day                                                            |
 * | `days`           | days of the table in between, both included                                   |
 * | `net`            | net buys of these days, in the unit of the flows, exact                       |
 * | `cut`            | the end beyond which it may go on unseen: `start`, `end`, `both`, null for neither |
 *
 * A day with a net of 0 ends a streak. So does a day with an unknown net and a gap of more than three trading days of
 * the mainland (fewer count as Hong Kong's holidays): then, as at both ends of the table, the streak is `cut` there,
 * and its length is a minimum.
 * @throws QuotebookError INVALID_VALUE for a trade_date that is not a date
 */
export function netStreaks({ table, unit }: Flows): Table {
  const [date, channel, net] = [dictionary(table, 'trade_date'), dictionary(table, 'channel'), numbers(table, 'net')]
  const days = [...new Set(Array.from(date.codes, (code) => date.words[code] as string))].sort()
  const place = new Map(days.map((day, at) => [day, at]))
  const streaks = flowChannels.flatMap((own) => {
    const code = channel.words.indexOf(own)
    const nets = new Float64Array(days.length).fill(Number.NaN)
    for (let row = 0; row < net.length; row++) {
      if (channel.codes[row] !== code) continue
      nets[place.get(date.words[date.codes[row] as number] as string) as number] = net[row] as number
    }
    return streaksOf(own, days, nets)
  })
  const { text, number, count } = recordColumns(streaks)
  return resultTable({
    channel: text('label', '2 Shanghai, 4 Shenzhen, both: the two together.', (one) => one.channel),
    side: text('label', 'buying: more was bought than sold on each day; selling: less.', (one) => one.side),
    start: text('date', 'First day.', (one) => one.days[0] ?? null),
    end: text('date', 'Last day.', (one) => one.days.at(-1) ?? null),
    days: count('day', 'Days of the streak.', (one) => one.days.length),
    net: number(unit, 'Net buys of these days.', (one) => sumDecimals(one.nets)),
    cut: text('label', 'Where it may go on unseen: start, end, both; null for neither.', cutEnds),
  })
}
