import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tempDir } from '../helper/temp.js'
import { archiveOf, numberIn, sampleRows, tableOf } from './helper/pages.js'
import { api, http, type Serving, serving } from './helper/serving.js'

let [sample, wrong] = [] as unknown as [Serving, Serving]
const dir = join(tempDir(), 'wrong')

/** A premium that its own row contradicts, on a day that is not the latest. */
const [badDay, badCode] = ['20260728', '123124.SZ']

beforeAll(async () => {
  const bonds = (await sampleRows('convertible_daily')).filter(({ tradedate }) => String(tradedate) >= '20260720')
  await archiveOf(
    {
      convertible_daily: bonds.map((row) =>
        row.tradedate === badDay && row.code === badCode ? { ...row, cb_over_rate: 12.34 } : row,
      ),
    },
    dir,
  )
  ;[sample, wrong] = await Promise.all([serving(['--no-log']), serving(['--no-log', '--source', dir])])
})
afterAll(() => Promise.all([sample, wrong].map((one) => one?.end())))

const page = async (path: string, { url } = sample, language = 'en') =>
  (await http(url + path, { headers: { 'accept-language': language } })).text

/** Codes that are marked, each with the reason of its mark. */
const marked = (text: string) =>
  [
    ...text.matchAll(
      /<tr><td[^>]*><a href="\/desk\/code\/([^"?]*)[^>]*>[^<]*<\/a><\/td><td[^>]*><a [^>]*><bdi[^>]*>[^<]*<\/bdi><\/a> <a class="badge fails" ([^>]*)>✗/g,
    ),
  ].map(([, code, about = '']) => [code, about] as const)

test('a row that the checks contradict is marked on the table of its day, with the reason and a way to the checks', async () => {
  const [[code, about = ''] = [], ...others] = marked(await page('/desk/table/bonds?day=20260728', wrong))
  expect([code, others]).toEqual([badCode, []])
  expect(about).toMatch(/title="cb premium: [^"]* \(conversion premium: 12\.34 sent, [\d.]+ due\)"/)
  expect(about).toContain('href="/desk/checks?day=2026-07-28"')
  expect(marked(await page('/desk/table/bonds', wrong))).toEqual([])
  const checks = await page('/desk/checks?day=2026-07-28', wrong)
  expect(tableOf(checks, 'Worst cases of cb premium (convertible_daily)').map((row) => row[1])).toContain(badCode)
  expect(await page('/desk/table/bonds?day=20260728&lang=zh', wrong)).toMatch(
    /title="转股溢价率：[^"]*（转股溢价率：发布值 12\.34，复算值 [\d.]+）"/,
  )
  expect(marked(await page('/desk/table/bonds?day=20260728&page=1&find=123124', wrong))).toHaveLength(1)
})

/** Rows of a dataset in the sample, as its API has them. */
async function rows(apiname: string, params: object, fields?: string): Promise<unknown[][]> {
  const { text } = await api(sample.url, { apikey: 'any', apiname, params, ...(fields && { fields }) })
  return JSON.parse(text).data.items
}

