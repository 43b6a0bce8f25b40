import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetName } from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quotebook } from './helper/command.js'
import { file, folder, removeFolders } from './helper/files.js'
import { archiveOf, escaped, numberIn, sampleRows, tableOf } from './helper/pages.js'
import { api, http, type Serving, serving } from './helper/serving.js'

removeFolders()

const dir = folder()
const [runs, accounts, hostile] = ['runs', 'accounts', 'hostile'].map((name) => join(dir, name)) as [
  string,
  string,
  string,
]
let [open, closed, odd] = [] as unknown as [Serving, Serving, Serving]

const markup = `<img src=x onerror="alert(1)">`

const strategy = (n: number, name: string): string =>
  file(
    name,
    `export default { data: { dataset: 'convertible_daily' }, score: (bond) => bond.close + bond.cb_over_rate, pick: { n: ${n}, side: 'lowest' }, when: { weekly: 3 } }`,
  )

beforeAll(async () => {
  mkdirSync(runs)
  for (const n of [3, 5])
    expect(
      quotebook(['backtest', strategy(n, 'low.mjs'), '--cash', '500000', '--out', join(runs, `low${n}`)]).code,
    ).toBe(0)
  const planned = quotebook([
    'plan',
    strategy(3, 'low.mjs'),
    '--account',
    join(accounts, 'mine'),
    '--cash',
    '500000',
    '--day',
    '20260729',
  ])
  expect(planned.code, planned.err).toBe(0)
  const named = async (name: DatasetName, column: string) =>
    (await sampleRows(name))
      .filter((row) => String(row.tradedate ?? row.event_date) >= '202607')
      .map((row) => ({ ...row, [column]: markup }))
  await archiveOf(
    {
      convertible_daily: await named('convertible_daily', 'name'),
      hotstock: await named('hotstock', 'n'),
      finance_announcement: await named('finance_announcement', 'title'),
    },
    hostile,
  )
  const keys = file('keys.json', '{"format":1,"keys":[]}')
  ;[open, closed, odd] = await Promise.all([
    serving(['--no-log', '--runs', runs, '--accounts', accounts]),
    serving(['--no-log', '--keys', keys]),
    serving(['--no-log', '--source', hostile]),
  ])
})
afterAll(() => Promise.all([open, closed, odd].map((one) => one?.end())))

const page = async (path: string, headers = {}) =>
  http(open.url + path, { headers: { 'accept-language': 'en', ...headers } })
const said = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

/** Rows of a dataset, as the API has them. */
async function rows(apiname: string, params: object, fields: string): Promise<unknown[][]> {
  const { text } = await api(open.url, { apikey: 'any', apiname, params, fields })
  return JSON.parse(text).data.items
}

