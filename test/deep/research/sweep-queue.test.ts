// Deep: a Redis server, workers of other processes that are killed, and restarts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Redis } from '#redis'
import { messageOf } from '../../../src/contract/error.js'
import type { Panel } from '../../../src/research/backtest/panel.js'
import { packedJob } from '../../../src/research/backtest/queue/done-job.js'
import { SweepBoard, type SweepNote } from '../../../src/research/backtest/queue/sweep-board.js'
import type { WorkerEvent } from '../../../src/research/backtest/queue/sweep-worker.js'
import { serveSweeps } from '../../../src/research/backtest/queue/sweep-worker.js'
import type { SweepOptions } from '../../../src/research/backtest/sweep.js'
import { sweep } from '../../../src/research/backtest/sweep.js'
import { sweepInThreads, type ThreadedSweepOptions } from '../../../src/research/backtest/sweep-threads.js'
import { bundled } from '../../helper/bundle.js'
import { chances } from '../../helper/chance.js'
import { hasRedis, type RedisServer, redisServer } from '../../helper/redis-server.js'
import { tempDir } from '../../helper/temp.js'
import { outcomeOf, strategySource, sweepGrid, sweepOptions, sweepPanel } from './sweep-world.js'

const dir = tempDir()
const module = join(dir, 'double-low.mjs')
/** Sets that take their time: workers are killed meanwhile. */
const slowSource = `${strategySource}
const pause = new Int32Array(new SharedArrayBuffer(4))
export const slow = (params) => {
  const { score, ...rest } = make(params)
  let isFirst = true
  return { ...rest, score: (bar) => { if (isFirst) Atomics.wait(pause, 0, 0, 10); isFirst = false; return score(bar) } }
}
`
writeFileSync(module, strategySource)
const slowModule = join(dir, 'slow.mjs')
writeFileSync(slowModule, slowSource)
const { make } = (await import(`data:text/javascript,${encodeURIComponent(strategySource)}`)) as { make: never }

const prices = sweepPanel()
const wanted = outcomeOf(sweep(prices, sweepGrid, make, sweepOptions) as never)
const manyGrid = { w: Array.from({ length: 30 }, (_, at) => at / 20), n: [1, 2, 3, 4, 5] }
const manyOptions: SweepOptions<typeof manyGrid> = { cash: 1e6 }
const many = outcomeOf(sweep(prices, manyGrid, make, manyOptions) as never)

let redis: RedisServer
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Hand {
  readonly events: WorkerEvent[]
  end(): Promise<void>
}

let hands: Hand[] = []
let names = 0

/** A worker in this process. */
function hire(panelOf: () => Promise<Panel> = async () => prices, strategies = dir, queue = redis.url): Hand {
  const stop = new AbortController()
  const events: WorkerEvent[] = []
  const name = `hand-${++names}`
  const onEvent = (event: WorkerEvent): void => void events.push(event)
  const asked = { queue, name, strategies, threads: 1, panelOf, onEvent, signal: stop.signal, lockMs: 1000 }
  const ended = serveSweeps(asked)
  const hand = {
    events,
    end: () => {
      stop.abort()
      return ended
    },
  }
  hands.push(hand)
  return hand
}

/** A sweep of nine sets by queue. */
const nine = (more: Partial<ThreadedSweepOptions<typeof sweepGrid>> = {}, name = 'make', of = prices) =>
  sweepInThreads(of, sweepGrid, { module, name }, { ...sweepOptions, queue: redis.url, ...more })

/** One of 150 sets that takes two seconds. */
const long = (more: Partial<ThreadedSweepOptions<typeof manyGrid>> = {}) =>
  sweepInThreads(prices, manyGrid, { module: slowModule, name: 'slow' }, { ...manyOptions, queue: redis.url, ...more })

