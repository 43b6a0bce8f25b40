import type { Say } from '../../contract/say.js'

/** Sentences one behind the other: Chinese has no blanks between them. */
export function sentences(say: Say, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(say(' '))
}

/** How large amounts are written: in billions in English, in 亿 in Chinese. */
export interface MoneyForm {
  readonly unit: string
  readonly power: number
  readonly digits: number
}

export function moneyIn(currency: string, say: Say): MoneyForm {
  const unit = currency === 'yuan' ? say('CNY bn') : say('HKD bn')
  return say.language === 'zh' ? { unit, power: 8, digits: 2 } : { unit, power: 9, digits: 3 }
}
