import { chineseUnits } from '../../contract/labels.js'
import type { Say } from './report-language.js'

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