/** A line to Redis on which each word takes its time. */
async function slowLine(ms: number): Promise<{ url: string; close(): void }> {
  const { port, hostname } = new URL(redis.url)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => setTimeout(() => to.write(bytes), ms))
      from.on('error', () => undefined).on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve))
  return { url: `redis://${hostname}:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Waits until Redis has nothing more; the mark of a look for lost jobs runs out by itself. */
async function nothingLeft(): Promise<void> {
  const client = new Redis(redis.url)
  let left: string[] = []
  for (let look = 0; look < 600; look++) {
    left = (await client.keys('*')).filter((key) => !key.endsWith(':stalled-check'))
    if (left.length === 0) break
    await pause(50)
  }
  client.disconnect()
  expect(left).toEqual([])
}

describe.skipIf(!hasRedis())('by a queue', () => {
  beforeAll(async () => {
    redis = await redisServer()
  })

  afterEach(async () => {
    await Promise.all(hands.map((one) => one.end()))
    hands = []
  })

  afterAll(() => redis.stop())

  test('two workers give what one machine gives, in the order of the grid, and leave nothing in Redis', async () => {
    hire()
    hire()
    const seen: number[] = []
    const found = await nine({ onProgress: (done, all) => void seen.push(done, all) })
    expect(outcomeOf(found as never)).toEqual(wanted)
    expect(seen).toEqual(Array.from({ length: 9 }, (_, at) => [at + 1, 9]).flat())
    await nothingLeft()
  })

  test('a module in TypeScript is found and run, and finds the package', async () => {
    const strategies = tempDir()
    const typed = join(strategies, 'double-low.ts')
    const source = strategySource.replace('({ w, n })', '({ w, n }: { w: number; n: number })')
    writeFileSync(typed, `import { numbers } from 'quotebook'\nvoid numbers\n${source}`)
    const hand = hire(undefined, strategies)
    const found = await sweepInThreads(prices, sweepGrid, { module: typed }, { ...sweepOptions, queue: redis.url })
    expect(outcomeOf(found as never)).toEqual(wanted)
    expect(hand.events.filter(({ is }) => is === 'ready')).toMatchObject([{ file: 'double-low.ts' }])
  })

  test('two sweeps at once, of two modules, and each of the workers is in both', async () => {
    const [one, other] = [hire(), hire()]
    const [first, second] = await Promise.all([long(), nine()])
    expect(outcomeOf(first as never)).toEqual(many)
    expect(outcomeOf(second as never)).toEqual(wanted)
    for (const { events } of [one, other]) expect(events.filter(({ is }) => is === 'ready')).toHaveLength(2)
  })

  test('a value that the grid has twice is run twice', async () => {
    hire()
    const grid = { w: [0.5, 0, 0.5], n: [2, 2] }
    const found = await sweepInThreads(prices, grid, { module }, { cash: 1e6, queue: redis.url })
    expect(outcomeOf(found as never)).toEqual(outcomeOf(sweep(prices, grid, make, { cash: 1e6 }) as never))
  })

  test('without a worker it says so, and goes on when one comes', async () => {
    const said: string[] = []
    const found = nine({ onWait: (why) => void said.push(String(why)) })
    while (said.length === 0) await pause(20)
    expect(said).toEqual([`no worker has answered at ${redis.url}: the sweep waits for a quotebook worker`])
    hire()
    expect(outcomeOf((await found) as never)).toEqual(wanted)
  })

  test('a worker of another state is told apart; alone it is an error that names both states', async () => {
    const other = hire(async () => sweepPanel('b'.repeat(64)))
    const why =
      /has another panel: its source of state b{12} makes panel \w{12}, the sweep's of state a{12} panel \w{12}/
    await expect(nine()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(why) })
    const said: string[] = []
    const onWait = (one: unknown): void => {
      said.push(String(one))
      hire()
    }
    expect(outcomeOf((await nine({ onWait })) as never)).toEqual(wanted)
    expect(said).toEqual([expect.stringMatching(why)])
    expect(other.events.map(({ is }) => is)).toEqual(['connected', 'refused', 'refused'])
  })

  test('a worker that is too busy with a panel to say a word counts as one that may yet run the sweep', async () => {
    const mark = join(tempDir(), 'busy')
    const program = await bundled(`
      import { writeFileSync } from 'node:fs'
      import { serveSweeps } from './src/research/backtest/queue/sweep-worker.js'
      import { sweepPanel } from './test/deep/research/sweep-world.js'
      const [queue, strategies, mark] = process.argv.slice(2)
      const panelOf = async () => {
        writeFileSync(mark, '')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9000)
        return sweepPanel()
      }
      await serveSweeps({ queue, strategies, name: 'a busy one', threads: 1, lockMs: 500, panelOf,
        onEvent: () => undefined, signal: new AbortController().signal })
    `)
    const busy = spawn(process.execPath, [program, redis.url, dir, mark], { stdio: 'inherit' })
    const first = nine()
    while (!existsSync(mark)) await pause(20)
    hire(async () => sweepPanel('b'.repeat(64)))
    const found = await Promise.all([first, nine()])
    busy.kill('SIGKILL')
    await once(busy, 'exit')
    expect(found.map((one) => outcomeOf(one as never))).toEqual([wanted, wanted])
  })

  test.each([
    ['the module', (folder: string) => writeFileSync(join(folder, 'double-low.mjs'), `${strategySource}\n`)],
    ['a file that it imports', (folder: string) => writeFileSync(join(folder, 'part.mjs'), 'export const part = 2\n')],
  ])('a worker does not run a module of another text: %s', async (_, change) => {
    const source = `import { part } from './part.mjs'\nexport const half = part / 2\n${strategySource}`
    const [here, there] = [tempDir(), tempDir()]
    for (const folder of [here, there]) {
      writeFileSync(join(folder, 'double-low.mjs'), source)
      writeFileSync(join(folder, 'part.mjs'), 'export const part = 1\n')
    }
    const asked = { ...sweepOptions, queue: redis.url }
    const own = { module: join(here, 'double-low.mjs') }
    const hand = hire(undefined, there)
    expect(outcomeOf((await sweepInThreads(prices, sweepGrid, own, asked)) as never)).toEqual(wanted)
    change(there)
    await expect(sweepInThreads(prices, sweepGrid, own, asked)).rejects.toThrow(
      /has no module double-low\.mjs of sha256 \w{12} among its strategies$/,
    )
    // What was loaded before is not taken for what is there now.
    change(here)
    await expect(sweepInThreads(prices, sweepGrid, own, asked)).rejects.toThrow(/has changed since it was loaded/)
    expect(hand.events.filter(({ is }) => is === 'ready')).toHaveLength(1)
  })

  test('a strategy that throws is the error that it is in threads, and the worker goes on', async () => {
    hire()
    await expect(nine({}, 'broken')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/^strategy: no score of \d \(/),
    })
    expect(outcomeOf((await nine()) as never)).toEqual(wanted)
    await nothingLeft()
  })

  test('a sender far from Redis does not count as gone while it takes what is done', async () => {
    const { events } = hire()
    const line = await slowLine(300)
    expect(outcomeOf((await long({ queue: line.url })) as never)).toEqual(many)
    while (!events.some(({ is }) => is === 'ended')) await pause(50)
    line.close()
    expect(events.map(({ is }) => is).filter((is) => is !== 'ran')).toEqual(['connected', 'ready', 'ended'])
  })

  test('what is no sweep is left alone, and no text of others reaches a terminal as it is', async () => {
    const client = new Redis(redis.url)
    await client.flushall()
    const id = 'e'.repeat(16)
    await client.hset('quotebook:sweeps', {
      [id]: '{"version":"\\u001b[31m"}',
      'a:b': '{}',
      ['f'.repeat(16)]: 'no JSON',
    })
    await client.set(`quotebook:${id}:lease`, 1)
    const { events } = hire()
    while (!events.some(({ is }) => is === 'refused')) await pause(50)
    expect(events).toMatchObject([{ is: 'connected' }, { is: 'refused', why: expect.not.stringContaining('\u001b') }])
    expect(await client.hkeys('quotebook:sweeps')).toEqual([id, 'a:b'])
    await client.flushall()
    client.disconnect()
  })

  test('of a sweep whose sender was cut off while it ended, workers leave nothing', async () => {
    const client = new Redis(redis.url)
    const board = await SweepBoard.open(redis.url, () => undefined)
    const id = 'c'.repeat(16)
    await board.announce(id, {} as SweepNote)
    await board.put(
      id,
      Array.from({ length: 20_000 }, (_, at) => ({ id: `sets-${at}`, all: [] })),
    )
    board.end(id).catch(() => undefined)
    while ((await client.dbsize()) > 19_000) await pause(1)
    board.close()
    expect(await client.dbsize()).toBeGreaterThan(0)
    // What half a minute does.
    await client.del(await client.keys('quotebook:*:lease'))
    client.disconnect()
    hire()
    await nothingLeft()
  })

  test('a worker leaves nothing of a sweep that ended just before it, nor another that was killed', async () => {
    const client = new Redis(redis.url)
    // What the look for lost jobs writes; of 2,000, so that Redis tells them in several parts.
    for (let at = 0; at < 2000; at++) await client.hset(`quotebook:${at.toString(16).padStart(16, '0')}:meta`, 'a', 1)
    await client.hset('quotebook:others:meta', 'a', 1)
    hire()
    while ((await client.dbsize()) > 1) await pause(20)
    expect(await client.keys('*')).toEqual(['quotebook:others:meta'])
    await client.flushall()
    const board = await SweepBoard.open(redis.url, () => undefined)
    const id = 'd'.repeat(16)
    const shift = board.work(id, { worker: 'last', threads: 1, lockMs: 100 }, async () => [])
    while ((await client.exists(`quotebook:${id}:meta`)) === 0) await pause(5)
    await shift.close(false)
    board.close()
    await nothingLeft()
    client.disconnect()
  })

  test('interrupted it takes its jobs along; the checkpoint goes on, by queue or without', async () => {
    hire()
    const checkpoint = join(tempDir(), 'sweep.jsonl')
    const stop = new AbortController()
    const onProgress = (done: number): void => void (done === 50 && stop.abort(new Error('enough')))
    await expect(long({ checkpoint, signal: stop.signal, onProgress })).rejects.toThrow('enough')
    await nothingLeft()
    const kept = readFileSync(checkpoint, 'utf8').trimEnd().split('\n').length
    expect(kept).toBeGreaterThanOrEqual(50)
    expect(kept).toBeLessThan(150)
    let runs = 0
    const found = await long({ checkpoint, onProgress: () => void runs++ })
    expect([runs, outcomeOf(found as never)]).toEqual([150 - kept, many])
  })

  test('a result of other inputs is not taken', async () => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: null })
    const found = expect(nine()).rejects.toMatchObject({
      code: 'UNSTABLE',
      message: 'sweep: worker forger  ran other inputs than those that it was asked to',
    })
    let id: string | undefined
    while (id === undefined) [id] = await client.hkeys('quotebook:sweeps')
    const none = new Float64Array()
    const sets = [{ key: 'f'.repeat(64), turnover: 0, equity: none, pnl: none }]
    await client.rpush(`quotebook:${id}:results`, 'no job', packedJob({ id: 'sets-0', worker: 'forger\u001b', sets }))
    await found
    client.disconnect()
  })

  test.each([
    [{ queue: 'http://localhost' }, 'USAGE', /redis:\/\/localhost:6379$/],
    [{ queue: 'redis://:hush@127.0.0.1:1' }, 'UNREACHABLE', /^no connection to redis:\/\/127\.0\.0\.1:1: /],
    [{ commission: { min: -0 } }, 'USAGE', /a queue carries options that JSON can write/],
  ])('%j is refused in one line without a password', async (more, code, message) => {
    const failed = await nine(more).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code })
    expect(`${messageOf(failed)}`).toMatch(message)
    expect(`${messageOf(failed)}`).not.toContain('hush')
  })

  test('a Redis with a password takes it from the address, and an error does not have it', async () => {
    const locked = await redisServer({ password: 'p@ss:w/rd%' })
    const queue = locked.url.replace('//', `//:${encodeURIComponent('p@ss:w/rd%')}@`)
    hire(undefined, dir, queue)
    expect(outcomeOf((await nine({ queue })) as never)).toEqual(wanted)
    const wrong = await nine({ queue: locked.url.replace('//', '//:hush@') }).catch((error: unknown) => error)
    expect(wrong).toMatchObject({ code: 'UNREACHABLE' })
    expect(`${messageOf(wrong)}`).toContain('WRONGPASS')
    expect(`${messageOf(wrong)}`).not.toContain('hush')
    await Promise.all(hands.splice(0).map((one) => one.end()))
    await locked.stop()
  })

  test.each([false, true])('Redis is restarted again and again meanwhile; it keeps its jobs: %s', async (keeps) => {
    const own = await redisServer({ keeps })
    hire(undefined, dir, own.url)
    hire(undefined, dir, own.url)
    let done = 0
    const count = (now: number): void => {
      done = now
    }
    const found = long({ queue: own.url, onProgress: count })
    for (const after of [10, 60, 110]) {
      while (done < after) await pause(5)
      await own.restart()
    }
    expect(outcomeOf((await found) as never)).toEqual(many)
    await Promise.all(hands.splice(0).map((one) => one.end()))
    await own.stop()
  })

  test('workers are killed at any moment, and nothing changes', async () => {
    const program = await bundled(`
      import { serveSweeps } from './src/research/backtest/queue/sweep-worker.js'
      import { sweepPanel } from './test/deep/research/sweep-world.js'
      const [queue, strategies, name] = process.argv.slice(2)
      await serveSweeps({ queue, strategies, name, threads: 1, lockMs: 500, panelOf: async () => sweepPanel(),
        onEvent: () => undefined, signal: new AbortController().signal })
    `)
    const children: ChildProcess[] = []
    const start = (): void => {
      const given = [program, redis.url, dir, `child-${++names}`]
      children.push(spawn(process.execPath, given, { stdio: 'inherit' }))
    }
    const random = chances(7)
    let [done, killed] = [0, 0]
    const count = (now: number): void => {
      done = now
    }
    start()
    start()
    const found = long({ onProgress: count })
    while (done === 0) await pause(10)
    for (; killed < 4 && done < 150; killed++) {
      await pause(300 + 700 * random())
      children[killed]?.kill('SIGKILL')
      start()
    }
    expect(outcomeOf((await found) as never)).toEqual(many)
    for (const child of children) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    expect(killed).toBeGreaterThan(0)
  })
})
