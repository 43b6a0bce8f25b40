import { type DayRanges, dayAfter, dayBefore, rangesOfDays } from './coverage/day-ranges.js'
import { type DayFacts, isShownWhole, type Ledger, scopeRecords } from './coverage/ledger.js'
import type { Covered, DatasetEntry, DayRecord, KeptEntry, Manifest } from './manifest-entries.js'

type ByScope<T> = Readonly<Record<string, T>>

/** What an entry said of its days up to format 2. */
interface OlderEntry {
  readonly covered?: readonly Covered[]
  readonly latest?: ByScope<string>
  readonly unsettled?: ByScope<ByScope<string>>
  readonly unproven?: ByScope<DayRanges>
  readonly seen?: ByScope<readonly (DayFacts & { readonly days: DayRanges })[]>
  readonly kept?: KeptEntry & { readonly rows?: unknown }
}

/** Something that is known of days, and what follows with what is known of them already. */
interface Told {
  readonly days: DayRanges
  readonly change: (before: DayFacts) => DayFacts
}

/** What follows for each day of what was told, one after the other. */
function facts(told: readonly Told[]): ReadonlyMap<string, { facts: DayFacts; days: DayRanges }[]> {
  const bounds = [...new Set(told.flatMap(({ days }) => days.flatMap(([from, to]) => [from, dayAfter(to)])))].sort()
  const place = new Map(bounds.map((day, at) => [day, at]))
  const known = bounds.map((): DayFacts => ({}))
  for (const { days, change } of told) {
    for (const [from, to] of days) {
      const end = place.get(dayAfter(to)) as number
      for (let at = place.get(from) as number; at < end; at++) known[at] = change(known[at] as DayFacts)
    }
  }
  const pieces = known.slice(0, -1).map((own, at) => {
    return { facts: own, days: [[bounds[at] as string, dayBefore(bounds[at + 1] as string)] as const] }
  })
  return new Map([['', pieces]])
}

/** An import states the moment at which it was asked for; a sync that asks again is told by its date. */
function covered({ asked, proof = 'kept' }: Covered): Told['change'] {
  return (before) => {
    if (before.settled === undefined) return { ...before, ...(asked && { asked }), proof }
    const isAgain = asked !== undefined && asked !== (before.asked ?? before.settled)
    return { ...before, ...(isAgain && { again: asked }), proof }
  }
}

function ledgerOf({ covered: all = [], unsettled = {}, unproven = {}, seen = {} }: OlderEntry): Ledger {
  const scopes = new Set([...all.map(({ scope }) => scope), ...[seen, unproven, unsettled].flatMap(Object.keys)])
  const ofCodes = all.filter(({ symbols }) => symbols !== 'all')
  return [...scopes].sort().flatMap((scope) => {
    const own = all.filter((one) => one.scope === scope && one.symbols === 'all')
    const told = [
      ...(seen[scope] ?? []).map(({ days, ...known }): Told => ({ days, change: () => known })),
      ...own.map((one): Told => ({ days: one.days, change: covered(one) })),
      {
        days: unproven[scope] ?? [],
        change: (before: DayFacts) => (isShownWhole(before) ? before : { ...before, proof: 'none' }),
      },
      ...Object.entries(unsettled[scope] ?? {}).map(
        ([day, asked]): Told => ({
          days: rangesOfDays([day]),
          change: ({ again: _, proof: __, ...before }) => ({ ...before, asked }),
        }),
      ),
    ]
    const codes = ofCodes.filter((one) => one.scope === scope)
    const whole = codes.map((one): DayRecord => ({ ...one, proof: one.proof ?? 'kept' }))
    return [...scopeRecords(scope, facts(told)), ...whole]
  })
}

function presentEntry(entry: DatasetEntry & OlderEntry): DatasetEntry {
  const { covered: _, latest, unsettled: __, unproven: ___, seen: ____, kept, ...rest } = entry
  const { rows: _____, ...about } = kept ?? {}
  const ledger = ledgerOf(entry)
  return {
    ...rest,
    ...(ledger.length > 0 && { ledger }),
    ...(kept && { kept: { ...(about as KeptEntry), ...(latest && { latest }) } }),
  }
}

/** A manifest of a format up to 2 as the present one has it: what is known of days stood in lists of their own. */
export function presentForm(older: Manifest): Manifest {
  const entries = Object.entries(older.datasets).map(([name, entry]) => [name, presentEntry(entry)] as const)
  return { ...older, datasets: Object.fromEntries(entries) }
}
