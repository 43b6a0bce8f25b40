import { chineseUnits } from '../../contract/labels.js'
import type { Language } from '../../contract/language.js'

/** Chooses between the same thing in English and in Chinese: the words of the report stand in pairs, beside what they say. */
export type Say = <T>(en: T, zh: T) => T

export function sayIn(language: Language | undefined): Say {
  return (en, zh) => (language === 'zh' ? zh : en)
}

export const inEnglish: Say = sayIn('en')

export const languageOfSay = (say: Say): Language => say<Language>('en', 'zh')

/** A unit of the contract in the language of the page. */
export function unitIn(unit: string, say: Say): string {
  return say(unit, chineseUnits[unit] ?? unit)
}

/** What went into a page, by the name that its manifest has, in the language of the reader. */
export function inputIn(name: string, language: Language): string {
  if (language === 'en') return name
  return name
    .replace(/^auction ticks$/, '集合竞价快照')
    .replace(/, earlier days$/, '，此前各日')
    .replace(/^returns over (\d+)$/, '$1 期收益')
    .replace(/^score$/, '得分')
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
