import { expect, test, vi } from 'vitest'
import { checks } from '../../src/research/checks/all-checks.js'
import { checkNameIn, meaningIn, reasonIn, verdictIn } from '../../src/research/checks/reason-words.js'
import { englishRuns } from '../helper/english-runs.js'
import { here } from '../helper/here.js'

vi.hoisted(() => {
  process.env.LC_ALL = 'zh_CN.UTF-8'
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

test('every check and verdict has a word and every meaning a sentence of Chinese', () => {
  for (const { name, verdicts } of checks) {
    expect(checkNameIn(name, 'zh'), name).toMatch(/[\u4e00-\u9fff]/)
    for (const [verdict, { meaning }] of Object.entries(verdicts)) {
      expect(verdictIn(verdict, 'zh'), verdict).toMatch(/[\u4e00-\u9fff]/)
      expect([verdictIn(verdict, 'en'), meaningIn(meaning, 'en')]).toEqual([verdict, meaning])
      expect(englishRuns(meaningIn(meaning, 'zh')), meaning).toEqual([])
    }
  }
})

test.each([
  [
    'limit: required_pct_chg 12.3 is beyond the price limit of the day',
    'limit：required_pct_chg 12.3 超出当日涨跌幅限制',
  ],
  ['pct_chg is 3, computed 4; status is a, computed b', 'pct_chg 为 3，重算为 4；status 为 a，重算为 b'],
  [
    'from 1045 on, 3,000 yuan too much (2,990 to 3,010) or 12 lots too little',
    '自 1045 起成交额多 3,000 元（2,990 至 3,010）；成交量少 12 手（份）',
  ],
])('the reason %s', (said, chinese) => expect(reasonIn(said, 'zh')).toBe(chinese))
