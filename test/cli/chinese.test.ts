import { expect, test, vi } from 'vitest'
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
