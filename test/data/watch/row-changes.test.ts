import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { keyNames, type RowChanges, rowChanges, rowKeys } from '../../../src/data/watch/row-changes.js'
import { readColumns } from '../../../src/frame/as-table.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import '../../helper/seed.js'

type Row = Record<string, unknown>

const etf = datasetOf('etf_minute')
const announcements = datasetOf('finance_announcement')

const table = (name: string, rows: readonly Row[]) => fromRows(rows as Row[], { dataset: datasetOf(name) })

const bar = fc.record({
  symbol: fc.constantFrom('510300.SH', '159915.SZ', '512880.SH'),
  trademin: fc.constantFrom('0930', '0945', '1000', '1500'),
  tradedate: fc.constantFrom('20260728', '20260729'),
  close: fc.option(fc.constantFrom(1, 1.5, 2, 0)),
  vol: fc.option(fc.integer({ min: 0, max: 3 })),
})
const idOf = (row: Row): string => `${row.tradedate} ${row.symbol} ${row.trademin}`
const barsOf = fc.uniqueArray(bar, { selector: idOf, maxLength: 14 })

/** The former state with the changes made to it, by the plain rules of a map. */
function applied(before: readonly Row[], changes: RowChanges): Map<string, Row> {
  const state = new Map(before.map((row) => [idOf(row), row]))
  for (const row of toObjects(changes.gone)) expect(state.delete(idOf(row))).toBe(true)
  toObjects(changes.changed).forEach((row, i) => {
    const was = state.get(idOf(row)) as Row
    expect(toObjects(changes.before)[i]).toEqual(was)
    const now = { ...was }
    for (const name of changes.columns[i] ?? []) {
      expect(row[name]).not.toEqual(was[name])
      now[name] = row[name]
    }
    expect(changes.columns[i]).not.toHaveLength(0)
    state.set(idOf(row), now)
  })
  for (const row of toObjects(changes.added)) {
    expect(state.has(idOf(row))).toBe(false)
    state.set(idOf(row), row)
  }
  return state
}

test('the former state with the changes is the new state; the same state has none', () => {
  const asMap = (rows: readonly Row[]) => new Map(rows.map((row) => [idOf(row), row]))
  fc.assert(
    fc.property(barsOf, barsOf, (before, after) => {
      const [from, to] = [table('etf_minute', before), table('etf_minute', after)]
      expect(applied(toObjects(from), rowChanges(etf, from, to))).toEqual(asMap(toObjects(to)))
      const same = rowChanges(etf, to, table('etf_minute', [...after].reverse()))
      expect([same.added.numRows, same.changed.numRows, same.gone.numRows]).toEqual([0, 0, 0])
    }),
    { numRuns: 300 },
  )
})

test('rows without a key are told apart by all they hold, and one that is there twice by its place among them', () => {
  const row = (title: string, symbol = '000001.SZ') => ({ symbol, event_date: '20260729', title })
  const from = table('finance_announcement', [row('a'), row('a'), row('b')])
  const to = table('finance_announcement', [row('a'), row('c')])
  expect(keyNames(announcements, readColumns(from))).toEqual(['symbol', 'event_date', 'title'])
  expect(new Set(rowKeys(announcements, readColumns(from))).size).toBe(3)
  const { added, changed, gone } = rowChanges(announcements, from, to)
  expect([toObjects(added), changed.numRows, toObjects(gone)]).toEqual([[row('c')], 0, [row('a'), row('b')]])
})

test('a column that one of two states has, and a list, are compared too', () => {
  const key = { tradedate: '20260729', symbol: '510300.SH', trademin: '1500' }
  const wider = rowChanges(etf, table('etf_minute', [key]), table('etf_minute', [{ ...key, close: 2 }]))
  expect(wider.columns).toEqual([['close']])
  const pools = (symbols: string[]) => table('thememembers_jx', [{ theme_symbol: 'T1', symbols }])
  const members = datasetOf('thememembers_jx')
  const one = pools(['000001', '000002'])
  expect(rowChanges(members, one, pools(['000001', '000002'])).changed.numRows).toBe(0)
  expect(rowChanges(members, one, pools(['000001', '600000'])).columns).toEqual([['symbols']])
})
