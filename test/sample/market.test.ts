import { expect, test } from 'vitest'
import { tradingDays } from '../../src/contract/calendar.js'
import { hotLists } from '../../src/contract/catalogue/hotstock.js'
import { indexNames } from '../../src/contract/catalogue/theme-daily.js'
import { type Cells, groupBy, halfUp, rowsOf, scaled } from './rows.js'

const days = tradingDays('20260506', '20260729')

test('theme_daily: 48 names and codes a day, changes as published, a snapshot time on the latest day only', () => {
  const rows = rowsOf('theme_daily')
  for (const [day, group] of groupBy(rows, 'tradedate')) {
    expect(new Set(group.map((row) => row.name))).toEqual(new Set(indexNames))
    expect(new Set(group.map((row) => row.symbol)).size).toBe(48)
    expect(group.every((row) => (row.servertime !== null) === (day === '20260729'))).toBe(true)
  }
  for (const series of groupBy(rows, 'symbol').values()) {
    expect(series.map((row) => row.tradedate)).toEqual(days)
    series.forEach((row, at) => {
      const [close, before] = [scaled(row.close, 2), scaled(row.pre_close, 2)]
      if (at > 0) expect(row.pre_close).toBe(series[at - 1]?.close)
      expect(scaled(row.change, 2)).toBe(close - before)
      if (before > 0n) expect(scaled(row.pct_chg, 4)).toBe(halfUp((close - before) * 1_000_000n, before))
      const [open, high, low] = [row.open, row.high, row.low].map((price) => scaled(price, 2)) as [
        bigint,
        bigint,
        bigint,
      ]
      expect(low >= 0n && low <= open && low <= close && high >= open && high >= close).toBe(true)
      if (/涨跌|停板/.test(String(row.name))) expect(Number.isInteger(row.close)).toBe(true)
    })
  }
})

test('st: marks begin and end inside the period and stand on both sides of 2026-07-06', () => {
  const rows = rowsOf('st')
  const spans = [...groupBy(rows, 'symbol').values()].map((group) => [group[0]?.tradedate, group.at(-1)?.tradedate])
  expect(spans.some(([from, to]) => String(from) > '20260506' && String(to) < '20260729')).toBe(true)
  expect(spans.some(([, to]) => String(to) < '20260706')).toBe(true)
  expect(spans.some(([from]) => from === '20260706')).toBe(true)
  expect(spans.some(([from, to]) => from === '20260506' && to === '20260729')).toBe(true)
  expect(new Set(rows.map((row) => row.type))).toEqual(new Set(['ST', '*ST']))
  for (const { name, type } of rows)
    expect(String(name)).toMatch(new RegExp(`^${type === '*ST' ? '\\*ST' : 'ST'}[\\u4e00-\\u9fff]{2}$`))
})

test('transfer_financing: balances add up and follow on each other; null means none', () => {
  const rows = rowsOf('transfer_financing')
  expect(rows.length).toBeLessThan(60)
  const amount = (value: unknown): bigint => (value === null ? 0n : scaled(value, 0))
  rows.forEach((row, at) => {
    const lent = amount(row.auction_amount) + amount(row.reborrow_amount)
    expect(amount(row.opening_balance) + lent - amount(row.repayment_amount)).toBe(amount(row.closing_balance))
    if (at > 0) expect(row.opening_balance).toBe(rows[at - 1]?.closing_balance)
    for (const flow of [row.auction_amount, row.reborrow_amount, row.repayment_amount]) {
      if (flow !== null) expect(Number(flow)).toBeGreaterThan(0)
    }
  })
  const flows = rows.flatMap((row) => [row.auction_amount, row.reborrow_amount, row.repayment_amount])
  expect(flows.includes(null)).toBe(true)
})

test('thememembers_jx: two snapshots, ascending lists, children within their parent', () => {
  const rows = rowsOf('thememembers_jx')
  const snapshots = [...groupBy(rows, 'snapshot_date').values()]
  expect(snapshots).toHaveLength(2)
  for (const snapshot of snapshots) {
    for (const { theme_symbol, symbols, level } of snapshot) {
      const list = symbols as string[]
      expect(list).toEqual([...new Set(list)].sort())
      if (level === 'parent') continue
      const sector = Math.floor((Number(theme_symbol) - 802_001) / 10)
      const parent = snapshot.find((row) => row.theme_symbol === String(801_001 + sector))?.symbols as string[]
      expect(list.filter((code) => !parent.includes(code))).toEqual([])
    }
  }
  expect(snapshots[0]?.map((row) => row.symbols)).not.toEqual(snapshots[1]?.map((row) => row.symbols))
})

