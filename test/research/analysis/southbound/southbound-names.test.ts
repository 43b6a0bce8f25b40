import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { netStreaks } from '../../../../src/research/analysis/southbound/net-streaks.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../../../src/research/analysis/southbound/southbound-names.js'
import { sumDecimals } from '../../../../src/research/checks/exact/decimal.js'
import { answerFrom, type Row, tableFrom } from '../help.js'
import { market, stock } from './help.js'

const namesOf = (rows: readonly Row[]) => toObjects(southboundNames(tableFrom('southbound_top10', rows)))

const listed = (days: readonly string[], code = '00700.HK') =>
  days.flatMap((day) => stock(day, code, { sh: [3, 1], sz: null }))

test('a gap in the table ends every run', () => {
  const found = namesOf(listed(['20260601', '20260602', '20260610', '20260611', '20260612']))
  expect(found[0]).toMatchObject({ longest_run: 3, current_run: 3 })
  const rests = namesOf(listed(['20260601', '20260605']))
  expect(rests[0]).toMatchObject({ longest_run: 2 })
  expect(namesOf(listed(['20260601', '20260608']))[0]).toMatchObject({ longest_run: 1 })
})

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
})

test('the sums of names are those of the flows; the order of rows changes nothing', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const names = namesOf(rows)
      expect(namesOf([...rows].reverse())).toEqual(names)
      const flows = toObjects(southboundFlows(tableFrom('southbound_top10', rows)).table)
      for (const name of ['net', 'turnover']) {
        const parts = flows.filter(({ channel }) => channel !== 'both').map((row) => Number(row[name]))
        // A stock in both lists adds to a channel only on days when the channel has rows, as in the flows.
        expect(sumDecimals(names.map((row) => Number(row[name])))).toBe(sumDecimals(parts))
      }
    }),
    { numRuns: 40 },
  )
})

test('with a rate by day each day is converted on its own', () => {
  const table = tableFrom('southbound_top10', listed(['20260601', '20260602']))
  const rate = { 20260601: 0.5, 20260602: 0.25 }
  const [one] = toObjects(southboundNames(table, { unit: 'Hong Kong dollar', rate }))
  expect([one?.['net'], one?.['turnover']]).toEqual([1.5, 3])
  const [lacking] = toObjects(southboundNames(table, { unit: 'Hong Kong dollar', rate: { 20260601: 0.5 } }))
  expect([lacking?.['net'], lacking?.['known_days']]).toEqual([null, 1])
})

test('streaks hold every day of buying or selling once, and their sums are the flow', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const flows = southboundFlows(tableFrom('southbound_top10', rows))
      const streaks = toObjects(netStreaks(flows))
      for (const channel of ['2', '4', 'both']) {
        const own = streaks.filter((one) => one['channel'] === channel)
        const nets = toObjects(flows.table).flatMap((row) => (row['channel'] === channel ? [Number(row['net'])] : []))
        const days = own.reduce((sum, one) => sum + Number(one['days']), 0)
        expect(days).toBe(nets.filter((net) => net !== 0).length)
        expect(sumDecimals(own.map((one) => Number(one['net'])))).toBe(sumDecimals(nets))
      }
    }),
    { numRuns: 40 },
  )
})
