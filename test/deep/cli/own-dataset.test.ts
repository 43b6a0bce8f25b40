/* Deep: the command, a service, an agent and Python over datasets of one's own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browse, executablePath, watched } from '../../helper/browser.js'
import { quotebook, type Ran } from '../../promise/helper/command.js'
import { folder, removeFolders } from '../../promise/helper/files.js'
import { api, http, type Serving, serving } from '../../promise/helper/serving.js'

removeFolders()

const dir = folder()
const run = (...args: string[]): Ran => quotebook(args, { cwd: dir, env: { QUOTEBOOK_SOURCE: undefined } })
const real = (name: string): string => readFileSync(`test/fixture/real/${name}`, 'utf8')
const declaration = `export default {
  title: 'Daily prices of stocks' satisfies string,
  columns: {
    tradedate: { kind: 'date', isTrading: true, meaning: 'Trading day.' },
    symbol: { kind: 'code', spelling: 'full', meaning: 'Code.' },
    open: { kind: 'number', unit: 'yuan', nullable: true, meaning: '<b>First</b> price.' },
    close: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Last price.' },
    vol: { kind: 'number', unit: 'share', nullable: true, meaning: 'Shares traded.' },
    adj_factor: { kind: 'number', nullable: true, meaning: 'Cumulative factor.' },
  },
  key: ['tradedate', 'symbol'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:30:00', note: 'after the close' },
  laws: ['vol >= 0'],
  chinese: { title: '股票日行情' },
}
`
const index = {
  title: 'Closes of indices',
  columns: {
    tradedate: { kind: 'date', isTrading: true, meaning: 'Trading day.' },
    code: { kind: 'code', spelling: 'full', meaning: 'Index.' },
    close: { kind: 'number', unit: 'point', meaning: 'Close.' },
  },
  key: ['tradedate', 'code'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:30:00', note: 'after the close' },
}
const strategy = `export default {
  data: { dataset: 'stock_daily', history: 0, join: [{ dataset: 'index_daily', columns: { level: 'close' }, symbol: false }] },
  weights: (now) => (now.level[0] > 3330 ? { '601008.SH': 0.9 } : {}),
  when: { every: 1 },
}
`

let served: Serving
let imported: readonly Ran[]
beforeAll(async () => {
  mkdirSync(join(dir, 'datasets'))
  writeFileSync(join(dir, 'datasets/stock_daily.ts'), declaration)
  writeFileSync(join(dir, 'datasets/index_daily.json'), JSON.stringify(index))
  writeFileSync(join(dir, 's.csv'), real('601008.SH.ohlc.csv'))
  writeFileSync(join(dir, 'i.csv'), real('000001.SH.daily.csv').replaceAll('000001.SH', '000002.SH'))
  writeFileSync(join(dir, 'strategy.mjs'), strategy)
  imported = [
    run(
      'import',
      'stock_daily',
      's.csv',
      '--archive',
      'own',
      '--set',
      'adj_factor=1',
      '--covers',
      '20201110..20201127',
    ),
    run('import', 'index_daily', 'i.csv', '--archive', 'own'),
  ]
  served = await serving(['--source', join(dir, 'own')])
})
afterAll(() => served?.end())

test('the command imports, lists, asks, checks, copies and tells of them', () => {
  expect(imported.map(({ code, err }) => [code, err.split('\n')[0]])).toEqual([
    [0, 's.csv: 14 rows; not kept, because the contract has no such column: high, low, amount'],
    [0, 'i.csv: 14 rows'],
  ])
  expect(run('datasets', '--source', 'own').out).toMatch(
    /interactive_qa .*\nindex_daily .*\nstock_daily +Daily prices of stocks/,
  )
  expect(run('datasets', 'stock_daily', '--source', 'own', '--lang', 'zh').out).toContain('stock_daily：股票日行情')
  const asked = run(
    'query',
    'stock_daily',
    'symbols=601008',
    '--from',
    '2020-11-17',
    '--to',
    '20201118',
    '--source',
    'own',
    '--format',
    'csv',
  )
  expect(asked.out).toBe(
    'tradedate,symbol,open,close,vol,adj_factor\n20201117,601008.SH,4.28,4.56,53566238,1\n20201118,601008.SH,5.02,5,77055665,1\n',
  )
  expect(run('query', 'stock_dailyy', '--source', 'own')).toMatchObject({ code: 2 })
  const checked = run('check', 'stock_daily', '--days', '3', '--source', 'own')
  expect([checked.code, checked.err]).toEqual([0, expect.stringContaining('pass          3')])
  expect(run('check', 'all', '--source', 'own').out).toContain('stock_daily')
  expect(run('copy', '--source', 'own', '--archive', 'copied').code).toBe(0)
  expect(run('status', '--source', 'copied').out).toMatch(/stock_daily +20201110 +20201127 +14 +14/)
})

test('abnormal movement is computed over them, and a strategy trades and joins them', () => {
  const found = run(
    'check',
    'anomaly',
    '--computed',
    '--prices',
    'stock_daily',
    '--benchmarks',
    'index_daily',
    '--resets',
    'none',
    '--source',
    'own',
    '--format',
    'csv',
  )
  expect(found.out).toMatch(/20201118,601008,,9\.6491,.*,3,31\.8549,.*,triggered,abnormal,up,3,/)
  const trade = (): Ran => run('backtest', 'strategy.mjs', '--source', 'own', '--benchmark', 'none', '--out', 'run')
  // Known at 15:30, it is too late for the decision of the close.
  expect(trade()).toMatchObject({ code: 1, err: expect.stringContaining("'level' of 20201110 is known at 15:30:00") })
  writeFileSync(join(dir, 'strategy.mjs'), strategy.replace('symbol: false', 'symbol: false, lagDays: 1'))
  const { code, out } = trade()
  expect([code, out]).toEqual([0, expect.stringMatching(/fills +\d+\n[\s\S]*look-ahead +none in/)])
})

test('what is wrong with a declaration is told with its file', () => {
  writeFileSync(join(dir, 'datasets/bad.json'), JSON.stringify({ ...index, name: 'bad', kye: [] }))
  writeFileSync(join(dir, 'datasets/script.mjs'), "throw new Error('not for us')")
  writeFileSync(join(dir, 'datasets/st.json'), '[1, 2]')
  expect(run('query', 'bad')).toMatchObject({
    code: 2,
    err: "quotebook: datasets/bad.json: a dataset of one's own has no option 'kye'; did you mean 'key'?\n",
  })
  expect(run('query', 'st', '--source', 'sample').code).toBe(0)
  writeFileSync(
    join(dir, 'datasets/index_daily.json'),
    JSON.stringify({ ...index, columns: { ...index.columns, close: { ...index.columns.close, unit: 'yuan' } } }),
  )
  const other = run('import', 'index_daily', 'i.csv', '--archive', 'own', '--lang', 'zh')
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('有两份声明，列、单位、主键或日期列不同')])
  writeFileSync(join(dir, 'datasets/index_daily.json'), JSON.stringify(index))
})

test('the service, its document, its page, agents and Python have them', async () => {
  const body = { apikey: 'any', apiname: 'stock_daily', params: { tradedate: '20201118' }, fields: 'symbol,close' }
  expect((await api(served.url, body)).text).toBe(
    '{"code":200,"message":"success","data":{"fields":["symbol","close"],"items":[["601008.SH",5]]}}',
  )
  const get = async (path: string): Promise<string> => (await http(`${served.url}${path}`)).text
  expect(await get('/query/index_daily?startdate=20201118&enddate=20201118&format=csv')).toBe(
    'tradedate,code,close\n20201118,000002.SH,3347.3\n',
  )
  expect(JSON.parse(await get('/openapi.json')).components.schemas.StockDailyRequest).toBeDefined()
  expect(await get('/client/quotebook.py')).toContain('def stock_daily(*, tradedate=None')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)) as never)
  expect(JSON.stringify((await client.listTools()).tools)).toContain('stock_daily')
  await client.close()
})

test.skipIf(executablePath === undefined)('the page offers them, their words as text', async () => {
  const { context, close } = await browse()
  try {
    const { page, said } = await watched(context)
    await page.goto(`${served.url}/try#stock_daily`)
    await page.waitForSelector('text=Of your own')
    expect(await page.title()).toBe('stock_daily · Quotebook')
    await page.fill('#param-tradedate', '20201118')
    await page.click('#send')
    await page.waitForSelector('#answer td')
    expect(await page.textContent('#answer')).toContain('601008.SH')
    expect([await page.locator('b', { hasText: 'First' }).count(), said]).toEqual([0, []])
  } finally {
    await close()
  }
})
