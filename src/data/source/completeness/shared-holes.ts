import { inCalendar } from '../../../contract/calendar.js'
import type { Dataset } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { daysDue, queryDays, symbolColumn } from '../plan/asked.js'
import { mostProbes } from '../plan/query-plan.js'
import type { QueryRequests } from '../query-requests.js'
import { distinctValues } from '../reply/reply-chunk.js'
import { unlessRefused } from '../source-error.js'
import { addCells } from './absent-cells.js'
import type { RangeReply } from './reply-sizes.js'

/** Codes that may be halted, or without a trade, at once: such as the funds of one foreign index. */
const mostHalted = 10

/** A trading day, or a close of it, that no code of an answer has. */
interface SharedHole {
  readonly day: string
  readonly close?: string
  /** Codes that trade before and after it, and so were due. */
  readonly codes: number
}

/** Whether a code has a row on every day that it trades on; of a list a code may be no part for a while. */
function isOfPrices({ columns }: Dataset): boolean {
  return columns.open !== undefined && columns.close !== undefined
}

/** The days without any row between others that have some: of this answer, or of what the service answered before. */
function sharedDays({ planned, sizes }: QueryRequests, replies: readonly RangeReply[]): SharedHole[] {
  const { dataset, query, today } = planned
  const column = symbolColumn(dataset)
  const present = new Set(replies.flatMap(({ counts }) => counts.days))
  const ends = [...present, ...(column === undefined ? [] : sizes.ends)].sort()
  const [first = '', last = ''] = [ends[0], ends.at(-1)]
  const { day: one } = queryDays(dataset, query, {})
  const due = daysDue(planned, [...present]) ?? (one === undefined ? [] : [one])
  const gone = due.filter((day) => {
    return !present.has(day) && day > first && day < last && day < today && inCalendar(day)
  })
  if (gone.length === 0) return []
  const there = new Map<string, Set<string>>()
  if (column !== undefined && isOfPrices(dataset))
    for (const { chunk } of replies) addCells(there, chunk, column, dataset.day ?? '')
  const lives = [...there.values()].map((own) => [...own].sort())
  return gone.map((day) => ({
    day,
    codes: lives.filter((own) => (own[0] ?? day) < day && (own.at(-1) ?? '') > day).length,
  }))
}

/** The closes of a day that no code has, though the session has them; of the running day those before its last. */
function sharedCloses({ planned }: QueryRequests, replies: readonly RangeReply[]): SharedHole[] {
  const { asked, today } = planned
  const { closes: wanted = [] } = asked
  const days = new Map<string, { closes: Set<string>; codes: Set<string> }>()
  for (const { range, chunk, counts } of wanted.length > 1 ? replies : []) {
    const [day] = counts.days
    if (day === undefined || !inCalendar(day) || !(range.symbols || range.minute !== undefined)) continue
    const own = days.get(day) ?? { closes: new Set(), codes: new Set() }
    for (const close of distinctValues(chunk.columns, 'trademin')) own.closes.add(close)
    for (const code of counts.symbols) own.codes.add(code)
    days.set(day, own)
  }
  return [...days].flatMap(([day, { closes, codes }]) => {
    const end = day < today ? '2400' : ([...closes].sort().at(-1) ?? '')
    const gone = wanted.filter((close) => !closes.has(close) && close < end)
    return gone.map((close) => ({ day, close, codes: codes.size }))
  })
}

function describeHole({ day, close }: SharedHole): Words {
  return close === undefined
    ? sentence`no code has a row of ${day}, although it is a trading day`
    : sentence`no code has a bar of ${day} ${close}, although the session has one`
}

/**
 * Why an answer is not shown to be whole of which every hole was asked for by itself: no code has a row of a trading day, or of a
 * close of one, though no halt takes all codes at once. More than ten codes show it themselves; of fewer the service is
 * asked whether any other code has it. Undefined where there is no such hole, and of a service that counts its rows.
 */
export async function sharedHoleNote(
  requests: QueryRequests,
  replies: readonly RangeReply[],
): Promise<Words | undefined> {
  const { planned } = requests
  const { dataset, query, plan } = planned
  const isOpen = replies.every(({ truncated, unproven }) => truncated === undefined && unproven === undefined)
  const isCounted = replies.every(({ chunk }) => chunk.archive?.total === chunk.columns.length)
  if (!dataset.everyTradingDay || dataset.own || !isOpen || isCounted) return undefined
  const holes = [...sharedDays(requests, replies), ...sharedCloses(requests, replies)]
  const noteOf = (hole: SharedHole): Words => {
    const note = describeHole(hole)
    return holes.length > 1 ? sentence`${note} (and ${holes.length - 1} more such holes)` : note
  }
  const isNamed = query.symbols !== undefined
  const sure = isNamed ? holes.find(({ codes }) => codes > mostHalted) : holes[0]
  if (sure || holes.length === 0) return sure && noteOf(sure)
  const some = new Set([holes[0], holes[holes.length >> 1], holes.at(-1)] as SharedHole[])
  for (const hole of mostProbes(plan) > 0 ? some : []) {
    const { day, close: minute } = hole
    const at = plan.ranges.some(({ days }) => days) ? { days: { from: day, to: day } } : { day }
    const reply = await unlessRefused(() => requests.send({ ...at, symbols: [], ...(minute && { minute }) }))
    if (reply && !reply.counts.days.includes(day)) return noteOf(hole)
  }
  return undefined
}
