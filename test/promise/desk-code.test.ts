import { join } from 'node:path'
import { tradingDays } from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tempDir } from '../helper/temp.js'
import { archiveOf, numberIn, tableOf } from './helper/pages.js'
import { api, http, type Serving, serving } from './helper/serving.js'

let open: Serving
beforeAll(async () => {
  open = await serving(['--no-log'])
})
afterAll(() => open?.end())

const page = async (path: string, language = 'en') => {
  const { text } = await http(open.url + path, { headers: { 'accept-language': language } })
  return text
}

/** Rows of a dataset, as the API has them. */
async function rows(apiname: string, params: object, fields: string): Promise<(string | number | null)[][]> {
  const { text } = await api(open.url, { apikey: 'any', apiname, params, fields })
  return JSON.parse(text).data.items
}

interface DrawnSeries {
  readonly name?: string
  readonly names?: readonly string[]
  readonly at: readonly (readonly [number, number | null])[]
}
interface DrawnPanel {
  readonly name: string
  readonly bands?: readonly { readonly from: number; readonly to: number; readonly word: string }[]
  readonly series: readonly DrawnSeries[]
}

/** The first chart of a page: its days, and its panels. */
function drawn(text: string) {
  const [, json = ''] = /<script type="application\/json" id="plots">(.*?)<\/script>/s.exec(text) ?? []
  const [{ x, panels }] = JSON.parse(json)
  return { dates: x.dates as readonly string[], panels: panels as readonly DrawnPanel[] }
}
const heights = (series: DrawnSeries | undefined) => series?.at.map(([, y]) => y)
const lead = (text: string): string => /<p class="lead">(.*?)<\/p>/s.exec(text)?.[1]?.replace(/<[^>]+>/g, '') ?? ''

test('a stock of both southbound channels has each day once, with the net buys of both and of each', async () => {
  const wanted = await rows(
    'southbound_top10',
    { symbols: '02318.HK', startdate: '20260629', enddate: '20260729' },
    'trade_date,close,net_amount,sh_net_amount,sz_net_amount,market_type',
  )
  const own = wanted.filter(([, , , , , channel]) => channel === '2')
  expect(wanted).toHaveLength(2 * own.length)
  const text = await page('/desk/code/02318.HK?range=1M')
  const { dates, panels } = drawn(text)
  expect(dates).toEqual(own.map(([day]) => day))
  const [price, net] = panels
  expect(price?.name).toBe('Price (Hong Kong dollar)')
  expect(heights(price?.series[0])).toEqual(own.map(([, close]) => close))
  expect(net?.name).toBe('Net buys, CNY bn')
  const flows = heights(net?.series[0]) ?? []
  for (const [at, row] of own.entries()) expect(flows[at]).toBeCloseTo(Number(row[2]) / 1e9, 12)
  const shown = tableOf(text, '鹭洲集团-W: price by day')
  expect(shown.map(([, , , ...flows]) => flows.map(numberIn))).toEqual(
    own.map(([, , ...flows]) => flows.slice(0, 3).map((one) => Number((Number(one) / 1e9).toFixed(3)))),
  )
})

