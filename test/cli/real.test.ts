import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quotebook } from '../helper/cli.js'

const file = 'test/fixture/real/688001.SH.1m.csv'
const hasPython = spawnSync('python3', ['--version']).status === 0

/** The rule of section 2.6 in Python's decimal: minute bars of a share, volumes in shares, so the factor is 1. */
const oracle = `
import csv, json, sys
from decimal import Decimal, ROUND_HALF_UP
out, sums, last = [], {}, {}
for row in csv.DictReader(open(sys.argv[1])):
    key = (row['tradedate'], row['symbol'])
    amount, volume = sums.get(key, (Decimal(0), Decimal(0)))
    amount += Decimal(row['amount']); volume += Decimal(row['vol_shares'])
    sums[key] = (amount, volume)
    if Decimal(row['vol_shares']) > 0: # a bucket of zero volume keeps the value, though ten of them have a turnover
        last[key] = (amount / volume).quantize(Decimal('0.001'), ROUND_HALF_UP)
    value = last.get(key)
    out.append([row['tradedate'], row['trademin'], None if value is None else str(value)])
print(json.dumps(out))
`

type Bar = { tradedate: string; trademin: string; recomputed: number | null; verdict: string }

function checked(...extra: string[]): Bar[] {
  const args = [
    'check',
    'vwap',
    '--file',
    file,
    '--rename',
    'vol_shares=vol',
    '--factor',
    '1',
    '--format',
    'json',
    ...extra,
  ]
  const { code, out, err } = quotebook(args)
  expect([code, err.includes('quotebook:')]).toEqual([0, false])
  return JSON.parse(out)
}

test.skipIf(!hasPython && !process.env.CI)(
  'vwap of 2,880 real bars, and of 30-minute bars made of them, is that of Python decimal',
  () => {
    const python = spawnSync('python3', ['-c', oracle, file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    expect(python.stderr).toBe('')
    const expected = JSON.parse(python.stdout) as [string, string, string | null][]
    const bars = checked()
    const same = (bar: Bar): string | null => (bar.recomputed === null ? null : bar.recomputed.toFixed(3))
    expect(bars.map((bar) => [bar.tradedate, bar.trademin, same(bar)])).toEqual(expected)
    expect(bars).toHaveLength(2880)
    const longer = checked('--resample', '30m')
    expect(longer).toHaveLength(12 * 8)
    for (const bar of longer) {
      const until = expected.filter(([day, minute]) => day === bar.tradedate && minute <= bar.trademin)
      expect([bar.tradedate, bar.trademin, same(bar)]).toEqual([bar.tradedate, bar.trademin, until.at(-1)?.[2]])
    }
  },
)

test('six real southbound rows: amount counts a channel twice on two, everything else holds on all', () => {
  const args = ['check', 'southbound', '--file', 'test/fixture/real/ggt_top10_20180727_6rows.csv', '--format', 'json']
  const { code, out, err } = quotebook(args)
  const rows = JSON.parse(out) as {
    code: string
    market_type: string
    verdict: string
    twice: string
    broken: string
  }[]
  expect(code).toBe(1)
  expect(rows.map(({ verdict }) => verdict)).toEqual([
    'double-count',
    'equal',
    'equal',
    'equal',
    'equal',
    'double-count',
  ])
  expect(rows.flatMap(({ code, twice, broken }) => (twice ? [[code, twice, broken]] : []))).toEqual([
    ['00175', 'sh', 'amount'],
    ['00700', 'sz', 'amount'],
  ])
  expect(err).toContain('some rows contradict the rule')
})
