import { expect, test } from 'vitest'
import { nullableIntegerColumn, resultTable, textColumn } from '../../../../src/research/checks/check-columns.js'
import { hotListsCheck } from '../../../../src/research/checks/dataset/check-hot-lists.js'
import { membersCheck } from '../../../../src/research/checks/dataset/check-members.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { verdictsOf, whysOf } from './sample-tables.js'

const place = (rank: number, s: string, more: Row = {}): Row => ({
  s,
  rank,
  tradedate: '20260706',
  type: 'ths&normal',
  ...more,
})
const hot = (...rows: Row[]) => hotListsCheck.check(tableFrom('hotstock', rows))
const members = (...rows: Row[]) => membersCheck.check(tableFrom('thememembers_jx', rows))

test('ranks and stocks of a list', () => {
  const check = hot(
    place(1, '600001'),
    place(2, '600002'),
    place(2, '600003'),
    place(5, '600004'),
    place(6, '600001'),
    place(0, '600007'),
    place(7, '60008'),
    place(1, '600001', { tradedate: '20260707' }),
    place(1, '600001', { type: 'xq&zuhe' }),
  )
  expect(verdictsOf(check)).toEqual([
    'pass',
    'pass',
    'duplicate',
    'mismatch',
    'duplicate',
    'mismatch',
    'mismatch',
    'pass',
    'pass',
  ])
  expect(whysOf(check)[3]).toBe('ranks 3 to 4 are missing before rank 5')
  expect(verdictsOf(hot(place(2, '600001')))).toEqual(['mismatch'])
})

test('a rank that is null is none', () => {
  const word = (text: string) => textColumn('label', '', [text])
  const rank = nullableIntegerColumn('place', '', Float64Array.of(Number.NaN))
  const table = resultTable({ s: word('600001'), rank, tradedate: word('20260706'), type: word('xq&zuhe') })
  expect(verdictsOf(hotListsCheck.check(table))).toEqual(['mismatch'])
})

test('members: codes, doubles, snapshots', () => {
  const row = (symbols: string[], theme_symbol = '801001', more: Row = {}): Row => ({ theme_symbol, symbols, ...more })
  const rows = [
    row(['000001', '300750', '600519', '688981', '920489']),
    row(['000001.SZ', '600519.SH'], '801002'),
    row(['000001', '510300'], '801003'),
    row(['000001.SH'], '801004'),
    row(['60009', '600519'], '801005'),
    row(['000001', '000001'], '801006'),
    row(['600519', '000001'], '801007'),
    row(['600519'], '801007'),
  ]
  const check = members(...rows)
  expect(verdictsOf(check)).toEqual(['pass', 'pass', 'warn', 'warn', 'mismatch', 'mismatch', 'mismatch', 'duplicate'])
  expect(whysOf(check).slice(2, 7)).toEqual([
    '510300 is no number of an A share',
    '000001.SH is a number of SZ',
    '60009 is no stock code',
    '000001 is there twice',
    '000001 comes after 600519',
  ])
  const dated = ['20260706', '20260707'].map((snapshot_date) =>
    row(['600519'], '801001', { snapshot_date, level: 'parent' }),
  )
  expect(members(...dated).counts.pass).toBe(2)
})
