import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { importFiles } from '../../src/archive/import/import-files.js'
import { checkAll } from '../../src/checks/all-checks.js'
import { connect } from '../../src/connect.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { dateOf, dayNumber, weekday } from '../../src/contract/date.js'
import { objectsOf, texts } from '../../src/frame/read-columns.js'
import { latestTradingDays, loadTables, tablesToCheck } from '../../src/load/load-tables.js'
import { reportInput } from '../../src/load/market-report.js'
import type { Market } from '../../src/market.js'
import { renderReport } from '../../src/report/render-report.js'
import { provenance } from '../../src/table/provenance.js'
import { tempDir, tempFile } from '../helper/temp.js'

type Row = Record<string, unknown>
const rows: Record<'theme_daily' | 'convertible_daily', Row[]> = { theme_daily: [], convertible_daily: [] }

beforeAll(async () => {
  const sample = await connect()
  const span = { startdate: '20260506', enddate: '20260729' }
  rows.theme_daily = objectsOf(await sample.query('theme_daily', { type: 'tj', ...span })) as Row[]
  rows.convertible_daily = objectsOf(await sample.query('convertible_daily', span)) as Row[]
})

/** An archive of the sample's daily rows, with other days in their place. */
async function archive(move: (day: string) => string, more: readonly Row[] = []): Promise<Market> {
  const dir = join(tempDir(), 'archive')
  for (const [name, own] of Object.entries(rows)) {
    const all = own.map((row) => ({ ...row, tradedate: move(String(row.tradedate)) }))
    const added = more.filter(({ of }) => of === name).map(({ of: _, ...row }) => row)
    await importFiles(dir, datasetOf(name), [tempFile(`${name}.json`, JSON.stringify([...all, ...added]))])
  }
  return connect({ archive: dir })
}

/** The sample's days as those up to 29 January 2027, where 1 January is a holiday. */
function intoJanuary(): (day: string) => string {
  const days = [...new Set(rows.theme_daily.map(({ tradedate }) => String(tradedate)))].sort()
  const moved: string[] = []
  for (let at = dayNumber('20270129'); moved.length < days.length; at--) {
    const day = dateOf(at)
    const isHoliday = day === '20270101' || (day >= '20261001' && day <= '20261007')
    if (weekday(day) % 6 !== 0 && !isHoliday) moved.unshift(day)
  }
  const of = new Map(days.map((day, i) => [day, moved[i] as string]))
  return (day) => of.get(day) as string
}

const mistyped = (day: string): Row => ({ of: 'theme_daily', ...rows.theme_daily.at(-1), tradedate: day })

test('an archive that reaches into a year without notice is reported, and the inferred day is said', async () => {
  const market = await archive(intoJanuary())
  const days = await latestTradingDays(market, 30)
  expect(days.latest).toBe('20270129')
  expect(days.all).toHaveLength(30)
  expect(days.inferred, 'the indices show the other days').toEqual(['20270101'])
  const input = await reportInput(market, { days: 30 })
  expect(await renderReport(input)).toContain('trading days of 2027 are inferred from weekdays')
  expect(await renderReport({ ...input, language: 'zh' })).toContain('2027年的交易日按工作日推定')
  const checks = input.checks.flatMap(({ runs }) => runs)
  expect(checks.length).toBeGreaterThan(3)
  expect(checks.filter(({ result }) => !result.ok).map(({ label, result }) => [label, result.counts])).toEqual([])
})

test.each(['20990101', '20270105'])('a row of %s is a finding of its own, and never the latest day', async (day) => {
  const market = await archive((own) => own, [mistyped(day)])
  const newest = await market.query('theme_daily', { type: 'tj' })
  expect([...new Set(texts(newest, 'tradedate'))], 'the latest day of a query').toEqual(['20260729'])
  const own = await market.query('theme_daily', { type: 'tj', tradedate: day })
  expect(own.numRows, 'the row is answered when it is asked for').toBe(1)
  const open = await market.query('theme_daily', { type: 'tj', startdate: '20260601' })
  expect(provenance(open)?.complete).toBe(true)

  const days = await latestTradingDays(market, 20)
  expect([days.latest, days.inferred, days.stray]).toEqual(['20260729', [], [{ dataset: 'theme_daily', day }]])
  const loaded = await loadTables(market, days)
  expect(texts(loaded.tables.theme_daily as never, 'tradedate')).not.toContain(day)
  const wrong = checkAll(tablesToCheck(loaded)).flatMap(({ check, runs }) =>
    runs.filter(({ result }) => !result.ok).map(({ result }) => ({ check, result })),
  )
  expect(wrong.map(({ check }) => check.name)).toEqual(['index day'])
  const [first] = objectsOf(wrong[0]?.result.worst as never) as Row[]
  expect([first?.tradedate, first?.why]).toEqual([
    day,
    expect.stringContaining(`tradedate ${day} lies far after all other days, which end with 20260729`),
  ])
  expect(wrong[0]?.result.counts, 'no other row is held against').toMatchObject({ mismatch: 1 })
})

test('a mistyped day is not the latest of an archive without others', async () => {
  const dir = join(tempDir(), 'archive')
  const { of: _, ...late } = mistyped('20990101')
  const text = JSON.stringify([...rows.theme_daily, late])
  await importFiles(dir, datasetOf('theme_daily'), [tempFile('theme_daily.json', text)])
  expect((await latestTradingDays(await connect({ archive: dir }), 5)).latest).toBe('20260729')
})
