import { expect, test } from 'vitest'
import { languageOf } from '../../src/cli/chosen-language.js'
import { foldText } from '../../src/cli/fold-text.js'
import { helpPhrases } from '../../src/cli/help-phrases.js'
import { notePhrases } from '../../src/cli/note-phrases.js'
import { datasetNames } from '../../src/contract/catalogue.js'
import type { Phrases } from '../../src/contract/language.js'
import { textWidth } from '../../src/show/cell-text.js'
import { quotebook, type Ran } from '../helper/cli.js'

const wide = /[\u4e00-\u9fff]/
const zh = { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' } }
const inChinese = (...args: string[]): Ran => quotebook(args, zh)

/** English words in a row, where no name, placeholder, quotation or command stands. */
function sentences(text: string): readonly string[] {
  const prose = text
    .replace(/^.*\bquotebook [a-z].*$/gm, (line) => line.replace(/quotebook [\w -]+(?:[\w=.,'/:]+)*/g, ''))
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|<[^>]*>|\[[^\]]*\]|--[\w-]+/g, '')
    .replace(/ISO 8601|Hong Kong dollar|CSV|JSON/g, '')
  return prose.match(/\b[A-Za-z]{2,} [a-z]{2,}\b.*/g) ?? []
}

/** The commands that a help lists. */
function listed(help: string): readonly string[] {
  const [, part = ''] = help.split('\n命令：\n')
  return [...part.matchAll(/^ {2}([a-z]\S*)/gm)].flatMap(([, name = '']) => (name === 'help' ? [] : name))
}

function helps(path: readonly string[]): readonly (readonly [command: string, help: string])[] {
  const { code, out, err } = inChinese(...path, '--help')
  expect([path, code, err]).toEqual([path, 0, ''])
  return [[['quotebook', ...path].join(' '), out], ...listed(out).flatMap((name) => helps([...path, name]))]
}

test('the help of every command is in Chinese, as wide as a terminal', () => {
  const all = helps([])
  expect(all.length).toBeGreaterThan(35)
  for (const [command, help] of all) {
    expect(help, command).toMatch(/^用法：/)
    expect([command, sentences(help)]).toEqual([command, []])
    for (const line of help.split('\n')) {
      if (/^ {2}-/.test(line)) expect(line, command).toMatch(wide)
      if (!/^ +(quotebook|bash|zsh|fish) |^用法/.test(line)) expect(textWidth(line), line).toBeLessThanOrEqual(80)
    }
  }
})

test('the page of every dataset is in Chinese, with its names as they are', () => {
  const list = inChinese('datasets').out
  for (const name of datasetNames) {
    expect(list).toContain(name)
    const { out } = inChinese('datasets', name)
    const [prose = '', example = ''] = out.split('\n示例\n')
    for (const part of ['字段', '参数', '规则', '应答']) expect(prose).toContain(`\n${part}\n`)
    expect([name, sentences(prose.replace(/^ {2}\w+ .*? {2}|\b[a-z]+_\w+/gm, ''))]).toEqual([name, []])
    expect(example).toBe(quotebook(['datasets', name]).out.split('\nExample\n')[1])
    for (const line of out.split('\n')) expect(textWidth(line), line).toBeLessThan(200)
  }
  const widths = list
    .split('\n')
    .slice(0, 3)
    .map((line) => textWidth(line.replace(/\S+ *$/, '')))
  expect(new Set(widths.slice(0, 2)).size).toBeLessThanOrEqual(2)
})

test('the option wins over LC_ALL, that over LC_MESSAGES, that over LANG', () => {
  const env = { LC_ALL: 'C', LC_MESSAGES: 'zh_CN', LANG: 'zh_CN' }
  expect(languageOf([], env)).toBe('en')
  expect(languageOf([], { ...env, LC_ALL: '' })).toBe('zh')
  expect(languageOf([], { LC_MESSAGES: 'en_US.UTF-8', LANG: 'zh_CN' })).toBe('en')
  expect(languageOf([], { LANG: 'zh_TW.UTF-8' })).toBe('zh')
  expect(languageOf([], {})).toBe('en')
  expect(languageOf(['query', 'st', '--lang', 'zh'], env)).toBe('zh')
  expect(languageOf(['--lang=en', 'query'], { LANG: 'zh_CN' })).toBe('en')
  expect(languageOf(['complete', '--', '--lang', 'zh'], env)).toBe('en')
  expect(quotebook(['--lang', 'zh', 'query', '--help']).out).toMatch(/^用法： quotebook query \[选项\]/)
  expect(quotebook(['query', 'st', '--help', '--lang=zh']).out).toMatch(/^用法：/)
  expect(inChinese('--lang', 'en', 'query', '--help').out).toBe(quotebook(['query', '--help']).out)
  const wrong = quotebook(['--lang', 'fr', 'datasets'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Allowed choices are en, zh.')])
})

test.each([
  ['query', 'etf_minute', 'symbols=510300.SH', 'tradedate=20260701', '--format', 'json'],
  ['query', 'st', '--format', 'csv'],
  ['query', 'st', 'symbols=999999', '--format', 'json'],
  ['check', 'vwap', '--format', 'json'],
  ['check', 'all', '--days', '2', '--format', 'csv'],
  ['ticks', 'verify', '--source', 'data/sample', '--format', 'json'],
  ['complete', '--', 'check', ''],
])('%s %s: data and exit code are the same in both languages', (...args) => {
  const [en, other] = [quotebook(args), inChinese(...args)]
  expect([other.code, other.out]).toEqual([en.code, en.out])
  if (en.err !== '') expect(other.err).not.toBe(en.err)
})

test.each<[said: RegExp, code: number, ...args: string[]]>([
  [/^错误：未知命令 'qury'\n（是否指 query？）\n（--help 可查看用法）/, 2, 'qury'],
  [/^错误：未知选项 '--parms'\n（是否指 --params？）/, 2, 'query', 'st', '--parms', '{}'],
  [/^错误：选项 '--format <format>' 的取值 'ods' 无效。可选值：table, json/, 2, 'query', 'st', '--format', 'ods'],
  [
    /^错误：选项 '--days <n>' 的取值 'many' 无效。必须是不小于 1 的整数。/,
    2,
    'sample',
    '--archive',
    'x',
    '--days',
    'many',
  ],
  [/^错误：必须给出选项 '--archive <dir>'/, 2, 'import', 'st', 'x.csv'],
  [/^错误：缺少参数 'name'/, 2, 'query'],
  [/^quotebook: 未知数据集 'etf_minut'。是否指 'etf_minute'？\n$/, 2, 'query', 'etf_minut'],
  [/^quotebook: st 中没有 'symbol'。是否指 'symbols'？\n$/, 2, 'query', 'st', 'symbol=1'],
  [/^quotebook: st 中没有 'nme'。是否指 'name'？\n$/, 2, 'query', 'st', '--fields', 'nme'],
  [/^quotebook: type 不能取 'XT'。/, 2, 'query', 'st', 'type=XT'],
  [/^quotebook: 'symbols' 不是参数：/, 2, 'query', 'st', 'symbols'],
  [/^quotebook: limit 必须是整数，不能是 "1.5"。\n$/, 2, 'query', 'news', 'limit=1.5'],
  [/^quotebook: limit 必须在 1 至 500 之间，不能是 501。\n$/, 2, 'query', 'news', 'limit=501'],
  [
    /^quotebook: startdate 必须是 YYYYMMDD 格式的日期，不能是 "2026-07-01"。请写成 '20260701'。\n$/,
    2,
    'query',
    'st',
    'startdate=2026-07-01',
  ],
  [
    /^quotebook: startdate 20260702 晚于 enddate 20260701。\n$/,
    2,
    'query',
    'st',
    'startdate=20260702',
    'enddate=20260701',
  ],
  [
    /^quotebook: tradedate 不能与 startdate 同时使用；/,
    2,
    'query',
    'southbound_top10',
    'tradedate=20260702',
    'startdate=20260701',
  ],
  [/^quotebook: theme_lib_detail_kp 必须给出查询条件：theme_id。\n$/, 2, 'query', 'theme_lib_detail_kp'],
  [/^quotebook: trademin 1001 不是 30m K 线的结束时刻。/, 2, 'query', 'etf_minute', 'trademin=1001'],
  [/^quotebook: \/nowhere 不存在\n$/, 1, 'query', 'st', '--source', '/nowhere'],
  [/^quotebook: data\/sample 中已有归档；/, 1, 'sample', '--archive', 'data/sample'],
  [
    /^quotebook: symbols 必须是 1 至 2000 的整数，不能是 100000\n$/,
    2,
    'sample',
    '--archive',
    'x',
    '--symbols',
    '100000',
  ],
  [/^没有匹配的行\n$/, 0, 'query', 'st', 'symbols=999999', '--format', 'json'],
  [/只有最新的 2 条|共 \d+ 条|最多 2 条|前 2 行|第 1 至 2 行/, 0, 'query', 'news', 'limit=2', '--format', 'csv'],
])('%s', (said, code, ...args) => {
  const ran = inChinese(...args)
  expect(ran.err).toMatch(said)
  expect([ran.code, sentences(ran.err)]).toEqual([code, []])
})

test('both languages fill the same places, and no phrase is left in English', () => {
  const places = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort()
  for (const [name, [en, chinese]] of Object.entries({ ...helpPhrases, ...notePhrases } as Phrases)) {
    expect([name, places(chinese)]).toEqual([name, places(en)])
    expect(chinese, name).not.toBe(en)
    expect([name, sentences(chinese)]).toEqual([name, []])
  }
})

test('text is folded at blanks and between Chinese characters, and loses nothing', () => {
  for (const text of Object.values({ ...helpPhrases, ...notePhrases } as Phrases).flat())
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
