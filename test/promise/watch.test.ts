import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Change, connect, provenance, SourceError, toObjects, type WatchWait } from 'quotebook'
import { afterEach, expect, test } from 'vitest'
import { sampleDir } from './helper/files.js'
import { bars, closeAll, marketOf, ofRows, type Row, vendor } from './helper/vendor.js'

/** A question asked again and again: each change once, told by the key; a source that is away is waited for. */
afterEach(closeAll)

const params = { symbols: ['510300.SH'], tradedate: '20260729', period: '15m' } as const
const begun = bars(['510300.SH'], '20260729').slice(0, 3)

/** A service whose rows a test changes, and a watch of them that takes one change at a time. */
async function scene(options: object = {}, rows: readonly Row[] = begun) {
  const live = { rows, isAway: false }
  const service = await vendor((asked) =>
    live.isAway ? { code: 503, message: 'away', data: null } : ofRows(live.rows)(asked),
  )
  const market = await marketOf(service.url, { retry: { attempts: 1 } })
  const stop = new AbortController()
  const watch = market.watch('etf_minute', params, { every: 0.01, hours: 'always', signal: stop.signal, ...options })
  const next = async (): Promise<Change> => (await watch.next()).value as never
  return { live, service, stop, watch, next }
}

const cells = ({ isFirst, added, changed, before, columns, gone }: Change) => ({
  isFirst,
  added: toObjects(added).map(({ trademin }) => trademin),
  changed: toObjects(changed).map(({ trademin, close }) => [trademin, close]),
  before: toObjects(before).map(({ close }) => close),
  columns,
  gone: toObjects(gone).map(({ trademin }) => trademin),
})

