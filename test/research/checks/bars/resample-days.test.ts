import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { strings, toObjects } from '../../../../src/frame/read-columns.js'
import { declarationIn } from '../../../../src/frame/table/declaration.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { toDataFrame } from '../../../../src/frame/to-data-frame.js'
import { resampleBars } from '../../../../src/research/checks/bars/resample-bars.js'

type Row = Record<string, string | number | null>

/* Expected values: test/fixture/pandas/bars.py. */
const pandas = JSON.parse(readFileSync('test/fixture/pandas/bars.json', 'utf8')) as Record<
  'daily' | 'minutes' | 'day' | 'week' | 'month',
  Row[]
>

test.each(['day', 'week', 'month'] as const)('bars of a %s are those of pandas resample', (period) => {
  const source = period === 'day' ? pandas.minutes : pandas.daily
  const days = [...new Set(source.map(({ tradedate }) => String(tradedate)))].sort()
  const wanted = pandas[period].map(({ last, ...row }): Row => {
    // pandas names the end of the calendar's period; ours is the last day of the data in it
    return { ...row, tradedate: days.findLast((day) => day <= String(last)) ?? null }
  })
  const keyOf = ({ tradedate, code }: Row): string => `${tradedate} ${code}`
  wanted.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const kinds = period === 'day' ? { trademin: 'minute' as const } : {}
  const table = fromRows(source, { kinds })
  for (const data of [table, toDataFrame(table), fromRows(source.toReversed(), { kinds })]) {
    const made = toObjects(resampleBars(data, period)) as Row[]
    expect(made.map(({ trading_days: _, period: __, ...row }) => row)).toEqual(wanted)
  }
})

const day = (tradedate: string, code: string, close: number | null, vol: number | null = 10): Row => ({
  tradedate,
  code,
  pre_close: 1,
  open: close,
  high: close,
  low: close,
  close,
  vol,
  amount: 1,
})

test('what is missing stays so: no trade, an unknown volume, an unknown price, days that the calendar does not know', () => {
  const made = (rows: Row[]) => toObjects(resampleBars(fromRows(rows), 'week'))[0]
  expect(made([day('20260727', 'A', 5, 0), day('20260728', 'A', 6, 0)])).toMatchObject({
    open: null,
    vol: 0,
    amount: 2,
  })
  expect(made([day('20260727', 'A', 5), day('20260728', 'A', 6, null)])).toMatchObject({
    open: null,
    vol: null,
    amount: 2,
  })
  expect(made([day('20260727', 'A', null), day('20260728', 'A', 6)])).toMatchObject({
    open: null,
    high: null,
    close: 6,
    vol: 20,
  })
  expect(made([day('20260727', 'A', 5, 0), day('20260728', 'A', 6)])).toMatchObject({ open: 6, close: 6, pre_close: 1 })
  expect(made([day('19990104', 'A', 5)])).toMatchObject({ tradedate: '19990104', bars: 1, trading_days: null })
  expect(made([day('20211231', 'A', 5)])).toMatchObject({ trading_days: null })
})

test('units go along, minutes of 15 make days, and what does not fit is refused', () => {
  const points = fromRows([day('20260727', 'A', 5)], { dataset: 'theme_daily', kinds: { code: 'code' } } as never)
  const close = resampleBars(points, 'week').schema.fields.find(({ name }) => name === 'close')
  expect(close && declarationIn(close)?.unit).toBe('point')
  const quarter = (trademin: string): Row => ({ ...day('20260727', 'A', 5), trademin })
  const bars = fromRows([quarter('0945'), quarter('1000')], { kinds: { trademin: 'minute' } })
  expect(toObjects(resampleBars(bars, 'month'))).toMatchObject([{ bars: 2, trading_days: 23, vol: 20 }])
  expect(strings(resampleBars(bars, 'day'), 'period')).toEqual(['day'])
  expect(() => resampleBars(bars, '30m')).toThrow('these are of 15 minutes or more already')
  const one = fromRows([day('20260727', 'A', 5)])
  expect(() => resampleBars(one, 'year' as never)).toThrow(
    "the period must be 15m, 30m, day, week or month, not 'year'",
  )
  expect(() => resampleBars(one, 'day')).toThrow('these are of whole days already')
  expect(() => resampleBars(one, '30m')).toThrow('these are of whole days already')
  expect(() => resampleBars(fromRows([day('20260726', 'A', 5)]), 'week')).toThrow("'20260726' is no trading day")
  expect(() => resampleBars(fromRows([day('20260619', 'A', 5)]), 'week')).toThrow("'20260619' is no trading day")
  expect(() => resampleBars(fromRows([day('20260727', 'A', 5), day('20260727', 'A', 6)]), 'month')).toThrow(
    'rows 1 and 2 share tradedate, code',
  )
})
