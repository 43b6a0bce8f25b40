import { inCalendar } from '../../../contract/calendar.js'
import type { Dataset } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { daysDue, queryDays, symbolColumn } from '../plan/asked.js'
import { mostProbes, type PlannedQuery } from '../plan/query-plan.js'
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

/** Closes before the last one that are asked for of named codes, and that no reply has on a day of the calendar. */
export function closesWithout({ asked }: PlannedQuery, replies: readonly RangeReply[]): readonly string[] {
  const { closes = [] } = asked
  const isTold = ({ range, counts }: RangeReply): boolean =>
    counts.rows === 0 || (range.symbols !== undefined && counts.days.every(inCalendar))
  if (closes.length < 2 || !replies.every(isTold)) return []
  const there = new Set(replies.flatMap(({ chunk }) => [...distinctValues(chunk.columns, 'trademin')]))
  const last = [...there].sort().at(-1) ?? ''
  return closes.filter((close) => !there.has(close) && close < last)
}

/** The one close that all replies lack, where it is not known yet that the service has no bar there. */
function newlyWithout({ planned, sizes }: QueryRequests, replies: readonly RangeReply[]): string | undefined {
  const [close, ...more] = closesWithout(planned, replies)
  const isNew = close !== undefined && more.length === 0 && sizes.unsent.since(planned, close) === undefined
  return isNew ? close : undefined
}

/** Of replies that lack the same close on several settled days, those up to the first such day: they may show it for all. */
export function firstWithout(requests: QueryRequests, replies: readonly RangeReply[]): number {
  const isSettled = (day: string): boolean => day < requests.planned.today && inCalendar(day)
  const [first, second] = [...new Set(replies.flatMap(({ counts }) => counts.days))].filter(isSettled)
  if (first === undefined || second === undefined || newlyWithout(requests, replies) === undefined) return 0
  return 1 + replies.findLastIndex(({ counts }) => counts.days.includes(first))
}

function nameOf({ day, close = '' }: SharedHole): string {
  return `${day} ${close}`
}

/** @param since when no code had a bar at the close, where it was not asked for on the day of the hole */
function describeHole({ day, close }: SharedHole, since?: string): Words {
  if (close === undefined) return sentence`no code has a row of ${day}, although it is a trading day`
  return since === undefined
    ? sentence`no code has a bar of ${day} ${close}, although the session has one`
    : sentence`no code has a bar of ${day} ${close}, and none had one at that minute when the service was asked on ${since}`
}

/** Of some holes the first that no other code fills either. */
async function firstShared(
  { planned: { plan }, filled, send }: QueryRequests,
  holes: readonly SharedHole[],
): Promise<SharedHole | undefined> {
  const some = new Set([holes[0], holes[holes.length >> 1], holes.at(-1)] as SharedHole[])
  for (const hole of mostProbes(plan) > 0 && holes.length > 0 ? some : []) {
    const { day, close: minute } = hole
    if (filled.has(nameOf(hole))) continue
    const at = plan.ranges.some(({ days }) => days) ? { days: { from: day, to: day } } : { day }
    const reply = await unlessRefused(() => send({ ...at, symbols: [], ...(minute && { minute }) }))
    if (reply) filled.set(nameOf(hole), reply.counts.days.includes(day))
    if (reply && !reply.counts.days.includes(day)) return hole
  }
  return undefined
}

/** Whether holes that all codes share show by themselves that rows may be missing. */
function isJudged({ planned: { dataset } }: QueryRequests, replies: readonly RangeReply[]): boolean {
  const isOpen = replies.every(({ truncated, unproven }) => truncated === undefined && unproven === undefined)
  const isCounted = replies.every(({ chunk }) => chunk.archive?.total === chunk.columns.length)
  return dataset.everyTradingDay === true && !dataset.own && isOpen && !isCounted
}

/**
 * Learns that a service has no bar at a close: the only one that replies lack, asked for by itself of their codes before, and of
 * any other code now.
 */
export async function learnUnsent(
  requests: QueryRequests,
  replies: readonly RangeReply[],
  mayAsk: () => boolean,
): Promise<void> {
  const { planned, sizes } = requests
  const close = newlyWithout(requests, replies)
  const holes = sharedCloses(requests, replies).filter(({ day }) => day < planned.today)
  const [hole] = close === undefined || !isJudged(requests, replies) ? [] : holes
  if (hole === undefined) return
  const isSure = holes.some(({ codes }) => codes > mostHalted)
  if (isSure || (mayAsk() && (await firstShared(requests, [hole])))) sizes.unsent.learn(planned, close as string)
}

/**
 * Why an answer is not shown to be whole of which every hole was asked for by itself: no code has a row of a trading day, or of a
 * close of one, though no halt takes all codes at once. More than ten codes show it themselves; of fewer the service is
 * asked whether any other code has it. Undefined where there is no such hole, and of a service that counts its rows.
 * @param leftOut closes that were not asked for, and the date on which it showed that the service has no bar there
 */
export async function sharedHoleNote(
  requests: QueryRequests,
  replies: readonly RangeReply[],
  leftOut: ReadonlyMap<string, string>,
): Promise<Words | undefined> {
  const { planned, filled } = requests
  if (!isJudged(requests, replies)) return undefined
  const holes = [...sharedDays(requests, replies), ...sharedCloses(requests, replies)]
  const isNamed = planned.query.symbols !== undefined
  const isSure = ({ codes }: SharedHole): boolean => !isNamed || codes > mostHalted
  const sinceOf = ({ close = '' }: SharedHole): string | undefined => leftOut.get(close)
  const fresh = holes.filter((hole) => sinceOf(hole) === undefined)
  const hole = fresh.find(isSure) ?? (await firstShared(requests, fresh)) ?? holes.find((one) => !fresh.includes(one))
  if (hole === undefined) return undefined
  const isShown = isSure(hole) || filled.get(nameOf(hole)) === false
  const note = describeHole(hole, isShown ? undefined : sinceOf(hole))
  return holes.length > 1 ? sentence`${note} (and ${holes.length - 1} more such holes)` : note
}
