import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { fromParquet } from '../../src/table/parquet.js'
import { main, quotebook, root } from '../helper/cli.js'
import { tempDir, tempFile, treeOf } from '../helper/temp.js'

const oneDay = ['--params', '{"symbols":["510300.SH"],"tradedate":"20260701"}']

test('datasets lists all fifteen; each has its page', () => {
  const { code, out, err } = quotebook(['datasets'])
  expect([code, err]).toEqual([0, ''])
  for (const name of datasetNames) expect(out).toContain(name)
  for (const name of datasetNames) {
    const page = quotebook(['datasets', name])
    expect(page.code).toBe(0)
    for (const part of ['Fields', 'Params', 'Rules', 'Answer', 'Example']) expect(page.out).toContain(`\n${part}\n`)
    expect(Math.max(...page.out.split('\n').map((line) => line.length)), name).toBeLessThan(170)
  }
})

test('the example of every page runs', () => {
  for (const name of datasetNames) {
    const line = /^ *quotebook (query .*)$/m.exec(quotebook(['datasets', name]).out)?.[1]
    const shell = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' ${line} --format json`], { encoding: 'utf8' })
    expect([name, shell.status]).toEqual([name, 0])
    const params = JSON.stringify(datasetOf(name).example)
    expect(shell.stdout).toBe(quotebook(['query', name, '--params', params, '--format', 'json']).out)
  }
})

test('query writes a table, JSON, CSV, Parquet and Arrow with the same rows', async () => {
  const json = quotebook(['query', 'etf_minute', ...oneDay, '--format', 'json'])
  const rows = JSON.parse(json.out) as Record<string, unknown>[]
  expect(rows).toHaveLength(9)
  expect(rows[0]).toMatchObject({ tradedate: '20260701', symbol: '510300.SH', trademin: '0930' })
  const dir = tempDir()
  const files = Object.fromEntries(
    ['table', 'csv', 'parquet', 'arrow'].map((format) => {
      const file = join(dir, `rows.${format}`)
      const ran = quotebook(['query', 'etf_minute', ...oneDay, '--format', format, '--out', file])
      expect([ran.code, ran.out]).toEqual([0, ''])
      return [format, readFileSync(file)]
    }),
  )
  expect(objectsOf(await fromParquet(files.parquet as Buffer))).toEqual(rows)
  expect(objectsOf(tableFromIPC(files.arrow as Buffer))).toEqual(rows)
  expect(String(files.csv).split('\n')[1]).toContain('20260701,510300.SH,0930')
  expect(String(files.table)).toContain('[9 rows x 11 columns]')
  expect(readdirSync(dir).sort()).toEqual(['rows.arrow', 'rows.csv', 'rows.parquet', 'rows.table'])
})

test('fields are chosen; no rows is said and is not an error', () => {
  const { out } = quotebook(['query', 'etf_minute', ...oneDay, '--fields', 'close,symbol', '--format', 'csv'])
  expect(out.split('\n')[0]).toBe('close,symbol')
  const none = quotebook(['query', 'st', '--params', '{"symbols":"999999"}', '--format', 'json'])
  expect([none.code, none.out, none.err]).toEqual([0, '[]\n', 'no matching rows\n'])
})

test('conditions are words or JSON, or some of each', () => {
  const rows = (name: string, ...words: string[]): unknown => {
    const ran = quotebook(['query', name, ...words, '--format', 'json'])
    return JSON.parse(ran.out || JSON.stringify(ran.err))
  }
  const bonds = rows('convertible_daily', '--params', '{"symbols":["123124","110059"],"startdate":"20260728"}')
  expect(bonds).toHaveLength(4)
  expect(rows('convertible_daily', 'symbols=123124,110059', 'startdate=20260728')).toEqual(bonds)
  expect(rows('convertible_daily', 'symbols=123124,110059', '--params', '{"startdate":"20260728"}')).toEqual(bonds)
  expect(rows('news', 'limit=2')).toHaveLength(2)
  const joined = rows('southbound_top10', '--params', '{"tradedate":"20260701","market_type":"2,4"}')
  expect(rows('southbound_top10', 'tradedate=20260701', 'market_type=2,4')).toEqual(joined)
})

