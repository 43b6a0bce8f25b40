import { chineseUnits } from '../../contract/labels.js'
import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'

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
