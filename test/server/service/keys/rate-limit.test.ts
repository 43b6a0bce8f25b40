import fc from 'fast-check'
import { expect, test } from 'vitest'
import { burstOf, rateLimit } from '../../../../src/server/service/keys/key-ring.js'

const rates = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000 }))
/** Milliseconds between arrivals: at once, fractions, seconds, rests. */
const gaps = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 50, noNaN: true }),
    fc.integer({ min: 0, max: 5000 }),
    fc.double({ min: 0, max: 200_000, noNaN: true }),
  ),
  { minLength: 1, maxLength: 150 },
)
const starts = fc.double({ min: 0, max: 1e9, noNaN: true })

test('in any window no more than burst + rate × minutes are let in', () => {
  fc.assert(
    fc.property(rates, starts, gaps, (rate, start, waits) => {
      const limit = rateLimit(rate)
      const admitted: number[] = []
      let now = start
      for (const wait of waits) {
        now += wait
        if (limit.take(now) === 0) admitted.push(now)
      }
      for (let from = 0; from < admitted.length; from++) {
        for (let to = from; to < admitted.length; to++) {
          const minutes = ((admitted[to] as number) - (admitted[from] as number)) / 60_000
          expect(to - from + 1).toBeLessThanOrEqual(burstOf(rate) + rate * minutes + 1e-6)
        }
      }
    }),
  )
})

/** Milliseconds that doubles of this size may be off. */
const rounding = 1e-3

test('whoever waits as long as was said is let in, and a second less would not have been enough', () => {
  fc.assert(
    fc.property(rates, starts, gaps, (rate, start, waits) => {
      const limit = rateLimit(rate)
      let now = start
      for (const wait of waits) {
        now += wait
        const seconds = limit.take(now)
        if (seconds === 0) continue
        expect(Number.isSafeInteger(seconds) && seconds >= 1).toBe(true)
        // Whoever is refused uses nothing up: asking a moment too early changes nothing.
        if (seconds > 1) expect(limit.take(now + (seconds - 1) * 1000 - rounding)).toBeGreaterThan(0)
        now += seconds * 1000
        expect(limit.take(now)).toBe(0)
      }
    }),
  )
})
