import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-check-'))
const file = (name: string): string => join(dir, name)
const check = (...args: string[]) => here('check', ...args)
const day = 'tradedate=20260701'

beforeAll(async () => {
  await here('query', 'convertible_minute', 'symbols=110059.SH', day, '--out', file('bonds.csv'))
  await here('query', 'etf_minute', 'symbols=510300.SH', 'period=15m', day, '--out', file('15m.csv'))
  await here('query', 'etf_minute', 'symbols=510300.SH', 'period=30m', day, '--out', file('30m.csv'))
})
afterAll(() => rmSync(dir, { recursive: true }))

test.each<[said: RegExp, code: number, ...args: string[]]>([
  // Bars of a file tell by their codes what they are, unless it is said.
  [/pass +9\n/, 0, 'bars', '--file', file('bonds.csv')],
  [/pass +9\n/, 0, 'bars', '--file', file('30m.csv')],
  [/out-of-range +9\n/, 1, 'bars', '--file', file('bonds.csv'), '--dataset', 'etf_minute'],
  [/pass +9\n/, 0, 'bars', '--dataset', 'convertible_minute', 'symbols=110059.SH', day],
  [/equal +9\n/, 0, 'periods', '--file', file('30m.csv'), '--with', `etf_minute=${file('15m.csv')}`],
  [/vwap \(etf_minute, 15m\): \d+ rows/, 0, 'vwap', '--days', '2', '--dataset', 'etf_minute'],
  [/rows\nverdict[\s\S]*nothing contradicts/, 0, 'st-list', '--days', '2'],
  [/convertible_minute; --with convertible_minute=FILE adds/, 1, 'day', '--params', '{}'],
  [/no rows of theme_lib_detail_kp; ask for them with params/, 1, 'theme-detail'],
])('%s', async (said, code, ...args) => {
  const ran = await check(...args)
  expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(said)])
})

test.each([
  ['vwap --days 2 --factor 1', '--days reads the source: give it without --factor'],
  ['vwap symbols=510300 --days 2', 'give it without params'],
  ['vwap symbol=510300', "unknown param of etf_minute 'symbol'. Did you mean 'symbols'?"],
  ['vwap symbols=1 --file x', 'give --file or params, not both'],
  ['vwap --resample 15m', 'one-minute bars of a --file'],
  ['vwap --typo', "unknown option '--typo'"],
  ['southbound --days 2 --flows', 'give it without --flows'],
  ['southbound --rate 2', '--rate is for --flows; sums need none'],
  ['bars --factor 1', '--factor is for bars of a --file or of params'],
  ['anomaly --computed', '--computed needs --prices and --benchmarks'],
  ['day --with nothing=x', "--with: there is no dataset 'nothing'"],
])('check %s is refused', async (args, message) => {
  const ran = await check(...args.split(' '))
  expect([ran.code, ran.out, ran.err]).toEqual([2, '', expect.stringContaining(message)])
})

test('flows in the money that is said, and who came onto the ST list', async () => {
  const flows = (...args: string[]) => check('southbound', '--flows', '--format', 'csv', ...args)
  const buyOf = (text: string): number => Number(text.split('\n')[1]?.split(',')[3])
  const [yuan, converted] = [await flows(), await flows('--unit', 'Hong Kong dollar', '--rate', '0.5')]
  expect(buyOf(converted.out)).toBe(buyOf(yuan.out) / 2)
  const moved = await check('st-list', '--transitions', '--format', 'csv')
  expect([moved.code, moved.out.split('\n')[0]]).toEqual([0, 'tradedate,symbol,name,from,to,kind,since,unlisted_days'])
})

test('2,880 real bars of one minute, their volumes in shares, are checked, and make bars of 30 minutes', async () => {
  const real = ['--file', 'test/fixture/real/688001.SH.1m.csv', '--rename', 'vol_shares=vol', '--factor', '1']
  const checked = async (...more: string[]): Promise<unknown[]> => {
    const { code, out } = await check('vwap', ...real, '--format', 'json', ...more)
    expect(code).toBe(0)
    return JSON.parse(out)
  }
  expect([(await checked()).length, (await checked('--resample', '30m')).length]).toEqual([2880, 12 * 8])
})

test('verification halts come from a file', async () => {
  const days = ['20260803', '20260804', '20260806', '20260807']
  const write = (name: string, rows: readonly string[]): string => {
    writeFileSync(file(name), rows.join('\n'))
    return file(name)
  }
  const closes = [10, 11, 11.5, 12.3].map((close, i) => `${days[i]},600000,${close}`)
  const levels = ['20260803', '20260804', '20260805', '20260806', '20260807'].map((day) => `${day},000002.SH,4000`)
  const prices = write('prices.csv', ['tradedate,symbol,close', ...closes])
  const benchmarks = write('levels.csv', ['tradedate,code,close', ...levels])
  const halts = write('halts.csv', ['tradedate,symbol', '20260805,600000.SH'])
  const triggered = async (...more: string[]): Promise<string[]> => {
    const given = ['--prices', prices, '--benchmarks', benchmarks, '--format', 'json', ...more]
    const { out } = await check('anomaly', '--computed', ...given)
    const rows: { tradedate: string; status: string }[] = JSON.parse(out)
    return rows.flatMap(({ tradedate, status }) => (status === 'triggered' ? [tradedate] : []))
  }
  expect([await triggered(), await triggered('--halts', halts)]).toEqual([['20260807'], []])
})
