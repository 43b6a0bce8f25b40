import { dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import type { MissingBars, Proof } from '../../../frame/table/provenance.js'
import { askedIn, paramWithRole, symbolColumn } from '../plan/asked.js'
import { lastProbes, mostProbes, type PlannedQuery, rangesWithin } from '../plan/query-plan.js'
import {
  codeGroups,
  type DateInterval,
  daysIn,
  describeOf,
  describeRange,
  type QueryRange,
  splitRange,
} from '../plan/query-range.js'
import type { QueryRequests } from '../query-requests.js'
import { distinctValues, firstContradictedRow } from '../reply/reply-chunk.js'
import { unlessRefused } from '../source-error.js'
import {
  type AbsentRequest,
  type AskedReply,
  absentBars,
  absentRequests,
  ContradictionError,
  comparedWith,
  filledHoles,
  type Hole,
  isAsked,
  withoutKeys,
} from './absent-cells.js'
import { contradictionError, countRows, latestDayOf, splitByRows } from './reply-parts.js'
import { type ObservedSizes, oddDay, proofByCount, type RangeReply } from './reply-sizes.js'
import { closesWithout, learnUnsent } from './shared-holes.js'

/** A reply on the way to its proof. */
interface CountedReply extends AskedReply {
  /** Other requests showed that nothing of it is missing, as far as they were asked. */
  readonly isProbed?: true
  /** Its rows were found again in smaller replies. */
  readonly isWhole?: true
}

type FetchRange = (range: QueryRange) => Promise<readonly RangeReply[]>

/** Of each request the holes for which rows came; undefined where it could not be asked. */
type Answers = Map<AbsentRequest, readonly Hole[] | undefined>

/** Trading days of a year, about. */
const tradingYear = 243

function keyOf({ code, day, close }: Hole): string {
  return `${code} ${day} ${close}`
}

function coveringReplies({ of }: AbsentRequest, holes: readonly Hole[]): readonly RangeReply[] {
  return of.filter(({ range }) => holes.some((hole) => isAsked(range, hole)))
}

function isOpen({ truncated, unproven }: RangeReply): boolean {
  return truncated === undefined && unproven === undefined
}

/**
 * Shows of replies that nothing of them is missing, or says why not. It takes for granted that a service which keeps back
 * rows does so by caps that do not change: on rows, on codes, on the days of a range. Its rules:
 *
 * 1. A reply with as many rows as there can be is whole.
 * 2. Codes, days and cells of the grid without a row are asked for by themselves, no more at once than some reply has held.
 *    What then comes was left out: parts of the size of what came are asked for in the place of the reply.
 * 3. The largest reply may have been cut at its size. A larger one shows that it was not, or its halves do.
 */
export class Prover {
  readonly #requests: QueryRequests
  /** The query without the closes of which the service is known to send no bar. */
  #planned: PlannedQuery
  readonly #sizes: ObservedSizes
  readonly #fetchRange: FetchRange
  /** Holes of the grid that are not there: asked for by themselves, or at a close of which the service sends no bar. */
  readonly #settled = new Map<string, Hole>()
  /** Closes that are not asked for, as the service has no bar there, and the date on which that showed. */
  readonly leftOut = new Map<string, string>()
  #left: number
  /** Rows were found missing: what is asked from then on is needed for the answer. */
  #isMending = false

  /** @param fetch the replies to a range: several where it was too large for one */
  constructor(requests: QueryRequests, fetch: FetchRange) {
    this.#requests = requests
    this.#fetchRange = fetch
    this.#planned = requests.planned
    this.#sizes = requests.sizes
    this.#left = mostProbes(requests.planned.plan) - lastProbes
  }

  async prove(parts: readonly RangeReply[]): Promise<readonly RangeReply[]> {
    this.#leaveOut(parts)
    const replies = await this.#fill(parts.map((part) => this.#count(part)))
    await learnUnsent(this.#requests, replies, () => this.#spend(1))
    this.#leaveOut(replies)
    await this.#widen(replies)
    const all = await this.#fill(await this.#shrinkAll(replies))
    this.#checkLeftOut(all)
    return all.map((reply) => this.#judge(reply))
  }

  /** Bars and days that codes lack between others, though each was asked for by itself. */
  get missingBars(): readonly MissingBars[] {
    return absentBars([...this.#settled.values()])
  }

  /** What all replies lack, and the service is known not to send, is not asked for again. */
  #leaveOut(parts: readonly RangeReply[]): void {
    const { planned, sizes } = this.#requests
    const gone: string[] = []
    for (const close of closesWithout(planned, parts)) {
      const since = sizes.unsent.since(planned, close)
      if (since === undefined) continue
      this.leftOut.set(close, since)
      gone.push(close)
    }
    if (gone.length === 0) return
    const closes = planned.asked.closes?.filter((close) => !gone.includes(close))
    this.#planned = { ...planned, asked: { ...planned.asked, closes } }
    for (const part of parts)
      for (const close of closesWithout(planned, [part]).filter((one) => gone.includes(one)))
        for (const code of part.counts.symbols) {
          const hole = { code, day: part.counts.days[0] as string, close, isInside: true }
          this.#settled.set(keyOf(hole), hole)
        }
  }

  /** @throws ContradictionError where a later reply has a bar that was left out */
  #checkLeftOut(replies: readonly RangeReply[]): void {
    const isThere = ({ chunk }: RangeReply): boolean =>
      this.leftOut.size > 0 && [...distinctValues(chunk.columns, 'trademin')].some((close) => this.leftOut.has(close))
    const range = replies.find(isThere)?.range
    if (range) throw new ContradictionError(sentence`other rows${describeOf(range)}, asked for once more`, range)
  }

  #count(part: RangeReply): CountedReply {
    const day = latestDayOf(this.#planned, part)
    const range = day === undefined ? part.range : { ...part.range, day }
    return { ...part, range, asked: askedIn(this.#planned, range, part.counts.days) }
  }

  /** What shows by itself that a reply is whole: the count of an archive, or as many rows as there can be. */
  #evident({ chunk, asked, counts }: CountedReply): Proof | undefined {
    if (chunk.archive?.total === chunk.columns.length) return 'total'
    return proofByCount(this.#planned, asked, counts)
  }

  #mayBeCut(reply: CountedReply): boolean {
    const { rows } = reply.counts
    return rows > 0 && this.#sizes.isLargest(reply.counts) && !reply.isWhole && !this.#evident(reply)
  }

  #mayLackCodes(reply: CountedReply): boolean {
    const { rows, symbols } = reply.counts
    if (reply.range.symbols || symbolColumn(this.#planned.dataset) === undefined || rows === 0) return false
    return symbols.length >= this.#sizes.market && !this.#evident(reply)
  }

  #spend(requests: number): boolean {
    if (this.#isMending) return true
    if (this.#left < requests) return false
    this.#left -= requests
    return true
  }

  /** The replies to some ranges; undefined where they are refused. */
  async #fetch(ranges: readonly QueryRange[]): Promise<readonly RangeReply[] | undefined> {
    const fetchAll = (): Promise<(readonly RangeReply[])[]> => Promise.all(ranges.map(this.#fetchRange))
    return (await unlessRefused(fetchAll))?.flat()
  }

  /** The replies to parts of a range whose reply lacks rows that another one holds. */
  async #split(reply: CountedReply): Promise<CountedReply[]> {
    const { range, chunk } = reply
    this.#isMending = true
    const ranges = this.#partsOf(reply)
    this.#requests.split(ranges.length)
    const found = this.#spend(ranges.length) ? await this.#fetch(ranges) : undefined
    if (found && countRows(found) > chunk.columns.length) return found.map((part) => this.#count(part))
    return [{ ...reply, unproven: sentence`rows${describeOf(range)} are missing in its reply and came in another one` }]
  }

  /** The range of a reply that was cut in parts: none larger than what some reply has held, or else single bars or halves. */
  #partsOf(reply: CountedReply): readonly QueryRange[] {
    const { range } = reply
    const parts = this.#partsAsSeen(range)
    if (parts.length > 1) return parts
    const { closes = [] } = reply.asked
    const bars = closes.length > 1 ? closes.map((minute) => ({ ...range, minute })) : undefined
    return bars ?? splitByRows(reply, this.#planned) ?? splitRange(range) ?? []
  }

  /** A range in parts none of which is larger than what some reply has held. */
  #partsAsSeen(range: QueryRange): readonly QueryRange[] {
    const { symbols, days: interval } = range
    const { rows, codes, daily } = this.#sizes
    const size = { most: Math.max(1, rows), bars: this.#planned.asked.closes?.length ?? 1, daily }
    const groups = symbols
      ? codeGroups(symbols, Math.max(1, codes)).map((group) => ({ ...range, symbols: group }))
      : [range]
    const runs = this.#sizes.runs(daysIn(range), () => true)
    const intervals = runs.map((run, i): Pick<QueryRange, 'days'> => {
      const from = run[0] as string
      return {
        days: i === runs.length - 1 ? ({ ...interval, from } as DateInterval) : { from, to: run.at(-1) as string },
      }
    })
    const parts = intervals.length > 1 ? intervals : [{}]
    return parts.flatMap((part) => groups.flatMap((group) => rangesWithin({ ...group, ...part }, size)))
  }

  /** Asks for all that replies lack by itself; those that should have held what then comes are asked for again in parts. */
  async #fill(first: readonly CountedReply[]): Promise<readonly CountedReply[]> {
    let replies = first
    for (;;) {
      const open = replies.filter((reply) => isOpen(reply) && !this.#evident(reply))
      if (open.length === 0) return replies
      const isSettled = (hole: Hole): boolean => this.#settled.has(keyOf(hole))
      const all = absentRequests(this.#planned, replies, open, this.#sizes, isSettled)
      const requests = all.filter((request) => coveringReplies(request, request.holes).some(isOpen))
      if (requests.length === 0) return replies
      const answers = await this.#askAll(requests)
      const cut = new Set(
        requests.flatMap((request) => coveringReplies(request, answers.get(request) ?? []).filter(isOpen)),
      )
      const next = replies.map(async (reply) => (cut.has(reply) ? this.#split(reply) : [reply]))
      replies = (await Promise.all(next)).flat()
      if (cut.size === 0) replies = replies.map((reply) => this.#answered(reply, requests, answers))
    }
  }

  /** A reply after all that it lacks was asked for: what is not there is settled, what could not be asked for stays open. */
  #answered(reply: CountedReply, all: readonly AbsentRequest[], answers: Answers): CountedReply {
    const requests = all.filter((request) => coveringReplies(request, request.holes).includes(reply))
    const holesOf = (list: readonly AbsentRequest[]): readonly Hole[] => list.flatMap(({ holes }) => holes)
    const isEmpty = (request: AbsentRequest): boolean => answers.get(request)?.length === 0
    const ofKeys = requests.filter(({ isOfKeys }) => isOfKeys)
    const unasked = holesOf(requests.filter((request) => !isEmpty(request)))
    // What several codes lack together is settled where none of them has it by itself.
    const settled = requests.filter((request) => !request.isOfKeys && isEmpty(request))
    for (const hole of holesOf(settled)) this.#settled.set(keyOf(hole), hole)
    if (unasked.length === 0) {
      return ofKeys.length > 0 ? { ...reply, asked: withoutKeys(reply.asked, holesOf(ofKeys)), isProbed: true } : reply
    }
    const codes = holesOf(ofKeys).filter(({ day }) => day === '').length
    const what = codes > 0 ? sentence`${codes} codes` : sentence`${unasked.length} days`
    const unproven =
      ofKeys.length > 0
        ? sentence`${what} of ${describeRange(reply.range)} have no row, and were not asked for one by one`
        : sentence`${unasked.length} cells of the grid${describeOf(reply.range)} have no row, and were not asked for one by one`
    return { ...reply, unproven }
  }

  /** Codes and days that a reply lacks: one request first, which may show that it was cut; cells of the grid all at once. */
  async #askAll(requests: readonly AbsentRequest[]): Promise<Answers> {
    const answers: Answers = new Map()
    const ask = async (some: readonly AbsentRequest[]): Promise<void> => {
      await Promise.all(some.map(async (request) => answers.set(request, await this.#ask(request))))
    }
    const ofKeys = requests.filter(({ isOfKeys }) => isOfKeys)
    const byReply = groupItems(ofKeys, ({ of }) => of[0])
    await Promise.all([
      ask(requests.filter(({ isOfKeys }) => !isOfKeys && this.#spend(1))),
      ...[...byReply.values()].map(async ([first, ...rest]) => {
        if (this.#spend(1)) await ask([first as AbsentRequest])
        if (answers.get(first as AbsentRequest)?.length === 0 && this.#spend(rest.length)) await ask(rest)
      }),
    ])
    return answers
  }

  /** The holes for which rows came; undefined when asking was refused or shows nothing. @throws ContradictionError */
  async #ask(request: AbsentRequest): Promise<readonly Hole[] | undefined> {
    const parts = await this.#fetch([request.range])
    const answer = parts && comparedWith(this.#planned, request, parts)
    if (answer === 'other')
      throw new ContradictionError(
        sentence`other cells${describeOf(request.range)}, asked for once more`,
        request.range,
      )
    if (answer === 'same') return []
    const filled = answer === 'more' ? filledHoles(this.#planned.dataset, request, parts ?? []) : []
    return filled.length > 0 ? filled : undefined
  }

  /**
   * Larger requests: where one of them brings more rows, or more codes, the others were not cut there. Of codes that nobody
   * named there may have been more a year ago.
   */
  async #widen(replies: readonly CountedReply[]): Promise<void> {
    const sizes = this.#sizes
    for (const back of [0, tradingYear]) {
      const suspect = replies.filter(
        (reply) =>
          (!sizes.unexceeded.has(reply.counts.symbols.length) && this.#mayLackCodes(reply)) ||
          (back === 0 && this.#mayBeCut(reply)),
      )
      const most = Math.max(0, ...suspect.map(({ counts }) => counts.rows))
      const largest = suspect.find(({ counts }) => counts.rows === most)
      const range = largest && most < sizes.cap ? longerRange(largest, this.#requests, back) : undefined
      if (range && this.#spend(1)) await unlessRefused(() => this.#requests.send(range))
    }
    for (const reply of replies) if (this.#mayLackCodes(reply)) sizes.unexceeded.add(reply.counts.symbols.length)
  }

  async #shrinkAll(replies: readonly CountedReply[]): Promise<CountedReply[]> {
    const out: CountedReply[] = []
    for (const reply of replies) out.push(...(await this.#shrink(reply)))
    return out
  }

  /** The replies in the place of one that may have been cut. Together they hold at least as many rows as it did. */
  async #shrink(reply: CountedReply): Promise<CountedReply[]> {
    const { range, chunk, counts } = reply
    const had = chunk.columns.length
    for (let isSecond = false; ; isSecond = true) {
      const halves = this.#mayBeCut(reply) ? splitByRows(reply, this.#planned) : undefined
      if (!halves) return [reply]
      const parts = this.#spend(halves.length) ? await this.#fetch(halves) : undefined
      if (!parts) return [reply]
      this.#requests.split(halves.length)
      const found = await this.#fill(parts.map((part) => this.#count(part)))
      const rows = countRows(found)
      const isSettled = counts.days.every((day) => day < this.#planned.today)
      const columns = found.map((part) => part.chunk.columns)
      const other = isSettled && rows >= had ? firstContradictedRow(chunk.columns, columns) : undefined
      if (rows < had || other !== undefined) {
        if (isSecond) throw contradictionError(reply, rows, other, this.#planned)
        continue
      }
      if (rows === had && range.sources) return [{ ...reply, isWhole: true }]
      if (rows > had) {
        this.#sizes.cap = Math.min(this.#sizes.cap, counts.rows)
        this.#isMending = true
      }
      return this.#shrinkAll(found)
    }
  }

  /** A part with what shows that it is whole, or why nothing does. */
  #judge(reply: CountedReply): RangeReply {
    const { range, chunk, counts, truncated, isProbed } = reply
    const part = { range, chunk, counts, ...(truncated === undefined ? {} : { truncated }) }
    const evident = this.#evident(reply)
    if (evident) return { ...part, proof: isProbed ? 'probes' : evident }
    const unproven = this.#unprovenNote(reply)
    return unproven === undefined ? { ...part, proof: 'probes' } : { ...part, unproven }
  }

  #unprovenNote(reply: CountedReply): Words | undefined {
    const { counts, range, unproven } = reply
    const of = describeOf(range)
    if (unproven) return unproven
    if (this.#mayBeCut(reply))
      return sentence`${counts.rows} rows${of} may be as many as a reply holds: no larger or smaller one shows it`
    const odd = range.symbols ? undefined : oddDay(this.#planned.dataset, counts)
    if (odd !== undefined)
      return sentence`the list of ${odd} has ${counts.perDay.get(odd)} rows, not ten of each channel`
    if (this.#sizes.isUneven)
      return sentence`replies were found cut at ${this.#sizes.cap} rows and others hold up to ${this.#sizes.rows}: no cap that does not change`
    if (!this.#mayLackCodes(reply)) return undefined
    return sentence`nothing shows that the ${counts.symbols.length} codes${of} are all: nobody named them, and no reply held more`
  }
}

/** Trading days that a request is made longer by, where the contract states no cap. */
const longer = 20
/** Calendar days in which there are at least so many trading days. */
const calendarDays = (trading: number): number => 2 * trading + 12

/** A request like that of a reply, over more days; `back`: so many trading days before it. Undefined where there is none. */
function longerRange(
  { range, asked, counts }: CountedReply,
  { planned: { dataset, plan }, sizes }: QueryRequests,
  back: number,
): QueryRange | undefined {
  const [first, last] = [asked.days?.[0], asked.days?.at(-1)]
  if (dataset.openRange || paramWithRole(dataset, 'from') === undefined || !first || !last) return undefined
  const days = asked.days?.length ?? 1
  const cap = Math.min(plan.cap ?? Number.POSITIVE_INFINITY, sizes.cap)
  const below = Math.floor((cap - 1) / (counts.rows / Math.max(1, counts.days.length))) - days
  const more = Math.max(1, Math.min(below, Math.max(longer, days)))
  const before = daysBetween(dateOf(dayNumber(first) - calendarDays(more + back)), dateOf(dayNumber(first) - 1))
  const from = before.slice(-(more + back)).find((day) => day >= (dataset.since ?? ''))
  const to = back === 0 ? last : before.at(-back)
  if (from === undefined || to === undefined || from > to) return undefined
  const { day: _, ...rest } = range
  return { ...rest, days: { from, to } }
}