test('checks look at the days asked: documents and lists of them, details of all themes; their codes are links', async () => {
  const text = await page('/desk/checks?days=1')
  const health = new Map(
    tableOf(text, 'Health of each dataset').map(([name = '', , count]) => [name.split(' ')[0], numberIn(count)]),
  )
  const day = '20260729'
  const announced = { ann_startdate: day, ann_enddate: day, version: 'all', limit: 2000 }
  const wanted = {
    finance_announcement: (await rows('finance_announcement', announced)).length,
    interactive_qa: (await rows('interactive_qa', { date: day, version: 'all', limit: 2000 })).length,
    news: (await sampleRows('news')).filter(({ updated_at: at }) => String(at).startsWith('2026-07-29')).length,
    theme_lib_detail_kp: new Set(
      (await sampleRows('theme_lib_detail_kp')).filter((one) => one.is_active).map(({ theme_id: id }) => id),
    ).size,
    hotstock: 15 * 20,
  }
  for (const [name, count] of Object.entries(wanted)) expect([name, health.get(name)]).toEqual([name, count])
  expect(text).not.toContain('Not run, their datasets are not in this source')
  const five = await page('/desk/checks?days=5')
  expect(tableOf(five, 'Health of each dataset').find(([name]) => name?.startsWith('hotstock'))?.[2]).toBe('1,500')
  expect(five).toMatch(/<td class="text"><a href="\/desk\/code\/02318\.HK">02318\.HK<\/a>/)
  expect(five).toMatch(/<th [^>]*>day<\/th><th [^>]*>channel<\/th><th [^>]*>code<\/th>/)
  expect(five).toContain('<code>southbound_top10</code> <small>Southbound top ten</small>')
  const partly = [...five.matchAll(/<b class="badge holds">✓ confirmed<\/b> <small>([\d,]+) open<\/small>/g)]
  expect(partly.length).toBeGreaterThan(0)
  const opens = tableOf(five, 'Health of each dataset').map(([, , , , open = '']) => Number(open.replaceAll(',', '')))
  for (const [, open = ''] of partly) expect(Number(open.replaceAll(',', ''))).toBeLessThanOrEqual(Math.max(...opens))
  const past = await page('/desk/checks?day=2026-07-15&days=1')
  expect(past).toContain('<h2>2026-07-15</h2>')
  expect(past).toContain('href="/desk/checks?day=2026-07-15&amp;days=5"')
})

test('Chinese pages say what they mean: points, ranges, heads of contradicted rows, and the page of queries', async () => {
  const zh = (path: string) => page(path, sample, 'zh-CN')
  const plots = JSON.parse(/id="plots">(.*?)<\/script>/s.exec(await zh('/desk/table/bonds'))?.[1] ?? '')
  const known = (await rows('convertible_daily', { tradedate: '20260729' }, 'close,cb_over_rate')).filter(
    ([close, premium]) => close !== null && premium !== null,
  )
  expect(plots[0].desc).toBe(`转股溢价率与收盘：共 ${known.length} 个点。`)
  const checks = await zh('/desk/checks')
  for (const count of [1, 5, 20, 60]) expect(checks).toContain(`>${count} 个交易日</a>`)
  const heads = [...checks.matchAll(/<thead>(.*?)<\/thead>/gs)].map(([, head = '']) =>
    head
      .replace(/<small>.*?<\/small>|<[^>]*>/g, ' ')
      .trim()
      .replace(/\s+/g, ' '),
  )
  expect(heads).toContain('交易日 通道 代码 名称 结论 发布值 复算值 差值 原因')
  expect((await zh('/desk/table/bond')).replace(/<[^>]*>/g, '')).toContain('没有表“bond”。')
  expect(await page('/desk/table/bonds?lang=zh')).toContain('<a href="/try#etf_minute&amp;lang=zh">')
})

test('southbound rows have the net buys and the name of their channel', async () => {
  const day = { tradedate: '20260729' }
  const wanted = await rows('southbound_top10', day, 'code,market_type,sh_net_amount,sz_net_amount')
  const shown = tableOf(await page('/desk/table/southbound?columns=code,market_type,channel_net_amount'), 'Southbound')
  const told = shown.map(([code = '', channel, net = '']) => [code.replace(' ✗', ''), channel, net].join(' '))
  const due = wanted.map(([code, type, sh, sz]) => {
    const billions = Number(type === '2' ? sh : sz) / 1e9
    return `${code} via ${type === '2' ? 'Shanghai' : 'Shenzhen'} ${billions > 0 ? '+' : ''}${billions.toFixed(3)}`
  })
  expect(told.sort()).toEqual(due.sort())
})

