import { expect, test } from 'vitest'
import type { CheckResult } from '../../src/checks/check.js'
import { healthOf } from '../../src/checks/check-health.js'
import { datasetNames } from '../../src/contract/catalogue.js'
import { version } from '../../src/contract/version.js'
import { texts } from '../../src/frame/read-columns.js'
import { checkSections, renderReport } from '../../src/report/render-report.js'
import { type ReportInput, sectionNames } from '../../src/report/report-tables.js'
import { toTable } from '../../src/table/arrow.js'
import { checkResult, days, fixtureChecks, fullInput, hostile, resultOf, tableOf, ticks } from './fixture.js'
import { sampleInput } from './sample-input.js'

const bare: ReportInput = { source: { name: 'nothing', inputs: [] }, tables: {}, checks: [] }
const page = await renderReport(fullInput())

function sectionOf(markup: string, id: string): string {
  const found = markup.match(new RegExp(`<section id="${id}"[\\s\\S]*?</section>`))
  if (!found) throw new Error(`no section ${id}`)
  return found[0]
}

/** Rows of the first table of a piece of markup, as texts. */
function rowsOf(markup: string): string[][] {
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(markup)?.[1] ?? ''
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
  )
}

test('equal inputs give equal bytes, one after the other and at once', async () => {
  await renderReport(bare)
  expect(await renderReport(fullInput())).toBe(page)
  const [a, b] = await Promise.all([renderReport(fullInput()), renderReport(fullInput())])
  expect(a).toBe(page)
  expect(b).toBe(page)
})

