// Deep: what a trader of bonds and funds wants to say, each from the backtest to an evening's plan and two weeks of a paper account.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromCsv, toObjects } from 'quotebook'
import { describe, expect, test } from 'vitest'
import { here } from '../../helper/here.js'
import { folder, removeFolders } from '../../promise/helper/files.js'
import { paperDays } from '../../promise/helper/paper.js'

removeFolders()
const strategies = join(import.meta.dirname, 'traders')
const begin = '20260701'
const cash = ['--cash', '300000'] as const
type Row = Record<string, unknown>

const evenings = [
  '20260701',
  '20260702',
  '20260703',
  '20260706',
  '20260707',
  '20260708',
  '20260709',
  '20260710',
  '20260713',
  '20260714',
]

const orderOf = ({ symbol, side, shares, wanted }: Row): string => [symbol, side, shares ?? wanted].join(' ')

/** What came of the orders of an evening: shares by code and side, filled and refused, at the first bar of the day that has some. */
function cameOf(day: { readonly fills: readonly object[]; readonly rejected: readonly object[] }): string[] {
  const shares = new Map<string, number>()
  const rows = [...day.fills, ...day.rejected] as Row[]
  const [first] = rows.map((row) => String(row['trademin'])).sort()
  for (const row of rows.filter(({ trademin }) => String(trademin) === first)) {
    const key = `${row['symbol']} ${row['side']}`
    shares.set(key, (shares.get(key) ?? 0) + Number(row['shares'] ?? Number(row['wanted']) - Number(row['filled'])))
  }
  return [...shares].map(([key, sum]) => `${key} ${sum}`).sort()
}

describe.each(readdirSync(strategies).sort())('%s', (name) => {
  const file = join(strategies, name)
  const dir = folder()

  test('says it in few lines, decides by what it knew, and trades', async () => {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\w/.test(line) && !line.startsWith('//'))
    expect(lines.length).toBeLessThan(30)
    const { code, out } = await here('backtest', file, '--from', '20260601', ...cash, '--benchmark', 'none')
    expect([code, out]).toEqual([0, expect.stringMatching(/^look-ahead +none/m)])
    expect(Number(/^fills +(\d+)/m.exec(out)?.[1])).toBeGreaterThan(7)
  })

  test('two weeks of evenings are the backtest, order by order; each plan is what is ordered the day after', async () => {
    const account = join(dir, 'account')
    for (const day of evenings)
      expect((await here('plan', file, '--account', account, '--day', day, ...cash)).code, day).toBe(0)
    const run = await here(
      'backtest',
      file,
      '--from',
      begin,
      '--to',
      evenings.at(-1) as string,
      ...cash,
      '--out',
      join(dir, 'run'),
      '--format',
      'csv',
    )
    expect(run.code).toBe(0)
    const days = paperDays(account)
    expect(days.map(({ day }) => day)).toEqual(evenings)
    for (const table of ['fills', 'rejected'] as const) {
      const rows = toObjects(fromCsv(readFileSync(join(dir, 'run', `${table}.csv`), 'utf8'))) as Row[]
      const kept = days.flatMap((day) => day[table]) as Row[]
      const told = (all: Row[]) =>
        all.map((row) => [row['tradedate'], orderOf(row), row['price'] ?? row['reason']].map(String))
      expect(told(kept), table).toEqual(told(rows))
    }
    expect(days.flatMap((day) => day.fills).length).toBeGreaterThan(1)
    for (const [at, { plan, day }] of days.slice(0, -1).entries())
      expect([day, ...cameOf(days[at + 1] as never)]).toEqual([
        day,
        ...plan.orders.map((one) => orderOf(one as Row)).sort(),
      ])
  })
})