const failures: [string, string[], number, RegExp][] = [
  ['unknown command', ['qury'], 2, /unknown command 'qury'/],
  ['unknown option', ['query', 'st', '--parms', '{}'], 2, /unknown option '--parms'.*Did you mean --params/s],
  ['unknown dataset', ['query', 'etf_minut'], 2, /unknown dataset 'etf_minut'\. Did you mean 'etf_minute'\?/],
  ['bad JSON', ['query', 'st', '--params', '{'], 2, /It is not JSON/],
  ['params that are no object', ['query', 'st', '--params', '[]'], 2, /It must be a JSON object/],
  ['unknown param', ['query', 'st', '--params', '{"symbol":"1"}'], 2, /Did you mean 'symbols'\?/],
  ['unknown param in a word', ['query', 'st', 'symbol=1'], 2, /Did you mean 'symbols'\?/],
  ['a word without =', ['query', 'st', 'symbols'], 2, /'symbols' is no param: write NAME=VALUE/],
  ['an empty word', ['query', 'st', 'symbols='], 2, /symbols is empty; leave it out/],
  ['a name twice', ['query', 'st', 'symbols=1', 'symbols=2'], 2, /symbols is given twice/],
  ['a name in both', ['query', 'st', 'symbols=1', '--params', '{"symbols":"2"}'], 2, /symbols is given twice/],
  ['no number in a word', ['query', 'news', 'limit=1.5'], 2, /limit must be a whole number, not "1.5"/],
  ['a name of every object', ['query', 'st', '__proto__=1'], 2, /unknown param of st '__proto__'/],
  ['unknown field', ['query', 'st', '--fields', 'nme'], 2, /Did you mean 'name'\?/],
  ['bad format', ['query', 'st', '--format', 'ods'], 2, /Allowed choices are table, json, csv, xlsx, parquet, arrow/],
  ['missing archive', ['query', 'st', '--source', '/nowhere'], 1, /\/nowhere does not exist/],
  ['http source', ['query', 'st', '--source', 'https://example.org'], 2, /no key: set QUOTEBOOK_APIKEY/],
  ['a file of an unknown kind', ['query', 'st', '--out', 'rows.ods'], 2, /give --format, or a name that ends in .csv/],
  ['wrong usage of a check', ['check', 'vwap', '--typo'], 2, /unknown option '--typo'/],
  ['an address without its scheme', ['query', 'st', '--source', 'localhost:9'], 2, /begins with https:/],
  ['an empty source', ['query', 'st', '--source', ''], 2, /--source .* is empty/],
  ['a directory for a file', ['query', 'st', '--format', 'csv', '--out', '/tmp'], 2, /--out \/tmp is a directory/],
  ['resampling what is not of one minute', ['check', 'vwap', '--resample', '15m'], 2, /one-minute bars of a --file/],
  ['a sample too large', ['sample', '--archive', 'x', '--symbols', '100000'], 2, /symbols must be/],
  ['an empty field name', ['query', 'st', '--fields', 'name,'], 2, /empty name/],
  ['missing file', ['check', 'vwap', '--file', '/nowhere.csv'], 1, /\/nowhere\.csv: can not be read/],
  ['one of two', ['check', 'day', '--params', '{}'], 1, /convertible_minute; --with convertible_minute=FILE brings/],
  ['no list to ask for', ['check', 'theme-detail'], 1, /no rows of theme_lib_detail_kp; ask for them with params/],
  ['file and params', ['check', 'vwap', '--file', 'x', '--params', '{}'], 2, /not both/],
  ['sample into an archive', ['sample', '--archive', 'data/sample'], 1, /already holds an archive/],
  ['sample with a bad number', ['sample', '--archive', 'x', '--days', 'many'], 2, /whole number/],
  ['import without archive', ['import', 'st', 'x.csv'], 2, /--archive/],
  ['import of the share', ['import', 'file_download', 'x.csv', '--archive', '/tmp/none-such'], 2, /is not imported/],
]

test.each(failures)('%s: exit code, one clear line, no stack trace', (_, args, code, message) => {
  const ran = quotebook(args)
  expect(ran.err).toMatch(message)
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).not.toMatch(/^\s+at /m)
})

test('a query loads what Parquet needs, and neither danfo nor charts', () => {
  const hook = tempFile('loaded.cjs', 'process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")))')
  const loaded = (...args: string[]): string => quotebook(args, { env: { NODE_OPTIONS: `--require ${hook}` } }).err
  expect(loaded('--help')).not.toMatch(/danfo|parquet_wasm|echarts|undici/)
  const err = loaded('query', 'st', '--format', 'json')
  expect(err).toMatch(/parquet_wasm/)
  expect(err).not.toMatch(/danfo|echarts|undici/)
})

test('QUOTEBOOK_SOURCE names the source', () => {
  const ran = quotebook(['query', 'st'], { env: { QUOTEBOOK_SOURCE: '/nowhere' } })
  expect(ran.err).toContain('/nowhere does not exist')
})

test('a closed pipe ends quietly', () => {
  const command = `'${process.execPath}' '${main}' query finance_announcement --format csv | head -1`
  const ran = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
  expect(ran.stdout).toContain('symbol,event_date')
  expect(ran.stderr).not.toMatch(/EPIPE|Error/)
})

test('a credential is left out of every output', () => {
  const params = ['--params', '{"data_type":"auction_tick","year":2026}']
  for (const format of ['table', 'json', 'csv']) {
    const ran = quotebook(['query', 'file_download', ...params, '--format', format])
    expect(ran.out).not.toMatch(/"password"|password,|^password/m)
  }
})

