import fc from 'fast-check'
import { expect, test } from 'vitest'
import { netStreaks } from '../../../src/analysis/southbound/net-streaks.js'
import { southboundFlows } from '../../../src/analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../../src/analysis/southbound/southbound-names.js'
import { sumDecimals } from '../../../src/checks/exact/decimal.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { answerFrom, type Row, tableFrom } from '../help.js'
import { market, real, stock } from './help.js'

const namesOf = (rows: readonly Row[]) => objectsOf(southboundNames(tableFrom('southbound_top10', rows)))
const streaksOf = (rows: readonly Row[]) => objectsOf(netStreaks(southboundFlows(tableFrom('southbound_top10', rows))))

test('six real rows: one day, four stocks', () => {
  const found = namesOf(real())
  expect(found.map(({ code, days, days_2, days_4, current_run }) => [code, days, days_2, days_4, current_run])).toEqual(
    [
      ['00175', 1, 1, 1, 1],
      ['00581', 1, 0, 1, 1],
      ['00607', 1, 0, 1, 1],
      ['00700', 1, 1, 1, 1],
    ],
  )
  expect(found[3]).toMatchObject({ name: '腾讯控股', net: -219372420, turnover: 383183900 + 135878000, net_buying: 0 })
})

const listed = (days: readonly string[], code = '00700.HK') =>
  days.flatMap((day) => stock(day, code, { sh: [3, 1], sz: null }))
/** Days of the table that the stock in question is not in. */
const others = (days: readonly string[]) => listed(days, '00005.HK')

test('a run goes over weekends and holidays, and ends on a day without the stock', () => {
  const days = ['20260427', '20260428', '20260430', '20260506', '20260507']
  const found = namesOf([...listed(days), ...others(['20260429', '20260508'])])
  const [one] = found
  expect(one).toMatchObject({ days: 5, first: '20260427', last: '20260507', longest_run: 3, current_run: 0 })
  expect(namesOf(listed(days))[0]).toMatchObject({ longest_run: 5, current_run: 5 })
})

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
      const flows = objectsOf(southboundFlows(tableFrom('southbound_top10', rows)).table)
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
  const [one] = objectsOf(southboundNames(table, { unit: 'Hong Kong dollar', rate }))
  expect([one?.['net'], one?.['turnover']]).toEqual([1.5, 3])
  const [lacking] = objectsOf(southboundNames(table, { unit: 'Hong Kong dollar', rate: { 20260601: 0.5 } }))
  expect([lacking?.['net'], lacking?.['known_days']]).toEqual([null, 1])
})

/** One stock via Shanghai, by day its buy and sell. */
const sides = (days: Readonly<Record<string, readonly [number, number] | null>>) =>
  Object.entries(days).flatMap(([day, side]) => {
    const rows = stock(day, '00700.HK', { sh: side ?? [1, 1], sz: null })
    return side ? rows : rows.map((row) => ({ ...row, sh_buy: null }))
  })

test('streaks end at a turn, at 0, at an unknown day and at a gap, and say where they are cut', () => {
  const found = streaksOf(
    sides({
      20260601: [3, 1],
      20260602: [2.1, 2],
      20260603: [1, 2],
      20260604: [1, 1],
      20260605: [1, 3],
      20260608: null,
      20260609: [1, 3],
      20260617: [1, 4],
      20260618: [4, 1],
    }),
  )
  expect(found.map(({ side, start, end, days, net, cut }) => [side, start, end, days, net, cut])).toEqual([
    ['buying', '20260601', '20260602', 2, 2.1, 'start'],
    ['selling', '20260603', '20260603', 1, -1, null],
    ['selling', '20260605', '20260605', 1, -2, 'end'],
    ['selling', '20260609', '20260609', 1, -2, 'both'],
    ['selling', '20260617', '20260617', 1, -3, 'start'],
    ['buying', '20260618', '20260618', 1, 3, 'end'],
  ])
  expect(new Set(found.map(({ channel }) => channel))).toEqual(new Set(['2']))
})

test('streaks hold every day of buying or selling once, and their sums are the flow', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const flows = southboundFlows(tableFrom('southbound_top10', rows))
      const streaks = objectsOf(netStreaks(flows))
      for (const channel of ['2', '4', 'both']) {
        const own = streaks.filter((one) => one['channel'] === channel)
        const nets = objectsOf(flows.table).flatMap((row) => (row['channel'] === channel ? [Number(row['net'])] : []))
        const days = own.reduce((sum, one) => sum + Number(one['days']), 0)
        expect(days).toBe(nets.filter((net) => net !== 0).length)
        expect(sumDecimals(own.map((one) => Number(one['net'])))).toBe(sumDecimals(nets))
      }
    }),
    { numRuns: 40 },
  )
})
