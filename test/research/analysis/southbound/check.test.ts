import { expect, test } from 'vitest'
import { strings } from '../../../../src/frame/read-columns.js'
import { checkSouthbound } from '../../../../src/research/checks/southbound/check-southbound.js'
import { type Row, tableFrom } from '../help.js'
import { stock } from './help.js'

const check = (rows: readonly Row[]) => checkSouthbound(tableFrom('southbound_top10', rows))

test('a missing number is told from no number', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const broken = (change: Row): unknown => {
    const found = check([{ ...row, ...change }])
    return [strings(found.table, 'verdict')[0], strings(found.table, 'broken')[0]]
  }
  expect(broken({})).toEqual(['equal', null])
  expect(broken({ sh_sell: null })).toEqual(['null-rule', 'sh cells'])
  expect(broken({ amount: null })).toEqual(['null-rule', 'amount'])
  expect(broken({ net_amount: null })).toEqual(['null-rule', 'net'])
  expect(broken({ market_type: '4' })).toEqual(['null-rule', 'channel'])
  const empty = { sh_amount: null, sh_net_amount: null, sh_buy: null, sh_sell: null, net_amount: null, amount: null }
  expect(broken(empty)).toEqual(['unverifiable', 'channel'])
  const [buy, sell] = [
    { sh_buy: -1, sh_amount: 0, sh_net_amount: -2, net_amount: -2, amount: 0 },
    { sh_sell: -1, sh_amount: 2, sh_net_amount: 4, net_amount: 4, amount: 2 },
  ]
  expect([broken(buy), broken(sell)]).toEqual(Array(2).fill(['mismatch', 'sh sign']))
})

test('a channel has ten stocks a day, each under a rank of its own, and a name is of one stock', () => {
  const one = (i: number): Row[] => stock('20260701', `00${100 + i}.HK`, { sh: [3, 1], sz: null })
  const ten = Array.from({ length: 10 }, (_, i) => one(i)).flat()
  const ranked: Row[] = ten.map((row, i) => ({ ...row, rank: i + 1 }))
  const why = (rows: Row[]) =>
    strings(check(rows).table, 'why').flatMap((word, row) => (word === null ? [] : [[row, word]]))
  expect(why(ranked)).toEqual([])
  const twice = 'rank 3 stands twice in the channel and day'
  expect(why(ranked.with(6, { ...ranked[6], rank: 3 }))).toEqual([
    [2, twice],
    [6, twice],
  ])
  expect(why(ranked.with(6, { ...ranked[6], rank: 0 }))).toEqual([[6, 'rank 0 is no place among 10']])
  expect(why(ranked.with(6, { ...ranked[6], rank: 2.5 }))).toEqual([[6, 'rank 2.5 is no place among 10']])
  const eleventh = stock('20260701', '00200.HK', { sh: [3, 1], sz: null })
  expect(why([...ranked, ...eleventh])).toEqual([[10, 'the channel has more than 10 stocks on this day']])
  expect(why([...ranked, ...eleventh.map((row) => ({ ...row, trade_date: '20260702' }))])).toEqual([])
  expect(why(ranked.with(6, { ...ranked[6], name: '00103.HK' }))).toEqual([
    [6, 'name 00103.HK has the symbol 00106.HK here and 00103.HK before'],
  ])
  expect(why(ranked.with(0, { ...ranked[0], trade_date: '20260704' }))).toEqual([
    [0, 'trade_date 20260704 is no trading day'],
  ])
})
