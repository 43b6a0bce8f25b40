import { afterAll, expect, test } from 'vitest'
import { connect } from '../../src/connect.js'
import type { Language } from '../../src/contract/language.js'
import { rowsOf } from '../../src/frame/read-columns.js'
import { report } from '../../src/load/market-report.js'
import type { Market } from '../../src/market.js'
import { cutOfSample } from './cut.js'

/** The six figures of the first screen, read back out of the page and recomputed by DuckDB over the same archive. */

interface Figure {
  readonly value: number
  readonly text: string
  readonly mean20: number
  readonly mean60: number
  readonly rank: readonly [place: number, of: number]
}

const numberIn = (text: string): number => Number(text.replaceAll(',', ''))

function figuresOf(page: string): ReadonlyMap<string, Figure> {
  const tiles = page.matchAll(/<div class="tile" id="figure-(\w+)">([\s\S]*?)<\/div>/g)
  return new Map(
    Array.from(tiles, ([, id = '', tile = '']): [string, Figure] => {
      const data = (name: string): [string, string] => {
        const [, value = '', text = ''] =
          new RegExp(`<data class="${name}[^"]*" value="([^"]*)">([^<]*)<`).exec(tile) ?? []
        return [value, text]
      }
      const [value, text] = data('value')
      const [place = '1', of = ''] =
        /class="rank">(?:(\d+)\w\w )?highest of (\d+)/.exec(tile)?.slice(1) ??
        /class="rank">(\d+) 日中第 (\d+) 高/.exec(tile)?.slice(1).reverse() ??
        []
      const means = [data('mean-20'), data('mean-60')]
      for (const [exact, shown] of means)
        expect(Math.abs(Number(exact) - numberIn(shown) * scaleOf(id, page))).toBeLessThanOrEqual(
          0.051 * scaleOf(id, page),
        )
      return [
        id,
        {
          value: Number(value),
          text,
          mean20: Number(means[0]?.[0]),
          mean60: Number(means[1]?.[0]),
          rank: [Number(place), Number(of)],
        },
      ]
    }),
  )
}

/** Yuan in the unit that an amount is shown in. */
function scaleOf(id: string, page: string): number {
  if (!['southbound', 'etf', 'financing'].includes(id)) return 1
  return page.includes('lang="zh-CN"') ? 1e8 : 1e9
}

/** A number by day, as SQL: the day as `d`, the number as `v`. */
const series = {
  index: "select tradedate d, pct_chg v from theme_daily where name = '全A等权'",
  breadth: "select tradedate d, close v from theme_daily where name = '涨跌家数'",
  limits: "select tradedate d, close v from theme_daily where name = '停板家数'",
  premium: 'select tradedate d, median(cb_over_rate) v from convertible_daily group by 1',
  southbound: `select d, sum(b) - sum(s) v from (
      select trade_date d, code, max(coalesce(sh_buy, 0) + coalesce(sz_buy, 0)) b, max(coalesce(sh_sell, 0) + coalesce(sz_sell, 0)) s
      from southbound_top10 group by all) group by 1`,
  etf: "select tradedate d, sum(amount) v from etf_minute where period = '15m' group by 1",
  financing: 'select tradedate d, closing_balance v from transfer_financing',
}

/** The figure of a series on its latest day: the days are those of any daily dataset, 60 at most. */
async function recomputed(
  market: Market,
  id: keyof typeof series,
  datasets: readonly string[],
  days = 60,
): Promise<number[]> {
  const dates = datasets.map(
    (name) => `select ${name === 'southbound_top10' ? 'trade_date' : 'tradedate'} d from ${name}`,
  )
  const text = `
    with numbers as (${series[id]}),
    days as (select d from (${dates.join(' union ')}) order by d desc limit ${days}),
    own as (select d, v, row_number() over (order by d desc) - 1 ago from days left join numbers using (d)
      where d <= (select max(d) from numbers)),
    latest as (select v from own order by d desc limit 1)
    select (from latest), avg(v) filter (ago < 20), avg(v) filter (ago < 60), 1 + count(*) filter (v > (from latest)), count(v) from own`
  return (rowsOf(await market.sql(text))[0] ?? []).map(Number)
}

const daily = ['theme_daily', 'convertible_daily', 'southbound_top10', 'etf_minute', 'transfer_financing', 'st']
const close = (a: number, b: number): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(b)))

