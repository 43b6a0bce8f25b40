import type { Chinese } from '../sentence.js'

/** What is found of prices that their own day contradicts: in errors, and among the warnings of a run. */
// biome-ignore format: a table, one sentence a line
export const findingPhrases: Chinese = {
  '{1} {2}: {3} {4}': '{1} {2}：{3} {4}',
  '{1} lies outside {2} to {3}, the price limits of the day': '{1} 超出当日涨跌停范围 {2} 至 {3}',
  '{1} contradicts the other prices of its bar, {2} to {3}': '{1} 与同一行的其他价格（{2} 至 {3}）矛盾',
  '{1}: amount / {2} is not between {3} and {4} yuan': '{1}：amount / {2} 不在 {3} 至 {4} 元之间',
  '{1} lies between the ticks {2} and {3}: it is adjusted, or {4} is of another class': '{1} 不在最小变动价位上（{2} 与 {3} 之间）：是复权价，或 {4} 属于其他类别',
  '{1}: pre_close is off by a day from here on': '{1}：由此起 pre_close 错位一天',
  '{1} does not follow the last close, {2} on {3}: no dividend, bonus, rights, split or merge explains it': '{1} 与 {3} 的收盘价 {2} 不衔接：分红、送转、配股、拆分与合并都无法解释',
}
