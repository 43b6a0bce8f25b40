import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOf, dayNumber } from '../../../../src/contract/date.js'
import { type DayRanges, datesIn, rangesOfDays } from '../../../../src/data/archive/coverage/day-ranges.js'
import {
  type AnsweredDays,
  daysOfScope,
  knownDays,
  type Ledger,
  withAnswer,
  withImport,
  withoutMoments,
} from '../../../../src/data/archive/coverage/ledger.js'
import type { DatasetEntry, DayRecord, Manifest } from '../../../../src/data/archive/manifest-entries.js'
import { presentForm } from '../../../../src/data/archive/older-manifest.js'
import '../../../helper/seed.js'

const first = dayNumber('20260101')
const moment = (at: number): string => `2026-02-${String(at).padStart(2, '0')}T20:00:00+08:00`
const days = fc
  .array(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 6 })
  .map((list) => rangesOfDays(list.map((day) => dateOf(first + day))))
const own = { scope: fc.constantFrom('', '15m'), days }

/** One thing that is told of days: by a sync, a cache or an import. */
type Told = (ledger: Ledger, days: DayRanges) => Ledger
const sync = fc.record({
  ...own,
  asked: fc.integer({ min: 1, max: 9 }),
  kind: fc.constantFrom('whole', 'none', 'open'),
})
const told = fc.oneof(
  sync.map(({ scope, days, asked, kind }) => {
    const about = { scope, symbols: 'all' as const, asked: moment(asked), observedAt: moment(asked + 10) }
    const apply: Told = (ledger, days) => {
      const open = Object.fromEntries(datesIn(days).map((day) => [day, moment(asked)]))
      const of: Partial<AnsweredDays> =
        kind === 'whole' ? { days, proof: 'total' } : kind === 'none' ? { unproven: days } : { unsettled: open }
      return withAnswer(ledger, { ...about, days: [], ...of })
    }
    return { scope, days, apply }
  }),
  fc.record({ ...own, symbols: fc.subarray(['a', 'b'], { minLength: 1 }) }).map(({ scope, days, symbols }) => {
    return { scope, days, apply: ((ledger, days) => withAnswer(ledger, { scope, symbols, days })) as Told }
  }),
  fc.record({ ...own, asked: fc.constantFrom(undefined, moment(3)) }).map(({ scope, days, asked }) => {
    const about = { scope, symbols: 'all' as const, proof: 'stated', ...(asked && { asked }) }
    const apply: Told = (ledger, days) => withImport(ledger, { ...about, days }, asked ? days : [])
    return { scope, days, apply }
  }),
  fc.record(own).map(({ scope, days }) => {
    return { scope, days, apply: ((ledger, days) => withoutMoments(ledger, scope, days)) as Told }
  }),
)

/** What is known of each day of a scope and code. */
function byDay(ledger: Ledger): Map<string, string> {
  const found = new Map<string, string>()
  for (const { scope, symbols, days, ...facts } of ledger)
    for (const code of symbols === 'all' ? ['all'] : symbols)
      for (const day of datesIn(days)) {
        const key = `${scope} ${code} ${day}`
        expect(found.has(key), 'each day once').toBe(false)
        found.set(key, JSON.stringify(Object.entries(facts).sort()))
      }
  return found
}

test('what is told of spans is what is told of their days one by one, and the ledger is the same text', () => {
  fc.assert(
    fc.property(fc.array(told, { maxLength: 8 }), (all) => {
      const whole = all.reduce<Ledger>((ledger, { days, apply }) => apply(ledger, days), [])
      const single = all.reduce<Ledger>(
        (ledger, { days, apply }) => datesIn(days).reduce((sum, day) => apply(sum, [[day, day]]), ledger),
        [],
      )
      expect(byDay(whole)).toEqual(byDay(single))
      expect(whole).toEqual(single)
    }),
    { numRuns: 200 },
  )
})

test('covered is what was shown to be whole and is not open since; a day stays known since its first answer', () => {
  fc.assert(
    fc.property(fc.array(sync, { maxLength: 8 }), (all) => {
      const kinds = new Map<string, string>()
      const since = new Map<string, string>()
      let ledger: Ledger = []
      for (const [turn, { days, asked, kind }] of all.entries()) {
        const about = { scope: '', symbols: 'all' as const, asked: moment(asked), observedAt: moment(10 + turn) }
        const open = Object.fromEntries(datesIn(days).map((day) => [day, moment(asked)]))
        const of = kind === 'whole' ? { days, proof: 'x' } : kind === 'none' ? { unproven: days } : { unsettled: open }
        ledger = withAnswer(ledger, { ...about, days: [], ...of })
        for (const day of datesIn(days)) {
          if (kind !== 'none' || kinds.get(day) !== 'whole') kinds.set(day, kind)
          since.set(day, since.get(day) ?? moment(10 + turn))
        }
      }
      const of = (kind: string): string[] => [...kinds].flatMap(([day, own]) => (own === kind ? [day] : [])).sort()
      const { all: whole, unproven, unsettled } = daysOfScope(ledger)
      expect([datesIn(whole), datesIn(unproven), [...unsettled.keys()]]).toEqual([of('whole'), of('none'), of('open')])
      expect(datesIn(knownDays(ledger, '', false))).toEqual([...since.keys()].sort())
      // What one sync settles counts as known when the last of it was there: never before the first answer.
      for (const { days, at = '' } of ledger)
        for (const day of datesIn(days)) expect(at >= (since.get(day) ?? '')).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('an entry of format 2 says the same in one ledger', () => {
  const [asked, at, again] = [moment(1), moment(2), moment(9)]
  const older = {
    parts: [],
    covered: [
      { scope: '', symbols: 'all', days: [['20260105', '20260107']], asked, proof: 'total' },
      { scope: '', symbols: 'all', days: [['20260108', '20260108']], asked: again, proof: 'total' },
      { scope: '', symbols: ['a'], days: [['20260101', '20260102']] },
    ],
    seen: {
      '': [
        { at, settled: at, asked, days: [['20260105', '20260107']] },
        { at, settled: at, asked, again: '20260209', days: [['20260108', '20260109']] },
        { at: again, days: [['20260112', '20260112']] },
      ],
    },
    unproven: { '': [['20260109', '20260109']] },
    unsettled: { '': { '20260112': again } },
    latest: { '': '20260112' },
    kept: { contract: 'c', from: ['x'], rows: { '': 3 } },
  }
  const manifest = { format: 2, datasets: { st: older as unknown as DatasetEntry }, ticks: [] } satisfies Manifest
  const { ledger, ...entry } = presentForm(manifest).datasets.st as DatasetEntry
  const all = { scope: '', symbols: 'all' as const, at, settled: at, asked }
  expect(ledger).toEqual([
    { ...all, days: [['20260105', '20260107']], proof: 'total' },
    { ...all, days: [['20260108', '20260108']], proof: 'total', again },
    { ...all, days: [['20260109', '20260109']], proof: 'none', again: '20260209' },
    { scope: '', symbols: 'all', days: [['20260112', '20260112']], at: again, asked: again },
    { scope: '', symbols: ['a'], days: [['20260101', '20260102']], proof: 'kept' },
  ] satisfies DayRecord[])
  expect(entry).toEqual({ parts: [], kept: { contract: 'c', from: ['x'], latest: { '': '20260112' } } })
})
