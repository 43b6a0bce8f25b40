import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { checkParams } from '../../src/contract/check-params.js'
import { dateOf, dayNumber } from '../../src/contract/date.js'
import { daysBetween } from '../../src/contract/day-list.js'
import { fetchRanges } from '../../src/source/fetch-range.js'
import { planRequests } from '../../src/source/plan/query-plan.js'
import type { QueryRange } from '../../src/source/plan/query-range.js'
import type { ReplyChunk } from '../../src/source/reply/reply-chunk.js'
import { TruncatedError } from '../../src/source/source-error.js'
import type { ColumnData } from '../../src/table/values.js'
import { covers } from '../helper/covers.js'

const daily = datasetOf('convertible_daily')

/** A service that keeps the first `cap` rows in the contract's order, over one row for each cell that there is. */
function simulated(cells: readonly (readonly [day: string, symbol: string])[], cap: number) {
  let requests = 0
  const ask = async (range: QueryRange): Promise<ReplyChunk> => {
    requests++
    const rows = cells
      .filter(([day, symbol]) => covers(range, symbol, day))
      .sort((a, b) => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? -1 : 1))
      .slice(0, cap)
    const column = (i: 0 | 1) => {
      const words = [...new Set(rows.map((row) => row[i]))]
      return {
        type: 'dictionary' as const,
        data: Int32Array.from(rows, (row) => words.indexOf(row[i])),
        dictionary: words,
      }
    }
    return {
      columns: {
        length: rows.length,
        columns: new Map([
          ['tradedate', column(0)],
          ['code', column(1)],
        ]),
      },
      beside: {},
      node: 'node',
    }
  }
  return { ask, requests: () => requests }
}

test('gathering from a service of any cap and density gives exactly its rows, or refuses', async () => {
  const ends = { whole: 0, refused: 0, splits: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.nat(), { minLength: 5, maxLength: 30 }),
      fc.boolean(),
      fc.boolean(),
      async (cap, universe, length, density, noise, isNamed, isOpen) => {
        const symbols = universe.map((i) => `${110000 + i}.SH`)
        const [from, to] = ['20260601', dateOf(dayNumber('20260601') + length)]
        const dates = daysBetween(from, to)
        const cells = dates.flatMap((day, d) =>
          symbols.flatMap((symbol, s) =>
            ((noise[(d * 31 + s * 7) % noise.length] as number) % 1000) / 1000 <= density
              ? [[day, symbol] as const]
              : [],
          ),
        )
        const query = checkParams(daily, {
          startdate: from,
          ...(isOpen ? {} : { enddate: to }),
          ...(isNamed ? { symbols } : {}),
        })
        // The plan of a service whose cap is far smaller than the contract says it is told of.
        // Requests that share nothing: what two of them have is dropped by who asked for all.
        const { overlap: _, ...planned } = planRequests(daily, query, { given: new Set(), whole: true, today: to })
        const plan = { ...planned, cap }
        const service = simulated(cells, cap)
        const gathering = {
          dataset: daily,
          query,
          plan,
          allowTruncated: false,
          send: service.ask,
          onSplit: () => ends.splits++,
        }
        try {
          const found = (await fetchRanges(gathering)).flatMap(({ chunk }) => {
            const [day, symbol] = ['tradedate', 'code'].map(
              (name) => chunk.columns.columns.get(name) as Extract<ColumnData, { type: 'dictionary' }>,
            )
            return Array.from(
              { length: chunk.columns.length },
              (_, i) => `${day?.dictionary[day.data[i] as number]} ${symbol?.dictionary[symbol.data[i] as number]}`,
            )
          })
          expect(found.sort()).toEqual(cells.map(([day, symbol]) => `${day} ${symbol}`).sort())
          ends.whole++
        } catch (error) {
          expect(error).toBeInstanceOf(TruncatedError)
          const perDay = Math.max(...dates.map((day) => cells.filter(([own]) => own === day).length))
          if (isNamed) expect(cap).toBe(1)
          else expect(perDay).toBeGreaterThanOrEqual(cap)
          ends.refused++
        }
      },
    ),
    { numRuns: 600 },
  )
  expect(ends.whole).toBeGreaterThan(150)
  expect(ends.refused).toBeGreaterThan(0)
  expect(ends.splits).toBeGreaterThan(150)
})
