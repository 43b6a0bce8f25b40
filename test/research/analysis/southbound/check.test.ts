import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSouthbound, southboundCheck } from '../../../src/checks/southbound/check-southbound.js'

import { numbers, texts } from '../../../src/frame/read-columns.js'
import { type Row, tableFrom } from '../help.js'
import { market, plus, real, side, stock } from './help.js'

const check = (rows: readonly Row[]) => checkSouthbound(tableFrom('southbound_top10', rows))

test('six real rows: amount counts a channel twice on two of them, everything else holds', () => {
  const found = check(real())
  expect(found.counts).toEqual({ equal: 4, unverifiable: 0, 'double-count': 2, 'null-rule': 0, mismatch: 0 })
  expect(texts(found.table, 'twice')).toEqual(['sh', null, null, null, null, 'sz'])
  expect(texts(found.table, 'broken')).toEqual(['amount', null, null, null, null, 'amount'])
  expect([...numbers(found.table, 'difference')]).toEqual([182183940, 0, 0, 0, 0, 135878000])
  expect(texts(found.worst, 'name')).toEqual(['吉利汽车', '腾讯控股'])
  expect(found.ok).toBe(false)
})

test('sound rows are sound, to the cent', () => {
  fc.assert(
    fc.property(market, (rows) => {
      const found = check(rows)
      expect(found.counts.equal).toBe(rows.length)
      expect(found.ok).toBe(true)
    }),
  )
})

test('one cent off anywhere is found', () => {
  const names = ['amount', 'net_amount', 'sh_amount', 'sh_net_amount', 'sh_buy', 'sh_sell', 'sz_amount', 'sz_buy']
  fc.assert(
    fc.property(side, side, fc.constantFrom(...names), fc.boolean(), (sh, sz, name, second) => {
      const rows = stock('20260701', '00700.HK', { sh, sz })
      const row = rows[second ? 1 : 0] ?? {}
      const wrong = { ...row, [name]: plus(Number(row[name]), 0.01) }
      const found = check(second ? [rows[0] ?? {}, wrong] : [wrong, rows[1] ?? {}])
      expect(found.ok).toBe(false)
      expect(texts(found.table, 'verdict')[second ? 1 : 0]).not.toBe('equal')
    }),
  )
})

test('a missing number is told from no number', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const broken = (change: Row): unknown => {
    const found = check([{ ...row, ...change }])
    return [texts(found.table, 'verdict')[0], texts(found.table, 'broken')[0]]
  }
  expect(broken({})).toEqual(['equal', null])
  expect(broken({ sh_sell: null })).toEqual(['null-rule', 'sh cells'])
  expect(broken({ amount: null })).toEqual(['null-rule', 'amount'])
  expect(broken({ net_amount: null })).toEqual(['null-rule', 'net'])
  expect(broken({ market_type: '4' })).toEqual(['null-rule', 'channel'])
  expect(
    broken({ sh_amount: null, sh_net_amount: null, sh_buy: null, sh_sell: null, net_amount: null, amount: null }),
  ).toEqual(['unverifiable', 'channel'])
  expect(broken({ sh_buy: -1, sh_amount: 0, sh_net_amount: -2, net_amount: -2, amount: 0 })).toEqual([
    'mismatch',
    'sh sign',
  ])
  expect(broken({ sh_sell: -1, sh_amount: 2, sh_net_amount: 4, net_amount: 4, amount: 2 })).toEqual([
    'mismatch',
    'sh sign',
  ])
})

test('amount of one channel alone is named', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] }).map((row) => ({ ...row, amount: 4 }))
  expect(texts(check(rows).table, 'why')).toEqual(['amount is sh_amount alone', 'amount is sh_amount alone'])
})

test('a stock has one row a channel', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  expect(texts(check([row, row]).table, 'broken')).toEqual(['key', 'key'])
})

test.each([
  ['sh', { sh_amount: 5, sh_net_amount: 1, sh_buy: 3, sh_sell: 2 }],
  ['sz', { sz_amount: 8, sz_net_amount: 4, sz_buy: 6, sz_sell: 2 }],
])('the rows of a stock have the same %s numbers', (prefix, change) => {
  const [first = {}, second = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] })
  const net = 7 - 2 - 1 + (prefix === 'sh' ? -1 : 1)
  const own = { ...second, ...change, amount: 12, net_amount: net }
  const why = texts(check([first, own]).table, 'why')[0] ?? ''
  for (const name of Object.keys(change)) {
    const same = first[name as keyof typeof first] === change[name as keyof typeof change]
    if (!same) expect(why).toMatch(new RegExp(`\\b${name}\\b`))
  }
  expect(why).toContain('differ in')
})

test('the check runs the check on every table, and has a meaning for every verdict', () => {
  const found = check(real())
  expect(Object.keys(southboundCheck.verdicts).sort()).toEqual(Object.keys(found.counts).sort())
  const tables = [
    tableFrom('southbound_top10', real()),
    tableFrom('southbound_top10', [], Object.keys(real()[0] ?? {})),
  ]
  const runs = southboundCheck.runs({ southbound_top10: tables })
  expect(runs.map(({ label, result: { rows, counts } }) => [label, rows, counts])).toEqual([
    ['southbound_top10', 6, found.counts],
  ])
  expect(southboundCheck.runs({})).toEqual([])
  const grades = Object.entries(southboundCheck.verdicts).map(([verdict, { grade }]) => [
    verdict,
    grade === 'contradicted',
  ])
  const isWrong = { equal: false, unverifiable: false, 'double-count': true, 'null-rule': true, mismatch: true }
  expect(Object.fromEntries(grades)).toEqual(isWrong)
})

test('nothing to check is sound', () => {
  expect(checkSouthbound(tableFrom('southbound_top10', [], Object.keys(real()[0] ?? {}))).ok).toBe(true)
})

test('a channel has ten stocks a day, each under a rank of its own, and a name is of one stock', () => {
  const ten = Array.from({ length: 10 }, (_, i) =>
    stock('20260701', `00${100 + i}.HK`, { sh: [3, 1], sz: null }),
  ).flat()
  const ranked: Row[] = ten.map((row, i) => ({ ...row, rank: i + 1 }))
  const why = (rows: Row[]) =>
    texts(check(rows).table, 'why').flatMap((word, row) => (word === null ? [] : [[row, word]]))
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