test('the first state at once, then what is new, changed and gone, each once', async () => {
  const { live, next, stop, watch } = await scene()
  const first = await next()
  expect(cells(first)).toEqual({
    isFirst: true,
    added: ['0930', '0945', '1000'],
    changed: [],
    before: [],
    columns: [],
    gone: [],
  })
  expect([first.newest, provenance(first.rows)?.rows, first.state]).toEqual(['2026-07-29T10:00:00', 3, undefined])
  expect(first.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/)
  live.rows = [begun[0] as Row, { ...begun[1], close: 9, vol: 5 }, ...bars(['510300.SH'], '20260729').slice(3, 5)]
  expect(cells(await next())).toEqual({
    isFirst: false,
    added: ['1015', '1030'],
    changed: [['0945', 9]],
    before: [2.5],
    columns: [['close', 'vol']],
    gone: ['1000'],
  })
  const last = watch.next()
  stop.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('what does not change is no change: neither order nor the time that passes', async () => {
  const { live, service, watch, stop } = await scene()
  await watch.next()
  const last = watch.next()
  live.rows = begun.toReversed()
  while (service.asked.length < 8) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  expect((await last).done).toBe(true)
})

test('chosen fields come with the key', async () => {
  const { next, stop } = await scene({ fields: ['close'] })
  expect((await next()).rows.schema.names).toEqual(['tradedate', 'symbol', 'trademin', 'close'])
  stop.abort()
})

test('a source that is away is asked again, and what changed meanwhile comes as one change', async () => {
  const waits: WatchWait[] = []
  const times: string[] = []
  const { live, next, stop } = await scene({
    onWait: (wait: WatchWait) => waits.push(wait),
    onAnswer: (at: string) => times.push(at),
  })
  await next()
  live.isAway = true
  const change = next()
  while (waits.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  live.rows = begun.slice(1)
  live.isAway = false
  expect(cells(await change)).toMatchObject({ added: [], gone: ['0930'] })
  expect(waits[0]).toMatchObject({
    why: 'away',
    error: expect.any(SourceError),
    until: expect.stringMatching(/\+08:00$/),
  })
  expect(times.length).toBeGreaterThan(1)
  stop.abort()
})

test('a source that stays away ends the watch with its error when patience ends; a refusal ends it at once', async () => {
  const { live, next } = await scene({ patience: 0.05 })
  await next()
  live.isAway = true
  await expect(next()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true })
  const { url, asked } = await vendor(() => ({ code: 403, message: 'no', data: null }))
  const refused = (await marketOf(url)).watch('etf_minute', params, { every: 0.01, hours: 'always' })
  await expect(refused.next()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(asked).toHaveLength(1)
})

test('outside of the session bars are asked once, and the opening is waited for', async () => {
  const waits: WatchWait[] = []
  const time = () => Date.parse('2026-09-30T15:30:00+08:00')
  const { next, stop, service, watch } = await scene({
    hours: undefined,
    time,
    onWait: (wait: WatchWait) => waits.push(wait),
  })
  expect((await next()).isFirst).toBe(true)
  const asked = service.asked.length
  const last = watch.next()
  while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(waits[0]).toMatchObject({ why: 'session', until: expect.stringMatching(/^2026-10-08T09:15:0\d\+08:00$/) })
  expect(service.asked).toHaveLength(asked)
  stop.abort()
  expect((await last).done).toBe(true)
})

test('the sample does not change: one state, and its archive is named', async () => {
  const market = await connect()
  const stop = new AbortController()
  const watch = market.watch(
    'etf_minute',
    { symbols: ['510300'], period: '15m' },
    { every: 0.01, hours: 'always', signal: stop.signal },
  )
  const { value } = await watch.next()
  expect([value?.isFirst, value?.rows.numRows, value?.state]).toEqual([true, 17, await market.archive?.state()])
  const last = watch.next()
  setTimeout(() => stop.abort(), 60)
  expect((await last).done).toBe(true)
})

test.each<[name: string, params: object, options: object, code: string, message: string]>([
  ['etf_minut', {}, {}, 'INVALID_PARAMS', "unknown dataset 'etf_minut'. Did you mean 'etf_minute'?"],
  [
    'etf_minute',
    { symbol: '1' },
    {},
    'INVALID_PARAMS',
    "unknown param of etf_minute 'symbol'. Did you mean 'symbols'?",
  ],
  ['etf_minute', {}, { evry: 1 }, 'USAGE', "a watch has no option 'evry'; did you mean 'every'?"],
  ['etf_minute', {}, { every: 0 }, 'USAGE', 'every can not be 0'],
  ['etf_minute', {}, { patience: -1 }, 'USAGE', 'patience can not be -1'],
  ['etf_minute', {}, { hours: 'night' }, 'USAGE', "hours can be 'session' or 'always', not 'night'"],
  [
    'file_download',
    { data_type: 'auction_tick', year: 2026 },
    {},
    'USAGE',
    "file_download can't be watched: a share is made when it is asked for",
  ],
])('watch(%j, %j, %j) is refused before anything is asked', async (name, given, options, code, message) => {
  const market = await marketOf('http://127.0.0.1:9')
  let error: unknown
  try {
    market.watch(name, given as never, options as never)
  } catch (caught) {
    error = caught
  }
  expect(error).toMatchObject({ code, message })
})

test('the command writes JSON lines into a pipe, and ends with the first rows that meet a condition', async () => {
  const words = ['watch', 'convertible_daily', 'tradedate=20260729', '--when', 'close > 140 and close < 150', '--once']
  const child = spawn(process.execPath, [join('dist', 'cli', 'quotebook.cjs'), ...words, '--source', sampleDir], {
    env: { ...process.env, LC_ALL: 'C' },
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).row as Row)
  const closes = toObjects(await (await connect()).table.convertibleDaily({ tradedate: '20260729' }))
    .filter(({ close }) => Number(close) > 140 && Number(close) < 150)
    .map(({ code, close }) => [code, close])
  expect(closes.length).toBeGreaterThan(0)
  expect(lines.map(({ code, close }) => [code, close])).toEqual(closes)
})
