import { expect, test } from 'vitest'
import { breadthSeries } from '../../src/analysis/breadth.js'
import { objectsOf } from '../../src/frame/column.js'
import { type Row, tableFrom } from './help.js'

const row = (tradedate: string, name: string, close: number | null): Row => ({
  tradedate,
  symbol: name === '涨跌家数' ? '880005' : '880006',
  name,
  open: 1,
  high: 2,
  low: 0,
  close,
  pre_close: 1,
  change: 0,
  pct_chg: 0,
})

test('breadth by name, then by day, as published', () => {
  const table = breadthSeries(
    tableFrom('theme_daily', [
      row('20260702', '停板家数', 90),
      row('20260702', '涨跌家数', null),
      row('20260701', '全A等权', 1000),
      row('20260701', '涨跌家数', 2700),
      row('20260701', '停板家数', 80),
    ]),
  )
  expect(objectsOf(table).map(({ tradedate, name, symbol, close }) => [tradedate, name, symbol, close])).toEqual([
    ['20260701', '涨跌家数', '880005', 2700],
    ['20260702', '涨跌家数', '880005', null],
    ['20260701', '停板家数', '880006', 80],
    ['20260702', '停板家数', '880006', 90],
  ])
  expect(table.schema.fields.find((field) => field.name === 'close')?.metadata.get('unit')).toBe('point')
})

test('two rows of an index on a day are refused, other names can be asked', () => {
  const rows = [row('20260701', '涨跌家数', 1), row('20260701', '涨跌家数', 2), row('20260701', '停板家数', 3)]
  expect(() => breadthSeries(tableFrom('theme_daily', rows))).toThrow('涨跌家数 has two rows on 20260701')
  expect(breadthSeries(tableFrom('theme_daily', rows), ['停板家数']).numRows).toBe(1)
  expect(breadthSeries(tableFrom('theme_daily', rows), ['主板涨跌']).numRows).toBe(0)
})