test('averages of an ETF begin again after days that are not stored, and its last day has its change', async () => {
  const text = await page('/desk/code/510300.SH?range=all')
  const { dates, panels } = drawn(text)
  const first = dates.indexOf('20260506')
  expect(dates[first - 1]).toBe('20250825')
  const [prices, ...means] = panels[0]?.series ?? []
  const closes = prices?.at.map((bar) => Number(bar[1])) ?? []
  for (const [place, n] of [5, 10, 20].entries()) {
    const values = heights(means[place]) ?? []
    expect(means[place]?.name).toBe(`MA${n}`)
    expect(values.slice(first, first + n - 1)).toEqual(Array(n - 1).fill(null))
    const own = closes.slice(first, first + n)
    expect(values[first + n - 1]).toBeCloseTo(own.reduce((a, b) => a + b, 0) / n, 9)
  }
  expect(panels[0]?.bands).toEqual([{ from: first - 1, to: first, word: expect.stringMatching(/^\d+ days missing$/) }])
  expect(text).toMatch(/\d+ trading days before 2026-05-06 are not stored\./)
  expect(drawn(await page('/desk/code/510300.SH?range=1M')).panels[0]?.bands).toEqual([])
  const close = async (tradedate: string): Promise<number> => {
    const bars = await rows('etf_minute', { symbols: '510300.SH', tradedate, trademin: '1500', period: '15m' }, 'close')
    return Number(bars[0]?.[0])
  }
  const change = 100 * ((await close('20260729')) / (await close('20260728')) - 1)
  expect(lead(text)).toBe(`2026-07-29: ${await close('20260729')} yuan ${change > 0 ? '+' : ''}${change.toFixed(2)}%`)
  const table = tableOf(text, '沪深300ETF华泰柏瑞: price by day')
  const changes = Object.fromEntries(table.map((row) => [row[0], row[7]]))
  expect(changes['2026-07-29']).toBe(`${change > 0 ? '+' : ''}${change.toFixed(2)}`)
  expect(changes['2026-05-06']).toBe('—')
})

test('a page of a code names its units, and has the value of a bond without its conversion', async () => {
  const text = await page('/desk/code/123107.SZ?range=1M')
  const { panels } = drawn(text)
  expect(panels.map(({ name }) => name)).toEqual([
    'Price (yuan); hollow: closed above its open, full: below',
    'Volume (lot)',
    'Conversion premium, %',
    'Conversion value, yuan',
    'Pure-bond premium, %',
    'Pure-bond value, yuan',
  ])
  const wanted = await rows(
    'convertible_daily',
    { symbols: '123107', startdate: '20260629', enddate: '20260729' },
    'bond_over_rate,bond_value',
  )
  expect(heights(panels[4]?.series[0])).toEqual(wanted.map(([premium]) => premium))
  expect(heights(panels[5]?.series[0])).toEqual(wanted.map(([, value]) => value))
  expect(text).toMatch(/>turnover<small>CNY (bn|m)<\/small>/)
  const chinese = await page('/desk/code/123107.SZ?range=1M', 'zh')
  expect(drawn(chinese).panels[1]?.name).toBe('成交量（手）')
  for (const head of ['开盘<small>元', '收盘<small>元', '成交量<small>手', '纯债溢价率<small>%'])
    expect(chinese).toContain(`>${head}</small>`)
  expect(chinese).not.toMatch(/成交量不足|>打开</)
})

test('an index that counts stocks is in stocks, and changes by so many', async () => {
  const all = await rows('theme_daily', { type: 'tj', tradedate: '20260729' }, 'symbol,name,close,change')
  const [code, , close, change] = all.find(([, name]) => name === '涨跌家数') ?? []
  const text = await page(`/desk/code/${code}`)
  const signed = `${Number(change) > 0 ? '+' : ''}${change}`
  expect(lead(text).replaceAll(',', '')).toBe(`2026-07-29: ${close} stocks ${signed}`)
  expect(drawn(text).panels[0]?.name).toMatch(/^Price \(stocks\)/)
  const cell = new RegExp(`>${close}(</span>)? <small>家</small>`)
  expect((await page(`/desk/table/indices?find=${encodeURIComponent('涨跌家数')}`, 'zh')).replaceAll(',', '')).toMatch(
    cell,
  )
  const other = all.find(([, name]) => name === '可转债')?.[0]
  expect(lead(await page(`/desk/code/${other}`))).toMatch(/ point [+-][\d.]+%$/)
})