test('every page is there in both languages, asks for nothing elsewhere, and is not kept', async () => {
  const tables = ['bonds', 'etfs', 'indices', 'southbound', 'themes', 'hot', 'anomalies'].map(
    (name) => `/desk/table/${name}`,
  )
  const others = [
    '/',
    '/desk/coverage',
    '/desk/checks?days=1',
    '/desk/runs',
    '/desk/accounts',
    '/desk/accounts/mine',
    '/desk/find',
    '/desk/sql',
  ]
  for (const path of [...tables, ...others, '/desk/code/123107.SZ', '/desk/code/000001', '/desk/code/510300.SH']) {
    const english = await page(path)
    expect([path, english.status, english.headers['cache-control']]).toEqual([path, 200, 'no-store'])
    expect(english.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; .*form-action 'self'/,
    )
    expect(english.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(english.text).not.toMatch(/(src|href)="(https?:|\/\/)/)
    const chinese = await page(path, { 'accept-language': 'zh-CN' })
    expect(chinese.text).toContain('<html lang="zh-CN">')
    expect(chinese.text).toContain('今日')
    const named = await page(`${path}${path.includes('?') ? '&' : '?'}lang=zh`)
    expect(named.text).toContain('<html lang="zh-CN">')
    expect(named.text).toContain('lang=zh')
  }
})

test('a table has the rows of the API, in the order that its address names', async () => {
  const wanted = await rows('convertible_daily', { tradedate: '20260729' }, 'code,close,pct_chg,cb_over_rate')
  const { text } = await page('/desk/table/bonds?sort=-cb_over_rate&columns=code,close,pct_chg,cb_over_rate')
  const shown = tableOf(text, 'Bonds')
  const known = wanted.filter((row) => row[3] !== null).sort((a, b) => Number(b[3]) - Number(a[3]))
  const none = wanted.filter((row) => row[3] === null)
  expect(shown.map(([code]) => code)).toEqual([...known, ...none].map(([code]) => code))
  shown.forEach(([, close, change, premium], at) => {
    const [, own, moved, over] = [...known, ...none][at] as [string, number, number, number | null]
    expect(numberIn(close)).toBe(own)
    expect(numberIn(change)).toBeCloseTo(moved, 1)
    expect(premium).toBe(over === null ? '—' : over.toFixed(2))
  })
  expect(text).toMatch(/<th [^>]*aria-sort="descending"><a [^>]*>conversion premium/)
  expect(text).toMatch(/<span class="up">\+[\d.]+<\/span>/)
  expect(text).toMatch(/<span class="down">-[\d.]+<\/span>/)
  const up = tableOf((await page('/desk/table/bonds?sort=cb_over_rate')).text, 'Bonds')
  expect(up.map(([code]) => code).slice(0, 3)).toEqual(
    known
      .map(([code]) => code)
      .reverse()
      .slice(0, 3),
  )
  const one = tableOf((await page('/desk/table/bonds?find=123107')).text, 'Bonds')
  expect(one.map(([code]) => code)).toEqual(['123107.SZ'])
  const earlier = await rows('convertible_daily', { tradedate: '20260728', symbols: '123107' }, 'close')
  const past = tableOf((await page('/desk/table/bonds?day=2026-07-28&find=123107&columns=close')).text, 'Bonds')
  expect(past.map(([close]) => numberIn(close))).toEqual([earlier[0]?.[0]])
})

test('ETFs, indices, southbound stocks and hot lists are those of the API', async () => {
  const day = { tradedate: '20260729' }
  const column = async (path: string, label: string) => tableOf((await page(path)).text, label).map(([cell]) => cell)
  const codes = async (name: string, params: object, field: string) =>
    (await rows(name, params, field)).map(([cell]) => cell)
  const bars = await codes('etf_minute', { ...day, trademin: '1500', period: '15m' }, 'symbol')
  expect((await column('/desk/table/etfs', 'ETFs')).sort()).toEqual(bars.sort())
  const changes = async (asked: string) =>
    tableOf((await page(`/desk/table/etfs?day=${asked}&columns=pct_chg`)).text, 'ETFs').map(([change]) => change)
  expect(await changes('2026-07-29')).toContainEqual(expect.stringMatching(/^[+-]\d+\.\d\d$/))
  // The stored day before is months earlier.
  for (const change of await changes('2026-05-06')) expect(change).not.toMatch(/\d/)
  const indices = await codes('theme_daily', { ...day, type: 'tj' }, 'symbol')
  expect((await column('/desk/table/indices', 'Indices')).sort()).toEqual(indices.sort())
  const south = await codes('southbound_top10', day, 'code')
  expect((await column('/desk/table/southbound', 'Southbound')).map((code) => code?.replace(' ✗', '')).sort()).toEqual(
    south.sort(),
  )
  const hot = await codes('hotstock', { ...day, type: 'xq&resou' }, 's')
  expect(
    tableOf((await page(`/desk/table/hot?type=${encodeURIComponent('xq&resou')}`)).text, 'Hot lists').map(
      (row) => row[0],
    ),
  ).toEqual(hot)
})

test('a page of a bond has its prices, averages over them, premium and bars, over the range that its address names', async () => {
  const params = { symbols: '123107', startdate: '20260629', enddate: '20260729' }
  const wanted = await rows('convertible_daily', params, 'tradedate,open,high,low,close,cb_over_rate')
  const before = await rows('convertible_daily', { ...params, startdate: '20260101' }, 'close')
  const { text } = await page('/desk/code/123107.SZ?range=1M')
  const [, json = ''] = /<script type="application\/json" id="plots">(.*?)<\/script>/s.exec(text) ?? []
  const [prices, minutes] = JSON.parse(json)
  const [candles, ma5] = prices.panels[0].series
  expect(prices.x.dates).toEqual(wanted.map(([day]) => day).filter((day) => String(day) >= '20260628'))
  expect(candles.at).toEqual(wanted.map(([, open, high, low, close]) => [open, close, low, high]))
  const closes = before.map(([close]) => Number(close))
  const mean = closes.slice(-5).reduce((a, b) => a + b, 0) / 5
  expect(ma5.name).toBe('MA5')
  expect(ma5.at.at(-1)[1]).toBeCloseTo(mean, 9)
  const premium = prices.panels.find(({ name }: { name: string }) => name === 'Conversion premium, %')
  expect(premium.series[0].at.map(([, y]: [number, number | null]) => y)).toEqual(wanted.map((row) => row[5]))
  const bars = await rows('convertible_minute', { symbols: '123107', tradedate: '20260729' }, 'vwap')
  expect(minutes.panels[0].series[1].at.map(([, y]: [number, number | null]) => y)).toEqual(bars.map(([vwap]) => vwap))
  for (const range of ['3M', 'YTD', '1Y', 'all'])
    expect((await page(`/desk/code/123107.SZ?range=${range}`)).status).toBe(200)
})

test('a page of a stock has its announcements, answers, places on lists and abnormal moves', async () => {
  const { text } = await page('/desk/code/000001')
  const [first] = await rows('finance_announcement', { symbols: '000001', limit: 1 }, 'title')
  expect(said(text)).toContain(String(first?.[0]))
  for (const id of ['finance_announcement', 'interactive_qa', 'hotstock'])
    expect(text).toContain(`<section id="${id}">`)
  expect((await page('/desk/code/002415')).text).toContain('<section id="anomaly_forecast">')
})

test('what there is not is refused, with the nearest name', async () => {
  const cases = [
    ['/desk/tabel', 404, '/desk/table'],
    ['/desk/table/bond', 404, '/desk/table/bonds'],
    ['/desk/table/bonds?sort=-pct_chng', 400, 'sort=pct_chg'],
    ['/desk/table/bonds?columns=clos', 400, 'columns=close'],
    ['/desk/table/bonds?day=tomorrow', 400, 'day=20260729'],
    ['/desk/table/bonds?page=99', 400, 'page=1'],
    ['/desk/table/hot?type=xq%26resu', 400, 'type=xq%26resou'],
    ['/desk/code/123108', 404, '/desk/code/123107.SZ'],
    ['/desk/code/123107.SZ?range=2M', 400, 'range=1M'],
    ['/desk/coverage?day=x', 400, 'day=20260729'],
    ['/desk/checks?days=7', 400, 'days=1'],
    ['/desk/runs/low4', 404, '/desk/runs/low3'],
    ['/desk/runs?run=low3', 400, '/desk/runs'],
    ['/desk/accounts/min', 404, '/desk/accounts/mine'],
  ] as const
  for (const [path, status, link] of cases) {
    const answer = await page(path)
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.text, path).toContain(`${link}`)
  }
  expect((await page('/desk/runs/low3/..%2Flow5%2Fsummary.json')).status).toBe(200)
  expect((await page('/desk/runs/low3/..%2Flow5%2Fsummary.json')).text).not.toContain('"hashes"')
  expect((await http(`${open.url}/desk/coverage`, { method: 'POST' })).status).toBe(405)
})

test('coverage counts days as the archive has them, and leads to the day; checks set rows beside what they should be', async () => {
  const { text } = await page('/desk/coverage?day=20260729')
  const known = tableOf(text, 'What is known of 2026-07-29')
  const bonds = await rows('convertible_daily', { tradedate: '20260729' }, 'code')
  for (const [name, , , , proof] of known) expect([name, proof]).toEqual([name, expect.stringMatching(/\S/)])
  const stateAndProof = (all: string[][]) => all.find(([name]) => name === 'convertible_daily')?.slice(3)
  const imported = (await http(`${odd.url}/desk/coverage?day=20260729`, { headers: { 'accept-language': 'en' } })).text
  expect(stateAndProof(tableOf(imported, 'What is known of 2026-07-29'))).toEqual([
    expect.stringContaining('unproven'),
    'none',
  ])
  expect(stateAndProof(known)).toEqual([expect.stringContaining('complete'), 'stated'])
  expect(known.find(([name]) => name === 'convertible_daily')?.slice(2)).toEqual([
    String(bonds.length),
    expect.stringContaining('complete'),
    expect.any(String),
  ])
  const checks = await page('/desk/checks')
  expect(checks.text).toMatch(/<details class="check" open><summary><h4>southbound/)
  expect(checks.text).toMatch(/<th[^>]*>given[\s\S]*<th[^>]*>recomputed/)
})

test('a red state of the data names the days and codes that are contradicted, and leads to the checks', async () => {
  const { text } = await page('/')
  const [strip = ''] = /<p class="light red">[\s\S]*?<\/p>/.exec(text) ?? []
  expect(strip).toContain('<a href="/desk/checks">')
  expect(strip).toContain('<a href="/desk/coverage">')
  const [, first = '', last = ''] = /Checked: (\S+) to (\S+),/.exec(strip) ?? []
  const cases = tableOf((await page('/desk/checks?days=5')).text, 'Worst cases of southbound (southbound_top10)')
  const wrong = cases.filter(([day = '', , , , verdict]) => day >= first && day <= last && verdict === 'double-count')
  expect(wrong.length).toBeGreaterThan(0)
  const rows = /<span><a href="\/desk\/checks\?day=(\S+)">southbound \S+ (\S+)<\/a>: ([\s\S]*?)<\/span>/g
  const named = [...strip.matchAll(rows)].map(([, asked, day, codes = '']) => [
    asked === day ? day : asked,
    ...(codes.match(/\d{5}\.HK(?=<)/g) ?? []),
  ])
  expect(named.sort()).toEqual(wrong.map(([day, , code]) => [day, code]).sort())
})

test('lists of a dataset that are as late as each other are one line of the state of the data', async () => {
  const lines = tableOf((await page('/')).text, 'State of the data')
  const hot = lines.filter(([name]) => name?.startsWith('hotstock'))
  expect(hot).toEqual([
    [
      expect.stringMatching(/^hotstock (\w+&amp;\w+, ){14}\w+&amp;\w+$/),
      '2026-07-29',
      ...Array(3).fill(expect.anything()),
    ],
  ])
  expect(lines.filter(([name]) => name?.startsWith('etf_minute')).map(([name]) => name)).toEqual([
    'etf_minute 15m, 30m',
  ])
})

test('runs are listed with their figures and compared; their pages come alone in a frame', async () => {
  const list = tableOf((await page('/desk/runs')).text, 'Runs')
  const table = quotebook(['backtest', 'compare', join(runs, 'low3'), join(runs, 'low5')]).out
  const [, total = '', other = ''] = /Total return +(\S+) +(\S+)/.exec(table) ?? []
  expect(list.map((row) => [row[1], row[6]])).toEqual([
    ['low3', total],
    ['low5', other],
  ])
  const compared = await page('/desk/runs?run=low3&run=low5')
  expect(tableOf(compared.text, 'Figures')[0]?.slice(1)).toEqual([total, other])
  for (const name of ['low3', 'low5'])
    expect(compared.text).toContain(`<a href="/desk/runs/${name}"><bdi>${name}</bdi></a>`)
  expect(compared.text).toContain('Bold: the best of a line.')
  const sheet = await page('/desk/runs/low3/tear-sheet.html')
  expect(sheet.headers['content-security-policy']).toMatch(
    /^sandbox allow-scripts allow-top-navigation-by-user-activation; default-src 'none'; script-src 'sha256-/,
  )
  expect((await page('/desk/runs/low3')).text).toContain('src="/desk/runs/low3/tear-sheet.html"')
  const codes = /(?<=>)\d{6}\.S[HZ](?=<)/g
  const own = readFileSync(join(runs, 'low3', 'tear-sheet.html'), 'utf8')
  const [code] = own.match(codes) ?? []
  expect(sheet.text).toContain(`<a href="/desk/code/${code}" target="_top">${code}</a>`)
  const plain = sheet.text.replace(/<a href="[^"]*" target="_top">([^<]*)<\/a>/g, '$1')
  const meta = /<meta http-equiv="Content-Security-Policy"[^>]*>/
  expect(plain.replace(/<script>new ResizeObserver[^<]*<\/script>\n$/, '')).toBe(own.replace(meta, ''))
})

test('the orders of accounts stand on the first page and on theirs, to be copied', async () => {
  const { text } = await page('/')
  const orders = quotebook([
    'plan',
    strategy(3, 'low.mjs'),
    '--account',
    join(dir, 'again'),
    '--cash',
    '500000',
    '--day',
    '20260729',
    '--format',
    'json',
  ])
  const [first] = JSON.parse(orders.out).plan?.orders ?? []
  expect(first, orders.out.slice(0, 300)).toBeDefined()
  for (const shown of [text, (await page('/desk/accounts')).text, (await page('/desk/accounts/mine')).text])
    expect(shown).toContain(`data-copy="${first.symbol}\t${first.side}\t${first.shares}`)
  expect((await page(`/desk/code/${first.symbol}`)).text).toContain('/desk/accounts/mine')
})

test('a code, a name, initials, a dataset and a page are found', async () => {
  const find = async (text: string) => page(`/desk/find?q=${encodeURIComponent(text)}`)
  for (const text of ['123124', '123124.SZ', '云帆转债', 'yfzz']) {
    const { status, headers } = await find(text)
    expect([text, status, headers.location]).toEqual([text, 302, '/desk/code/123124.SZ'])
  }
  expect((await find('云帆')).text).toMatch(/123124\.SZ[\s\S]*|云帆转债/)
  expect((await find('convertible_daily')).headers.location).toBe('/desk/table/bonds')
  expect((await find('Coverage')).headers.location).toBe('/desk/coverage')
  expect((await find('zzzz')).text).toContain('Nothing is called “zzzz”.')
})

test('commands are found by name and by what they do, with a line to copy, in the language of the page', async () => {
  const english = await page('/desk/find?q=backtest')
  expect(english.text).toMatch(/data-copy="quotebook backtest --help"/)
  expect(english.text).toContain('data-copy="quotebook backtest compare --help"')
  const chinese = await page(`/desk/find?q=${encodeURIComponent('归档')}&lang=zh`)
  expect(chinese.text).toContain('data-copy="quotebook sync --help"')
  expect((await page('/desk/find?q=repair')).text).not.toContain('quotebook repair')
})

test('SQL in the address gives the rows of /query/sql, a chart of days, and one line for what is wrong', async () => {
  const sql = 'select tradedate, max(close) as top from convertible_daily group by 1 order by 1'
  const { text } = await page(`/desk/sql?${new URLSearchParams({ sql })}`)
  const { data } = JSON.parse((await http(`${open.url}/query/sql?${new URLSearchParams({ sql })}`)).text)
  const shown = tableOf(text, 'Result')
  expect(shown.map(([day]) => day?.replaceAll('-', ''))).toEqual(data.columns.tradedate)
  expect(shown.map(([, top]) => numberIn(top))).toEqual(data.columns.top)
  expect(text).toContain('data-plot="sql-days"')
  expect(text).toContain(`>${sql}</textarea>`)
  for (const wrong of ['select nope from st', 'drop table st', "select * from read_text('/etc/passwd')"]) {
    const refused = await page(`/desk/sql?${new URLSearchParams({ sql: wrong })}`)
    expect([wrong, refused.status]).toEqual([wrong, 400])
    expect(refused.text).toMatch(/<p class="absent" role="alert">[^<]+<\/p>/)
    expect(refused.text).not.toContain('root:')
  }
  const hostile = await http(`${odd.url}/desk/sql?sql=${encodeURIComponent('select name from convertible_daily')}`)
  expect(hostile.text).toContain(escaped(markup))
  expect(hostile.text).not.toContain(markup)
  expect((await page('/desk/sql?lang=zh')).text).toContain('<button>运行</button>')
})

test('a code shows its last day before its range is read, compressed or not', async () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const { body, headers } = await fetch(`${open.url}/desk/code/123107.SZ?range=all`, {
      headers: { 'accept-encoding': encoding, 'accept-language': 'en' },
    })
    expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    const texts: string[] = []
    for (const reader = body?.getReader(); ; ) {
      const part = await reader?.read()
      if (!part?.value) break
      texts.push(Buffer.from(part.value).toString())
    }
    expect(texts[0]).toMatch(/<h1>[\s\S]*<time datetime="2026-07-29">/)
    expect(texts[0]).not.toContain('data-plot=')
    expect(texts.join('')).toMatch(/data-plot="code-prices"[\s\S]*id="plots"[\s\S]*<\/html>\n$/)
  }
})

