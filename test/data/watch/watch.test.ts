import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { Dataset } from '../../../src/contract/dataset.js'
import type { Source } from '../../../src/data/source/source.js'
import { SourceError } from '../../../src/data/source/source-error.js'
import type { Change } from '../../../src/data/watch/change.js'
import type { WatchWait } from '../../../src/data/watch/poll-interval.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { withProvenance } from '../../../src/frame/table/provenance.js'
import { Market, type WatchQueryOptions } from '../../../src/market.js'
import { type FakeClock, fakeClock } from '../source/transport/fake-clock.js'

type Row = Record<string, unknown>

const bar = (trademin: string, close: number, symbol = '510300.SH'): Row => ({
  tradedate: '20260729',
  symbol,
  trademin,
  close,
})

/** A source whose rows a test changes; it notes when it is asked. */
class LiveSource implements Source {
  readonly name = 'live'
  rows: Row[] = []
  state = 's0'
  /** Thrown instead of an answer, as long as there is one. */
  failure: Error | undefined
  readonly asked: string[] = []
  underWay = 0
  most = 0
  answer: () => Promise<void> = async () => undefined

  constructor(readonly moment: () => string) {}

  async query(dataset: Dataset): Promise<Table> {
    this.asked.push(this.moment())
    this.most = Math.max(this.most, ++this.underWay)
    await this.answer().finally(() => this.underWay--)
    if (this.failure) throw this.failure
    const request = { params: {}, fields: [] }
    const about = { dataset: dataset.name, source: 'live', request, rows: this.rows.length, complete: true }
    return withProvenance(fromRows(this.rows, { dataset }), { ...about, state: this.state })
  }
}

interface Scene {
  readonly clock: FakeClock
  readonly source: LiveSource
  readonly changes: Change[]
  readonly waits: WatchWait[]
  readonly stop: AbortController
  readonly ended: Promise<unknown>
  /** Lets time pass, in the words of Beijing's clock. */
  until(moment: string): Promise<void>
}

const wall = (text: string): number => Date.parse(`${text}+08:00`)

interface Setting {
  readonly name?: string
  readonly rows?: Row[]
  readonly chances?: readonly number[]
  /** What the consumer does with a change before it wants the next. */
  readonly onChange?: () => Promise<void>
  /** Milliseconds that its clock on the wall is wrong by. */
  readonly wrong?: () => number
}

/** A watch that begins at a moment of Beijing's clock, which the test drives. */
function scene(
  begin: string,
  options: WatchQueryOptions = {},
  { name = 'etf_minute', rows = [bar('0945', 1)], chances = [0], onChange, wrong = () => 0 }: Setting = {},
): Scene {
  const clock = fakeClock(chances)
  const start = clock.now()
  const right = (): number => wall(begin) + clock.now() - start
  const time = (): number => right() + wrong()
  const shown = (): string => new Date(time() + 8 * 3_600_000).toISOString().slice(0, 19)
  const source = new LiveSource(shown)
  source.rows = rows
  const [changes, waits, stop]: [Change[], WatchWait[], AbortController] = [[], [], new AbortController()]
  const onWait = (wait: WatchWait): unknown => waits.push(wait)
  const all = { onWait, signal: stop.signal, clock, time, ...options } as WatchQueryOptions
  const run = async (): Promise<void> => {
    for await (const change of new Market(source).watch(name, undefined, all)) {
      changes.push(change)
      await onChange?.()
    }
  }
  const ended = run().then(
    () => 'ended',
    (error: unknown) => error,
  )
  return { clock, source, changes, waits, stop, ended, until: (moment) => clock.pass(wall(moment) - right()) }
}

const shownRows = ({ isFirst, added, changed, before, columns, gone }: Change) => ({
  isFirst,
  added: toObjects(added),
  changed: toObjects(changed),
  before: toObjects(before),
  columns,
  gone: toObjects(gone),
})

test('a session day: each change once, nothing asked at midday, in the evening, on a holiday; once more after each end', async () => {
  const { source, changes, waits, until, stop, ended } = scene('2026-09-30T08:00:00')
  await until('2026-09-30T09:15:00')
  expect([source.asked, changes.length]).toEqual([['2026-09-30T08:00:00', '2026-09-30T09:15:00'], 1])
  expect(waits).toEqual([{ why: 'session', until: '2026-09-30T09:15:00+08:00' }])
  source.rows = [bar('0945', 1.1), bar('0945', 3, '159915.SZ')]
  source.state = 's1'
  await until('2026-09-30T09:15:03')
  expect(shownRows(changes[1] as Change)).toEqual({
    isFirst: false,
    added: [bar('0945', 3, '159915.SZ')],
    changed: [bar('0945', 1.1)],
    before: [bar('0945', 1)],
    columns: [['close']],
    gone: [],
  })
  expect(changes[1]).toMatchObject({ at: '2026-09-30T09:15:03+08:00', newest: '2026-07-29T09:45:00', state: 's1' })
  source.rows = [bar('0945', 1.1)]
  await until('2026-09-30T11:29:00')
  expect(toObjects(changes[2]?.gone as Table)).toEqual([bar('0945', 3, '159915.SZ')])
  await until('2026-09-30T12:59:59')
  expect(changes.length).toBe(3)
  expect(source.asked.filter((at) => at > '2026-09-30T11:30:00')).toHaveLength(1)
  expect(source.asked.at(-1)).toMatch(/^2026-09-30T11:30:/)
  await until('2026-09-30T13:00:00')
  expect(source.asked.at(-1)).toBe('2026-09-30T13:00:00')
  await until('2026-10-08T09:14:59')
  expect(source.asked.filter((at) => at > '2026-09-30T15:00:00')).toHaveLength(1)
  await until('2026-10-08T09:15:00')
  expect(source.asked.at(-1)).toBe('2026-10-08T09:15:00')
  expect(waits.map(({ until }) => until.slice(0, 19))).toEqual([
    '2026-09-30T09:15:00',
    '2026-09-30T13:00:00',
    '2026-10-08T09:15:00',
  ])
  expect([changes.length, source.most]).toEqual([3, 1])
  stop.abort()
  expect(await ended).toBe('ended')
})

