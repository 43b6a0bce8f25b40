import { expect, test } from 'vitest'
import { tradingDays } from '../../src/contract/calendar.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { columnsOf } from '../../src/frame/read-columns.js'
import { asOf, coveredDays, daysInTable } from '../../src/report/report-tables.js'
import { toTable } from '../../src/table/arrow.js'
import { gatherRows } from '../../src/table/gather-cells.js'
import { tableOf } from './fixture.js'

const month = tradingDays('20260701', '20260731')
const whole = tableOf(
  'theme_daily',
  ['tradedate', 'symbol', 'name', 'type'],
  month.map((date) => [date, '880008', '全A等权', 'tj']),
)

test('a day cut out of a month is one day, though its dictionary still knows the others', () => {
  const { columns } = datasetOf('theme_daily')
  const cut = toTable(gatherRows(columnsOf(whole), [3]), columns)
  const values = columnsOf(cut).columns.get('tradedate')
  expect(values?.type === 'dictionary' && values.dictionary.length).toBe(month.length)
  expect(daysInTable('theme_daily', whole)).toEqual(month)
  expect(daysInTable('theme_daily', cut)).toEqual([month[3]])
  expect(asOf({ source: { name: 'x', inputs: [] }, tables: { theme_daily: cut }, checks: [] })).toBe(month[3])
  const sliced = whole.slice(3, 4)
  expect(daysInTable('theme_daily', sliced)).toEqual([month[3]])
})

test('the days covered are those of daily rows, whatever announcements and candidates say', () => {
  const answers = tableOf(
    'anomaly_forecast',
    [
      'tradedate',
      'symbol',
      'name',
      'pct_chg',
      'rule',
      'elapsed_days',
      'deviation_pct',
      'required_pct_chg',
      'trigger_price',
      'status',
    ],
    [['20260630', '000001', null, 1, 'r', 1, 1, 1, 1, 'reachable']],
  )
  const input = { source: { name: 'x', inputs: [] }, checks: [] }
  expect(coveredDays({ ...input, tables: { theme_daily: whole, anomaly_forecast: answers } })).toEqual(month)
  expect(coveredDays({ ...input, tables: {} })).toEqual([])
})