test('a page of what has no daily prices has no ranges; all days of an ETF are those that are read, and the others are told', async () => {
  expect(await page('/desk/code/002415')).not.toContain('class="ranges"')
  expect(await page('/desk/code/123107.SZ')).toContain('class="ranges"')
  const days = tradingDays('20250301', '20260729')
  const bars = days.flatMap((tradedate, at) =>
    ['0945', '1000'].map((trademin) => {
      const price = 4 + at / 1000
      const prices = { open: price, high: price, low: price, close: price, vwap: price }
      const time = `${trademin.slice(0, 2)}:${trademin.slice(2)}:00`
      return { tradedate, symbol: '510300.SH', trademin, time, ...prices, vol: 1, amount: 100 * price }
    }),
  )
  const dir = join(tempDir(), 'long')
  await archiveOf({ etf_minute: bars }, dir)
  const long = await serving(['--no-log', '--source', dir])
  const text = (await http(`${long.url}/desk/code/510300.SH?range=all`, { headers: { 'accept-language': 'en' } })).text
  await long.end()
  expect(drawn(text).dates).toHaveLength(280)
  expect(text).toContain(
    `Made of bars by day: ${days.length - 280} stored days before ${days.at(-280)?.replace(/(....)(..)/, '$1-$2-')} are not read. `,
  )
})

test('turnover of small ETFs is written in a unit in which it is something', async () => {
  const bars = await rows('etf_minute', { symbols: '159941.SZ', tradedate: '20260729', period: '15m' }, 'amount')
  const sum = bars.reduce((all, [amount]) => all + Number(amount), 0)
  expect(sum / 1e9).toBeLessThan(0.0005)
  for (const [language, label, unit, power] of [
    ['en', 'ETFs', 'CNY m', 6],
    ['zh', 'ETF', '万元', 4],
  ] as const) {
    const text = await page('/desk/table/etfs?columns=symbol,amount', language)
    expect(text).toContain(`<small>${unit}</small>`)
    const small = tableOf(text, label).find(([code]) => code === '159941.SZ')
    expect(numberIn(small?.[1])).toBeCloseTo(sum / 10 ** power, 2)
  }
})

test('a candidate for abnormal movement has its days so far, and the change that it needs with sign and colour', async () => {
  const text = await page('/desk/code/002415')
  const wanted = await rows(
    'anomaly_forecast',
    { symbols: '002415', tradedate: '20260728' },
    'elapsed_days,deviation_pct,required_pct_chg',
  )
  const signed = (value: unknown): string => `${Number(value) > 0 ? '+' : ''}${Number(value).toFixed(2)}`
  const [days, deviation, required] = wanted[0] ?? []
  const shown = tableOf(text, 'Candidates for abnormal movement').find(([day]) => day === '2026-07-28')
  expect(shown?.slice(2, 5)).toEqual([String(days), signed(deviation), signed(required)])
  expect(text).toContain(`<span class="${Number(required) > 0 ? 'up' : 'down'}">${signed(required)}</span>`)
  expect(shown?.at(-1)).toBe('△ not reached')
})

test('points of a scatter have code and name', async () => {
  const text = await page('/desk/table/bonds')
  const wanted = await rows('convertible_daily', { tradedate: '20260729' }, 'code,name,close,cb_over_rate')
  const known = wanted.filter((row) => !row.includes(null))
  const [points] = drawn(text).panels[0]?.series ?? []
  const named = points?.at.map((pair, at) => [points.names?.[at], ...pair])
  expect(named?.sort()).toEqual(known.map(([code, name, x, y]) => [`${code} ${name}`, x, y]).sort())
})

test('what is no code is refused before the names that are near are read; a range that is asked for is looked through', async () => {
  for (const code of ['119999', '519999', '601998'])
    expect([code, (await http(`${open.url}/desk/code/${code}`)).status]).toEqual([code, 404])
  const fresh = await serving(['--no-log'])
  const { body, status } = await fetch(`${fresh.url}/desk/code/NAME`, {
    headers: { 'accept-encoding': 'identity', 'accept-language': 'en' },
  })
  const reader = body?.getReader()
  const first = Buffer.from((await reader?.read())?.value ?? []).toString()
  await reader?.cancel()
  await fresh.end()
  expect([status, first]).toEqual([404, expect.stringContaining('<h1>There is no code “NAME” in this archive.</h1>')])
  expect(first).not.toContain('</html>')
  expect(await page('/desk/code/123108')).toContain('range=all">Look through all days')
  const whole = await page('/desk/code/123108?range=all')
  expect(whole).toContain('<p role="alert">There is no code “123108.SZ” in this archive.</p>')
  expect(whole).toContain('/desk/code/123107.SZ')
})
