import { chineseUnits } from '../../contract/labels.js'
import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'
import { fixed, formatSigned } from './format-number.js'

/** Sentences one behind the other: Chinese has no blanks between them. */
export function sentences(say: Say, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(say(' '))
}

function money(unit: string, power: number, digits: number) {
  const write = (value: number | undefined): string => fixed(value, digits, power)
  const signed = (value: number | undefined): string => formatSigned(value, digits, power)
  return { unit, power, digits, write, signed }
}

/** How large amounts are written: in billions in English, in 亿 in Chinese. */
export function moneyIn(currency: string, say: Say) {
  const unit = currency === 'yuan' ? say('CNY bn') : say('HKD bn')
  return say.language === 'zh' ? money(unit, 8, 2) : money(unit, 9, 3)
}

/**
 * One unit for a column of amounts of yuan, the largest in which none is written as nothing; undefined where that is none of the large ones.
 * @param isFilled whether the largest amount must fill the unit too
 */
export function moneyFor(amounts: ArrayLike<number>, say: Say, isFilled = false) {
  const sizes = Array.from(amounts, Math.abs).filter((one) => one > 0)
  const least = sizes.reduce((low, one) => Math.min(low, one), Infinity)
  const most = sizes.reduce((top, one) => Math.max(top, one), 0)
  const [power, digits] = say.language === 'zh' ? [4, 2] : [6, 3]
  return [moneyIn('yuan', say), money(say('CNY m'), power, digits)].find(
    (unit) => /[1-9]/.test(unit.write(least)) && (!isFilled || most >= 10 ** unit.power),
  )
}

/** In the order of texts, by their code units. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A unit of the contract in the language of the page. */
export function unitIn(unit: string, { language }: Say): string {
  return language === 'zh' ? (chineseUnits[unit] ?? unit) : unit
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
