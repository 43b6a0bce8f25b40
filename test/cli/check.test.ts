import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { quotebook } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

const day = { tradedate: '20260701' }
let dir: string

/** A question's answer as a file of one's own. */
function file(name: string, dataset: string, params: Record<string, unknown>): void {
  const ran = quotebook(['query', dataset, '--params', JSON.stringify({ ...params, ...day }), '--out', join(dir, name)])
  expect([ran.code, ran.out]).toEqual([0, ''])
}

const check = (...args: string[]) => quotebook(['check', ...args])

beforeAll(() => {
  dir = tempDir()
  file('bonds.csv', 'convertible_minute', { symbols: ['110059.SH'] })
  file('15m.csv', 'etf_minute', { symbols: ['510300.SH'], period: '15m' })
  file('30m.csv', 'etf_minute', { symbols: ['510300.SH'], period: '30m' })
})

test('bars of a file tell by their codes what they are, unless it is said', () => {
  const bonds = check('bars', '--file', join(dir, 'bonds.csv'))
  expect([bonds.code, /pass +9/.test(bonds.err)]).toEqual([0, true])
  expect(check('bars', '--file', join(dir, '30m.csv')).code).toBe(0)
  const wrong = check('bars', '--file', join(dir, 'bonds.csv'), '--dataset', 'etf_minute')
  expect([wrong.code, /out-of-range +9/.test(wrong.err)]).toEqual([1, true])
})

test('bars of bonds can be asked for', () => {
  const params = JSON.stringify({ symbols: ['110059.SH'], ...day })
  const ran = check('bars', '--dataset', 'convertible_minute', '--params', params)
  expect([ran.code, /pass +9/.test(ran.err)]).toEqual([0, true])
})

test('params stand as words, of the dataset that is checked', () => {
  const asked = (...words: string[]) => check('bars', '--dataset', 'convertible_minute', ...words)
  const json = asked('--params', JSON.stringify({ symbols: ['110059.SH'], ...day }))
  expect(asked('symbols=110059.SH', 'tradedate=20260701')).toEqual(json)
  const vwap = check('vwap', 'symbols=510300.SH', 'period=15m', 'tradedate=20260701')
  expect([vwap.code, /equal +17/.test(vwap.err)]).toEqual([0, true])
})

test('bars of two periods stand in two files', () => {
  const ran = check('periods', '--file', join(dir, '30m.csv'), '--with', `etf_minute=${join(dir, '15m.csv')}`)
  expect([ran.code, /equal +9/.test(ran.err)]).toEqual([0, true])
})

test('what every check finds over some days, the check of one name lists over as many', () => {
  const all = quotebook(['check', 'all', '--days', '3'])
  const said = /quotebook (check southbound --days 3) lists them/.exec(all.err)
  expect([all.code, said?.[1]]).toEqual([1, 'check southbound --days 3'])
  const own = check('southbound', '--days', '3')
  const count = /southbound: (\d+) of (\d+) rows contradicted/.exec(all.err)
  expect([own.code, own.err]).toEqual([1, expect.stringMatching(new RegExp(`southbound: ${count?.[2]} rows`))])
  expect(own.err).toMatch(new RegExp(`double-count +${count?.[1]}\\b`))
  expect(check('vwap', '--days', '2', '--dataset', 'etf_minute').err).toMatch(/vwap \(etf_minute, 15m\): \d+ rows/)
})

test.each([
  [['vwap', '--days', '2', '--factor', '1'], /--days reads the source: give it without --factor/],
  [['vwap', 'symbols=510300', '--days', '2'], /give it without params/],
  [['vwap', 'symbol=510300'], /unknown param of etf_minute 'symbol'\. Did you mean 'symbols'\?/],
  [['vwap', 'symbols=1', '--file', 'x'], /give --file or params, not both/],
  [['st_lst'], /there is no check 'st_lst'\. Did you mean 'st-list'\? There are: all, vwap, .*, tick-share\.$/m],
  [['everything', '--days', '3'], /there is no check 'everything'\. There are: all, vwap/],
  [['southbound', '--days', '2', '--flows'], /give it without --flows/],
  [['bars', '--factor', '1'], /--factor is for bars of a --file or of params/],
])('check %j is refused', (args, message) => {
  const ran = check(...args)
  expect([ran.code, ran.out]).toEqual([2, ''])
  expect(ran.err).toMatch(message)
})

test('flows in the money that is said, and who came onto the ST list', () => {
  const flows = (...args: string[]) => check('southbound', '--flows', '--format', 'csv', ...args)
  const buyOf = (text: string): number => Number(text.split('\n')[1]?.split(',')[3])
  const [yuan, converted] = [flows(), flows('--unit', 'Hong Kong dollar', '--rate', '0.5')]
  expect([yuan.code, converted.code]).toEqual([0, 0])
  expect(buyOf(converted.out)).toBe(buyOf(yuan.out) / 2)
  expect(check('southbound', '--rate', '2').err).toBe('quotebook: --rate is for --flows; sums need none\n')
  const moved = check('st-list', '--transitions', '--format', 'csv')
  expect([moved.code, moved.out.split('\n')[0]]).toEqual([0, 'tradedate,symbol,name,from,to,kind,since,unlisted_days'])
})

test('verification halts come from a file', () => {
  const days = ['20260803', '20260804', '20260806', '20260807']
  const write = (name: string, rows: readonly string[]): string => {
    writeFileSync(join(dir, name), rows.join('\n'))
    return join(dir, name)
  }
  const closes = [10, 11, 11.5, 12.3].map((close, i) => `${days[i]},600000,${close}`)
  const levels = ['20260803', '20260804', '20260805', '20260806', '20260807'].map((day) => `${day},000002.SH,4000`)
  const prices = write('prices.csv', ['tradedate,symbol,close', ...closes])
  const benchmarks = write('levels.csv', ['tradedate,code,close', ...levels])
  const halts = write('halts.csv', ['tradedate,symbol', '20260805,600000.SH'])
  const triggered = (...more: string[]): string[] => {
    const ran = check(
      'anomaly',
      '--computed',
      '--prices',
      prices,
      '--benchmarks',
      benchmarks,
      '--format',
      'json',
      ...more,
    )
    expect(ran.code).toBe(0)
    const rows: { tradedate: string; status: string }[] = JSON.parse(ran.out)
    return rows.flatMap(({ tradedate, status }) => (status === 'triggered' ? [tradedate] : []))
  }
  expect(triggered()).toEqual(['20260807'])
  expect(triggered('--halts', halts)).toEqual([])
})
