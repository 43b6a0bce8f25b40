import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { quotebook, type Ran } from './helper/command.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-promise-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const inChinese = (...args: readonly string[]): Ran =>
  quotebook(args, { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' } })

test('LANG, LC_ALL and --lang choose the language of the help; the option wins', () => {
  for (const path of [[], ['query']]) {
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

test('data and exit code are the same in both languages; what is said is not', async () => {
  for (const args of [
    ['query', 'news', 'limit=2', '--format', 'json'],
    ['check', 'southbound', '--days', '2', '--format', 'csv'],
  ]) {
    const [en, zh] = [await here(...args), inChinese(...args)]
    expect([zh.code, zh.out]).toEqual([en.code, en.out])
    expect(zh.err).toMatch(/[\u4e00-\u9fff]/)
    expect(en.err).not.toMatch(/[\u4e00-\u9fff]/)
  }
})

test('what is wrong is said in Chinese, with the exit code of any language', () => {
  const ran = inChinese('query', 'etf_minut')
  expect([ran.code, ran.err]).toEqual([2, "quotebook: 未知数据集 'etf_minut'。是否指 'etf_minute'？\n"])
})

test('what a file lacks is said in Chinese, with the file first', () => {
  const file = join(dir, 'bars.csv')
  writeFileSync(file, 'tradedate,symbol,trademin,open,high,low,close,vol,amount,vwap\n')
  const { code, err } = inChinese('import', 'etf_minute', file, '--archive', join(dir, 'own'))
  expect(code).toBe(1)
  expect(err).toMatch(/^quotebook: .*bars\.csv：.*[\u4e00-\u9fff]/)
})
