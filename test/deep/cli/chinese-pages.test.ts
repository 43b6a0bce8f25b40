import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { textWidth } from '../../../src/frame/show/text-width.js'
import { englishRuns, pageWords } from '../../helper/english-runs.js'
import { here } from '../../helper/here.js'

vi.hoisted(() => {
  process.env.LC_ALL = 'zh_CN.UTF-8'
})

const dir = mkdtempSync(join(tmpdir(), 'quotebook-chinese-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const low = 'notebooks/strategies/double-low.mjs'
const column = 'convertible_daily'

test.each<[line: string, said: string]>([
  ['status --check', '未见矛盾'],
  [`backtest ${low} --sweep n=5,10 --walk-forward 20,10 --out DIR/run`, '最大回撤    -'],
  ['backtest notebooks/strategies/etf-vwap.mjs --to 20260515', '成交量不足'],
  [`factor ${column}.cb_over_rate --horizons 1,5 --out DIR/factor.html`, 'IC 均值'],
  [`factor ${column}.close --horizons 1 --out DIR/again.html`, 'IC 均值'],
  [`plan ${low} --day 20260727 --cash 1000000`, '买入'],
  ['report --days 5 --out DIR/report.html', 'report.html'],
  ['verify DIR/factor.html --against DIR/again.html', '选项不同'],
  ['sample --archive DIR/own --days 3 --symbols 1', '随机种子'],
  ['ticks verify --source DIR/own', '数据页没有校验和'],
])('%s is answered in Chinese', async (line, said) => {
  const { out, err } = await here(...line.replaceAll('DIR', dir).split(' '))
  const all = `${out}\n${err}`
  expect(englishRuns(all.replaceAll(dir, ''))).toEqual([])
  expect(all).toContain(said)
})

test.each(['report.html', 'factor.html', 'run/tear-sheet.html'])('the page %s is in Chinese', (file) => {
  expect(englishRuns(pageWords(readFileSync(join(dir, file), 'utf8')))).toEqual([])
})

test('figures of a run stand below each other, whose names take two cells a character', async () => {
  const { out } = await here('backtest', low)
  const names = out
    .trimEnd()
    .split('\n')
    .map((line) => /^(\S+) {2,}\S/.exec(line)?.[0].slice(0, -1) ?? '')
  expect(new Set(names.map(textWidth)).size).toBe(1)
})
