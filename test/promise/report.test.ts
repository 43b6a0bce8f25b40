import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, datasetOf, importFiles, type Market, report, rowsOf, tearSheet, verifyPage } from 'quotebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tempDir, tempFile } from '../helper/temp.js'
import { datasetNames } from './helper/catalogue.js'
import { archiveOf, escaped, forged, numberIn, sampleRows, sectionOf, sha256, tableOf } from './helper/pages.js'
import { failureOf } from './helper/prices.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The market report: its bytes and figures, what it says of what is missing, and how it is verified. */

let sample: Market
let english = ''
beforeAll(async () => {
  sample = await connect()
  english = await report(sample)
})
afterAll(() => sample?.close())

const sectionNames = [
  'indices',
  'convertible',
  'etf',
  'southbound',
  'hot',
  'anomaly',
  'financing',
  'documents',
  'auction',
  'appendix',
]
const idsOf = (page: string): string[] => [...page.matchAll(/<section id="(\w+)"/g)].map(([, id = '']) => id)

test('the report of the sample has these bytes, in English and in Chinese', async () => {
  expect(sha256(english)).toMatchInlineSnapshot(`"6f4bd660716eef8d3c776cdc8e6d37a5eead354f8d1eb360d87ae1085b540f17"`)
  const chinese = await report(sample, { language: 'zh' })
  expect(sha256(chinese)).toMatchInlineSnapshot(`"c4729ae5436b3147224f9d349d81ec33ecddb04fd4cbfdf3747362a6e1a9c95d"`)
  expect(chinese).toContain('<html lang="zh-CN">')
  const texts = chinese.replace(/<(style|title|desc)[^>]*>.*?<\/\1>/gs, '').split(/<[^>]*>/)
  const sentences = texts.filter((text) => /\b[a-z]+ (?:of|is|are|the|to|has|and|with|by) [a-z]+\b/i.test(text))
  expect(sentences.filter((text) => !/^\s*periods \(etf_minute, 15m and 30m\)/.test(text))).toEqual([])
})

test('a contradiction leads to the figures that are made of the columns it is about, and to no others', async () => {
  const bonds = (await sampleRows('convertible_daily')).filter(({ tradedate }) => String(tradedate) >= '20260724')
  const flows = (await sampleRows('southbound_top10')).filter(({ trade_date: day }) => String(day) >= '20260724')
  const said = async (change: { readonly bond?: object; readonly flow?: (row: (typeof flows)[number]) => object }) => {
    const isBond = ({ tradedate, code }: (typeof bonds)[number]) => tradedate === '20260729' && code === '123124.SZ'
    const last = flows.findLast(({ market_type: type, sh_amount: sum }) => type === '2' && sum !== null)
    const even = flows.map((row) => ({
      ...row,
      amount: Number(row.sh_amount ?? 0) + Number(row.sz_amount ?? 0),
    }))
    const market = await archiveOf(
      {
        convertible_daily: bonds.map((row) => (isBond(row) ? { ...row, ...change.bond } : row)),
        southbound_top10: even.map((row, at) => (flows[at] === last ? { ...row, ...change.flow?.(row) } : row)),
      },
      join(tempDir(), 'contradicted'),
    )
    const page = await report(market, { days: 3 })
    await market.close()
    return /<p class="light (\w+)">.*?(?:Take with care above: (.*?)\.|(None of the figures[^.]*))/
      .exec(page)
      ?.slice(1, 4)
  }
  const none = 'None of the figures above is made from what is doubted'
  const [premium, nets] = ['Median conversion premium', 'Southbound top ten, net buys']
  expect(await said({ flow: (row) => ({ amount: Number(row.amount) + Number(row.sh_amount) }) })).toEqual([
    'red',
    undefined,
    none,
  ])
  expect(await said({ flow: (row) => ({ sh_sell: Number(row.sh_sell) + 1 }) })).toEqual(['red', nets, undefined])
  expect(await said({ bond: { pct_chg: 19.99 } })).toEqual(['red', undefined, none])
  expect(await said({ bond: { cb_over_rate: 12.34 } })).toEqual(['red', premium, undefined])
  expect(await said({ bond: { close: 0.5 } })).toEqual(['red', premium, undefined])
})