test('the page loads nothing and runs nothing', () => {
  const tags = (page.match(/<[^>]*>/g) ?? []).join('\n')
  expect(tags).not.toMatch(/<(?:script|link|iframe|object|embed|img|image|base|form)\b/i)
  expect(tags).not.toMatch(/\s(?:src|srcset|action|data|poster|xlink:href)=/i)
  for (const [, target = ''] of page.matchAll(/\bhref="([^"]*)"/g))
    expect(target).toMatch(/^(#|https:\/\/example\.invalid\/)/)
  for (const [, target = ''] of page.matchAll(/url\(([^)]*)\)/g)) expect(target).toMatch(/^#/)
  expect(tags).not.toMatch(/javascript:|\son\w+="/i)
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`)
  expect(page.replace(/ href="https:[^"]*"/g, '')).not.toMatch(/https?:|@import/)
})

test('charts carry nothing of the library that drew them', () => {
  const drawings = page.match(/<svg[\s\S]*?<\/svg>/g) ?? []
  expect(drawings).toHaveLength(6)
  for (const svg of drawings) {
    expect(svg).not.toMatch(/\[object|NaN|undefined|ecmeta|zr\d|="#(?!000")|rgb|<style|class=/)
    expect(svg).toMatch(
      /^<svg viewBox="0 0 760 \d+" role="img" aria-labelledby="(\S+)-title \1-desc"><title id="\1-title">[^<]+</,
    )
    expect(svg).toMatch(/var\(--/)
  }
})

test('every id stands once, and every link of the contents and every clip leads to one', () => {
  const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const wanted = [...page.matchAll(/(?:href="#|url\(#|aria-labelledby=")([^")]*)/g)].flatMap(([, text = '']) =>
    text.split(' '),
  )
  expect(wanted.length).toBeGreaterThan(20)
  for (const id of wanted) expect(ids).toContain(id)
})

test('text from outside is text', () => {
  expect(page).not.toContain('<img')
  expect(page).not.toContain('</td><script>')
  const shown = hostile
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;')
  expect(page.split(shown).length - 1).toBeGreaterThanOrEqual(5)
})

test('the page states day, source, version and checksums, and no clock', () => {
  expect(page).toContain('<time datetime="2026-07-10">2026-07-10</time>')
  expect(page).toContain(`Quotebook ${version}`)
  expect(page.match(/9f86d081884c7d65/g)).toHaveLength(9)
  expect(page.length).toBeLessThan(1_000_000)
})

test('the page says what is not cut to its days, and why one dataset is never loaded', async () => {
  expect(page).toContain('News and answers are all that the source has, not cut to these days.')
  expect(await renderReport(bare)).not.toContain('not cut to these days')
  expect(sectionOf(page, 'appendix')).toContain(
    'theme_lib_detail_kp is asked theme by theme, and the service has no list of theme ids.',
  )
})

test('with nothing loaded every section says so and draws nothing', async () => {
  const empty = await renderReport(bare)
  expect(empty).not.toMatch(/<svg|<figure|undefined|NaN|null/)
  for (const id of sectionNames.slice(0, -1)) {
    expect(sectionOf(empty, id)).toContain('Not in this source: ')
  }
  expect(empty).toContain('Nothing was loaded.')
  expect(empty).toContain('no dated data')
  for (const name of datasetNames) expect(sectionOf(empty, 'appendix')).toContain(name)
  expect(sectionOf(empty, 'appendix')).not.toContain('badge holds')
})

test('each input alone makes a page', async () => {
  const { tables } = fullInput()
  for (const name of Object.keys(tables) as (keyof typeof tables)[]) {
    const alone = await renderReport({ ...bare, tables: { [name]: tables[name] } })
    expect(sectionOf(alone, 'appendix')).toContain(`<code>${name}</code>`)
  }
})

test('tables without rows count as missing', async () => {
  const { tables } = fullInput()
  const emptied = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => {
      const fields = (table?.schema.fields ?? []).map((field) => String(field.name))
      return [name, tableOf(name as keyof typeof tables, fields, [])]
    }),
  )
  const empty = await renderReport({
    ...bare,
    tables: emptied,
    checks: [resultOf(fixtureChecks.anomaly, 'anomaly_forecast', checkResult('anomaly', {}, true))],
  })
  expect(empty).not.toMatch(/<svg|<figure/)
  expect(from(empty, 'Health of each dataset')).not.toContain('badge holds')
})

/** The piece of a page that begins with the label of a table. */
function from(markup: string, label: string): string {
  const at = markup.indexOf(`aria-label="${label}"`)
  expect(at, label).toBeGreaterThan(0)
  return markup.slice(at)
}

test('an incomplete table is never called complete', () => {
  const rows = rowsOf(from(page, 'What was loaded'))
  expect(rows.find(([name]) => name === 'news')?.[4]).toBe('✗ not proven whole the 500 newest only')
  expect(rows.find(([name]) => name === 'convertible_daily')).toEqual([
    'convertible_daily',
    '480',
    '2026-07-09 to 2026-07-10',
    '2',
    '✓ complete',
    'close 8, cb_over_rate 10',
  ])
})

test('checks have the states that the command prints, one line a dataset', async () => {
  const { vwap, anomaly } = fixtureChecks
  const stateOf = async (...results: CheckResult<string>[]): Promise<string | undefined> => {
    const runs = results.map((result) => ({ label: 'etf_minute', result }))
    const checks = [
      { check: vwap, runs },
      { check: anomaly, runs: [] },
    ]
    const made = await renderReport({ ...bare, checks })
    expect(made).toContain('Not run, their datasets are not in this source: anomaly (anomaly_forecast).')
    const [line] = rowsOf(from(made, 'Health of each dataset'))
    expect(line?.[1]?.slice(2)).toBe(texts(healthOf(checks), 'state').find((state) => state !== 'not checked'))
    return line?.[1]
  }
  expect(await stateOf(checkResult('vwap', { equal: 1200, mismatch: 2 }, false))).toBe('✗ contradicted')
  expect(await stateOf(checkResult('vwap', { equal: 10, unverifiable: 5 }, true))).toBe('✓ confirmed')
  expect(await stateOf(checkResult('vwap', { equal: 0, unverifiable: 7 }, true))).toBe('– open')
})

const light = (markup: string): string | undefined =>
  /<p class="light \w+">(.*)<\/p>/.exec(markup)?.[1]?.replace(/<[^>]+>/g, '')

test('the line on top: red where rows contradict, amber where something is missing, green otherwise', async () => {
  expect(light(page)).toMatch(
    /^■ Red 5 datasets, 635 rows, 2026-06-01 to 2026-07-10, 29 trading days; 2 checks; contradicted: vwap \(etf_minute\): 2 of 1,214 rows; not proven whole: news; not in this source: /,
  )
  expect(light(await renderReport({ ...fullInput(), checks: [] }))).toMatch(/^▲ Amber .*not proven whole: news; /)
  expect(light(await renderReport(sampleInput({ days: 25, symbols: 4 })))).toMatch(/^(■ Red|▲ Amber|● Green) /)
  expect(light(await renderReport(bare))).toMatch(
    /^▲ Amber 0 datasets, 0 rows, no days of quotes; 0 checks; not in this source: /,
  )
})

test('sections that were asked for, in their own order, and none that does not exist', async () => {
  const ids = (markup: string): string[] => [...markup.matchAll(/<section id="(\w+)"/g)].map(([, id = '']) => id)
  expect(ids(page)).toEqual(sectionNames)
  expect(ids(await renderReport({ ...fullInput(), sections: ['auction', 'indices'] }))).toEqual(['indices', 'auction'])
  expect(() => checkSections(['indizes'])).toThrow(/no section 'indizes'; did you mean 'indices'/)
})

test('in Chinese no English sentence is left but those of others and of the checks', async () => {
  const made = await renderReport({ ...fullInput(), language: 'zh' })
  expect(made).toContain('<html lang="zh-CN">')
  const [shown = ''] = made.replace(/<style>[\s\S]*?<\/style>/, '').split('<section id="appendix"')
  const words = shown.replace(/<code>.*?<\/code>|<[^>]+>|&[a-z#0-9]+;/g, ' ')
  const english = words.match(/[A-Za-z]{3,}(?: [A-Za-z]{3,})+/g) ?? []
  expect(english.filter((text) => !/script|onerror|img src|newest only/.test(text))).toEqual([])
})

test('lowest sums are exact decimals, ordered, and keep their number where one is not drawn', async () => {
  const fields = ['tradedate', 'symbol', 'name', 'code', 'close', 'cb_over_rate']
  const bond = (code: string, close: number | null, rate: number | null): unknown[] => [
    days.at(-1),
    code.slice(0, 6),
    null,
    code,
    close,
    rate,
  ]
  const crowd = Array.from({ length: 100 }, (_, i) =>
    bond(`1132${String(i).padStart(2, '0')}.SH`, 120 + i / 5, 30 + i / 5),
  )
  const rows = [
    bond('110002.SH', 0.1, 0.2),
    bond('110001.SH', 100.1, 10.2),
    bond('110003.SH', 100.2, 10.1),
    bond('110009.SH', 1, null),
    ...crowd,
  ]
  const made = sectionOf(
    await renderReport({ ...bare, tables: { convertible_daily: tableOf('convertible_daily', fields, rows) } }),
    'convertible',
  )
  const lowest = rowsOf(from(made, 'Lowest double-low'))
  expect(lowest.slice(0, 3)).toEqual([
    ['1', '110002.SH', '—', '0.1', '0.2', '0.3'],
    ['2', '110001.SH', '—', '100.1', '10.2', '110.3'],
    ['3', '110003.SH', '—', '100.2', '10.1', '110.3'],
  ])
  expect(lowest).toHaveLength(5)
  expect(made).toContain('1 bond without close or premium is left out')
  expect(made).toContain('Not drawn, more than three interquartile ranges from the rest: 110002.SH.')
  const marks = [...made.matchAll(/<text[^>]*fill="var\(--ink\)"[^>]*>(\d)<\/text>/g)].map(([, mark]) => mark)
  expect(marks).toEqual(['2', '3', '4', '5'])
})

test('southbound numbers are those of the flows, in billions in English and in 亿 in Chinese', async () => {
  const rows = rowsOf(from(page, 'Southbound net buys by day'))
  expect(rows).toHaveLength(days.length)
  expect(rows.at(-1)?.[0]).toBe('2026-07-10')
  const [, sh, sz, both] = rows.at(-1) ?? []
  expect(page).toContain(
    `Net buys of the top ten on 2026-07-10: ${both} CNY bn, of which ${sh} via Shanghai and ${sz} via Shenzhen.`,
  )
  expect(Number(sh) + Number(sz)).toBeCloseTo(Number(both), 2)
  const chinese = rowsOf(from(await renderReport({ ...fullInput(), language: 'zh' }), '港股通十大成交净买入（逐日）'))
  expect(Number(chinese.at(-1)?.[3])).toBeCloseTo(10 * Number(both), 1)
})

test('a forecast day is marked, the day itself is not', async () => {
  const made = sectionOf(page, 'anomaly')
  expect(made).toContain('<h3>2026-07-10</h3>')
  expect(made).toContain('<h3>2026-07-13 <span class="mark">forecast</span></h3>')
  expect(rowsOf(made)[0]?.slice(0, 2)).toEqual(['▲ triggered', '000001'])
  expect(rowsOf(made).map((row) => row[6])).toEqual(['-1.23', '11.90'])
  const alone = await renderReport({ ...bare, tables: { anomaly_forecast: fullInput().tables.anomaly_forecast } })
  expect(sectionOf(alone, 'anomaly')).toContain('cannot be told')
})

test('the auction shows the two largest, and refuses columns that it does not know', async () => {
  const made = sectionOf(page, 'auction')
  expect([...made.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, symbol]) => symbol)).toEqual(['300750.SZ', '600519.SH'])
  expect(made).toMatch(
    /at the end [\d,]+ lots of 100 shares matched and [\d,]+ lots of 100 shares of (?:buyers|sellers) left over\./,
  )
  const strange = toTable({ length: 1, columns: new Map([['<b>', { type: 'string', data: ['x'] }]]) }, {})
  const other = sectionOf(await renderReport({ ...bare, ticks: { day: '20260710', table: strange } }), 'auction')
  expect(other).toContain('has no symbol (text), time (text), m_price (number)')
  expect(other).toContain('It has: &lt;b&gt;.')
  expect(ticks().numRows).toBe(597)
})

test('of a question that was answered again, the last answer stands', async () => {
  const fields = [
    'symbol',
    'event_date',
    'qa_id',
    'question_time',
    'question',
    'answer_time',
    'answer',
    'revision_no',
    'version_ambiguous',
  ]
  const answer = (id: string, time: string, text: string, revision: number): unknown[] => [
    '000001',
    '20260701',
    id,
    time,
    'Q',
    time,
    text,
    revision,
    false,
  ]
  const rows = [
    answer('9007199254740993', '2026-07-01 18:00:00', 'first words', 1),
    answer('9007199254740993', '2026-07-01 18:00:00', 'second words', 2),
    answer('9007199254740992', '2026-07-01 17:00:00', 'other words', 1),
  ]
  const made = sectionOf(
    await renderReport({ ...bare, tables: { interactive_qa: tableOf('interactive_qa', fields, rows) } }),
    'documents',
  )
  expect(made).not.toContain('first words')
  expect(made.indexOf('second words')).toBeLessThan(made.indexOf('other words'))
})