async function compare(market: Market, page: string, datasets = daily, days = 60): Promise<string[]> {
  const figures = figuresOf(page)
  for (const [id, figure] of figures) {
    if (figure.text === '') continue
    const [value = 0, mean20 = 0, mean60 = 0, place, of] = await recomputed(
      market,
      id as keyof typeof series,
      datasets,
      days,
    )
    close(figure.value, value)
    expect(Math.abs(numberIn(figure.text) - value / scaleOf(id, page))).toBeLessThanOrEqual(
      id === 'breadth' ? 0.5 : 0.0051,
    )
    close(figure.mean20, mean20)
    close(figure.mean60, mean60)
    expect([id, ...figure.rank]).toEqual([id, place, of])
  }
  return [...figures.keys()]
}

const sample = await connect()
afterAll(() => sample.close())

test.each(['en', 'zh'] as Language[])(
  'the sample, %s: six figures, their means of 20 and 60 days, and their ranks',
  async (language) => {
    const page = await report(sample, { language })
    expect(await compare(sample, page)).toEqual(['index', 'breadth', 'limits', 'premium', 'southbound', 'etf'])
  },
)

test.each([20, 45])('a report of %i days: its means are of the days that they need, as of 60', async (days) => {
  const [page, whole] = [await report(sample, { days }), figuresOf(await report(sample, { days: 60 }))]
  const { etf, ...others } = Object.fromEntries(figuresOf(page))
  const { etf: etfWhole, ...same } = Object.fromEntries(whole)
  expect(others).toEqual(same)
  expect(page).not.toContain(`(${days} known)`)
  // Bars take hundreds of requests: their means are of the days of the report, and are called so.
  expect(page).toMatch(new RegExp(`${days}-day mean <data class="mean-${days}"`))
  expect([etf?.value, etf?.mean20, etf?.rank[1]]).toEqual([etfWhole?.value, etfWhole?.mean20, days])
  expect(page).toMatch(/<code>theme_daily<\/code> for the means/)
})

test('an archive with fewer days than a window: the mean is of those there are, and says how many', async () => {
  const market = await cutOfSample(
    Object.fromEntries(
      daily.map((name) => [name, (row) => String(row['tradedate'] ?? row['trade_date']) > '20260616']),
    ),
  )
  for (const days of [20, 30, 60]) {
    const page = await report(market, { days })
    expect(page).toMatch(/60-day mean <data class="mean-60"[^<]*<\/data> \(30 known\)/)
    if (days >= 30) await compare(market, page, daily, 60)
  }
  await market.close()
})

test('with holes in the archive and a dataset missing another figure stands in, and the sentence leaves it out', async () => {
  const market = await cutOfSample({
    theme_daily: (row) => !['20260728', '20260701', '20260515'].includes(String(row['tradedate'])),
    southbound_top10: (row) => String(row['trade_date']) < '20260729',
    etf_minute: (row) => String(row['tradedate']) > '20260620',
    transfer_financing: () => true,
  })
  const page = await report(market)
  const there = ['theme_daily', 'southbound_top10', 'etf_minute', 'transfer_financing']
  expect(await compare(market, page, there)).toEqual(['index', 'breadth', 'limits', 'southbound', 'etf', 'financing'])
  expect(/class="sentence">(.*?)</.exec(page)?.[1]).not.toContain('premium')
  expect(page).toContain('(of 2026-07-28)')
  expect(page).toMatch(/class="light (?:amber|red)"/)
  expect(page).toContain('not in this source: ')
  await market.close()
})

test('one day only: figures without a past, and nothing undefined', async () => {
  const market = await cutOfSample({
    theme_daily: (row) => row['tradedate'] === '20260729',
    convertible_daily: (row) => row['tradedate'] === '20260729',
    hotstock: (row) => row['tradedate'] === '20260729',
  })
  for (const language of ['en', 'zh'] as const) {
    const page = await report(market, { language })
    expect(page).not.toMatch(/undefined|NaN|Infinity/)
    expect(page.match(/no other day to compare with|没有可比较的其他交易日/g)).toHaveLength(4)
    expect(page).toMatch(/without the trading day before|缺前一交易日/)
  }
  await market.close()
})
