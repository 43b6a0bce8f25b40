import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { reportInput } from '../../src/load/market-report.js'
import { renderReport } from '../../src/report/render-report.js'

/** The figures of the sample's report against SQL of DuckDB over the sample's files, which none of our code has read. */

let db: Awaited<ReturnType<DuckDBInstance['connect']>>
let page = ''

beforeAll(async () => {
  db = await (await DuckDBInstance.create()).connect()
  page = await renderReport(await reportInput(await connect()))
})

async function sql(text: string): Promise<string[][]> {
  const filled = text.replace(/\{(\w+)\}/g, "read_parquet('data/sample/$1/*.parquet')")
  return (await db.runAndReadAll(filled))
    .getRowsJson()
    .map((row) => row.map((cell) => (cell === null ? '—' : String(cell))))
}

function sectionOf(id: string): string {
  return new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? ''
}

/** Rows of the table under a label, as texts. */
function tableOf(label: string): string[][] {
  const from = page.indexOf(`aria-label="${label}"`)
  expect(from, label).toBeGreaterThan(0)
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(page.slice(from))?.[1] ?? ''
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
  )
}

const numberIn = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''))
const dashed = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`

const ticks = "read_parquet('data/sample/ticks/20260729_aucde.parquet')"

/** Bars of bonds are stored in one period only, and have no column of it. */
function ofPeriod(name: string, period: string): string {
  return name === 'etf_minute' ? `and period = '${period}'` : ''
}

test('southbound net buys by day and channel, in billions of yuan', async () => {
  const wanted = await sql(`
    with once as (select distinct trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell from {southbound_top10}),
    sums as (select trade_date, sum(sh_buy) - sum(sh_sell) sh, sum(sz_buy) - sum(sz_sell) sz from once group by 1)
    select trade_date, round(sh / 1e9, 5), round(sz / 1e9, 5), round((sh + sz) / 1e9, 5) from sums order by 1`)
  const shown = tableOf('Southbound net buys by day')
  expect(shown.map(([date]) => date)).toEqual(wanted.map(([date = '']) => dashed(date)))
  shown.forEach((row, i) => {
    for (const column of [1, 2, 3]) {
      const due = Number(wanted[i]?.[column])
      expect(Math.abs(numberIn(row[column]) - due), row.join(' ')).toBeLessThan(0.00051)
      if (Math.abs(due) > 0.0005) expect(row[column]?.charAt(0)).toBe(due > 0 ? '+' : '-')
    }
  })
  const spread = wanted.map((row) => Math.abs(Number(row[3])))
  expect(Math.max(...spread)).toBeGreaterThan(0.1)
})

test('the auction: volume left over, above zero for buyers and below it for sellers', async () => {
  const symbols = [...sectionOf('auction').matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, symbol = '']) => symbol)
  expect(symbols).toHaveLength(2)
  const sides = new Set<string | undefined>()
  for (const symbol of symbols) {
    const wanted = await sql(`
      select time, case when um_vol = 0 then 0 when um_side = 's' then -um_vol when um_side = 'b' then um_vol end, um_side
      from ${ticks} where symbol = '${symbol}' order by time`)
    const shown = tableOf(`Auction of ${symbol}`)
    expect(shown.map((row) => [row[0], numberIn(row[3])])).toEqual(wanted.map(([time, left]) => [time, Number(left)]))
    for (const [, , side] of wanted) sides.add(side)
    const left = Number(wanted.at(-1)?.[1])
    const said = left === 0 ? 'nothing left over' : `of ${left > 0 ? 'buyers' : 'sellers'} left over`
    expect(page).toMatch(new RegExp(`<figcaption>${symbol}: [^<]*${said}`))
  }
  expect(sides).toContain('b')
  expect(sides).toContain('s')
})

test('convertible bonds: how many, the median premium, how many below their conversion value', async () => {
  const [[bonds, median, below, near] = []] = await sql(`
    select count(*), median(cb_over_rate), count(*) filter (where cb_over_rate < 0),
      count(*) filter (where cb_over_rate between 0 and 15)
    from {convertible_daily}
    where tradedate = (select max(tradedate) from {convertible_daily}) and close is not null and cb_over_rate is not null`)
  expect(Number(near)).toBeGreaterThan(0)
  const said = /([\d,]+) bonds on 2026-07-29; median premium (\S+) %; ([\d,]+) trades? below/.exec(page) ?? []
  expect([said[1], said[3]]).toEqual([bonds, below])
  expect(Math.abs(Number(said[2]) - Number(median))).toBeLessThan(0.0051)
})

const days = "tradedate between '20260506' and '20260729'"
const newest = (id: string, by: string): string =>
  `qualify row_number() over (partition by ${id} order by ${by} desc) = 1`

test.each([
  ['news', 'select count(*) from {news}'],
  ['hotstock', "select count(*), count(distinct tradedate) from {hotstock} where tradedate >= '20260728'"],
  ['st', `select count(*), count(distinct tradedate) from {st} where ${days}`],
  ...(['convertible_minute, 30m', 'etf_minute, 15m', 'etf_minute, 30m'] as const).map((label) => {
    const [name = '', period = ''] = label.split(', ')
    return [label, `select count(*), count(distinct tradedate) from {${name}} where ${days} ${ofPeriod(name, period)}`]
  }),
  ...['theme_daily', 'convertible_daily', 'transfer_financing', 'anomaly_forecast'].map((name) => [
    name,
    `select count(*), count(distinct tradedate) from {${name}}`,
  ]),
  [
    'thememembers_jx',
    'select count(*) from {thememembers_jx} where snapshot_date = (select max(snapshot_date) from {thememembers_jx})',
  ],
  ['southbound_top10', 'select count(*), count(distinct trade_date) from {southbound_top10}'],
  ['finance_announcement', `select count(*) from (from {finance_announcement} ${newest('record_id', 'version_no')})`],
  ['interactive_qa', 'select count(*), count(distinct event_date) from {interactive_qa}'],
  ['auction ticks', `select count(*), 1 from ${ticks}`],
] as [string, string][])('rows and days of %s', async (label, text) => {
  const [[rows, dates = ''] = []] = await sql(text)
  const shown = tableOf('What was loaded').find(([name]) => name === label)
  expect([numberIn(shown?.[1]), shown?.[3]]).toEqual([Number(rows), dates])
  expect(Number(rows)).toBeGreaterThan(0)
})

test.each([
  ['etf_minute', '15m', 100],
  ['etf_minute', '30m', 100],
  ['convertible_minute', '30m', 10],
] as const)(
  'vwap of %s, %s: how many are equal, and on how many rows neither side has a value',
  async (name, period, factor) => {
    const [[equal, empty, other] = []] = await sql(`
    with bars as (
      select vwap, count(*) filter (where vol is null or amount is null) over so holes,
        sum(round(amount * 100)::hugeint) over so cents, sum(vol::hugeint) over so lots,
        (2 * cents * 10 + lots * ${factor}) // nullif(2 * lots * ${factor}, 0) ticks
      from {${name}} where ${days} ${ofPeriod(name, period)}
      window so as (partition by tradedate, symbol order by trademin))
    select count(*) filter (where holes = 0 and lots > 0 and round(vwap * 1000) = ticks),
      count(*) filter (where holes = 0 and lots = 0 and vwap is null),
      count(*) filter (where holes > 0) from bars`)
    const shown = new Map(
      tableOf(`Verdicts of vwap (${name}, ${period})`).map(([word, rows]) => [word, numberIn(rows)]),
    )
    expect(Number(equal)).toBeGreaterThan(5000)
    expect(Object.fromEntries(shown)).toEqual({
      equal: Number(equal),
      'equal, both missing': Number(empty),
      computed: 0,
      'lot-bound': 0,
      unverifiable: Number(other),
      'null-rule': 0,
      mismatch: 0,
    })
  },
)

test.each(['20260729', '20260730'])(
  'candidates of %s: triggered first, then by the size of the change required',
  async (date) => {
    const wanted = await sql(`
    select symbol, rule from {anomaly_forecast} where tradedate = '${date}' and computed_on = '20260729'
    order by status = 'triggered' desc, abs(required_pct_chg), symbol, rule`)
    expect(wanted.length).toBeGreaterThan(1)
    expect(tableOf(`Candidates of ${dashed(date)}`).map((row) => [row[1], row[3]])).toEqual(wanted)
  },
)

test('as many days as were asked for, the last ones, in every range', async () => {
  const [[first = '', last = '', count] = []] = await sql(
    'select min(d), max(d), count(*) from (select distinct tradedate d from {theme_daily} order by d desc limit 20)',
  )
  const input = await reportInput(await connect(), { days: 20 })
  expect(await renderReport(input)).toContain(`<dd>${dashed(first)} to ${dashed(last)}, ${count} trading days</dd>`)
  const [[bars] = []] = await sql(
    `select count(*) from {etf_minute} where period = '15m' and tradedate between '${first}' and '${last}'`,
  )
  expect(input.tables.etf_minute?.numRows).toBe(Number(bars))
})

test('both premiums are checked, on every row of the bonds', async () => {
  const [[rows] = []] = await sql('select count(*) from {convertible_daily}')
  for (const value of ['cb', 'bond']) {
    const shown = tableOf(`Verdicts of ${value} premium (convertible_daily)`)
    expect(shown.reduce((sum, row) => sum + numberIn(row[1]), 0)).toBe(Number(rows))
  }
})