test('names with markup stay text', async () => {
  const paths = [
    '/',
    '/desk/table/bonds',
    '/desk/table/hot?type=xq%26resou',
    '/desk/code/123107.SZ',
    '/desk/code/000001',
    '/desk/find?q=%3Cimg',
  ]
  for (const path of paths) {
    const { text, status } = await http(odd.url + path)
    expect([path, status]).toEqual([path, 200])
    expect(text, path).toContain(escaped(markup))
    expect(text).not.toContain(markup)
    expect(text).not.toMatch(/<img|onerror="/)
  }
})

test('a service with keys has no desk and says so; quotebook desk has one', async () => {
  for (const path of ['/', '/desk/table/bonds']) {
    const { status, text } = await http(closed.url + path, { headers: { 'accept-language': 'zh' } })
    expect([path, status]).toEqual([path, 403])
    expect(text).toContain('<a href="/try">')
    expect(text).toContain('带密钥的服务不提供看板')
    expect(text).not.toContain('123107')
  }
  const { code, err } = quotebook(['desk', '--runs', join(dir, 'none')])
  expect([code, err]).toEqual([2, expect.stringContaining('there is no such folder')])
  expect(quotebook(['desk', '--source', 'https://example.invalid']).err).toContain('the desk reads an archive')
  expect(quotebook(['desk', '--help']).out).toContain('--accounts <dir>')
})
