import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { languageOf } from '../../src/cli/asked-language.js'
import { foldText } from '../../src/cli/fold-text.js'
import { program } from '../../src/cli/program.js'
import { datasetNames } from '../../src/contract/catalogue.js'
import { textWidth } from '../../src/frame/show/text-width.js'
import { englishRuns } from '../helper/english-runs.js'
import { here } from '../helper/here.js'

vi.hoisted(() => {
  process.env.LC_ALL = 'zh_CN.UTF-8'
})

const phrases: Readonly<Record<string, string>> = JSON.parse(readFileSync('src/contract/locale/zh.json', 'utf8'))
const isWide = /[\u4e00-\u9fff]/

/** English words in a row, where no name, placeholder, quotation or command stands. */
function sentences(text: string): readonly string[] {
  const prose = text
    .replace(/^.*\bquotebook [a-z].*$/gm, (line) => line.replace(/quotebook [\w -]+(?:[\w=.,'/:]+)*/g, ''))
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|<[^>]*>|\[[^\]]*\]|--[\w-]+/g, '')
    .replace(/ISO 8601|Hong Kong dollar|CSV|JSON/g, '')
  return prose.match(/\b[A-Za-z]{2,} [a-z]{2,}\b.*/g) ?? []
}

/** The help of a command and of those below it. */
function helps(command: ReturnType<typeof program>, path: string): readonly (readonly [path: string, help: string])[] {
  const below = command.createHelp().visibleCommands(command)
  return [
    [path, command.helpInformation()] as const,
    ...below.filter((one) => one.name() !== 'help').flatMap((one) => helps(one, `${path} ${one.name()}`)),
  ]
}

test('the option decides, then the variables, then the setting of the system', () => {
  const chinese = () => 'zh-Hans-CN'
  expect(languageOf([], {}, chinese)).toBe('zh')
  expect(languageOf([], {}, () => 'en-US')).toBe('en')
  expect(languageOf([], { LANG: 'C' }, chinese)).toBe('en')
  expect(languageOf([], { LANG: '', QUOTEBOOK_LANG: '' }, chinese)).toBe('zh')
  expect(languageOf(['--lang', 'en'], { QUOTEBOOK_LANG: 'zh' }, chinese)).toBe('en')
})

test('the help of every command is in Chinese, as wide as a terminal', () => {
  const all = helps(program(), 'quotebook')
  expect(all.length).toBeGreaterThan(35)
  for (const [command, help] of all) {
    expect(help, command).toMatch(/^用法：/)
    expect([command, sentences(help)]).toEqual([command, []])
    for (const line of help.split('\n')) {
      if (/^ {2}-/.test(line)) expect(line, command).toMatch(isWide)
      if (!/^ +(quotebook|bash|zsh|fish) |^用法/.test(line)) expect(textWidth(line), line).toBeLessThanOrEqual(80)
    }
  }
})

test('the page of every dataset is in Chinese, with its names as they are', async () => {
  const list = (await here('datasets')).out
  for (const name of datasetNames) {
    expect(list).toContain(name)
    const { out } = await here('datasets', name)
    const [prose = ''] = out.split('\n示例\n')
    for (const part of ['字段', '查询条件', '规则', '应答']) expect(prose).toContain(`\n${part}\n`)
    expect([name, sentences(prose.replace(/^ {2}\w+ .*? {2}|\b[a-z]+_\w+/gm, ''))]).toEqual([name, []])
    for (const line of out.split('\n')) expect(textWidth(line), line).toBeLessThan(200)
  }
})

test.each<[said: RegExp, code: number, args: string]>([
  [/^错误：选项 '--format <format>' 的取值 'ods' 无效。可选值：table, json/, 2, 'query st --format ods'],
  [/^错误：选项 '--days <n>' 的取值 'many' 无效。必须是不小于 1 的整数。/, 2, 'sample --archive x --days many'],
  [/^错误：必须给出选项 '--archive <dir>'/, 2, 'import st x.csv'],
  [/^quotebook: type 不能取 'XT'。/, 2, 'query st type=XT'],
  [/^quotebook: limit 必须是整数，不能是 "1.5"。\n$/, 2, 'query news limit=1.5'],
  [/^quotebook: theme_lib_detail_kp 必须给出查询条件：theme_id。\n$/, 2, 'query theme_lib_detail_kp'],
  [/^quotebook: trademin 1001 不是 30m K 线的结束时刻。/, 2, 'query etf_minute trademin=1001'],
  [/^quotebook: symbols 必须是 1 至 2000 的整数，不能是 100000\n$/, 2, 'sample --archive x --symbols 100000'],
  [/地址应形如 clickhouse:/, 2, 'status --source clickhouse://h:x/a'],
])('%s', async (said, code, args) => {
  const ran = await here(...args.split(' '))
  expect([ran.code, ran.err, sentences(ran.err)]).toEqual([code, expect.stringMatching(said), []])
})

/** What is said, and by which command: exactly. */
const said: readonly (readonly [chinese: string, code: number, ...args: string[]])[] = [
  ["错误：未知命令 'qury'\n（是否指 query？）\n（--help 可查看用法）\n", 2, 'qury'],
  ["错误：缺少参数 'name'\n（--help 可查看用法）\n", 2, 'query'],
  ["quotebook: 未知数据集 'etf_minut'。是否指 'etf_minute'？\n", 2, 'query', 'etf_minut'],
  ["quotebook: st 中没有 'symbol'。是否指 'symbols'？\n", 2, 'query', 'st', 'symbol=1'],
  ["quotebook: st 中没有 'zzzzzzzz'。可用的有：type, symbols, startdate, enddate。\n", 2, 'query', 'st', 'zzzzzzzz=1'],
  ['quotebook: limit 必须在 1 至 500 之间，不能是 501。\n', 2, 'query', 'news', 'limit=501'],
  [
    `quotebook: startdate 必须是 YYYYMMDD 格式的日期，不能是 "2026-07-32"。\n`,
    2,
    ...['query', 'st', 'startdate=2026-07-32'],
  ],
  [
    'quotebook: startdate 20260702 晚于 enddate 20260701。\n',
    2,
    ...['query', 'st', 'startdate=20260702', 'enddate=20260701'],
  ],
  ['quotebook: /nowhere 不存在\n', 1, 'query', 'st', '--source', '/nowhere'],
  ['quotebook: data/sample 中已有归档；请给出新目录或空目录\n', 1, 'sample', '--archive', 'data/sample'],
  [
    "quotebook: 条件 'close < 'a''：数字与文本类型不同，不能比较\n",
    2,
    ...['watch', 'convertible_daily', '--when', "close < 'a'"],
  ],
  ['无法证明完整：共 300 行，这是第 1 至 2 行\n', 0, 'query', 'news', 'limit=2', '--format', 'csv'],
  ["quotebook: 报告没有 'indizes' 这一部分；是否指 'indices'？\n", 2, 'report', '--section', 'indizes'],
]

test.each(said.map((one) => ({ chinese: one[0], code: one[1], args: one.slice(2) as string[] })))(
  '$chinese',
  async ({ chinese, code, args }) => {
    const ran = await here(...args)
    expect([ran.code, ran.err]).toEqual([code, chinese])
  },
)

test('text is folded at blanks and between Chinese characters, and loses nothing', () => {
  for (const text of Object.entries(phrases).flat().slice(0, 2000))
    for (const width of [24, 40, 79]) {
      const lines = foldText(text, width)
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。、；：？！）]/)
      for (const line of lines) {
        if (lines.length > 1) expect(line).not.toMatch(/（$/)
        if (/^[ \u4e00-\u9fff]+$/.test(line)) expect(textWidth(line)).toBeLessThanOrEqual(width)
      }
    }
})

