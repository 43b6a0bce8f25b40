import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { ContractError } from '../../contract/error.js'
import type { Proof } from '../../table/provenance.js'
import {
  contradictionError,
  countRows,
  type FetchContext,
  fetchRange,
  latestDayOf,
  type RangeReply,
  splitByRows,
} from '../fetch-range.js'
import { paramWithRole } from '../plan/query-days.js'
import { barsPerDay, rangesWithin } from '../plan/query-plan.js'
import { codeGroups, describeRange, type QueryRange } from '../plan/query-range.js'
import { symbolColumn } from '../reply/join-replies.js'
import { SourceError, TruncatedError } from '../source-error.js'
import {
  countReply,
  type ExpectedKeys,
  expectedKeys,
  type ObservedSizes,
  proofByCount,
  type ReplyCounts,
} from './reply-sizes.js'

/** A reply, and what it has to answer for. */
interface Claim extends RangeReply {
  readonly counts: ReplyCounts
  readonly due: ExpectedKeys
  /** First and last of the days that its request was for. */
  readonly ends: readonly (string | undefined)[]
  /** Other requests showed that nothing of it is missing, as far as they were asked. */
  readonly isProbed?: true
  /** Its rows were found again in smaller replies. */
  readonly isWhole?: true
}

export interface ProofContext extends FetchContext {
  readonly sizes: ObservedSizes
  /** Requests that may be sent to show that nothing is missing, as long as nothing is. */
  readonly most: number
}

/** Trading days of a year, about. */
const tradingYear = 243

/** Refusals of a question, and answers to another one: they say nothing about the rows. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ContractError) return true
  return error instanceof SourceError && !(error instanceof TruncatedError) && !error.retryable
}

function largest(claims: readonly Claim[]): Claim | undefined {
  return claims.reduce<Claim | undefined>(
    (most, one) => (one.counts.rows > (most?.counts.rows ?? 0) ? one : most),
    undefined,
  )
}

/**
 * Shows of replies that nothing of them is missing, or says why not. It takes for granted that a service which keeps back
 * rows does so by caps that do not change: on rows, on codes, on the days of a range. What the calendar, the codes asked for
 * and the grid of bars say to be there is compared; what is missing is asked for again, no more of it at once than some
 * reply has held; and a reply that is smaller than another one was not cut.
 */
export class Prover {
  readonly #of: ProofContext
  #left: number
  /** Rows were found missing: what is asked from then on is needed for the answer. */
  #isMending = false

  constructor(proving: ProofContext) {
    this.#of = proving
    this.#left = proving.most
  }

