import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { connect, report } from '../../src/index.js'
import { agentHere } from '../helper/agent.js'
import { quotebook } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

/** An archive with a low above its open and a row of a Saturday: whatever shows them says so, and shows them. */
const archive = join(tempDir(), 'own')
const days = ['startdate=20260701', 'enddate=20260704']
const english = [
  'suspect: 1 row breaks “low ≤ open, close ≤ high”, first tradedate 20260701, code 123002.SZ, low 101.5, open 101, high 103, close 102',
  'suspect: 1 row breaks “no trading on a Saturday, a Sunday or a holiday”, first tradedate 20260704, code 123001.SZ',
]
const chinese = [
  '存疑：1 行违反“最低价 ≤ 开盘价、收盘价 ≤ 最高价”，首行 tradedate 20260701，code 123002.SZ，low 101.5，open 101，high 103，close 102',
  '存疑：1 行违反“周六、周日与节假日没有交易”，首行 tradedate 20260704，code 123001.SZ',
]

beforeAll(() => {
  const file = join(tempDir(), 'bonds.csv')
  const head = 'tradedate,symbol,name,code,pre_close,open,high,low,close,change,pct_chg,vol,amount'
  const row = (day: string, symbol: string, low: number) =>
    `${day},${symbol},bond,${symbol}.SZ,100,101,103,${low},102,2,2,1000,1020000`
  const rows = [row('20260701', '123001', 99), row('20260701', '123002', 101.5), row('20260704', '123001', 99)]
  writeFileSync(file, `${[head, ...rows].join('\n')}\n`)
  expect(quotebook(['import', 'convertible_daily', file, '--archive', archive]).code).toBe(0)
})

test('query and watch say it on stderr, in both languages, and the rows are the same', () => {
  const asked = ['convertible_daily', ...days, '--source', archive]
  const query = (lang: string) => quotebook(['query', ...asked, '--format', 'json', '--lang', lang])
  for (const [lang, lines] of [
    ['en', english],
    ['zh', chinese],
  ] as const) {
    // biome-ignore format: short
    const ran = query(lang)
    expect(JSON.parse(ran.out)).toHaveLength(3)
    expect(ran.err.split('\n')).toEqual(expect.arrayContaining([...lines]))
    const watched = quotebook(['watch', ...asked, '--once', '--when', 'low > open', '--lang', lang])
    expect(watched.out.trim().split('\n')).toHaveLength(1)
    expect(watched.err.split('\n')).toEqual(expect.arrayContaining([...lines]))
  }
  expect(
    quotebook(['query', ...asked])
      .out.trim()
      .split('\n')
      .slice(-2),
  ).toEqual(english)
})

test('the report names the dataset above and the rows beside its table', async () => {
  const market = await connect({ archive })
  const [page, zh] = [await report(market), await report(market, { language: 'zh' })]
  expect(page).toContain('suspect rows: convertible_daily')
  expect(zh).toContain('有存疑的行：convertible_daily')
  for (const line of english) expect(page).toContain(line)
  for (const line of chinese) expect(zh).toContain(line)
  expect(readFileSync(join(archive, 'manifest.json'), 'utf8')).not.toContain('suspect')
})

test('an agent is told law, rows and place, and none of the cells', async () => {
  const agent = await agentHere({ market: await connect({ archive }) })
  try {
    const { object, text } = await agent.call('query_convertible_daily', {
      params: { startdate: '20260701', enddate: '20260704' },
    })
    expect(object.suspect).toEqual([
      { law: 'low ≤ open, close ≤ high', rows: 1, first: 1 },
      { law: 'no trading on a Saturday, a Sunday or a holiday', rows: 1, first: 2 },
    ])
    expect(text).toContain('SUSPECT: 1 row breaks “low ≤ open, close ≤ high”, first row 2')
    expect(object.rows).toHaveLength(3)
  } finally {
    await agent.close()
  }
})
