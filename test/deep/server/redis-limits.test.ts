import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { redisUrl } from '../../../src/cli/prompt.js'
import { burstOf, rateLimit } from '../../../src/server/service/keys/key-ring.js'
import { bucketScript, redisLimits } from '../../../src/server/service/keys/redis-limits.js'
import { asking, figure, keyFile, question, send, until } from '../../helper/many.js'
import { hasRedis, redisServer } from '../../helper/redis-server.js'
import { endAll, type Served, served } from '../../helper/served.js'

afterAll(endAll)

const stop = async (...all: Served[]): Promise<void> => {
  for (const { child, ended } of all) {
    child.kill('SIGINT')
    await ended
  }
}
const limitsOf = async ({ url }: { readonly url: string }): Promise<{ status: string; why?: string }> =>
  JSON.parse((await send(`${url}/healthz`)).text).data.limits

/** Ends clients, none of whose requests may have failed. */
async function endsRight(clients: ReturnType<typeof asking>): Promise<void> {
  const replies = await clients.end()
  expect(
    replies.flatMap((reply) => (reply instanceof Error ? reply.message : reply.status === 200 ? [] : reply.text)),
  ).toEqual([])
}

/** The script with a time that the test gives, and keys that outlive it. */
const driven = bucketScript
  .replace("redis.call('TIME')", '{ ARGV[5], ARGV[6] }')
  .replace(/, 'PX', math\.ceil\(.*\)\)/, ')')

test.skipIf(!hasRedis())('in Redis the rule is the same: burst, rate, and the wait that is said', async () => {
  const redis = await redisServer()
  const client = new Redis(redis.url)
  let runs = 0
  const gaps = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 200_000_000 }))
  const rates = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000 }))
  const start = fc.integer({ min: 0, max: 1.9e15 })
  await fc.assert(
    fc.asyncProperty(rates, start, fc.array(gaps, { minLength: 1, maxLength: 40 }), async (rate, first, waits) => {
      const key = `run ${++runs}`
      const take = async (now: number): Promise<number> => {
        const time = [Math.floor(now / 1e6), now % 1e6]
        const [points, wait] = (await client.eval(driven, 1, key, 1, 60, rate, 60, ...time)) as [number, number]
        return points > rate ? wait : 0
      }
      const admitted: number[] = []
      let now = first
      for (let i = 0; i < burstOf(rate); i++) if (i < 50) expect(await take(now)).toBe(0)
      if (burstOf(rate) < 50) expect(await take(now)).toBeGreaterThan(0)
      // A rest after which all of it is there again.
      now += 61e6
      for (const gap of waits) {
        now += gap
        const wait = await take(now)
        if (wait === 0) admitted.push(now)
        else if (wait > 1) {
          expect(await take(now + (wait - 1) * 1000 - 3)).toBeGreaterThan(0)
          now += wait * 1000
          expect(await take(now)).toBe(0)
          admitted.push(now)
        }
      }
      for (let from = 0; from < admitted.length; from++)
        for (let to = from; to < admitted.length; to++) {
          const minutes = ((admitted[to] as number) - (admitted[from] as number)) / 60e6
          expect(to - from + 1).toBeLessThanOrEqual(burstOf(rate) + rate * minutes + 1e-3)
        }
    }),
    { numRuns: 60 },
  )
  expect(await client.keys('*')).toHaveLength(runs)
  await client.quit()
  await redis.stop()
})

test.skipIf(!hasRedis())(
  'a clock of Redis that goes back locks nobody out, and what is full is forgotten',
  async () => {
    const redis = await redisServer()
    const client = new Redis(redis.url)
    const take = (seconds: number): Promise<unknown> => client.eval(driven, 1, 'key', 1, 60, 60, 60, seconds, 0)
    for (let i = 0; i < 10; i++) expect(await take(1e9)).toEqual([1, 0])
    expect(await take(1e9 - 3600)).toEqual([61, 1000])
    const limits = await redisLimits({ url: redis.url, elsewhere: () => rateLimit(1), onChange: () => undefined })
    expect(await limits.limitOf('a', 30).take(0)).toBe(0)
    expect(await client.pttl('quotebook:rate:a')).not.toBe(-1)
    await until(async () => (await client.exists('quotebook:rate:a')) === 0)
    limits.close()
    await client.quit()
    await redis.stop()
  },
)

