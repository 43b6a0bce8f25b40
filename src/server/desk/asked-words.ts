import { isDate } from '../../contract/date.js'
import { type DeskVisit, sameHref } from './desk-visit.js'
import { wrongName } from './refused-page.js'

/** A word of the address that must be one of some, or the usual one. @throws NoPageError 400 with the nearest */
export function askedWord<T extends string, U extends T | undefined>(
  visit: DeskVisit,
  key: string,
  { names, usual, what = key }: { readonly names: readonly T[]; readonly usual: U; readonly what?: string },
): T | U {
  const word = visit.asked.get(key)
  if (word === null) return usual
  const found = names.find((one) => one === word)
  if (found !== undefined) return found
  throw wrongName(visit, 400, { what, word, names, hrefOf: (name) => sameHref(visit, { [key]: name }) })
}

/** The day of the address, with or without hyphens; undefined if it has none. @throws NoPageError 400 */
export function askedDay(visit: DeskVisit, latest: string): string | undefined {
  const word = visit.asked.get('day')?.replaceAll('-', '')
  if (word === undefined || isDate(word)) return word
  const hrefOf = (day: string): string => sameHref(visit, { day })
  throw wrongName(visit, 400, { what: visit.say('day'), word, names: [latest], hrefOf })
}
