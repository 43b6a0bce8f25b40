// Deep: hundreds of conversations with vendors of any caps.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween } from '../../../../src/contract/day-list.js'
import { type Caps, connection, type Outcome } from '../../../helper/capped-vendor.js'
import { bars, type Row } from '../../../helper/vendor.js'
import '../../../helper/seed.js'

/** Caps that no contract states: nothing is `complete: true` over missing rows, and an honest vendor is believed for little. */
function bond(tradedate: string, code: string): Row {
  return { tradedate, symbol: code.slice(0, 6), code, close: Number(code.slice(0, 6)) }
}

function expectSound({ about, rows, truth }: Outcome): void {
  const isWhole = JSON.stringify(rows) === JSON.stringify(truth)
  if (about.complete) expect(about.proof).toBeDefined()
  else {
    expect(about.proof).toBeUndefined()
    expect(about.note?.length).toBeGreaterThan(10)
  }
  if (about.complete && !isWhole) throw new Error(`complete: true over ${rows.length} of ${truth.length} rows`)
}

/** Anything that a vendor may do, over a small market: 8 codes, 10 days, bars of 30 minutes where bars are asked for. */
const few = Array.from({ length: 8 }, (_, i) => `${113000 + i * 3}.SH`)
const shortRange = daysBetween('20260706', '20260717')
const cap = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined, freq: 2 })
const vendor = fc.record({
  rows: cap(90),
  symbols: cap(9),
  days: cap(11),
  isCalendar: fc.boolean(),
  keeps: fc.constantFrom('first' as const, 'last' as const, 'scattered' as const),
  rowsFirst: fc.boolean(),
})
const question = fc.record({
  from: fc.nat(9),
  length: fc.nat(9),
  named: fc.option(fc.uniqueArray(fc.nat(9), { minLength: 1 }), { nil: undefined }),
  isOpen: fc.boolean(),
  way: fc.constantFrom('range', 'range', 'day', 'latest', 'bars', 'st'),
})

test('any caps, any rows, any questions in one connection: never complete over missing rows, and right when complete', async () => {
  const count = { complete: 0, unproven: 0, lacking: 0 }
  await fc.assert(
    fc.asyncProperty(
      vendor,
      fc.array(fc.nat(999), { minLength: 90, maxLength: 90 }),
      fc.integer({ min: 200, max: 1000 }),
      fc.array(question, { minLength: 1, maxLength: 4 }),
      async (caps, noise, density, questions) => {
        const isThere = (i: number): boolean => (noise[i % 90] as number) < density
        const cells = shortRange.flatMap((on, d) =>
          few.flatMap((code, c) => (isThere(d * 8 + c) ? [[on, code] as const] : [])),
        )
        const daily = cells.map(([on, code]) => ({ ...bond(on, code), type: 'ST' }))
        const minutes = cells.flatMap(([on, code], i) =>
          bars([code], on, '30m').filter((_, n) => density > 800 || isThere(i * 9 + n)),
        )
        const query = connection([...daily], caps as Caps)
        const queryBars = connection(minutes, caps as Caps)
        for (const { from, length, named, isOpen, way } of questions) {
          const [first, last] = [shortRange[from] as string, shortRange[Math.min(9, from + length)] as string]
          const symbols = named ? { symbols: named.map((i) => few[i] ?? `11399${i}.SH`) } : {}
          const dates = { startdate: first, ...(isOpen ? {} : { enddate: last }) }
          const outcome =
            way === 'bars'
              ? await queryBars(
                  'convertible_minute',
                  { symbols: few, ...symbols },
                  { days: shortRange.slice(from, from + 3) },
                )
              : way === 'st'
                ? await query('st', {
                    ...dates,
                    ...(named ? { symbols: symbols.symbols?.map((code) => code.slice(0, 6)) } : {}),
                  })
                : await query('convertible_daily', {
                    ...symbols,
                    ...(way === 'range' ? dates : way === 'day' ? { tradedate: first } : {}),
                  })
          expectSound(outcome)
          count[outcome.about.complete ? 'complete' : 'unproven']++
          if (outcome.rows.length < outcome.truth.length) count.lacking++
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
  expect(count.complete).toBeGreaterThan(300)
  expect(count.lacking).toBeGreaterThan(40)
  if (process.env.SHOW) console.log(count)
})
