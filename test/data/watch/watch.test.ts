import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { Market, type WatchQueryOptions } from '../../src/market.js'
import type { Source } from '../../src/source/source.js'
import { SourceError } from '../../src/source/source-error.js'
import { fromRows } from '../../src/table/from-rows.js'
import { withProvenance } from '../../src/table/provenance.js'
import type { WatchWait } from '../../src/watch/asking-pace.js'
import type { Change } from '../../src/watch/change.js'
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
}

/** A watch that begins at a moment of Beijing's clock, which the test drives. */
function scene(
  begin: string,
  options: WatchQueryOptions = {},
  { name = 'etf_minute', rows = [bar('0945', 1)], chances = [0], onChange }: Setting = {},
): Scene {
  const clock = fakeClock(chances)
  const start = clock.now()
  const time = (): number => wall(begin) + clock.now() - start
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
  return { clock, source, changes, waits, stop, ended, until: (moment) => clock.pass(wall(moment) - time()) }
}

const shownRows = ({ isFirst, added, changed, before, columns, gone }: Change) => ({
  isFirst,
  added: objectsOf(added),
  changed: objectsOf(changed),
  before: objectsOf(before),
  columns,
  gone: objectsOf(gone),
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
  expect(objectsOf(changes[2]?.gone as Table)).toEqual([bar('0945', 3, '159915.SZ')])
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

test('no request begins before the last has ended, however long it takes', async () => {
  const { clock, source, until, changes } = scene('2026-07-29T10:00:00')
  source.answer = () => clock.sleep(10_000)
  await until('2026-07-29T10:00:59')
  expect([source.most, source.asked.length, changes.length]).toEqual([1, 7, 1])
  source.rows = [bar('1000', 2)]
  await until('2026-07-29T10:01:03')
  expect([source.asked.at(-2), changes[1]?.at]).toEqual(['2026-07-29T10:00:53', '2026-07-29T10:01:03+08:00'])
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
  expect(objectsOf(slow.changes[1]?.changed as Table)).toEqual([bar('1000', 59)])
  expect(objectsOf(slow.changes[1]?.before as Table)).toEqual([bar('1000', 0)])
})

const away = () => new SourceError('UNREACHABLE', 'no connection to any node', { retryable: true })

test('a source that is away is asked again, and what changed meanwhile comes as one change', async () => {
  const { source, changes, waits, until, ended, stop } = scene('2026-07-29T10:00:00')
  await until('2026-07-29T10:00:01')
  source.failure = away()
  await until('2026-07-29T10:05:00')
  expect(waits.length).toBeGreaterThan(8)
  expect(waits[0]).toEqual({ why: 'away', until: '2026-07-29T10:00:06+08:00', error: source.failure })
  source.failure = undefined
  source.rows = [bar('1000', 2)]
  await until('2026-07-29T10:06:00')
  expect(changes).toHaveLength(2)
  expect([objectsOf(changes[1]?.added as Table), objectsOf(changes[1]?.gone as Table)]).toEqual([
    [bar('1000', 2)],
    [bar('0945', 1)],
  ])
  stop.abort()
  expect(await ended).toBe('ended')
})

test('a source that stays away ends it with its own error; one that refuses ends it at once', async () => {
  const gone = scene('2026-07-29T10:00:00', { patience: 120 })
  await gone.until('2026-07-29T10:00:01')
  gone.source.failure = away()
  await gone.until('2026-07-29T10:01:50')
  expect(gone.waits.length).toBeGreaterThan(3)
  await gone.until('2026-07-29T10:02:10')
  expect(await gone.ended).toBe(gone.source.failure)
  const refused = scene('2026-07-29T10:00:00')
  await refused.until('2026-07-29T10:00:01')
  refused.source.failure = new SourceError('FORBIDDEN', 'the key')
  await refused.until('2026-07-29T10:00:04')
  expect([await refused.ended, refused.waits]).toEqual([refused.source.failure, []])
})

test('it is told how long the service asked to wait', async () => {
  const { source, waits, until, stop } = scene('2026-07-29T10:00:00')
  source.failure = new SourceError('UNAVAILABLE', 'busy', { retryable: true, retryAfter: 45_000 })
  await until('2026-07-29T10:00:46')
  expect(waits[0]?.until).toBe('2026-07-29T10:00:45+08:00')
  expect(source.asked).toEqual(['2026-07-29T10:00:00', '2026-07-29T10:00:45'])
  stop.abort()
})

test.each([
  ['while it sleeps', '2026-07-29T10:00:01', 0],
  ['while it is asked', '2026-07-29T10:00:01', 5000],
  ['at midday', '2026-07-29T12:00:00', 0],
])('abort %s ends it at once, without an error', async (_, moment, takes) => {
  const { clock, source, stop, ended, until } = scene('2026-07-29T10:00:00')
  if (takes > 0) source.answer = () => clock.sleep(takes, stop.signal)
  await until(moment)
  stop.abort(new Error('enough'))
  expect(await ended).toBe('ended')
  expect(clock.sleepers).toBe(0)
})

test('what can not be watched is refused before anything is asked', () => {
  const market = new Market(new LiveSource(() => ''))
  const refusal = (action: () => unknown): unknown => {
    try {
      return action()
    } catch (error) {
      return [(error as { code: string }).code, (error as Error).message]
    }
  }
  expect(refusal(() => market.watch('etf_minut'))).toEqual(['INVALID_PARAMS', expect.stringContaining("'etf_minute'")])
  expect(refusal(() => market.watch('etf_minute', { symbol: '1' } as never))).toEqual([
    'INVALID_PARAMS',
    expect.stringContaining("'symbols'"),
  ])
  expect(refusal(() => market.watch('etf_minute', {}, { evry: 1 } as never))).toEqual([
    'USAGE',
    "a watch has no option 'evry'; did you mean 'every'?",
  ])
  expect(refusal(() => market.watch('etf_minute', {}, { every: 0 }))).toEqual(['USAGE', 'every can not be 0'])
  expect(refusal(() => market.watch('etf_minute', {}, { hours: 'night' as never }))).toEqual([
    'USAGE',
    "hours can be 'session' or 'always', not 'night'",
  ])
  expect(refusal(() => market.watch('file_download', { data_type: 'auction_tick', year: 2026 } as never))).toEqual([
    'USAGE',
    "file_download can't be watched: a share is made when it is asked for",
  ])
  expect(datasetOf('file_download').archiveRule).toBe('tick-share')
})