test('it loads nothing, runs nothing and holds no clock; every link leads to an id that stands once', () => {
  const tags = (english.match(/<[^>]*>/g) ?? []).join('\n')
  expect(tags).not.toMatch(/<(?:script|link|iframe|object|embed|img|image|base|form)\b|\son\w+="|javascript:/i)
  expect(tags).not.toMatch(/\s(?:src|srcset|action|data|poster|xlink:href)=/i)
  expect(english).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`)
  const ids = [...english.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const wanted = [...english.matchAll(/(?:href="#|url\(#|aria-labelledby=")([^")]*)/g)].flatMap(([, text = '']) =>
    text.split(' '),
  )
  expect(wanted.length).toBeGreaterThan(20)
  for (const id of wanted) expect(ids).toContain(id)
  expect(idsOf(english)).toEqual(sectionNames)
  expect(english).toContain('<time datetime="2026-07-29">2026-07-29</time>')
  expect(english).toContain(`Quotebook ${version}`)
  for (const svg of english.match(/<svg[\s\S]*?<\/svg>/g) ?? [])
    expect(svg).not.toMatch(/\[object|NaN|undefined|ecmeta|zr\d|rgb|<style|class="(?!at-(760|358)")/)
})

/** A number by day, as SQL: the day as `d`, the number as `v`. */
const series = {
  index: "select tradedate d, pct_chg v from theme_daily where name = '全A等权'",
  breadth: "select tradedate d, close v from theme_daily where name = '涨跌家数'",
  limits: "select tradedate d, close v from theme_daily where name = '停板家数'",
  premium: 'select tradedate d, median(cb_over_rate) v from convertible_daily group by 1',
  southbound: `select d, sum(b) - sum(s) v from (
      select trade_date d, code, max(coalesce(sh_buy, 0) + coalesce(sz_buy, 0)) b, max(coalesce(sh_sell, 0) + coalesce(sz_sell, 0)) s
      from southbound_top10 group by all) group by 1`,
  etf: "select tradedate d, sum(amount) v from etf_minute where period = '15m' group by 1",
}

/** The figure of a series on its latest day, its means over 20 and 60 days, its place among 60, and how many of them have one. */
async function recomputed(market: Market, id: keyof typeof series): Promise<number[]> {
  const text = `
    with numbers as (${series[id]}),
    days as (select distinct tradedate d from theme_daily order by d desc limit 60),
    own as (select d, v, row_number() over (order by d desc) - 1 ago from days left join numbers using (d)
      where d <= (select max(d) from numbers)),
    latest as (select v from own order by d desc limit 1)
    select (from latest), avg(v) filter (ago < 20), avg(v) filter (ago < 60), 1 + count(*) filter (v > (from latest)), count(v) from own`
  return (rowsOf(await market.sql(text))[0] ?? []).map(Number)
}

test('the six figures, their means of 20 and 60 days and their ranks are those of SQL over the same archive', async () => {
  const tiles = [...english.matchAll(/<div class="tile" id="figure-(\w+)">([\s\S]*?)<\/div>/g)]
  expect(tiles.map(([, id]) => id)).toEqual(Object.keys(series))
  for (const [, id = '', tile = ''] of tiles) {
    const exact = (name: string): number =>
      Number(new RegExp(`<data class="${name}[^"]*" value="([^"]*)"`).exec(tile)?.[1])
    const [, place = '1', of] = /class="rank">(?:(\d+)\w\w )?highest of (\d+)/.exec(tile) ?? []
    const shown = [exact('value'), exact('mean-20'), exact('mean-60'), Number(place), Number(of)]
    const wanted = await recomputed(sample, id as keyof typeof series)
    for (const [at, value] of shown.entries())
      expect(Math.abs(value - (wanted[at] as number)), `${id} ${at}`).toBeLessThanOrEqual(
        1e-9 * Math.max(1, Math.abs(value)),
      )
  }
})

const cells = async (sql: string): Promise<string[][]> =>
  rowsOf(await sample.sql(sql)).map((row) => (row as unknown[]).map((cell) => (cell === null ? '—' : String(cell))))
const dashed = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`

test('southbound net buys by day and channel, in billions of yuan, are those of SQL', async () => {
  const wanted = await cells(`
    with once as (select distinct trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell from southbound_top10),
    sums as (select trade_date, sum(sh_buy) - sum(sh_sell) sh, sum(sz_buy) - sum(sz_sell) sz from once group by 1)
    select trade_date, round(sh / 1e9, 5), round(sz / 1e9, 5), round((sh + sz) / 1e9, 5) from sums order by 1`)
  const shown = tableOf(english, 'Southbound net buys by day')
  expect(shown.map(([date]) => date)).toEqual(wanted.map(([date = '']) => dashed(date)))
  for (const [at, row] of shown.entries())
    for (const column of [1, 2, 3])
      expect(Math.abs(numberIn(row[column]) - Number(wanted[at]?.[column]))).toBeLessThan(0.00051)
})

test('rows of each dataset, the median premium, and the candidates are those of SQL', async () => {
  const loaded = new Map(
    tableOf(english, 'What was loaded').map(([name = '', rows, , days]) => [name, [numberIn(rows), days]]),
  )
  for (const name of ['theme_daily', 'convertible_daily', 'transfer_financing']) {
    const [[rows, days] = []] = await cells(`select count(*), count(distinct tradedate) from ${name}`)
    expect([name, ...(loaded.get(name) ?? [])]).toEqual([name, Number(rows), days])
  }
  const bars =
    "select count(*), count(distinct tradedate) from etf_minute where period = '15m' and tradedate between '20260506' and '20260729'"
  expect(loaded.get('etf_minute, 15m')).toEqual((await cells(bars))[0]?.map((cell, at) => (at ? cell : Number(cell))))
  const [[bonds, median, below] = []] = await cells(`
    select count(*), median(cb_over_rate), count(*) filter (where cb_over_rate < 0) from convertible_daily
    where tradedate = '20260729' and close is not null and cb_over_rate is not null`)
  const said = /([\d,]+) bonds on 2026-07-29; median premium (\S+)%; ([\d,]+) trades? below/.exec(english) ?? []
  expect([said[1], said[3]]).toEqual([bonds, below])
  expect(Math.abs(Number(said[2]) - Number(median))).toBeLessThan(0.0051)
  const bins = await cells(`
    select floor(cb_over_rate / 10) * 10, count(*) from convertible_daily
    where tradedate = '20260729' and close is not null and cb_over_rate is not null group by 1 order by 1`)
  const drawn = tableOf(english, 'Bonds by conversion premium').map((row) => row.map(Number))
  expect(drawn.filter(([, count]) => count)).toEqual(bins.map((row) => row.map(Number)))
  const candidates = await cells(`
    select symbol, rule from anomaly_forecast where tradedate = '20260730' and computed_on = '20260729'
    order by status = 'triggered' desc, abs(required_pct_chg), symbol, rule`)
  expect(candidates.length).toBeGreaterThan(1)
  const read = candidates.map(([code, rule = '']) => {
    const [, days, threshold] = /^连续(\d+)个交易日内.*累计达到([+-]\d+)%$/.exec(rule) ?? []
    return [code, `${threshold}% in ${days} days`]
  })
  expect(tableOf(english, 'Candidates of 2026-07-30').map((row) => [row[0], row[3]])).toEqual(read)
  expect(tableOf(english, 'Candidates of 2026-07-30').map((row) => row[2])).toContain('△ reachable')
  const over = tableOf(english, 'Candidates of 2026-07-29').map((row) => row[2])
  expect(over).toContain('△ not reached')
  expect(over).not.toContain('△ reachable')
  const [[all, known] = []] = await cells(
    "select count(*), count(cb_over_rate) from convertible_daily where tradedate = '20260729'",
  )
  expect(Number(known)).toBeLessThan(Number(all))
  expect(english).toContain(`<dd class="past"><span>of ${known} of ${all} bonds</span>`)
  expect(english).toMatch(new RegExp(`median premium of [\\d.]+% \\(of ${known} of ${all} bonds\\)`))
  expect(sectionOf(english, 'anomaly')).toContain('<h3>2026-07-30 <span class="mark">forecast</span></h3>')
})

test('the auction shows the volume left over, above zero for buyers and below it for sellers', () => {
  const symbols = [...sectionOf(english, 'auction').matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, symbol = '']) => symbol)
  expect(symbols).toHaveLength(2)
  for (const symbol of symbols) {
    const left = numberIn(tableOf(english, `Auction of ${symbol}`).at(-1)?.[3])
    const told = left === 0 ? 'nothing left over' : `of ${left > 0 ? 'buyers' : 'sellers'} left over`
    expect(english).toMatch(new RegExp(`<figcaption>${symbol}: [^<]*${told}`))
  }
})

test('sections that were asked for, in their own order, and none that does not exist', async () => {
  const page = await report(sample, { days: 2, sections: ['auction', 'indices'] })
  expect(idsOf(page)).toEqual(['indices', 'auction'])
  expect(await failureOf(report(sample, { days: 2, sections: ['indizes' as never] }))).toBe(
    "USAGE: the report has no section 'indizes'; did you mean 'indices'?",
  )
  expect(await failureOf(report(sample, { day: 2 } as never))).toMatch(
    /^USAGE: report has no option 'day'; did you mean 'days'\?$/,
  )
  expect(await failureOf(report(sample, { end: '20260725' }))).toBe(
    'INVALID_VALUE: end: the exchanges are closed on 20260725',
  )
})

describe('an archive of a few days', () => {
  const hostile = '<img src=x onerror=alert(1)>"\'&</td><script>alert(2)</script>'
  let market: Market
  let page = ''
  beforeAll(async () => {
    const since = (row: Readonly<Record<string, unknown>>): boolean => String(row.tradedate) >= '20260727'
    const bonds = (await sampleRows('convertible_daily')).filter(since)
    const news = (await sampleRows('news')).slice(0, 5)
    market = await archiveOf({
      theme_daily: (await sampleRows('theme_daily')).filter(since),
      convertible_daily: bonds.map((row) => (row.code === '111010.SH' ? { ...row, name: hostile } : row)),
      news: news.map((row) => ({ ...row, title: hostile, source_name: hostile, url: 'javascript:alert(3)' })),
    })
    page = await report(market, { days: 10, title: hostile })
  })
  afterAll(() => market?.close())

  test('says which days there are and how many were asked for, what is not in it, and how many days a mean has', () => {
    expect(page).toContain('<dt>Days covered</dt><dd>2026-07-27 to 2026-07-29, 3 trading days; 10 were asked for</dd>')
    expect(page).toMatch(/60-day mean <data class="mean-60"[^<]*<\/data> \(3 known\)/)
    expect(/<dd class="health">(.*)<\/dd>/.exec(page)?.[1]?.replace(/<[^>]+>/g, '')).toMatch(
      /^▲ Amber 3 datasets, [\d,]+ rows; \d+ checks; .*not in this source: /,
    )
    for (const id of ['etf', 'southbound', 'hot', 'anomaly', 'financing', 'auction'])
      expect(sectionOf(page, id)).toContain('Not in this source: ')
    for (const name of datasetNames) expect(sectionOf(page, 'appendix')).toContain(name)
    expect(page.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/undefined|NaN|Infinity|\[object/)
  })

  test('text from outside is text, wherever it stands; a title leads to the web only', () => {
    expect(page).not.toMatch(/<img|<script|<\/td><script|href="javascript/)
    for (const id of ['convertible', 'documents']) expect(sectionOf(page, id)).toContain(escaped(hostile))
    expect(page).toContain(`<h1>${escaped(hostile)} <small>`)
  })

  test('one day alone has figures without a past, in both languages', async () => {
    for (const language of ['en', 'zh'] as const) {
      const one = await archiveOf({
        theme_daily: (await sampleRows('theme_daily')).filter((row) => row.tradedate === '20260729'),
      })
      const alone = await report(one, { language })
      await one.close()
      expect(alone).not.toMatch(/undefined|NaN|Infinity/)
      expect(alone.match(/no other day to compare with|没有可比较的其他交易日/g)).toHaveLength(3)
    }
  })

  test('an archive without quotes has nothing to report on', async () => {
    const empty = await archiveOf({ news: await sampleRows('news') })
    expect(await failureOf(report(empty))).toMatch(/^ARCHIVE: .* has no daily data to report on$/)
    await empty.close()
  })

  test('one cell changed is a contradiction: red, with the check, the row and the reason', async () => {
    const copy = await archiveOf({
      convertible_daily: (await sampleRows('convertible_daily'))
        .filter((row) => String(row.tradedate) >= '20260727')
        .map((row, at) => (at === 0 ? { ...row, cb_over_rate: Number(row.cb_over_rate) + 1 } : row)),
    })
    const wrong = await report(copy, { days: 3 })
    await copy.close()
    expect(wrong).toMatch(
      /<p class="light red"><b>■ Red<\/b> .*contradicted: cb premium \(convertible_daily\): 1 of [\d,]+ rows/,
    )
    expect(sectionOf(wrong, 'appendix')).toMatch(
      /<h4>cb premium \(convertible_daily\)<\/h4> <b class="badge fails">✗ contradicted<\/b>/,
    )
  })

  test('a mistyped day is a finding of its own, and never the latest day', async () => {
    const rows = (await sampleRows('theme_daily')).filter((row) => String(row.tradedate) >= '20260701')
    const late = await archiveOf({ theme_daily: [...rows, { ...rows.at(-1), tradedate: '20990101' }] })
    const told = await report(late, { days: 5 })
    await late.close()
    expect(told).toContain('<time datetime="2026-07-29">')
    expect(told).toContain('tradedate 20990101 lies far after all other days, which end with 20260729')
  })
})

describe('verify', () => {
  let market: Market
  let page = ''
  const dir = join(tempDir(), 'archive')
  beforeAll(async () => {
    const since = (row: Readonly<Record<string, unknown>>): boolean =>
      String(row.tradedate ?? row.trade_date) >= '20260723'
    const names = ['theme_daily', 'convertible_daily', 'southbound_top10', 'transfer_financing'] as const
    const rows = await Promise.all(names.map(async (name) => [name, (await sampleRows(name)).filter(since)] as const))
    const news = (await sampleRows('news')).slice(0, 50)
    market = await archiveOf({ ...Object.fromEntries(rows), news }, dir)
    page = await report(market, { days: 4, title: 'For <you> & "me"' })
  })
  afterAll(() => market?.close())

  test('the same source gives the same bytes; the helper that forges changes nothing by itself', async () => {
    expect(forged(page)).toBe(page)
    const found = await verifyPage(page, market)
    expect(found).toMatchObject({
      kind: 'report',
      same: true,
      sealed: true,
      reasons: [],
      figures: [],
      inputs: [],
      source: [],
    })
    expect(found.manifest.options).toMatchObject({
      days: 4,
      end: '20260729',
      language: 'en',
      title: 'For <you> & "me"',
    })
    for (const { name, rows, sha256: hash } of found.manifest.inputs)
      expect([name, rows > 0, hash?.length]).toEqual([name, true, 64])
  })

  test('another name of the source is told, and is no other page', async () => {
    const copy = join(tempDir(), 'copied')
    cpSync(dir, copy, { recursive: true })
    const found = await verifyPage(page, await connect({ archive: copy }))
    expect(found).toMatchObject({ same: true, reasons: [] })
    expect(found.source).toEqual([{ name: 'name', page: 'archive archive', here: 'archive copied' }])
  })

  test('a tampered figure is named with what it was, whether or not the checksum was made good', async () => {
    const cellsIn = [...page.matchAll(/<td class="number"[^>]*>([+-]?[\d,]+\.\d+)<\/td>/g)]
    const chosen = [0, 64].map((at) => cellsIn[at] as RegExpMatchArray)
    for (const cell of chosen) {
      const [whole, text = ''] = cell
      const at = cell.index as number
      const other = text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
      const wrong = page.slice(0, at) + whole.replace(text, other) + page.slice(at + whole.length)
      for (const given of [wrong, forged(wrong)]) {
        const found = await verifyPage(given, market)
        expect(found).toMatchObject({ same: false, sealed: given !== wrong, inputs: [], options: [] })
        expect(found.reasons).toEqual([given === wrong ? 'altered' : 'unexplained'])
        expect(found.figures).toMatchObject([{ page: other, here: text }])
      }
    }
    const [, exact = '', shown = ''] = /<data class="value[^"]*" value="([^"]*)">([^<]*)</.exec(page) ?? []
    const tile = await verifyPage(page.replace(`value="${exact}">${shown}<`, 'value="99">99<'), market)
    expect(tile.figures).toMatchObject([
      { section: '', page: '99', here: shown, by: Number((Number(exact) - 99).toPrecision(12)) },
    ])
  })

  test('a tampered word, input, option, version and source are each told', async () => {
    const word = await verifyPage(forged(page.replace('never zero', 'often zero')), market)
    expect(word).toMatchObject({ same: false, sealed: true, reasons: ['unexplained'], figures: [] })
    expect(word.firstDifference?.page).toContain('often zero')
    const rows = await verifyPage(
      forged(page, ({ inputs }) => Object.assign(inputs[0] as object, { rows: 1_000_000 })),
      market,
    )
    expect(rows).toMatchObject({ same: false, reasons: ['unexplained', 'inputs'], figures: [] })
    expect(rows.inputs[0]?.page).toContain('1000000 rows')
    const days = await verifyPage(
      forged(page, ({ options }) => Object.assign(options, { days: 3 })),
      market,
    )
    expect(days.reasons).toContain('inputs')
    const other = await verifyPage(
      forged(page, (manifest) => Object.assign(manifest, { version: '9.0.0' })),
      market,
    )
    expect(other).toMatchObject({ same: false, reasons: ['version'], version: { page: '9.0.0', here: version } })
  })

  test.each([
    ['days', 1e9],
    ['days', '4'],
    ['end', '20260729\n; rm'],
    ['until', ['20260729']],
    ['language', 'fr'],
    ['sections', ['constructor']],
    ['title', { toString: 1 }],
  ])('an option that no report has is refused: %s %j', async (name, value) => {
    const wrong = forged(page, ({ options }) => Object.assign(options, { [name]: value }))
    expect(await failureOf(verifyPage(wrong, market))).toMatch(/^(INVALID_VALUE|USAGE): /)
  })

  test('one changed cell of an input: the input is named, and the figures that it moves', async () => {
    const copy = join(tempDir(), 'archive')
    cpSync(dir, copy, { recursive: true })
    const rows = (await sampleRows('convertible_daily')).filter(({ tradedate }) => tradedate === '20260729')
    const own = [{ ...rows[0], close: Math.round(Number(rows[0]?.close) * 1000 + 10) / 1000 }]
    await importFiles(copy, datasetOf('convertible_daily'), [tempFile('convertible.json', JSON.stringify(own))])
    const changed = await connect({ archive: copy })
    const found = await verifyPage(page, changed)
    await changed.close()
    expect(found).toMatchObject({ same: false, sealed: true, reasons: ['inputs'], options: [] })
    expect(found.inputs.map(({ name }) => name)).toEqual(['convertible_daily'])
    expect(found.figures.some(({ by }) => by === 0.01)).toBe(true)
  })

  test('a source that has gone on gives the page of a past day again', async () => {
    const past = await report(market, { days: 2, end: '20260724' })
    expect(past).toContain('<h1>The market’s day <small><time datetime="2026-07-24">')
    expect(past).not.toContain('2026-07-29')
    expect(await verifyPage(past, market)).toMatchObject({ same: true })
    const dated = (await sampleRows('theme_daily')).filter((row) => String(row.tradedate) >= '20260727')
    const quotes = await archiveOf({ theme_daily: dated })
    const plain = await report(quotes, { days: 3 })
    expect(await verifyPage(plain, quotes), 'without any document').toMatchObject({ same: true })
    await quotes.close()
  })

  test('two pages are compared; a tear sheet is not made again from a source; other files are no pages', async () => {
    const other = await verifyPage(page, await report(market, { days: 3, title: 'For <you> & "me"' }))
    expect(other.options).toEqual([{ name: 'days', page: '4', here: '3' }])
    const sheet = await tearSheet({ days: ['20260728', '20260729'], returns: [0.01, -0.02] })
    expect(await failureOf(verifyPage(sheet, market))).toBe(
      'USAGE: a tear-sheet is made again from its strategy: give verifyPage the page made anew',
    )
    expect(await failureOf(verifyPage('<!doctype html><title>x</title>', market))).toBe(
      'INVALID_VALUE: the page holds no manifest: it is not from Quotebook, or from before pages had one',
    )
    expect(await failureOf(verifyPage(page + page, market))).toBe(
      'INVALID_VALUE: the page holds several manifests: Quotebook writes one',
    )
  })
})
