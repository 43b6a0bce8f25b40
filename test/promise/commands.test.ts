import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, fromIpc, fromParquet, toJson } from 'quotebook'
import { describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { datasetNames } from './helper/catalogue.js'
import { main, quotebook } from './helper/command.js'
import { bytesBelow, folder, removeFolders } from './helper/files.js'

removeFolders()

const lines = (text: string): string[] => text.trimEnd().split('\n')
const bars = ['etf_minute', 'symbols=510300.SH', 'tradedate=20260701', 'period=30m']

describe('help', () => {
  test('names every command, on stdout, with exit code 0; what shells ask stays hidden', () => {
    const { code, out, err } = quotebook(['--help'])
    expect([code, err]).toEqual([0, ''])
    const [, part = ''] = out.split('\nCommands:\n')
    expect([...part.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name)).toEqual(
      `report verify backtest factor plan account worker datasets query watch check sync import archive copy clickhouse status cache ticks
      sample desk serve keys mcp notebook completion help`.split(/\s+/),
    )
    expect(quotebook(['--version']).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('of a command lists its options, and every check by name', async () => {
    const query = (await here('query', '--help')).out
    for (const option of ['--params', '--fields', '--from', '--allow-truncated', '--explain', '--with-request'])
      expect(query).toContain(`  ${option}`)
    for (const option of ['--format', '--excel', '--out', '--source', '--cache', '--as-of', '--verbose'])
      expect(query).toContain(`  ${option}`)
    expect(query).toContain('choices: "table", "json", "csv"')
    const checks = (await here('check', '--help')).out
    for (const name of ['all', 'vwap', 'bars', 'anomaly', 'southbound', 'st-list', 'periods', 'convertible-day'])
      expect(checks).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })
})

describe('datasets', () => {
  test('lists all; the page of one has its parts, and its example runs', async () => {
    const list = quotebook(['datasets'])
    expect([list.code, list.err]).toEqual([0, ''])
    const market = await connect()
    for (const name of ['news', 'st', 'etf_minute', 'file_download', 'anomaly_forecast', 'interactive_qa'])
      expect(list.out).toMatch(new RegExp(`^${name} `, 'm'))
    expect(lines(list.out).slice(1, -2)).toHaveLength(datasetNames.length)
    const page = await here('datasets', 'st')
    for (const part of ['Fields', 'Params', 'Rules', 'Answer', 'Example']) expect(page.out).toContain(`\n${part}\n`)
    const [, example = ''] = /quotebook (query .*)/.exec(page.out) ?? []
    const shell = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' ${example} --format json --source sample`])
    const table = await market.table.st({ type: '*ST', startdate: '20260701', enddate: '20260710' })
    expect([shell.status, String(shell.stdout)]).toEqual([0, `${toJson(table)}\n`])
    await market.close()
  })
})

describe('query', () => {
  const json = quotebook(['query', ...bars, '--format', 'json'])

  test('data on stdout as the library has it: numbers as numbers, missing as null; nothing else on stderr', async () => {
    const market = await connect()
    const table = await market.table.etfMinute({ symbols: '510300.SH', tradedate: '20260701', period: '30m' })
    expect(json).toEqual({ code: 0, out: `${toJson(table)}\n`, err: '' })
    expect(JSON.parse(json.out)[0]).toMatchObject({ tradedate: '20260701', symbol: '510300.SH', trademin: '0930' })
    await market.close()
  })

  test('conditions are words or JSON or some of each, and give the same bytes', async () => {
    const asked = async (...words: string[]): Promise<string> =>
      (await here('query', 'etf_minute', ...words, '--format', 'json')).out
    const params = { symbols: ['510300.SH'], tradedate: '20260701', period: '30m' }
    expect(await asked('--params', JSON.stringify(params))).toBe(json.out)
    expect(await asked('tradedate=20260701', 'period=30m', '--params', '{"symbols":"510300.SH"}')).toBe(json.out)
  })

  test('every format holds the same rows; a file is written whole, and its name may say the format', async () => {
    const dir = folder()
    for (const name of ['rows.csv', 'rows.parquet', 'rows.arrow', 'rows.xlsx']) {
      const ran = await here('query', ...bars, '--out', join(dir, name))
      expect([ran.code, ran.out, ran.err]).toEqual([0, '', `wrote ${join(dir, name)} (9 rows)\n`])
    }
    expect(readdirSync(dir).sort()).toEqual(['rows.arrow', 'rows.csv', 'rows.parquet', 'rows.xlsx'])
    expect(`${toJson(await fromParquet(readFileSync(join(dir, 'rows.parquet'))))}\n`).toBe(json.out)
    expect(`${toJson(fromIpc(readFileSync(join(dir, 'rows.arrow'))))}\n`).toBe(json.out)
    expect(readFileSync(join(dir, 'rows.csv'), 'utf8').split('\n')[1]).toMatch(/^20260701,510300\.SH,0930,/)
    expect(readFileSync(join(dir, 'rows.xlsx')).subarray(0, 2).toString()).toBe('PK')
    const excel = await here('query', ...bars, '--excel', '--format', 'csv')
    expect(excel.out.startsWith('\ufefftradedate,symbol')).toBe(true)
    expect(excel.err).toContain('Excel drops the zeros of codes')
  })

  test('the folder of --out is made', async () => {
    const file = join(folder(), 'not', 'there', 'rows.csv')
    expect((await here('query', ...bars, '--out', file)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^tradedate,symbol/)
  })

  test('a variable that is set to nothing is not set', () => {
    const env = { QUOTEBOOK_SOURCE: '', QUOTEBOOK_LANG: ' ' }
    expect(quotebook(['query', 'st', 'symbols=600519'], { env }).code).toBe(0)
    expect(quotebook(['query', 'st', '--source', '']).code).toBe(2)
  })

  test('a param that must be given is named with what it takes, in both languages', () => {
    const asked = ['query', 'theme_daily', 'symbols=880047']
    expect(quotebook(asked).err).toMatch(/theme_daily needs type; it takes tj\.$/m)
    expect(quotebook([...asked, '--lang', 'zh']).err).toMatch(/必须给出 type，可取 tj。$/m)
  })

  test('a query that fails leaves the file of before, and nothing beside it', async () => {
    const dir = folder()
    const file = join(dir, 'rows.csv')
    writeFileSync(file, 'before')
    expect((await here('query', 'st', 'symbol=1', '--out', file)).code).toBe(2)
    expect((await here('query', 'st', '--source', join(dir, 'none'), '--out', file)).code).toBe(1)
    expect([readdirSync(dir), readFileSync(file, 'utf8')]).toEqual([['rows.csv'], 'before'])
  })

  test('fields are chosen; what a reader should know is on stderr, and no rows are no error', async () => {
    const some = await here('query', ...bars, '--fields', 'close,symbol', '--format', 'csv')
    expect(lines(some.out).slice(0, 1)).toEqual(['close,symbol'])
    const news = await here('query', 'news', 'limit=2', '--format', 'json')
    expect([news.code, JSON.parse(news.out).length, news.err]).toEqual([
      0,
      2,
      expect.stringMatching(/: rows 1 to 2 of 300\n$/),
    ])
    const none = await here('query', 'st', 'symbols=999999', '--format', 'json')
    expect(none).toEqual({ code: 0, out: '[]\n', err: 'no matching rows\n' })
    const unsaid = quotebook(['query', 'st', '--format', 'csv'], { env: { QUOTEBOOK_SOURCE: undefined } })
    expect([unsaid.code, unsaid.err]).toEqual([0, expect.stringContaining('synthetic sample')])
  })

  test('--explain sends nothing and needs no key', () => {
    const asked = ['query', 'etf_minute', 'symbols=510300', 'period=15m', '--from', '20260720', '--to', '20260722']
    const { code, out, err } = quotebook([...asked, '--explain', '--source', 'https://127.0.0.1:9'])
    expect([code, err, lines(out)[0]]).toEqual([0, '', expect.stringMatching(/^etf_minute: \d+ requests/)])
  })
})

/** Wrong usage: exit code 2, one line, which says what is right. */
const refusals: readonly (readonly [args: string, said: string])[] = [
  ['qury', "error: unknown command 'qury'\n(Did you mean query?)\n(--help shows what there is)"],
  ['query st --parms {}', "error: unknown option '--parms'\n(Did you mean --params?)\n(--help shows what there is)"],
  ['query etf_minut', "quotebook: unknown dataset 'etf_minut'. Did you mean 'etf_minute'?"],
  ['query st symbol=1', "quotebook: unknown param of st 'symbol'. Did you mean 'symbols'?"],
  ['query st --fields nme', "quotebook: unknown field of st 'nme'. Did you mean 'name'?"],
  ['query st type=XT', "quotebook: unknown value of type 'XT'. Did you mean 'ST'?"],
  ['query st --params {', "error: option '--params <json>' argument '{' is invalid. It is not JSON: "],
  ['query st symbols=1 symbols=2', 'quotebook: symbols is given twice; several values are separated by commas'],
  ['query news limit=501', 'quotebook: limit must be from 1 to 500, not 501.'],
  ['query st startdate=2026-07-32', `quotebook: startdate must be a date YYYYMMDD, not "2026-07-32".`],
  ['query st --out rows.ods', 'quotebook: --out rows.ods: give --format, or a name that ends in .csv, '],
  ['query st --source localhost:9', 'quotebook: --source localhost:9: the address of a service begins with https://'],
  ['check st_lst', "quotebook: there is no check 'st_lst'. Did you mean 'st-list'? There are: all, vwap, "],
  ['report --section indizes', "quotebook: the report has no section 'indizes'; did you mean 'indices'?"],
  ["watch st --when nme='x'", "quotebook: unknown column of st 'nme'. Did you mean 'name'?"],
  ['import st x.csv', "error: required option '--archive <dir>' not specified"],
  ['import file_download x.csv --archive none', 'quotebook: file_download is not imported: '],
]

describe('wrong usage', () => {
  test.each(refusals)('quotebook %s', async (args, said) => {
    const { code, out, err } = await here(...args.split(' '))
    expect([code, out, err.slice(0, said.length)]).toEqual([2, '', said])
    expect(err).not.toMatch(/^\s+at /m)
  })

  test('ends the process with that code, without a word on stdout', () => {
    const keyless = quotebook(['query', 'st', '--source', 'https://example.org'])
    const said = 'quotebook: no key: set QUOTEBOOK_APIKEY to your key at the service'
    expect([keyless.code, keyless.out, keyless.err.slice(0, said.length)]).toEqual([2, '', said])
    expect(quotebook(['qury'])).toEqual({ code: 2, out: '', err: expect.stringMatching(/^error: unknown command/) })
  })

  test('what fails is exit code 1, in one line', async () => {
    expect(quotebook(['query', 'st', '--source', '/nowhere']).code).toBe(1)
    for (const [args, said] of [
      ['query st --source /nowhere', 'quotebook: /nowhere does not exist\n'],
      [
        'sample --archive data/sample',
        'quotebook: data/sample already holds an archive; give a new or empty directory\n',
      ],
      ['check vwap --file /nowhere.csv', expect.stringMatching(/^quotebook: \/nowhere\.csv: can not be read: .*\n$/)],
    ] as const)
      expect(await here(...args.split(' '))).toEqual({ code: 1, out: '', err: said })
  })
})

describe('files in and out', () => {
  const csv = (dir: string, name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }

  test('import says what it did, does it once, and refuses a bad row by file, line and field, whole', async () => {
    const dir = folder()
    const [archive, good] = [join(dir, 'own'), csv(dir, 'good.csv', 'tradedate,symbol,name\n20260701,000001,示例\n')]
    const into = (file: string) => here('import', 'st', file, '--archive', archive)
    expect((await into(good)).err).toContain('st: 1 rows of 1 files; 1 files of the archive changed')
    expect((await into(good)).err).toContain('all of it was there already')
    const before = bytesBelow(archive)
    const bad = await into(csv(dir, 'bad.csv', 'tradedate,symbol\n20260702,000001\n20261302,000002\n'))
    expect([bad.code, bad.err]).toEqual([
      1,
      expect.stringContaining('bad.csv:3: st: row 2: tradedate must be a date YYYYMMDD, not "20261302"'),
    ])
    expect(bytesBelow(archive)).toEqual(before)
    expect(JSON.parse((await here('query', 'st', '--source', archive, '--format', 'json')).out)).toMatchObject([
      { symbol: '000001' },
    ])
  })

  test('what texts from outside hold does not steer a terminal', async () => {
    const [dir, head] = [folder(), 'symbol,event_date,title,announcement_type']
    const file = csv(dir, 'a.csv', `${head}\n600519,20260701,"\u001b[31mred\u0007 \u202Eevil",other\n`)
    await here('import', 'finance_announcement', file, '--archive', join(dir, 'own'))
    const { out } = await here('query', 'finance_announcement', '--source', join(dir, 'own'))
    expect(out).toContain('[31mred')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })
})

describe('pages', () => {
  test('a report is named on stdout, and is the same anywhere; verify says so, and names a changed figure', async () => {
    const dir = folder()
    const env = { TZ: 'Pacific/Kiritimati', LC_ALL: '', LANG: 'de_DE.UTF-8' }
    const words = ['report', '--days', '3', '--section', 'indices', '--out']
    const made = quotebook([...words, 'out/a.html'], { cwd: dir, env })
    expect([made.code, made.out, made.err]).toEqual([0, 'out/a.html\n', ''])
    await here(...words, join(dir, 'b.html'))
    const page = readFileSync(join(dir, 'out/a.html'), 'utf8')
    expect(readFileSync(join(dir, 'b.html'), 'utf8')).toBe(page)
    expect((await here('verify', join(dir, 'b.html'))).code).toBe(0)
    const [whole = '', , shown = ''] = /<data class="value[^"]*" value="([^"]*)">([^<]*)</.exec(page) ?? []
    writeFileSync(join(dir, 'b.html'), page.replace(whole, whole.replace(`>${shown}<`, '>99.99<')))
    const forged = await here('verify', join(dir, 'b.html'), '--format', 'json')
    const { same, reasons, figures } = JSON.parse(forged.out)
    expect([forged.code, same, reasons, figures.length]).toEqual([1, false, ['altered'], 1])
  })
})

describe('checks', () => {
  test('verdicts on stderr, rows on stdout, exit code 1 for a contradiction', async () => {
    const fine = quotebook(['check', 'vwap', 'symbols=510300.SH', 'period=15m', 'tradedate=20260701'])
    expect([fine.code, fine.err]).toEqual([
      0,
      expect.stringMatching(/equal +17\n[\s\S]*nothing contradicts the rule\n$/),
    ])
    const wrong = await here('check', 'southbound', '--days', '3', '--format', 'json')
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/double-count +2\n/)])
    const rows: { verdict: string }[] = JSON.parse(wrong.out)
    expect([rows.length, rows.filter(({ verdict }) => verdict === 'double-count').length]).toEqual([60, 2])
  })

  test('check all has a row for each dataset, and says which command lists what contradicts', async () => {
    const { code, out, err } = await here('check', 'all', '--days', '3', '--format', 'csv')
    expect([code, lines(out)[0]]).toEqual([1, expect.stringMatching(/^dataset,/)])
    expect(err).toContain('quotebook check southbound --days 3 lists them')
  })
})

describe('status --check', () => {
  test.each(['convertible_daily,theme_daily,st', 'hotstock', 'finance_announcement', 'st'])(
    'ends with 0 after a clean sync of %s',
    async (datasets) => {
      const archive = join(folder(), 'archive')
      const days = ['--datasets', datasets, '--from', '20260720']
      expect((await here('sync', '--source', 'sample', '--archive', archive, ...days)).code).toBe(0)
      const { code, err } = await here('status', '--source', archive, '--check')
      expect([code, err]).toEqual([0, expect.stringContaining('nothing that was due is missing')])
    },
  )
})

describe('backtest', () => {
  test('figures on stdout, tables in a folder; a strategy that fails is one line with its place', () => {
    const dir = folder()
    mkdirSync(join(dir, 'node_modules'))
    symlinkSync(process.cwd(), join(dir, 'node_modules/quotebook'))
    const plan = (score: string): string => `import { panel } from 'quotebook'
export default async ({ market }) => ({
  panel: panel(await market.table.convertibleDaily({ startdate: '20260713' }), { columns: ['open', 'close', 'vol'] }),
  make: ({ n = 5 }) => ({ score: (bar) => ${score}, pick: { n, side: 'lowest' }, when: { weekly: 1 } }),
  options: { cash: 1e6 },
})
`
    writeFileSync(join(dir, 'low.mjs'), plan('bar.close'))
    const ran = quotebook(['backtest', 'low.mjs', '--param', 'n=3', '--out', 'made', '--format', 'csv'], { cwd: dir })
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^params +n=3\n[\s\S]*\nhash +[0-9a-f]{64}\n$/)])
    expect(readdirSync(join(dir, 'made')).sort()).toEqual(
      'account.csv events.csv fills.csv positions.csv rejected.csv summary.json tear-sheet.html trips.csv'.split(' '),
    )
    writeFileSync(join(dir, 'typo.mjs'), plan('bar.clos'))
    const typo = quotebook(['backtest', 'typo.mjs'], { cwd: dir })
    expect(typo).toMatchObject({ code: 1, out: '' })
    expect(typo.err).toMatch(/^quotebook: the panel has no column 'clos'; did you mean 'close'\? \(at .*typo\.mjs:4:/)
    expect(quotebook(['backtest', 'low.mjs', '--param', 'm=3'], { cwd: dir })).toMatchObject({ code: 2, out: '' })
  })
})

describe('what must not be seen', () => {
  test('the password of a share is in no output, nor is that of an address in an error', async () => {
    const asked = ['query', 'file_download', 'data_type=auction_tick', 'year=2026']
    for (const format of ['table', 'json', 'csv'])
      expect((await here(...asked, '--format', format)).out).not.toMatch(/"password"|password,/)
    const address = 'clickhouse://me:geheim-4711@127.0.0.1:1/a'
    const away = await here('status', '--source', address)
    expect([away.code, away.out + away.err]).toEqual([1, expect.not.stringContaining('geheim')])
  })
})

describe('shells', () => {
  test.each([
    ['que', 'query'],
    ['ticks f', 'fetch'],
    ['query convertible_d', 'convertible_daily'],
    ['query etf_minute period=', 'period=15m period=30m'],
    ['query st --fields symbol,', 'symbol,tradedate symbol,name symbol,type symbol,type_name'],
    ['query st --out ', ''],
    ['query st --format ', 'table json csv parquet arrow xlsx'],
    ['query etf_minute symbols=510300 p', 'period='],
    ['query --format csv st sy', 'symbols='],
    ['query st symbols=1 sy', ''],
    ['query convertible_daily symbols=123124,', 'symbols=123124,110059.SH'],
    ['query st constructor=', ''],
    ['watch st --hours ', 'session always'],
    ['keys ', 'add list revoke help'],
    ['import st ', ''],
    ['check st', 'st-list'],
    ['check vwap per', 'period='],
    ['nothing', ''],
  ])('%s is completed', async (line, words) => {
    const { code, out, err } = await here('complete', '--', ...line.split(' '))
    const found = out.split('\n').filter(Boolean)
    expect([code, found.sort(), err]).toEqual([0, words.split(' ').filter(Boolean).sort(), ''])
  })

  test('bash takes the script; a reader that goes away ends a command quietly', () => {
    const script = `eval "$("$0" "$1" completion bash)"; complete -p quotebook; "$0" "$1" query news --format csv | head -1`
    const ran = spawnSync('bash', ['--norc', '-c', script, process.execPath, main], { encoding: 'utf8' })
    expect(lines(ran.stdout)[0]).toBe('complete -o default -F _quotebook quotebook')
    expect(lines(ran.stdout)[1]).toMatch(/^published_at,/)
    expect(ran.stderr).not.toMatch(/EPIPE|Error/)
  })
})