test('what changes keeps it asking every 3 seconds; what does not is asked less and less, at most ten times as seldom', async () => {
  const { source, until } = scene('2026-07-29T10:00:00')
  for (let second = 1; second <= 30; second++) {
    source.rows = [bar('1000', second)]
    await until(`2026-07-29T10:00:${String(second).padStart(2, '0')}`)
  }
  expect(source.asked).toHaveLength(11)
  await until('2026-07-29T10:20:00')
  const times = source.asked.map(wall)
  const steps = times.slice(1).map((time, i) => (time - (times[i] as number)) / 1000)
  expect(steps.slice(0, 10)).toEqual(Array(10).fill(3))
  expect([...new Set(steps)]).toEqual([3, 6, 12, 24, 30])
  const later = source.asked.length
  source.rows = [bar('1000', 99)]
  await until('2026-07-29T10:21:00')
  expect(source.asked.length - later).toBeGreaterThan(8)
})

test('chance from the clock is added to each wait, up to a tenth, and to the opening, up to one wait', async () => {
  const { clock, source, until, stop } = scene('2026-07-29T11:29:55', {}, { chances: [0, 0.5, 0.999] })
  await until('2026-07-29T14:00:00')
  expect(clock.slept.slice(0, 2).map(Math.round)).toEqual([3000, 3150])
  expect(source.asked.slice(0, 4)).toEqual([
    '2026-07-29T11:29:55',
    '2026-07-29T11:29:58',
    '2026-07-29T11:30:01',
    expect.stringMatching(/^2026-07-29T13:00:0[0-2]/),
  ])
  stop.abort()
})

test('a clock that was a year ahead in the evening opens no session a year later', async () => {
  let wrong = 365 * 86_400_000
  const { source, until, stop } = scene('2026-07-28T20:00:00', {}, { wrong: () => wrong })
  await until('2026-07-28T20:30:00')
  wrong = 0
  await until('2026-07-29T09:15:00')
  expect(source.asked.at(-1)).toBe('2026-07-29T09:15:00')
  stop.abort()
})

test('what is published in the evening is asked for day and night; a session can be asked for, and the opposite', async () => {
  const bond = [{ tradedate: '20260729', code: '123124.SZ' }]
  const news = scene('2026-07-29T22:00:00', {}, { name: 'convertible_daily', rows: bond })
  await news.until('2026-07-29T22:03:00')
  expect(news.source.asked).toHaveLength(4)
  expect(news.changes[0]?.newest).toBe('2026-07-29')
  const paused = scene('2026-07-29T22:00:00', { hours: 'session' }, { name: 'convertible_daily', rows: [] })
  await paused.until('2026-07-30T09:00:00')
  expect([paused.source.asked.length, paused.changes.length]).toEqual([1, 1])
  const bars = scene('2026-07-29T22:00:00', { hours: 'always', every: 1 })
  await bars.until('2026-07-29T22:00:05')
  expect(bars.source.asked).toHaveLength(6)
  for (const one of [news, paused, bars]) one.stop.abort()
})

test('whoever is slow gets the newest state, not those that it missed', async () => {
  let clock: FakeClock | undefined
  const slow = scene('2026-07-29T10:00:00', {}, { rows: [bar('1000', 0)], onChange: async () => clock?.sleep(60_000) })
  clock = slow.clock
  await slow.until('2026-07-29T10:00:00')
  for (let second = 1; second < 60; second++) {
    slow.source.rows = [bar('1000', second)]
    await slow.until(`2026-07-29T10:00:${String(second).padStart(2, '0')}`)
  }
  expect([slow.source.asked.length, slow.changes.length]).toEqual([1, 1])
  await slow.until('2026-07-29T10:01:01')
  expect(slow.source.asked.at(-1)).toBe('2026-07-29T10:01:00')
  expect(toObjects(slow.changes[1]?.changed as Table)).toEqual([bar('1000', 59)])
  expect(toObjects(slow.changes[1]?.before as Table)).toEqual([bar('1000', 0)])
})

test('it is told how long the service asked to wait', async () => {
  const { source, waits, until, stop } = scene('2026-07-29T10:00:00')
  source.failure = new SourceError('UNAVAILABLE', 'busy', { retryable: true, retryAfter: 45_000 })
  await until('2026-07-29T10:00:46')
  expect(waits[0]?.until).toBe('2026-07-29T10:00:45+08:00')
  expect(source.asked).toEqual(['2026-07-29T10:00:00', '2026-07-29T10:00:45'])
  stop.abort()
})
