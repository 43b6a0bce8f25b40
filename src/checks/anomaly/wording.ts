export type Direction = 'up' | 'down'

/** A rule of deviation in words, as the severe rules of the service's rows are taken to be worded. */
export function deviationText(days: number, direction: Direction, threshold: number): string {
  const [word, sign] = direction === 'up' ? ['涨幅', '+'] : ['跌幅', '-']
  return `连续${days}个交易日内日收盘价格${word}偏离值累计达到${sign}${Math.abs(threshold)}%`
}

/** A rule that counts abnormal movements in words. It has no threshold of its own, so `parseRule` does not read it. */
export function countText(days: number, times: number, direction: Direction): string {
  return `连续${days}个交易日内${times}次出现同向异常波动（${direction === 'up' ? '涨' : '跌'}）`
}

export interface ParsedRule {
  readonly days: number
  readonly direction: Direction
  /** Percent, signed by the direction. */
  readonly threshold: number
}

const windowWords =
  /([一二两三四五六七八九十百]+|\d+)\s*-?\s*(?:个)?\s*(?:consecutive\s+)?(?:有效)?(?:股票)?(?:交易)?\s*(?:日|天|(?:trading|stock)?[\s-]*(?:days?|d)\b)/gi
const percent = /([+＋\-－−])?\s*(\d+(?:\.\d+)?)\s*(?:[%％]|percent)/gi
const upWords = /涨|上升|\b(?:up|ris\w*|gain\w*|above)\b/i
const downWords = /跌|下降|\b(?:down|fall\w*|drop\w*|declin\w*|loss\w*|below)\b/i
const chineseDigits = '零一二三四五六七八九'

/** A number below 100 in Chinese or Arabic digits: 十 10, 二十 20, 三十五 35. NaN for any other text. */
function countOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const parts = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text.replace('两', '二'))
  if (!parts) return Number.NaN
  const [, first, ten, last] = parts
  const digit = (one: string | undefined): number => (one === undefined ? 0 : chineseDigits.indexOf(one))
  if (ten !== undefined) return (first === undefined ? 1 : digit(first)) * 10 + digit(last)
  return first !== undefined && last !== undefined ? Number.NaN : digit(first) + digit(last)
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}

/**
 * Window, direction and threshold of a rule in Chinese or English words. Undefined when one of them is missing, when
 * one is named twice, or when the sign of the threshold and the direction in words contradict each other.
 */
export function parseRule(text: string): ParsedRule | undefined {
  const days = only([...new Set(Array.from(text.matchAll(windowWords), ([, n = '']) => countOf(n)))])
  const size = only(Array.from(text.matchAll(percent)))
  if (days === undefined || !(days >= 1) || !size) return undefined
  const said = new Set<Direction>()
  if (upWords.test(text.replace(/涨跌/g, ''))) said.add('up')
  if (downWords.test(text.replace(/涨跌/g, ''))) said.add('down')
  if (size[1] !== undefined) said.add(/[+＋]/.test(size[1]) ? 'up' : 'down')
  const direction = only([...said])
  const amount = Number(size[2])
  if (direction === undefined || amount === 0) return undefined
  return { days, direction, threshold: direction === 'up' ? amount : -amount }
}
