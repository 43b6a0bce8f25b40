import { expect, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { chineseNotes, inChinese } from '../../src/contract/chinese-notes.js'
import { report } from '../../src/load/market-report.js'
import { sayIn } from '../../src/report/report-language.js'
import { reasonIn } from '../../src/report/section/finding-words.js'

const say = sayIn('zh')

test.each([
  ['vol of 1000 is null', '1000 的 vol 为空'],
  ['vol 3 against null; amount null against null', 'vol：3 对空值；amount：两侧均为空'],
  ['0945, 1000 missing before it', '其前缺 0945, 1000'],
  ['0945 missing before it, 1500 missing after it', '其前缺 0945，其后缺 1500'],
  ['low 3 is above high 2; stands there twice', '最低价 3 高于最高价 2；重复'],
  [
    'closing_balance is not opening + auction + reborrow - repayment',
    'closing_balance 不等于 opening + auction + reborrow - repayment',
  ],
  ['something that nobody knows; no vol', 'something that nobody knows；没有 vol'],
])('the reason %s', (english, chinese) => {
  expect(reasonIn(english, say)).toBe(chinese)
  expect(reasonIn(english, sayIn('en'))).toBe(english)
})

test.each([
  [
    'no rows on 7 trading days: 20260701, 20260702 …, which may have none or be missing; the list of 20260703',
    '这些交易日没有数据：20260701, 20260702 …; 20260703 的榜单',
  ],
  ['no rows on the trading day 20260701', '这些交易日没有数据：20260701'],
  [
    'stale at the source: a, b; some of its rows were imported from replies that had been cut',
    '来源数据已陈旧：a, b; 部分行来自被截断的应答',
  ],
])('the note %s', (english, chinese) => {
  expect(inChinese(english, chineseNotes)).toBe(chinese)
})

test('a Chinese report has no English sentence: words are names of columns, checks and verdicts', async () => {
  const market = await connect()
  const page = await report(market, { days: 20, language: 'zh' })
  await market.close()
  const texts = page.replace(/<(style|title|desc)[^>]*>.*?<\/\1>/gs, '').split(/<[^>]*>/)
  const sentences = texts.filter((text) => /\b[a-z]+ (?:of|is|are|the|to|has|and|with|by) [a-z]+\b/i.test(text))
  expect(sentences.filter((text) => !/^\s*periods \(etf_minute, 15m and 30m\)/.test(text))).toEqual([])
})
