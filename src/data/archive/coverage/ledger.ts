import { dateIn } from '../../../contract/date.js'
import { memoized } from '../answer/memoized.js'
import type { Covered, DayRecord } from '../manifest-entries.js'
import { type DayRanges, datesIn, daysWithout, includes, intersection, joinRanges, rangesOfDays } from './day-ranges.js'

/** What is known of the days of a dataset. */
export type Ledger = readonly DayRecord[]

/** What is known of days, whichever they are. */
export type DayFacts = { readonly [K in 'asked' | 'at' | 'settled' | 'again' | 'proof']?: string | undefined }

/** Days of one code, or of all, of which the same is known. */
interface Piece {
  readonly facts: DayFacts
  readonly days: DayRanges
}

/** Whether every row of the days is there. */
export function isShownWhole({ proof }: DayFacts): boolean {
  return proof !== undefined && proof !== 'none'
}

function textOf({ asked, at, settled, again, proof }: DayFacts): string {
  return JSON.stringify([asked, at, settled, again, proof].map((fact) => fact ?? ''))
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Pieces with the same facts as one; those of which nothing is known are left out. */
function joined(pieces: readonly Piece[]): ReadonlyMap<string, Piece> {
  const byFacts = new Map<string, { readonly facts: DayFacts; readonly days: DayRanges[number][] }>()
  for (const { facts, days } of pieces) {
    const own = byFacts.get(textOf(facts))
    if (own) own.days.push(...days)
    else byFacts.set(textOf(facts), { facts, days: [...days] })
  }
  const known = [...byFacts].filter(([text, { days }]) => days.length > 0 && text !== textOf({}))
  return new Map(known.map(([text, { facts, days }]) => [text, { facts, days: joinRanges(days) }]))
}

/** The records of a scope from the pieces of each code ('' of all): codes that share days and facts stand in one. */
export function scopeRecords(scope: string, byCode: ReadonlyMap<string, readonly Piece[]>): Ledger {
  const records = new Map<string, DayRecord & { readonly symbols: 'all' | string[] }>()
  for (const [code, pieces] of [...byCode].sort(([a], [b]) => compareTexts(a, b))) {
    for (const [text, { facts, days }] of joined(pieces)) {
      const name = `${days[0]?.[0]} ${code === ''} ${text} ${days.join(' ')}`
      const record = records.get(name)
      const own = Object.entries(facts).filter(([, fact]) => fact !== undefined)
      if (record && record.symbols !== 'all') record.symbols.push(code)
      else records.set(name, { scope, symbols: code === '' ? 'all' : [code], days, ...Object.fromEntries(own) })
    }
  }
  return [...records].sort(([a], [b]) => compareTexts(a, b)).map(([, record]) => record)
}

/** A ledger with other pieces of a scope: of all codes, or of single ones. */
function edited(
  ledger: Ledger,
  scope: string,
  symbols: DayRecord['symbols'],
  edit: (pieces: readonly Piece[]) => readonly Piece[],
): Ledger {
  const isOwn = (one: DayRecord): boolean => one.scope === scope && (one.symbols === 'all') === (symbols === 'all')
  const byCode = new Map<string, Piece[]>()
  for (const { scope: _, symbols: codes, days, ...facts } of ledger.filter(isOwn)) {
    for (const code of codes === 'all' ? [''] : codes) {
      const pieces = byCode.get(code) ?? []
      byCode.set(code, pieces)
      pieces.push({ facts, days })
    }
  }
  const changed = new Map<string, readonly Piece[]>(byCode)
  for (const code of symbols === 'all' ? [''] : symbols) changed.set(code, edit(byCode.get(code) ?? []))
  const others = ledger.filter((one) => !isOwn(one))
  const rank = (one: DayRecord): number => (one.symbols === 'all' ? 0 : 1)
  return [...others, ...scopeRecords(scope, changed)].sort(
    (a, b) => compareTexts(a.scope, b.scope) || rank(a) - rank(b),
  )
}

/** A ledger that says something else of some days: what follows from what it said before, or from nothing. */
export function withFacts(
  ledger: Ledger,
  { scope, symbols, days }: Pick<DayRecord, 'scope' | 'symbols' | 'days'>,
  change: (before: DayFacts) => DayFacts,
): Ledger {
  if (days.length === 0) return ledger
  return edited(ledger, scope, symbols, (pieces) => [
    ...pieces.flatMap(({ facts, days: own }) => [
      { facts, days: daysWithout(own, days) },
      { facts: change(facts), days: intersection(own, days) },
    ]),
    { facts: change({}), days: daysWithout(days, joinRanges(pieces.flatMap((piece) => piece.days))) },
  ])
}

/** An answer to a sync, and when it was there. */
interface SyncAnswer {
  readonly asked: string
  readonly at: string
}

/** What is known of settled days that an answer brought: those that were settled before were asked for again. */
function settledBy({ asked, at }: SyncAnswer, before: DayFacts): DayFacts {
  const { settled, again: _, ...first } = before
  if (settled === undefined) return { ...first, at: first.at ?? at, settled: at, asked }
  return first.asked === asked ? before : { ...before, again: asked }
}

/** Days that an answer brought. */
export interface AnsweredDays extends Covered {
  /** Days whose rows may still change, and when they were asked for. */
  readonly unsettled?: Readonly<Record<string, string>> | undefined
  /** Days that can no longer change, and that nothing shows to be whole. */
  readonly unproven?: DayRanges | undefined
  /** When the answer was there, Beijing time: since then its rows are known. */
  readonly observedAt?: string | undefined
}

/**
 * What an answer says of its days. Those that are there already stay known from their first answer on. All that one sync settles
 * counts as settled, and what was new as known, when the last of it was there: one moment is kept for it, and none too early.
 */
export function withAnswer(ledger: Ledger, answer: AnsweredDays): Ledger {
  const { scope, symbols, days, asked, proof = 'kept', observedAt: at, unsettled = {}, unproven = [] } = answer
  const sync = at !== undefined && asked !== undefined && symbols === 'all' ? { asked, at } : undefined
  const isSilent = asked === undefined && answer.proof === undefined
  const settled = (before: DayFacts): DayFacts => (sync ? settledBy(sync, before) : { ...before, asked })
  const covered = withFacts(ledger, { scope, symbols, days }, (before) =>
    isSilent ? { ...before, proof: isShownWhole(before) ? before.proof : proof } : { ...settled(before), proof },
  )
  const all = withFacts(covered, { scope, symbols, days: unproven }, (before) => ({
    ...settled(before),
    proof: isShownWhole(before) ? before.proof : 'none',
  }))
  const open = Object.entries(unsettled).reduce(
    (sum, [day, moment]) =>
      withFacts(sum, { scope, symbols, days: [[day, day]] }, (before) => ({
        at: before.at ?? sync?.at,
        settled: before.settled,
        asked: moment,
      })),
    all,
  )
  return sync ? edited(open, scope, 'all', (pieces) => pieces.map((piece) => settledTogether(piece, sync))) : open
}

function settledTogether({ facts, days }: Piece, { asked, at }: SyncAnswer): Piece {
  if (facts.asked !== asked || facts.settled === undefined || facts.settled >= at) return { facts, days }
  return { facts: { ...facts, settled: at, at: facts.at === facts.settled ? at : facts.at }, days }
}

/**
 * Days that an import covers. Those of which the archive had no row before are known since the moment that it states; nobody asks
 * for them again.
 */
export function withImport(ledger: Ledger, { asked, proof, ...own }: Covered, fresh: DayRanges): Ledger {
  const covered = withFacts(ledger, own, (before) => {
    if (proof === undefined && isShownWhole(before)) return before
    const about = before.settled === undefined ? { asked } : { again: asked ?? before.again }
    return { ...before, ...about, proof: proof ?? 'stated' }
  })
  return withFacts(covered, { ...own, days: fresh }, (before) =>
    before.at === undefined ? { at: asked, settled: asked, proof: before.proof } : before,
  )
}

/** Nobody knows since when the rows of days are there. */
export function withoutMoments(ledger: Ledger, scope: string, days: DayRanges): Ledger {
  return withFacts(ledger, { scope, symbols: 'all', days }, ({ asked, again, proof }) => ({
    asked: again ?? asked,
    proof,
  }))
}

/** Nothing shows any more that days are whole, and all are to be asked for: their rows stay known since when they are. */
export function withoutProofs(ledger: Ledger): Ledger {
  return ledger.flatMap(({ scope, symbols, days, at, settled }) =>
    at === undefined ? [] : [{ scope, symbols, days, at, ...(settled && { settled }) }],
  )
}

/** What a ledger says of the days of a scope. */
export interface ScopeDays {
  /** Days of which every row is there. */
  readonly all: DayRanges
  /** Days of which every row of a code is there, by the code as it was asked for. */
  readonly codes: ReadonlyMap<string, DayRanges>
  /** Days that can no longer change, and that nothing shows to be whole. */
  readonly unproven: DayRanges
  /** Days whose rows may still change, ascending, and when they were asked for. */
  readonly unsettled: ReadonlyMap<string, string>
  /** Of all rows, not of single codes. */
  readonly records: Ledger
}

const scopes = memoized((_: Ledger) => new Map<string, ScopeDays>())

export function daysOfScope(ledger: Ledger = none, scope = ''): ScopeDays {
  const known = scopes(ledger).get(scope)
  if (known) return known
  const own = ledger.filter((one) => one.scope === scope)
  const records = own.filter(({ symbols }) => symbols === 'all')
  const daysOf = (list: Ledger): DayRanges => joinRanges(list.flatMap(({ days }) => days))
  const byCode = new Map<string, DayRanges[number][]>()
  for (const one of own.filter(isShownWhole)) {
    for (const code of one.symbols === 'all' ? [] : one.symbols) {
      const days = byCode.get(code) ?? []
      byCode.set(code, days)
      days.push(...one.days)
    }
  }
  const open = records.flatMap(({ proof, asked, days }) =>
    proof === undefined && asked !== undefined ? datesIn(days).map((day) => [day, asked] as const) : [],
  )
  const found: ScopeDays = {
    all: daysOf(records.filter(isShownWhole)),
    codes: new Map([...byCode].map(([code, days]) => [code, joinRanges(days)])),
    unproven: daysOf(records.filter(({ proof }) => proof === 'none')),
    unsettled: new Map(open.sort(([a], [b]) => compareTexts(a, b))),
    records,
  }
  scopes(ledger).set(scope, found)
  return found
}

const none: Ledger = []

/** The scopes of which a ledger says since when any rows are known. */
export function timedScopes(ledger: Ledger = none): readonly string[] {
  return [...new Set(ledger.flatMap(({ scope, at }) => (at === undefined ? [] : [scope])))]
}

/** What is known of a day of all rows; undefined where nobody said since when they are there. */
export function recordOf(ledger: Ledger | undefined, scope: string, day: string): DayRecord | undefined {
  return daysOfScope(ledger, scope).records.find(({ at, days }) => at !== undefined && includes(days, day))
}

/** Days of which it is known since when their rows are there: all, those of which it was so at a moment, and those settled by then. */
export interface DaysKnown {
  readonly ever: DayRanges
  readonly known: DayRanges
  readonly settled: DayRanges
}

export function daysKnownAt(ledger: Ledger | undefined, scope: string, moment: string): DaysKnown {
  const timed = daysOfScope(ledger, scope).records.filter(({ at }) => at !== undefined)
  const of = (isIt: (one: DayRecord) => boolean): DayRanges =>
    joinRanges(timed.filter(isIt).flatMap(({ days }) => days))
  return {
    ever: of(() => true),
    known: of(({ at = '' }) => at <= moment),
    settled: of(({ settled }) => settled !== undefined && settled <= moment),
  }
}

/** The days whose rows came by a moment or later, with `isSettled` those of them that are settled. */
export function knownDays(ledger: Ledger | undefined, scope: string, isSettled = true): DayRanges {
  const { ever, settled } = daysKnownAt(ledger, scope, '9999')
  return isSettled ? settled : ever
}

/** When days of a scope were last asked for, the moment that an import states among them; undefined where nobody said. */
export function lastAsked(ledger: Ledger | undefined, scope: string): string | undefined {
  const isAsked = (one: DayRecord): boolean => isShownWhole(one) || one.proof === undefined
  return (ledger ?? none)
    .filter((one) => one.scope === scope && isAsked(one))
    .flatMap(({ again, asked, settled, proof }) => again ?? asked ?? (proof && settled) ?? [])
    .filter((moment) => moment.length > 8)
    .sort()
    .at(-1)
}

/** The date on which settled days were last asked for by a sync; undefined for those that an import brought. */
export function dateAsked({ again, asked, settled }: DayFacts): string | undefined {
  return settled === undefined ? undefined : dateIn(again ?? asked ?? '')
}

/** The days of an answer: settled, without proof, and such as may still change. */
export function daysOfAnswer({ days, unproven = [], unsettled = {} }: AnsweredDays): DayRanges {
  return joinRanges([...days, ...unproven, ...rangesOfDays(Object.keys(unsettled))])
}