test('a contradicted southbound row names the column that is wrong, shown or not, with what was sent and what is due', async () => {
  const day = { tradedate: '20260729' }
  const sums = await rows('southbound_top10', day, 'code,amount,sh_amount,sz_amount')
  const wrong = sums.filter(([, sum, sh, sz]) => Number(sum) !== Number(sh) + Number(sz))
  expect(wrong.length).toBeGreaterThan(0)
  const text = await page('/desk/table/southbound')
  expect(text).not.toContain('sort=-amount')
  for (const [code, sum, sh, sz] of wrong) {
    const about = marked(text).find(([one]) => one === code)?.[1]
    const due = (Number(sh) + Number(sz)).toLocaleString('en')
    expect(about).toContain(`(turnover: ${Number(sum).toLocaleString('en')} sent, ${due} due)`)
  }
})

test('indices that count stocks are ranked after the others, by their number, and shown by it', async () => {
  const all = await rows('theme_daily', { type: 'tj', tradedate: '20260729' }, 'name,pct_chg,change')
  const counts = all.filter(([name]) => /(家数|涨跌|停板)$/.test(String(name)))
  expect(counts.length).toBeGreaterThan(5)
  const ranked = counts.map(([, , change]) => Number(change)).sort((a, b) => b - a)
  const shown = tableOf(await page('/desk/table/indices?columns=name,pct_chg'), 'Indices')
  const changes = shown.map(([, change = '']) => change)
  expect(changes.slice(-counts.length)).toEqual(
    ranked.map((one) => `${one > 0 ? '+' : ''}${one.toLocaleString('en')} stocks`),
  )
  const percents = changes.slice(0, -counts.length).map(Number)
  expect(percents).toEqual([...percents].sort((a, b) => b - a))
})

test('turnover of bonds is in the unit that its largest number fills, one for the column', async () => {
  const due = (await rows('convertible_daily', { tradedate: '20260729' }, 'code,amount')).map(([code, amount]) => [
    code,
    (Number(amount) / 1e6).toFixed(3),
  ])
  const text = await page('/desk/table/bonds?columns=code,amount&page=all')
  expect(tableOf(text, 'Bonds').sort()).toEqual(due.sort())
  expect(text).toMatch(/>turnover<\/a><small>CNY m<\/small>/)
})

test('hot lists have places and names on every day, and candidates their days, signs and words', async () => {
  for (const day of ['20260729', '20260720']) {
    const wanted = await rows('hotstock', { type: 'ths&normal', tradedate: day }, 's,rank')
    const shown = tableOf(await page(`/desk/table/hot?day=${day}&columns=s,rank,n`), 'Hot lists')
    expect(shown.map(([code, place]) => [code, Number(place)])).toEqual(wanted)
    for (const [, , name] of shown) expect(name).toMatch(/\p{Script=Han}/u)
  }
  const latest = await rows('hotstock', { type: 'ths&normal' }, 's,pc')
  const changes = tableOf(await page('/desk/table/hot?columns=s,pc'), 'Hot lists')
  expect(changes.map(([code, change]) => [code, change === '—' ? null : Number(change)])).toEqual(latest)
  const due = await rows(
    'anomaly_forecast',
    { tradedate: '20260729' },
    'symbol,tradedate,elapsed_days,required_pct_chg,status',
  )
  const text = await page('/desk/table/anomalies?columns=symbol,tradedate,elapsed_days,required_pct_chg,status&lang=zh')
  const signed = (value: unknown) => `${Number(value) > 0 ? '+' : ''}${Number(value).toFixed(2)}`
  const shown = tableOf(text, '异动').map((row) => row.join(' '))
  const words: Record<string, string> = { triggered: '▲ 已触发', reachable: '△ 可触发' }
  expect(shown.sort()).toEqual(
    due
      .map(([code, of, days, needed, status]) => {
        const day = String(of).replace(/(....)(..)/, '$1-$2-')
        return `${code} ${day}${day > '2026-07-29' ? ' 预测' : ''} ${days} ${signed(needed)} ${status === 'reachable' && day <= '2026-07-29' ? '△ 未触发' : words[String(status)]}`
      })
      .sort(),
  )
  expect(text).toMatch(/<span class="(up|down)">/)
  const english = await page('/desk/table/anomalies?columns=tradedate,rule,status')
  const read = tableOf(english, 'Abnormal moves')
  expect(
    read.filter(([of = '', , status]) => !of.includes('forecast') && status === '△ not reached').length,
  ).toBeGreaterThan(0)
  for (const [of = '', rule, status] of read) {
    expect(rule).toMatch(/^[+-]\d+% in \d+ days$/)
    expect(status).toMatch(of.includes('forecast') ? /^(▲ triggered|△ reachable)$/ : /^(▲ triggered|△ not reached)$/)
  }
})