test.skipIf(!hasRedis())('the rate of a key is one for two services', async () => {
  process.env.QUOTEBOOK_REDIS_PASSWORD = 'a p%41ssw%rd: of @Redis'
  const redis = await redisServer({ password: 'a p%41ssw%rd: of @Redis' })
  const keys = keyFile({ name: 'slow', rate: 600 }, { name: 'crawl', rate: 1 })
  const words = ['--port', '0', '--keys', keys, '--limits', redis.url]
  const both = [await served(...words), await served(...words, '--workers', '2')]
  delete process.env.QUOTEBOOK_REDIS_PASSWORD
  const ask = (apikey: string, times: number) =>
    Promise.all(
      both.flatMap(({ url }) =>
        Array.from({ length: times }, () =>
          send(`${url}/api`, { body: question(apikey) }).then(({ status }) => status),
        ),
      ),
    )
  const from = performance.now()
  const all = await ask('slow', 200)
  const minutes = (performance.now() - from) / 60_000
  for (const { err } of both) expect(err()).not.toContain('limits:')
  const taken = all.filter((status) => status === 200).length
  expect(taken).toBeGreaterThanOrEqual(100)
  expect(taken).toBeLessThanOrEqual(100 + 600 * minutes)
  expect((await ask('crawl', 10)).filter((status) => status === 200)).toHaveLength(1)
  for (const one of both) expect(await limitsOf(one)).toEqual({ store: 'redis', status: 'ok' })
  await stop(...both)
  // Neither the password nor, at the end, that the service itself let go of Redis.
  for (const { out, err } of both) expect(out() + err()).not.toMatch(/ssw|limits:/)
  await redis.stop()
})

test.skipIf(!hasRedis())('while Redis is restarted every request is answered, and the operator is told', async () => {
  const redis = await redisServer()
  const keys = keyFile({ name: 'fast', rate: 1_000_000 }, { name: 'crawl', rate: 1 })
  const one = await served('--port', '0', '--no-log', '--keys', keys, '--limits', redis.url)
  const clients = asking(`${one.url}/api`, 8, question('fast'))
  await until(() => clients.count() > 50)
  await redis.restart()
  await until(async () => (await limitsOf(one)).status === 'ok')
  let before = clients.count()
  await until(() => clients.count() > before + 50)
  expect(one.err()).toMatch(/^limits: Redis keeps no rates \(.+\); they are kept on this machine until it does$/m)
  expect(one.err()).toMatch(/^limits: Redis keeps rates again$/m)
  await redis.stop()
  await until(async () => (await limitsOf(one)).status === 'away')
  before = clients.count()
  await until(() => clients.count() > before + 50)
  await endsRight(clients)
  expect(await figure(one.url, 'quotebook_limits_away')).toBe(1)
  // A local limit holds.
  const few = await Promise.all(Array.from({ length: 10 }, () => send(`${one.url}/api`, { body: question('crawl') })))
  expect(few.filter(({ status }) => status === 200)).toHaveLength(1)
  await stop(one)
  // A service begins without Redis too.
  const late = await served('--port', '0', '--keys', keys, '--limits', redis.url)
  expect(late.err()).toContain('limits: Redis keeps no rates (')
  expect((await limitsOf(late)).why).toMatch(/ECONNREFUSED/)
  expect((await send(`${late.url}/api`, { body: question('fast') })).status).toBe(200)
  await stop(late)
})

test.skipIf(!hasRedis())('a Redis that answers with errors is shown, and rates are kept on this machine', async () => {
  const redis = await redisServer()
  const client = new Redis(redis.url)
  const changes: (string | undefined)[] = []
  const here = { take: () => 77 }
  const asked = { url: redis.url, elsewhere: () => here, onChange: (why: string | undefined) => void changes.push(why) }
  const limits = await redisLimits(asked)
  const one = limits.limitOf('a', 1e6)
  const killed = (): Promise<unknown> => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  const faults: [RegExp, () => Promise<unknown>, () => Promise<unknown>][] = [
    [/^OOM /, () => client.config('SET', 'maxmemory', 1), () => client.config('SET', 'maxmemory', 0)],
    [
      /^NOAUTH /,
      () => client.config('SET', 'requirepass', 'new').then(killed),
      () => client.config('SET', 'requirepass', ''),
    ],
  ]
  for (const [why, begin, end] of faults) {
    expect([limits.health(), await one.take(0)]).toEqual([{ store: 'redis', status: 'ok' }, 0])
    await begin()
    await until(async () => why.test(String(limits.health().why)))
    expect([limits.isAway(), limits.health().status, await one.take(0)]).toEqual([true, 'away', 77])
    await end()
    await until(async () => !limits.isAway())
  }
  // One word for each change, however often a request met it.
  expect(changes.map((why) => why !== undefined)).toEqual(faults.flatMap(() => [true, false]))
  limits.close()
  await client.quit()
  await redis.stop()
})

test('what is no Redis is told, and no password stands in the command', () => {
  for (const wrong of ['http://127.0.0.1', 'nonsense', 'redis://'])
    expect(() => redisUrl(wrong)).toThrow('that is no address of a Redis, as redis://localhost:6379')
  expect(() => redisUrl('redis://:secret@127.0.0.1')).toThrow(/^an argument can be read .* QUOTEBOOK_REDIS_PASSWORD$/)
})