test('hotstock: fifteen lists a day, ranked from 1 without a stock twice', () => {
  const rows = rowsOf('hotstock')
  const groups = groupBy(rows, 'tradedate', 'type')
  expect(groups.size).toBe(60 * hotLists.length)
  for (const list of groups.values()) {
    expect(list.map((row) => row.rank)).toEqual(list.map((_, at) => at + 1))
    expect(new Set(list.map((row) => row.s)).size).toBe(20)
  }
  expect(rows.some((row) => row.pc === null)).toBe(true)
})

function checkChannel(row: Cells, channel: 'sh' | 'sz'): void {
  const [amount, net, buy, sell] = ['amount', 'net_amount', 'buy', 'sell'].map((name) => row[`${channel}_${name}`])
  if (amount === null) expect([net, buy, sell]).toEqual([null, null, null])
  else {
    expect(scaled(buy, 0) + scaled(sell, 0)).toBe(scaled(amount, 0))
    expect(scaled(buy, 0) - scaled(sell, 0)).toBe(scaled(net, 0))
  }
}

test('southbound_top10: ten a channel, both rows of a stock agree, amount doubles a channel now and then', () => {
  const rows = rowsOf('southbound_top10')
  const amount = (value: unknown): bigint => (value === null ? 0n : scaled(value, 0))
  let doubled = 0
  for (const row of rows) {
    checkChannel(row, 'sh')
    checkChannel(row, 'sz')
    const own = row.market_type === '2' ? 'sh' : 'sz'
    expect(row[`${own}_amount`]).not.toBeNull()
    expect(amount(row.net_amount)).toBe(amount(row.sh_net_amount) + amount(row.sz_net_amount))
    const over = amount(row.amount) - amount(row.sh_amount) - amount(row.sz_amount)
    if (over === 0n) continue
    expect(over).toBe(amount(row[`${own}_amount`]))
    expect(row.sh_amount !== null && row.sz_amount !== null).toBe(true)
    doubled++
  }
  expect(doubled).toBeGreaterThan(50)
  const groups = groupBy(rows, 'trade_date', 'market_type')
  expect(groups.size).toBe((days.length - 1) * 2)
  expect([...groups.keys()].some((key) => key.startsWith('20260701'))).toBe(false)
  for (const group of groups.values()) {
    expect(group).toHaveLength(10)
    const ranked = group.filter((row) => row.rank !== null)
    const own = ranked.map((row) => amount(row.market_type === '2' ? row.sh_amount : row.sz_amount))
    expect(own.every((value, at) => at === 0 || value <= (own[at - 1] as bigint))).toBe(true)
  }
  expect(rows.some((row) => row.rank === null)).toBe(true)
  const pairs = [...groupBy(rows, 'trade_date', 'code').values()].filter((pair) => pair.length === 2)
  expect(pairs.length).toBeGreaterThan(100)
  for (const [one, two] of pairs) {
    const same = (row: Cells | undefined): Cells => ({ ...row, market_type: '', rank: 0, amount: 0 })
    expect(same(one)).toEqual(same(two))
  }
})

test('theme_lib_detail_kp: one theme inactive, one unknown, nested values and markup', () => {
  const rows = rowsOf('theme_lib_detail_kp')
  expect(rows.filter((row) => row.is_active === false)).toHaveLength(1)
  expect(rows.some((row) => row.table === null && row.raw_payload === null)).toBe(true)
  expect(String(rowsOf('theme_lib_detail_kp', { hostile: true })[0]?.introduction)).toContain('<script>')
  expect(String(rows[0]?.introduction)).toMatch(/^<h3>[^<]+<\/h3><p>[^<]+<\/p>$/)
  expect(rows[0]?.table).toEqual({ Level1: [expect.anything()], Level2: [expect.anything(), expect.anything()] })
  expect(rows.map((row) => row.updated_at)).toContain('2026-07-30 00:30:07')
})
