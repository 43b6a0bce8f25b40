import { expect, test } from 'vitest'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../../../src/research/analysis/southbound/southbound-names.js'
import { answerFrom, type Row, tableFrom } from '../help.js'
import { stock } from './help.js'

const namesOf = (rows: readonly Row[]) => toObjects(southboundNames(tableFrom('southbound_top10', rows)))

const listed = (days: readonly string[], code = '00700.HK') =>
  days.flatMap((day) => stock(day, code, { sh: [3, 1], sz: null }))

test('what is not known of a day makes the sums null and is not counted as selling', () => {
  const rows = [...listed(['20260601']), ...listed(['20260602']).map((row) => ({ ...row, sh_sell: null }))]
  expect(namesOf(rows)[0]).toMatchObject({ days: 2, known_days: 1, net_buying: 1, net: null, turnover: null })
  expect(namesOf(rows)[0]).toMatchObject({ days_4: null })
})

test('the last name counts, and of some symbols only nothing is said', () => {
  const rows = listed(['20260601', '20260602']).map((row, i) => ({ ...row, name: ['旧名', '新名'][i] ?? '' }))
  expect(namesOf(rows)[0]?.['name']).toBe('新名')
  const asked = answerFrom('southbound_top10', rows, { symbols: ['00700.HK'] })
  expect(() => southboundNames(asked)).toThrow('the rows were asked for some symbols only')
  const [row = {}] = toObjects(southboundFlows(asked).table)
  expect([row['turnover'], row['largest'], row['herfindahl']]).toEqual([4, null, null])
  const undated = fromRows([...rows, { ...rows[0], trade_date: null }])
  expect(() => southboundFlows(undated)).toThrow('row 3: trade_date is null')
})

test('with a rate by day each day is converted on its own', () => {
  const table = tableFrom('southbound_top10', listed(['20260601', '20260602']))
  const rate = { 20260601: 0.5, 20260602: 0.25 }
  const [one] = toObjects(southboundNames(table, { unit: 'Hong Kong dollar', rate }))
  expect([one?.['net'], one?.['turnover']]).toEqual([1.5, 3])
  const [lacking] = toObjects(southboundNames(table, { unit: 'Hong Kong dollar', rate: { 20260601: 0.5 } }))
  expect([lacking?.['net'], lacking?.['known_days']]).toEqual([null, 1])
})
