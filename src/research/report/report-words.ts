import { chineseUnits } from '../../contract/labels.js'
import type { Language } from '../../contract/language.js'

/** Chooses between the same thing in English and in Chinese: the words of the report stand in pairs, beside what they say. */
export type Say = <T>(en: T, zh: T) => T

export function sayIn(language: Language | undefined): Say {
  return (en, zh) => (language === 'zh' ? zh : en)
}

export const inEnglish: Say = sayIn('en')

/** A unit of the contract in the language of the page. */
export function unitIn(unit: string, say: Say): string {
  return say(unit, chineseUnits[unit] ?? unit)
}

/** How large amounts are written: in billions in English, in 亿 in Chinese. */
export interface MoneyForm {
  readonly unit: string
  readonly power: number
  readonly digits: number
}

export function moneyIn(currency: string, say: Say): MoneyForm {
  const isYuan = currency === 'yuan'
  return say(
    { unit: isYuan ? 'CNY bn' : 'HKD bn', power: 9, digits: 3 },
    { unit: isYuan ? '亿元' : '亿港元', power: 8, digits: 2 },
  )
}