const bond = 'convertible_daily'

test.each<[line: string, said: string]>([
  ['datasets', '数据集'],
  ['query news limit=2', '不完整：共 300 行，这是第 1 至 2 行'],
  [`query ${bond} startdate=20260701 --fields code,close`, '未显示：'],
  [`query ${bond} startdate=20260701 --explain`, '无需请求'],
  ['status', '已覆盖'],
  ['check all --days 3', '无法判定'],
  ['check southbound', '重复计入  amount 把 sz_amount 计了两次'],
  ['check cb-premium --days 5', '由 close 与 cb_value 算不出溢价率'],
  ['check anomaly --days 5', '结论'],
  ['ticks read 20260729 --symbols 000001', '行 × '],
])('%s is answered in Chinese', async (line, said) => {
  const { out, err } = await here(...line.split(' '))
  expect(englishRuns(`${out}\n${err}`)).toEqual([])
  expect(`${out}\n${err}`).toContain(said)
})

test('what a program reads is the same in Chinese', async () => {
  const { out } = await here('check', 'southbound', '--format', 'csv')
  expect(out.split('\n').slice(0, 1)).toEqual([expect.stringMatching(/^trade_date,.*,verdict,why$/)])
  expect(out).toContain('double-count,amount counts sz_amount twice')
  const all = JSON.parse((await here('check', 'all', '--days', '1', '--format', 'json')).out)
  expect(all[0]).toMatchObject({ dataset: 'news', state: 'not contradicted' })
})
