import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { quotebook, type Ran } from './helper/command.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-promise-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const inChinese = (...args: readonly string[]): Ran =>
  quotebook(args, { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' } })

test('LANG, LC_ALL and --lang choose the language of the help; the option wins', () => {
  for (const path of [[], ['query'], ['check'], ['sync']]) {
    const { code, out, err } = inChinese(...path, '--help')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^用法：/)
    expect(out).toContain('\n选项：\n')
    for (const line of out.split('\n')) if (/^ {2}-/.test(line)) expect(line).toMatch(/[\u4e00-\u9fff]/)
  }
  expect(quotebook(['--lang', 'zh', 'datasets', 'st']).out).toContain('\n字段\n')
  expect(inChinese('--lang=en', 'datasets', 'st').out).toContain('\nFields\n')
  expect(quotebook(['--lang', 'fr', 'datasets'])).toMatchObject({ code: 2, out: '' })
})

test('data and exit code are the same in both languages; what is said is not', () => {
  for (const args of [
    ['query', 'news', 'limit=2', '--format', 'json'],
    ['check', 'southbound', '--days', '2', '--format', 'csv'],
  ]) {
    const [en, zh] = [quotebook(args), inChinese(...args)]
    expect([zh.code, zh.out]).toEqual([en.code, en.out])
    expect(zh.err).toMatch(/[\u4e00-\u9fff]/)
    expect(en.err).not.toMatch(/[\u4e00-\u9fff]/)
  }
})

/** What is said, and by which command. */
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
  ({ chinese, code, args }) => {
    const ran = inChinese(...args)
    expect([ran.code, ran.err]).toEqual([code, chinese])
  },
)

test('what a file lacks is said in Chinese, with the file first', () => {
  const file = join(dir, 'bars.csv')
  writeFileSync(file, 'tradedate,symbol,trademin,open,high,low,close,vol,amount,vwap\n')
  const { code, err } = inChinese('import', 'etf_minute', file, '--archive', join(dir, 'own'))
  expect(code).toBe(1)
  expect(err).toMatch(/^quotebook: .*bars\.csv：.*[\u4e00-\u9fff]/)
})