  async prove(parts: readonly RangeReply[]): Promise<readonly RangeReply[]> {
    const first = parts.map((part) => this.#claim(part))
    const claims = (await Promise.all(first.map((claim) => this.#narrow(claim)))).flat()
    await this.#widen(claims)
    const out: Claim[] = []
    for (const claim of claims) out.push(...(await this.#shrink(claim)))
    return out.map((claim) => this.#judged(claim))
  }

  #claim(part: RangeReply): Claim {
    const { dataset, query } = this.#of
    const { chunk } = part
    const day = latestDayOf(dataset, query, part.range, chunk)
    const range = day === undefined ? part.range : { ...part.range, day }
    const counts = countReply(dataset, query, chunk)
    const due = expectedKeys(dataset, query, range, counts)
    return { ...part, range, counts, due, ends: [due.days?.[0], due.days?.at(-1)] }
  }

  /** What shows by itself that a reply is whole: the count of an archive, or as many rows as there can be. */
  #evident({ chunk, due, counts }: Claim): Proof | undefined {
    if (chunk.archive?.total === chunk.columns.length) return 'total'
    return proofByCount(this.#of.dataset, this.#of.query, due, counts)
  }

  #mayBeCut(claim: Claim): boolean {
    const { rows } = claim.counts
    return rows > 0 && rows >= this.#of.sizes.rows && !claim.isWhole && !this.#evident(claim)
  }

  #mayLackCodes(claim: Claim): boolean {
    const { dataset, sizes } = this.#of
    const { rows, symbols } = claim.counts
    if (claim.range.symbols || symbolColumn(dataset) === undefined || rows === 0) return false
    return symbols.length >= sizes.market && !this.#evident(claim)
  }

  #spend(requests: number): boolean {
    if (this.#isMending) return true
    if (this.#left < requests) return false
    this.#left -= requests
    return true
  }

  async #again(range: QueryRange): Promise<Claim[]> {
    const parts = await fetchRange(range, this.#of)
    return (await Promise.all(parts.map((part) => this.#narrow(this.#claim(part))))).flat()
  }

  /** Codes without a row, where the request named more of them than any reply is known to answer. */
  #missingCodes({ range: { symbols = [] }, counts }: Claim): readonly string[] {
    return this.#of.sizes.answersCodes(symbols.length) ? [] : symbols.filter((code) => !counts.isThere(code))
  }

  /** Days before the first and after the last one that has rows, where the range is longer than any that is known to be answered. */
  #missingDays({ range, due: { days = [] }, counts }: Claim): readonly string[] {
    if (!range.days || this.#of.sizes.answersDays(days)) return []
    const [first = '', last = ''] = [counts.days[0], counts.days.at(-1)]
    return days.filter((day) => day < first || day > last)
  }

  /** Ranges for what is missing in a reply, none larger than what replies are known to answer. */
  #missingBoxes({ range, due }: Claim, codes: readonly string[], days: readonly string[]): QueryRange[] {
    const { sizes } = this.#of
    const own = range.symbols?.filter((code) => !codes.includes(code))
    const ofCodes =
      codes.length === 0 ? [] : codeGroups(codes, Math.max(1, sizes.codes)).map((symbols) => ({ ...range, symbols }))
    if (own?.length === 0) return ofCodes
    const named = own ? { symbols: own } : {}
    const ofDays = sizes
      .runs(due.days ?? [], (day) => days.includes(day))
      .map((run) => ({ ...range, ...named, days: { from: run[0] as string, to: run.at(-1) as string } }))
    return [...ofCodes, ...ofDays]
  }

  /** Asks again for what is missing in a reply: whole codes, and the days at both ends of its range. */
  async #narrow(claim: Claim): Promise<Claim[]> {
    if (claim.truncated || this.#evident(claim)) return [claim]
    const [codes, days] = [this.#missingCodes(claim), this.#missingDays(claim)]
    const ranges = this.#missingBoxes(claim, codes, days)
    const { due, range, counts } = claim
    const isSame = ranges.some(
      ({ symbols, days: interval }) => symbols?.length === range.symbols?.length && interval === range.days,
    )
    if (ranges.length === 0) return [claim]
    const what = codes.length > 0 ? `${codes.length} codes` : `${days.length} days`
    const doubt = `${what} of ${describeRange(range)} have no row, and were not asked for one by one`
    if (isSame) return [{ ...claim, doubt }]
    const rest = due.days?.filter((day) => !days.includes(day))
    const own = { ...claim, due: { codes: due.codes?.filter((code) => !codes.includes(code)), days: rest } }
    const found = await this.#missing(own, ranges)
    if (found === 'cut') return this.#shrink(claim)
    if (!found) return [{ ...claim, doubt }]
    if (!found.some((more) => more.counts.rows > 0)) return [{ ...own, isProbed: true }, ...found]
    if (counts.rows === 0) return found
    // A reply that left something out is asked for again, no larger than what it was seen to hold.
    return [...(this.#evident(own) ? [own] : await this.#again(this.#boxOf(own))), ...found]
  }

  /** The replies to ranges of what is missing; `cut` when the first shows that the reply ended at a cap of rows. */
  async #missing(claim: Claim, ranges: readonly QueryRange[]): Promise<Claim[] | 'cut' | undefined> {
    const [{ sizes }, { rows }] = [this.#of, claim.counts]
    const [one, ...others] = ranges
    if (!one || !this.#spend(1)) return undefined
    try {
      const parts = await fetchRange(one, this.#of)
      const found = countRows(parts)
      if (found > 0) this.#isMending = true
      if (found > 0 && found === rows && rows === sizes.rows && !this.#evident(claim)) {
        sizes.cap = rows
        return 'cut'
      }
      const first = parts.map((part) => this.#claim(part))
      if (!this.#spend(others.length)) return undefined
      const more = await Promise.all(others.map((range) => this.#again(range)))
      return [...(await Promise.all(first.map((claim) => this.#narrow(claim)))), ...more].flat()
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  /** The range of what a reply has to answer for; the dates beside its trading days stay in it where it was not made smaller. */
  #boxOf({ range, due, ends }: Claim): QueryRange {
    const { days: interval, symbols } = range
    const [from, to] = [due.days?.[0], due.days?.at(-1)]
    const isOpen = interval?.open && to === ends[1]
    const days = interval &&
      from !== undefined &&
      to !== undefined && {
        from: from === ends[0] ? interval.from : from,
        to: to === ends[1] && interval.to > to ? interval.to : to,
        ...(isOpen ? { open: true as const } : {}),
      }
    return { ...range, ...(symbols && due.codes ? { symbols: due.codes } : {}), ...(days ? { days } : {}) }
  }

  /**
   * Larger requests: where one of them brings more rows, or more codes, the others were not cut there. Of codes that nobody
   * named there may have been more a year ago.
   */
  async #widen(claims: readonly Claim[]): Promise<void> {
    const { sizes } = this.#of
    const lacksCodes = (claim: Claim): boolean =>
      !sizes.stuck.has(claim.counts.symbols.length) && this.#mayLackCodes(claim)
    for (const back of [0, tradingYear]) {
      const doubted = largest(claims.filter((claim) => lacksCodes(claim) || (back === 0 && this.#mayBeCut(claim))))
      const range = doubted && doubted.counts.rows < sizes.cap ? longerRange(doubted, this.#of, back) : undefined
      if (range && this.#spend(1)) await this.#see(range)
    }
    for (const claim of claims) if (this.#mayLackCodes(claim)) sizes.stuck.add(claim.counts.symbols.length)
  }

  /** Asks a question for its size alone. */
  async #see(range: QueryRange): Promise<void> {
    try {
      await this.#of.send(range)
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }

  /** The ranges to ask in place of one whose reply may be cut: below a cap that is known, or its halves. */
  #smaller(claim: Claim): readonly QueryRange[] | undefined {
    const { sizes, query } = this.#of
    const range = this.#boxOf(claim)
    if (claim.counts.rows >= sizes.cap) {
      const codes = sizes.leavesCodesOut ? { codes: Math.max(1, sizes.codes) } : {}
      const ranges = rangesWithin(range, {
        most: Math.max(1, sizes.cap - 1),
        bars: barsPerDay(query),
        daily: sizes.daily,
        ...codes,
      })
      if (ranges.length > 1) return ranges
    }
    return splitByRows(range, claim.counts, query, claim.chunk)
  }

  /** The replies to ranges; undefined when one of them is refused. */
  async #tried(ranges: readonly QueryRange[]): Promise<Claim[] | undefined> {
    try {
      return (await Promise.all(ranges.map((range) => this.#again(range)))).flat()
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  /** The replies in the place of one that may have been cut. Together they hold at least as many rows as it did. */
  async #shrink(claim: Claim): Promise<Claim[]> {
    for (let isSecond = false; ; isSecond = true) {
      const ranges = this.#mayBeCut(claim) ? this.#smaller(claim) : undefined
      if (!ranges || !this.#spend(ranges.length)) return [claim]
      this.#of.onSplit(ranges.length)
      const found = await this.#tried(ranges)
      if (!found) return [claim]
      const [had, rows] = [claim.counts.rows, countRows(found)]
      if (rows < claim.chunk.columns.length) {
        if (isSecond) throw contradictionError(claim.range, claim.chunk, rows, undefined, this.#of)
        continue
      }
      if (rows === claim.chunk.columns.length && claim.range.sources) return [{ ...claim, isWhole: true }]
      if (rows > claim.chunk.columns.length) {
        this.#of.sizes.cap = Math.min(this.#of.sizes.cap, had)
        this.#isMending = true
      }
      const out: Claim[] = []
      for (const one of found) out.push(...(await this.#shrink(one)))
      return out
    }
  }

  /** A part with what shows that it is whole, or with what is left to doubt. */
  #judged(claim: Claim): RangeReply {
    const { counts, chunk, range, isProbed, doubt, truncated } = claim
    const evident = this.#evident(claim)
    const judged = { range, chunk, ...(truncated === undefined ? {} : { truncated }) }
    if (evident) return { ...judged, proof: isProbed ? 'probes' : evident }
    const of = Object.keys(range).length === 0 ? '' : ` of ${describeRange(range)}`
    if (doubt) return { ...judged, doubt }
    if (this.#mayBeCut(claim)) {
      return {
        ...judged,
        doubt: `${counts.rows} rows${of} may be as many as a reply holds: no larger or smaller one shows it`,
      }
    }
    if (this.#mayLackCodes(claim)) {
      const codes = counts.symbols.length
      return {
        ...judged,
        doubt: `nothing shows that the ${codes} codes${of} are all: nobody named them, and no reply held more`,
      }
    }
    return { ...judged, proof: 'probes' }
  }
}

/** Trading days that a request is made longer by, where the contract states no cap. */
const longer = 20
/** Calendar days in which there are at least so many trading days. */
const calendarDays = (trading: number): number => 2 * trading + 12

/** A request like that of a reply, over more days; `back`: so many trading days before it. Undefined where there is none. */
export function longerRange(
  { range, due, counts }: { readonly range: QueryRange; readonly due: ExpectedKeys; readonly counts: ReplyCounts },
  { dataset, plan, sizes }: Pick<FetchContext, 'dataset' | 'plan'> & { readonly sizes: ObservedSizes },
  back: number,
): QueryRange | undefined {
  const [first, last] = [due.days?.[0], due.days?.at(-1)]
  if (dataset.openRange || paramWithRole(dataset, 'from') === undefined || !first || !last) return undefined
  const days = due.days?.length ?? 1
  const cap = Math.min(plan.cap ?? Number.POSITIVE_INFINITY, sizes.cap)
  const room = Math.floor((cap - 1) / (counts.rows / Math.max(1, counts.days.length))) - days
  const more = Math.max(1, Math.min(room, Math.max(longer, days)))
  const before = daysBetween(dateOf(dayNumber(first) - calendarDays(more + back)), dateOf(dayNumber(first) - 1))
  const from = before.slice(-(more + back)).find((day) => day >= (dataset.since ?? ''))
  const to = back === 0 ? last : before.at(-back)
  if (from === undefined || to === undefined || from > to) return undefined
  const { day: _, ...rest } = range
  return { ...rest, days: { from, to } }
}
