import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PaceLimits, RateLimiter } from '../../../../src/data/source/transport/rate-limiter.js'
import { type FakeClock, fakeClock } from './fake-clock.js'

function run<T>(pace: RateLimiter, operation: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return pace.limit(task)({ operation, signal })
}

interface Seen {
  readonly operation: string
  readonly number: number
  readonly from: number
  to: number
}

/** A task that takes its time by the clock and writes down when it was under way. */
function task(clock: FakeClock, seen: Seen[], operation: string, number: number, takes: number) {
  return async (): Promise<number> => {
    const one: Seen = { operation, number, from: clock.now(), to: Infinity }
    seen.push(one)
    if (takes > 0) await clock.sleep(takes)
    one.to = clock.now()
    return number
  }
}

function most(seen: readonly Seen[]): number {
  return Math.max(0, ...seen.map(({ from }) => seen.filter((one) => one.from <= from && one.to > from).length))
}

/** Whether in any window no more than burst + rate × time started. */
function keeps(seen: readonly Seen[], { perSecond, burst, concurrent }: PaceLimits): boolean {
  if (perSecond === Infinity) return most(seen) <= concurrent
  const starts = seen.map(({ from }) => from).sort((x, y) => x - y)
  const paced = starts.every((from, i) =>
    starts.slice(i).every((to, n) => n + 1 <= burst + (perSecond * (to - from)) / 1000 + 1e-6),
  )
  return paced && most(seen) <= concurrent
}

const limits: fc.Arbitrary<PaceLimits> = fc.record({
  perSecond: fc.oneof(fc.constant(Infinity), fc.double({ min: 0.3, max: 2000, noNaN: true })),
  burst: fc.integer({ min: 1, max: 8 }),
  concurrent: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 5 })),
})
const tasks = fc.array(
  fc.record({
    operation: fc.constantFrom('a', 'b', 'c'),
    after: fc.integer({ min: 0, max: 400 }),
    takes: fc.integer({ min: 0, max: 500 }),
    gone: fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined, freq: 4 }),
  }),
  { minLength: 1, maxLength: 30 },
)

describe('the limits hold', () => {
  test('common and own, in any window, for any tasks that come, last and go; and everybody gets a turn', async () => {
    await fc.assert(
      fc.asyncProperty(limits, limits, tasks, async (common, own, list) => {
        const clock = fakeClock()
        const pace = new RateLimiter(common, { a: own }, clock)
        const seen: Seen[] = []
        const aborted = new Set<number>()
        const ends = list.map(async ({ operation, after, takes, gone }, number) => {
          await clock.sleep(after)
          const stop = new AbortController()
          if (gone !== undefined) void clock.sleep(gone).then(() => stop.abort(number))
          await run(pace, operation, task(clock, seen, operation, number, takes), stop.signal).catch((reason) => {
            expect(reason).toBe(number)
            aborted.add(number)
          })
        })
        await clock.drain()
        await Promise.all(ends)
        expect(clock.sleepers).toBe(0)
        expect(seen.length + aborted.size).toBe(list.length)
        expect(keeps(seen, common)).toBe(true)
        expect(
          keeps(
            seen.filter(({ operation }) => operation === 'a'),
            own,
          ),
        ).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('turns', () => {
  test('who is held back by the own limits lets others pass and is the next when they allow', async () => {
    const clock = fakeClock()
    const pace = new RateLimiter(
      { perSecond: 10, burst: 1, concurrent: Infinity },
      { slow: { perSecond: 2, burst: 1 } },
      clock,
    )
    const seen: Seen[] = []
    const order = ['slow', 'slow', 'slow', ...Array<string>(20).fill('fast'), 'slow']
    const ends = order.map((operation, n) => run(pace, operation, task(clock, seen, operation, n, 0)))
    await clock.drain()
    await Promise.all(ends)
    const slow = seen.filter(({ operation }) => operation === 'slow').map(({ from }) => from - 1000)
    expect(slow).toEqual([0, 500, 1000, 2300])
    expect(seen.map(({ from }) => from - 1000)).toEqual(order.map((_, n) => n * 100))
  })
})

describe('a pause', () => {
  test('is for everybody, and a shorter one does not shorten it', async () => {
    const clock = fakeClock()
    const pace = new RateLimiter({ perSecond: 1000, burst: 2, concurrent: Infinity }, { b: { concurrent: 1 } }, clock)
    const seen: Seen[] = []
    pace.pause(5000)
    pace.pause(10)
    const ends = ['a', 'b', 'a'].map((operation, n) => run(pace, operation, task(clock, seen, operation, n, 0)))
    await clock.pass(4999)
    expect(seen).toEqual([])
    await clock.pass(2)
    await Promise.all(ends)
    expect(seen.map(({ from }) => from - 1000)).toEqual([5000, 5000, 5001])
  })
})