test('what is looked for may be named in either language, Latin letters from where a word begins', async () => {
  const find = async (text: string) => page(`/desk/find?q=${encodeURIComponent(text)}`)
  expect(await find('归档')).toContain('data-copy="quotebook sync --help"')
  expect(await find('日行情')).toContain('convertible_daily')
  expect(await page('/desk/find?q=daily+quotes&lang=zh')).toContain('href="/desk/table/bonds?lang=zh"')
  expect(await find('gy')).not.toContain('data-copy')
  expect(await find('strateg')).toContain('data-copy')
})

test('numbers of a query are shown without the noise of what computed them', async () => {
  const sql =
    'select tradedate, avg(amount) as mean, avg(close) / 3 as third from convertible_daily group by 1 order by 1'
  const shown = tableOf(await page(`/desk/sql?${new URLSearchParams({ sql })}`), 'Result')
  for (const [, mean, third] of shown) {
    expect(mean).toMatch(/^[\d,]+\.\d\d$/)
    expect(third).toMatch(/^\d+\.\d{5}$/)
  }
})

test('columns that a statement takes as they are have their unit; what it computes or names anew has none', async () => {
  const panels = async (sql: string) => {
    const text = await page(`/desk/sql?${new URLSearchParams({ sql })}`)
    const [plot] = JSON.parse(/id="plots">(.*?)<\/script>/s.exec(text)?.[1] ?? '[]')
    return plot.panels.map(({ name }: { name: string }) => name)
  }
  const from = "from convertible_daily where code = '113021.SH' order by 1"
  expect(await panels(`select tradedate, close, vol, pct_chg ${from}`)).toEqual([
    'close (yuan)',
    'vol (lot)',
    'pct_chg (percent)',
  ])
  expect(await panels(`select tradedate, amount / 1e8 as amount, pct_chg * 2 vol, close + 1 "close" ${from}`)).toEqual([
    'amount',
    'vol',
    'close',
  ])
})

test('the code of a theme opens its stocks, with their names and the last change that is known of them', async () => {
  const [[theme, stocks] = []] = (await rows('thememembers_jx', { level: 'parent' })) as [string, string[]][]
  const { status, headers } = await http(`${sample.url}/desk/code/${theme}`)
  expect([status, headers.location]).toEqual([302, `/desk/table/themes/${theme}`])
  expect(await page('/desk/table/themes')).toContain(`<a href="/desk/table/themes/${theme}">`)
  const shown = tableOf(await page(`/desk/table/themes/${theme}?sort=symbol&page=all`), `Themes ${theme}`)
  expect(shown.map(([code]) => code)).toEqual(stocks)
  expect(
    shown.some(([, name = '', change = '']) => /\p{Script=Han}/u.test(name) && /^[+-]?\d+\.\d\d$/.test(change)),
  ).toBe(true)
  // The pools have no history: those of today stand under no other day.
  expect(await page('/desk/table/themes?day=20260616')).toContain('<time datetime="2026-07-29">')
  expect(await page('/desk/table/themes')).not.toContain('←')
  expect(await page('/desk/table/themes/802013')).toContain('This theme has no stocks in this archive.')
  const library = tableOf(await page('/desk/table/themes/1001'), 'Themes 1001')
  expect(library.length).toBeGreaterThan(0)
  const [named] = (await sampleRows('theme_lib_detail_kp')).filter(({ theme_id: id }) => id === '1001')
  expect(await page('/desk/table/themes/1001')).toContain(`<h1>Themes 1001 <bdi lang="zh">${named?.name}</bdi>`)
})
