import { expect, test } from 'vitest'
import { signalStudy } from '../../src/analysis/performance/signal-study.js'
import type { Bar } from '../../src/backtest/cursor.js'
import { panel } from '../../src/backtest/make-panel.js'
import type { Panel } from '../../src/backtest/panel.js'
import { panelSignal } from '../../src/backtest/panel-signal.js'
import { connect } from '../../src/connect.js'
import { rowsOf } from '../../src/frame/read-columns.js'
import { fromRows } from '../../src/table/from-rows.js'

test('scores and returns of the sample are those of SQL, and give a study', async () => {
  const market = await connect()
  const bonds = await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
  const prices = panel(bonds, { columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] })
  const signal = panelSignal(
    prices,
    { universe: (bond) => bond.vol > 0, score: (bond) => bond.close + bond.cb_over_rate },
    { horizons: [1, 5] },
  )
  const found = await market.sql(
    `with day as (select tradedate, row_number() over (order by tradedate) as t from (select distinct tradedate from convertible_daily
        where tradedate between '20260506' and '20260729')),
      bond as (select * from convertible_daily join day using (tradedate)),
      grid as (select t, code from day cross join (select distinct code from bond))
    select case when now.vol > 0 then now.close + now.cb_over_rate end as score, one.open / next.open - 1 as r1, five.open / next.open - 1 as r5
    from grid
    left join bond now on now.code = grid.code and now.t = grid.t
    left join bond next on next.code = grid.code and next.t = grid.t + 1
    left join bond one on one.code = grid.code and one.t = grid.t + 2
    left join bond five on five.code = grid.code and five.t = grid.t + 6
    order by grid.t, grid.code`,
  )
  const rows = rowsOf(found) as (number | null)[][]
  expect(rows).toHaveLength(signal.times.length * signal.symbols.length)
  const [first, second] = signal.forward as [Float64Array, Float64Array]
  for (const [cell, [score, one, five]] of rows.entries()) {
    const right = [score ?? Number.NaN, one ?? Number.NaN, five ?? Number.NaN]
    for (const [at, own] of [signal.score, first, second].entries()) {
      if (Number.isNaN(right[at])) expect((own as Float64Array)[cell]).toBeNaN()
      else expect((own as Float64Array)[cell]).toBeCloseTo(right[at] as number, 12)
    }
  }
  const { horizons } = signalStudy(signal)
  expect(horizons.map(({ dates }) => dates)).toEqual([58, 54])
})

const row = (tradedate: string, open: number, close: number, pre_close: number) => ({
  tradedate,
  code: '600000.SH',
  open,
  close,
  pre_close,
})
// Ten for ten on the third day: 12 becomes 6. No row on the fifth.
const split = panel(
  fromRows([
    row('20260601', 10, 11, 10),
    row('20260602', 11, 12, 11),
    row('20260603', 6, 6.6, 6),
    row('20260604', 6.6, 7, 6.6),
    row('20260608', 7.7, 8, 7),
  ]) as never,
  { columns: ['open', 'close', 'pre_close'] },
)

test('ex-rights are no loss; a day without a row has neither score nor return', () => {
  const score = (bar: Bar<'close'>): number => bar.close
  const { times, forward } = panelSignal(split as Panel<'close'>, { score }, { horizons: [1, 2] })
  expect(times).toEqual(['20260601', '20260602', '20260603', '20260604', '20260605', '20260608'])
  const [one, two] = forward as [Float64Array, Float64Array]
  expect([...one].map((x) => Number(x.toFixed(10)))).toEqual([
    Number(((6 * 2) / 11 - 1).toFixed(10)),
    0.1,
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ])
  expect(two[0]).toBeCloseTo((6.6 * 2) / 11 - 1, 12)
  expect(two[2]).toBeCloseTo(7.7 / 6.6 - 1, 12)
  const closes = panelSignal(split as Panel<'close'>, { score }, { horizons: [1], fill: 'nextClose' })
    .forward[0] as Float64Array
  expect(closes[0]).toBeCloseTo((6.6 * 2) / 12 - 1, 12)
})

test.each([
  [{ horizons: [0] }, 'horizons are whole numbers from 1'],
  [{ horizons: [] }, 'horizons are whole numbers from 1'],
  [{ fill: 'sameClose' as never }, "fill is 'nextOpen' or 'nextClose', not"],
])('%j is refused', (options, message) => {
  expect(() => panelSignal(split as never, { score: () => 1 }, options)).toThrow(message)
})
