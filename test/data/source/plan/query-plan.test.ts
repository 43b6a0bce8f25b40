import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { checkParams } from '../../../../src/contract/check-params.js'
import { dateOf, dayNumber } from '../../../../src/contract/date.js'
import { askedDays, daysBetween } from '../../../../src/contract/day-list.js'
import { bucketCloses } from '../../../../src/contract/session.js'
import { parseCode } from '../../../../src/contract/symbol.js'
import { planRequests, type QueryPlan } from '../../../../src/data/source/plan/query-plan.js'
import { type QueryRange, splitRange } from '../../../../src/data/source/plan/query-range.js'
import { covers } from '../../../helper/covers.js'

const today = '20261120'

function planned(
  name: string,
  params: Record<string, unknown>,
  days?: readonly string[] | { from: string; to: string },
): QueryPlan {
  const dataset = datasetOf(name)
  const query = checkParams(dataset, params)
  const given = new Set(Object.keys(params))
  return planRequests(dataset, query, { given, whole: true, today, days: days && askedDays(dataset, query, days) })
}

const bare = fc.oneof(
  fc.constantFrom('110059', '123124', '510300', '000001', '00700', 'ABC', '1'),
  fc.integer({ min: 110000, max: 130000 }).map(String),
)
const code = fc.tuple(bare, fc.constantFrom('', '', '.SH', '.SZ', '.sh', '.HK')).map(([text, suffix]) => text + suffix)
const codes = fc.array(code, { minLength: 1, maxLength: 60 })
/** From the first year of the calendar to beyond its last. */
const date = fc
  .oneof(
    fc.integer({ min: dayNumber('20210601'), max: dayNumber('20280301') }),
    fc.constantFrom(
      ...['20251231', '20260101', '20260216', '20260223', '20261001', '20261231', '20270101', '20260704'].map(
        dayNumber,
      ),
    ),
  )
  .map(dateOf)
const range = fc
  .tuple(date, fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 500 })))
  .map(([from, length]) => ({ from, to: dateOf(dayNumber(from) + length) }))

function checkPartition(
  ranges: readonly QueryRange[],
  symbols: readonly (string | undefined)[],
  dates: readonly string[],
): void {
  for (const symbol of symbols) {
    for (const on of dates) {
      const times = ranges.filter((range) => covers(range, symbol, on)).length
      if (times !== 1) throw new Error(`${symbol} on ${on} is covered ${times} times`)
    }
  }
}

/** Halves boxes at random, some of them several times over. */
function halved(ranges: readonly QueryRange[], choices: readonly number[]): QueryRange[] {
  let all = [...ranges]
  for (const choice of choices) {
    const at = choice % all.length
    const two = splitRange(all[at] as QueryRange)
    if (two) all = [...all.slice(0, at), ...two, ...all.slice(at + 1)]
  }
  return all
}

const choices = fc.array(fc.nat(), { maxLength: 40 })

/** The dates worth a look: every one of a short range, the seams and some others of a long one; and beyond an open end. */
function datesOf({ from, to }: { from: string; to: string }, ranges: readonly QueryRange[], isOpen: boolean): string[] {
  const seams = ranges.flatMap(({ days }) => (days ? [days.from, days.to] : []))
  const near = seams.flatMap((seam) => [-1, 0, 1].map((step) => dateOf(dayNumber(seam) + step)))
  const inside = [...near, from, to].filter((on) => on >= from && (isOpen || on <= to))
  const later = isOpen ? ['20270105', '20300101', '20990101'] : []
  return [...new Set([...inside, ...later.filter((on) => on >= from)])]
}

/** Every spelling that a service could answer with for the codes asked. */
function rowsFor(symbols: readonly string[]): string[] {
  const all = symbols.flatMap((symbol) => {
    const { bare: own, exchange } = parseCode(symbol)
    return exchange === undefined ? [own, `${own}.SH`, `${own}.SZ`] : [`${own}.${exchange}`]
  })
  return [...new Set(all)]
}

test('boxes over days and codes are disjoint and together all of it, however they are halved', () => {
  fc.assert(
    fc.property(
      fc.option(codes, { nil: undefined }),
      range,
      fc.boolean(),
      choices,
      (symbols, { from, to }, isOpen, cuts) => {
        const params = { startdate: from, ...(isOpen ? {} : { enddate: to }), ...(symbols ? { symbols } : {}) }
        const ranges = halved(planned('convertible_daily', params).ranges, cuts)
        checkPartition(ranges, symbols ? rowsFor(symbols) : [undefined], datesOf({ from, to }, ranges, isOpen))
      },
    ),
    { numRuns: 150 },
  )
})

test('boxes of operations of one day a call are disjoint and together all of it', () => {
  fc.assert(
    fc.property(
      codes,
      fc.option(fc.uniqueArray(date, { minLength: 1, maxLength: 12 }), { nil: undefined }),
      choices,
      (symbols, days, cuts) => {
        const ranges = halved(planned('etf_minute', { symbols, period: '15m' }, days).ranges, cuts)
        checkPartition(ranges, rowsFor(symbols), days ?? [today])
        if (days) expect(new Set(ranges.map(({ day }) => day))).toEqual(new Set(days))
      },
    ),
    { numRuns: 150 },
  )
})

test('an open range is halved to an end', () => {
  let range: QueryRange = { days: { from: '20260101', to: today, open: true } }
  let steps = 0
  for (let two = splitRange(range); two; two = splitRange(range)) {
    range = two[1]
    if (++steps > 5000) throw new Error('it goes on for ever')
  }
  expect(range.days?.open).toBe(true)
})

test('planned replies stay below the cap where the codes are known', () => {
  const universe = fc.integer({ min: 1, max: 3000 })
  fc.assert(
    fc.property(universe, fc.constantFrom('15m', '30m'), fc.integer({ min: 1, max: 30 }), (size, period, length) => {
      const symbols = Array.from({ length: size }, (_, i) => `${510000 + i}.SH`)
      const days = daysBetween('20260601', dateOf(dayNumber('20260601') + length))
      const { ranges, cap } = planned('etf_minute', { symbols, period }, days)
      const bars = bucketCloses[period as '15m'].length
      for (const range of ranges) expect((range.symbols?.length ?? 0) * bars).toBeLessThan(cap as number)
      const least = days.length * Math.ceil((size * bars) / ((cap as number) - 1))
      expect(ranges.length).toBeLessThanOrEqual(least + days.length)
    }),
    { numRuns: 60 },
  )
  fc.assert(
    fc.property(universe, range, (size, { from, to }) => {
      const symbols = Array.from({ length: size }, (_, i) => `${110000 + i}.SH`)
      const { ranges, cap } = planned('convertible_daily', { symbols, startdate: from, enddate: to })
      for (const { symbols: own, days } of ranges) {
        const cells = (own?.length ?? 0) * daysBetween(days?.from as string, days?.to as string).length
        expect(cells).toBeLessThan(cap as number)
      }
      const all = size * daysBetween(from, to).length
      const least = Math.max(1, Math.ceil(all / ((cap as number) - 1)))
      expect(ranges.length).toBeLessThanOrEqual(Math.max(least + 1, Math.ceil(1.35 * least)))
    }),
    { numRuns: 60 },
  )
})