test('control characters of texts from outside do not reach the terminal', () => {
  const dir = join(tempDir(), 'archive')
  const fields = 'symbol,event_date,title,announcement_type'
  const file = tempFile('a.csv', `${fields}\n600519,20260701,"\u001b[31mred\u0007 \u202Eevil",other\n`)
  expect(quotebook(['import', 'finance_announcement', file, '--archive', dir]).code).toBe(0)
  const { out } = quotebook(['query', 'finance_announcement', '--source', dir])
  expect(out).toContain('[31mred')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
})

test('import says what it did, and refuses a bad row with file, line and field', () => {
  const dir = join(tempDir(), 'archive')
  const good = tempFile('good.csv', 'tradedate,symbol,name\n20260701,000001,示例\n')
  const first = quotebook(['import', 'st', good, '--archive', dir])
  expect([first.code, first.out]).toEqual([0, ''])
  expect(first.err).toContain('st: 1 rows of 1 files; 1 files of the archive changed')
  expect(quotebook(['import', 'st', good, '--archive', dir]).err).toContain('all of it was there already')
  const before = treeOf(dir)
  const bad = quotebook([
    'import',
    'st',
    tempFile('bad.csv', 'tradedate,symbol\n20260701,000001\n20261302,000002\n'),
    '--archive',
    dir,
  ])
  expect(bad.code).toBe(1)
  expect(bad.err).toContain('bad.csv:3: st: row 2: tradedate must be a date YYYYMMDD, not "20261302"')
  expect(treeOf(dir)).toEqual(before)
  expect(JSON.parse(quotebook(['query', 'st', '--source', dir, '--format', 'json']).out)).toMatchObject([
    { symbol: '000001' },
  ])
})

test('the sample: twice the same bytes, and those of the committed one', () => {
  const [a, b] = [join(tempDir(), 'a'), join(tempDir(), 'b')]
  expect(quotebook(['sample', '--archive', a, '--days', '5', '--symbols', '3']).err).toContain('synthetic archive')
  quotebook(['sample', '--archive', b, '--days', '5', '--symbols', '3'], {
    env: { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' },
  })
  expect(treeOf(a)).toEqual(treeOf(b))
  const whole = join(tempDir(), 'whole')
  quotebook(['sample', '--archive', whole])
  expect(treeOf(whole)).toEqual(treeOf(join(root, 'data/sample')))
  const other = join(tempDir(), 'other')
  quotebook(['sample', '--archive', other, '--days', '5', '--symbols', '3', '--seed', '7'])
  expect(treeOf(other)).not.toEqual(treeOf(a))
})

test('the report: named at the end, twice the same bytes, from a moved archive too', () => {
  const dir = tempDir()
  const first = quotebook(['report', '--out', 'out/a.html', '--days', '10'], { cwd: dir })
  expect([first.code, first.out]).toEqual([0, 'out/a.html\n'])
  quotebook(['report', '--out', 'b.html', '--days', '10'], { cwd: dir, env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } })
  expect(readFileSync(join(dir, 'b.html')).equals(readFileSync(join(dir, 'out/a.html')))).toBe(true)
  writeFileSync(join(dir, 'blocked'), '')
  const failed = quotebook(['report', '--out', 'blocked/x.html', '--days', '2'], { cwd: dir })
  expect(failed.code).toBe(1)
  expect(existsSync(join(dir, 'blocked/x.html'))).toBe(false)
})

test('a kept reply is imported with what its request says, and refused without', () => {
  const [dir, file] = [join(tempDir(), 'own'), join(tempDir(), 'bars.json')]
  const asked = ['etf_minute', 'symbols=510300.SH', 'trademin=1000', 'period=30m', 'tradedate=20260729']
  const kept = quotebook(['query', ...asked, '--format', 'json', '--out', file, '--with-request'])
  expect(kept.code).toBe(0)
  const beside = readdirSync(dirname(file)).filter((name) => !file.endsWith(name))
  expect(beside).toHaveLength(1)
  const imported = quotebook(['import', 'etf_minute', file, '--archive', dir])
  expect(imported.err).toContain('period')
  expect(imported.code).toBe(0)
  const bars = (source: string) => quotebook(['query', ...asked, '--format', 'json', '--source', source]).out
  expect(JSON.parse(bars(dir))).toEqual(JSON.parse(bars('sample')))
  expect(JSON.parse(bars(dir))).toHaveLength(1)

  rmSync(join(dirname(file), beside[0] as string))
  const without = quotebook(['import', 'etf_minute', file, '--archive', join(tempDir(), 'other')])
  expect(without.err).toContain('does not tell its bar period: give it with --set period=15m or period=30m')
  expect(without.code).toBe(1)
  const chinese = quotebook(['import', 'etf_minute', file, '--archive', join(tempDir(), 'other'), '--lang', 'zh'])
  expect(chinese.err).toContain('没有说明 K 线周期：请用 --set period=15m 或 period=30m 给出')
})
