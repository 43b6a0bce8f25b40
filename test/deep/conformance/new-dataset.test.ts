// Deep: copies the sources, adds a dataset and builds the command and a program anew.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { tempDir } from '../../helper/temp.js'

/** All that a sixteenth dataset takes: a file in the catalogue, its line in the list, a sheet of the sample with its line. */
const declaration = `
import type { Dataset } from '../dataset.js'
import { afterClose, dayOrRange, enddate, startdate, startToEnd, tradedate, tradingDay } from '../shared.js'

export const marginDaily = {
  name: 'margin_daily',
  title: 'Margin balances',
  about: 'Balance of margin loans, one row a stock and day.',
  shape: 'rows',
  columns: {
    tradedate: tradingDay,
    symbol: { kind: 'code', spelling: 'bare', meaning: 'Stock code, 6 digits.' },
    balance: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Loans at the end of the day.' },
  },
  key: ['tradedate', 'symbol'],
  order: ['tradedate', 'symbol'],
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Stock codes; absent, all.' },
    tradedate,
    startdate,
    enddate,
  },
  exclusive: dayOrRange,
  ranges: startToEnd,
  limit: { kind: 'none' },
  knownAt: afterClose,
  day: 'tradedate',
  everyTradingDay: true,
  partition: 'month',
  archiveRule: 'dated',
  load: { kind: 'range' },
  cache: { spellings: ['bare'], latest: 'latest' },
  nodes: 'intraday',
  rules: ['Without a date: the latest trading day.'],
  subject: 'risk',
  chinese: {
    title: '融资余额',
    about: '每只股票每日一行的融资余额。',
    rules: ['不给日期时取最新交易日。'],
    columns: { symbol: '6 位股票代码。', balance: '日终融资余额。' },
    params: { symbols: '股票代码；不给时为全部。' },
    known: '收盘后',
  },
  example: { symbols: ['600519'] },
} as const satisfies Dataset
`

const sheet = `
import { sheetOf } from './sample-sheet.js'

export const marginSheet = sheetOf(
  'margin_daily',
  (sample) => sample.days,
  (_, days) =>
    days.flatMap(({ date }) =>
      ['000001', '600519'].map((symbol, i) => ({ tradedate: date, symbol, balance: Number(date) + i / 2 })),
    ),
)
`

/** Uses the copy from within: loaders, cache, report's loading, the service and the labels of the test page. */
const program = `
import { connect, provenance } from './index.js'
import { Archive } from './data/archive/archive.js'
import { datasetOf } from './contract/catalogue.js'
import { latestTradingDays, loadTables } from './research/report/load/load-tables.js'
import { columnMeaning, datasetText, knownText, paramMeaning } from './contract/dataset-text.js'
import { datasetGroups } from './server/service/page/client/page-text.js'
import { startService } from './server/service/server.js'
import { createShares } from './server/service/share/tick-shares.js'

const market = await connect()
const margin = datasetOf('margin_daily')
const days = await latestTradingDays(market, 3)
const range = { startdate: days.first, enddate: days.latest }
const table = await market.table.marginDaily(range)
const frame = await market.load.marginDaily({ symbols: ['600519'] })
const { tables } = await loadTables(market, days, ['margin_daily'])
const archive = new Archive(market.archive.dir, 'sample')
const service = await startService({ archive, shares: createShares(archive) })
const live = await connect({ nodes: [service.url], apikey: 'KEY', cache: process.argv[2] })
const past = { startdate: days.first, enddate: days.all[1] }
const served = await live.table.marginDaily(range)
const first = await live.table.marginDaily(past)
const second = await live.table.marginDaily(past)
console.log(JSON.stringify({
  rows: table.numRows,
  proof: provenance(table).proof,
  frame: frame.shape,
  loaded: tables.margin_daily.numRows,
  served: [served.numRows, provenance(served).complete],
  cached: [provenance(second).call.requests, provenance(second).call.kept, first.numRows],
  group: datasetGroups().find(({ names }) => names.includes('margin_daily')),
  title: datasetText(margin, 'zh').title,
  known: knownText(margin, 'zh'),
  meanings: [columnMeaning(margin, 'balance', 'zh'), paramMeaning(margin, 'startdate', margin.params.startdate, 'zh')],
}))
await live.close()
await service.close()
await market.close()
`

const copy = tempDir()

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, path), 'utf8')
  const after = change(before)
  expect(after, path).not.toBe(before)
  writeFileSync(join(copy, path), after)
}

function run(file: string, ...args: string[]): string {
  const { QUOTEBOOK_SOURCE: _, QUOTEBOOK_CACHE: __, ...env } = process.env
  return execFileSync(process.execPath, [join(copy, 'out', file), ...args], { cwd: copy, env, encoding: 'utf8' })
}

beforeAll(async () => {
  cpSync('src', join(copy, 'src'), { recursive: true })
  copyFileSync('package.json', join(copy, 'package.json'))
  for (const name of ['node_modules', 'dist']) symlinkSync(join(process.cwd(), name), join(copy, name))
  writeFileSync(join(copy, 'src/contract/catalogue/margin-daily.ts'), declaration)
  edit('src/contract/catalogue.ts', (text) =>
    `import { marginDaily } from './catalogue/margin-daily.js'\n${text}`.replace(
      '  interactiveQa,\n]',
      '  interactiveQa,\n  marginDaily,\n]',
    ),
  )
  writeFileSync(join(copy, 'src/research/sample/margin-sheet.ts'), sheet)
  edit('src/research/sample/generate-sample.ts', (text) =>
    `import { marginSheet } from './margin-sheet.js'\n${text}`.replace(
      '  anomaly_forecast: anomalyForecastSheet,',
      '  anomaly_forecast: anomalyForecastSheet,\n  margin_daily: marginSheet,',
    ),
  )
  writeFileSync(join(copy, 'src/program.ts'), program)
  await build({
    absWorkingDir: copy,
    entryPoints: { program: 'src/program.ts', quotebook: 'src/cli/main.ts' },
    outdir: 'out',
    bundle: true,
    splitting: true,
    packages: 'external',
    external: ['#*'],
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  run('quotebook.js', 'sample', '--archive', 'data/sample', '--days', '5')
})

test('the command knows it: its page, its rows, and files for an archive', () => {
  expect(run('quotebook.js', 'datasets')).toContain('margin_daily')
  expect(run('quotebook.js', 'datasets', 'margin_daily')).toContain('Loans at the end of the day.')
  const rows = run('quotebook.js', 'query', 'margin_daily', '--format', 'json')
  expect(JSON.parse(rows)).toMatchObject([{ symbol: '000001' }, { symbol: '600519' }])
  writeFileSync(join(copy, 'rows.json'), rows)
  run('quotebook.js', 'import', 'margin_daily', 'rows.json', '--archive', 'own')
  const own = run('quotebook.js', 'query', 'margin_daily', '--source', 'own', '--format', 'json')
  expect(JSON.parse(own)).toEqual(JSON.parse(rows))
})

test('loaders, service, cache, the loading for reports and the labels of the test page know it', () => {
  expect(JSON.parse(run('program.js', join(copy, 'cache')))).toMatchObject({
    rows: 6,
    proof: 'calendar',
    frame: [1, 3],
    loaded: 6,
    served: [6, true],
    cached: [0, 4, 4],
    group: { title: 'Capital and risk', names: expect.arrayContaining(['margin_daily', 'st']) },
    title: '融资余额',
    known: '收盘后',
    meanings: ['日终融资余额。', '区间首日；单独给出时，区间到最新交易日为止。'],
  })
})
