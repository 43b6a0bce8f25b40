import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { parseCode } from '../../contract/symbol.js'
import type { DateInterval } from './box.js'

/** A list in as few groups of at most `most` as will do, all of nearly the same size. */
export function evenGroups<T>(list: readonly T[], most: number): (readonly T[])[] {
  const count = Math.max(1, Math.ceil(list.length / Math.max(1, most)))
  const bounds = Array.from({ length: count + 1 }, (_, i) => Math.round((i * list.length) / count))
  return Array.from({ length: count }, (_, i) => list.slice(bounds[i], bounds[i + 1]))
}

/** Codes once each, in one spelling, ascending; those that differ in nothing but the exchange stand side by side. */
export function distinctCodes(codes: readonly string[]): string[] {
  const named = codes.map((code) => {
    const { bare, exchange } = parseCode(code)
    return { bare, name: exchange === undefined ? bare : `${bare}.${exchange}` }
  })
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  named.sort((a, b) => order(a.bare, b.bare) || order(a.name, b.name))
  return [...new Set(named.map(({ name }) => name))]
}

/** Whether two neighbours may be answered by the same row: a code, and the same with its exchange. */
function isFamily(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && parseCode(a).bare === parseCode(b).bare
}

/** Where a list of codes is cut so that no two parts can be answered by the same row; at `at` or as little before it as will do. */
function cutBefore(codes: readonly string[], at: number): number {
  let cut = at
  while (cut > 0 && isFamily(codes[cut - 1], codes[cut])) cut--
  return cut
}

/** Groups of at most `most` codes, a family in one of them, all of nearly the same size. */
export function codeGroups(codes: readonly string[], most: number): (readonly string[])[] {
  const parts: (readonly string[])[] = []
  for (let from = 0; from < codes.length; ) {
    const left = Math.max(1, Math.ceil((codes.length - from) / Math.max(1, most)))
    const cut = cutBefore(codes, from + Math.ceil((codes.length - from) / left))
    const to = cut > from ? cut : afterFamily(codes, from)
    parts.push(codes.slice(from, to))
    from = to
  }
  return parts.length === 0 ? [[]] : parts
}

function afterFamily(codes: readonly string[], from: number): number {
  let to = from + 1
  while (isFamily(codes[to - 1], codes[to])) to++
  return to
}

/** Two parts of a list of codes that no row belongs to both of; undefined where there is one family only. */
export function splitCodes(codes: readonly string[]): readonly [readonly string[], readonly string[]] | undefined {
  const before = cutBefore(codes, Math.ceil(codes.length / 2))
  const cut = before > 0 ? before : afterFamily(codes, 0)
  return cut < codes.length ? [codes.slice(0, cut), codes.slice(cut)] : undefined
}

/** Consecutive intervals of at most `most` trading days each, which touch and together are the one given. */
export function splitInterval({ from, to, open }: DateInterval, most: number): DateInterval[] {
  const days = daysBetween(from, to)
  const parts = evenGroups(days, most)
  return parts.map((part, i) => {
    const isLast = i === parts.length - 1
    const first = i === 0 ? from : dateOf(dayNumber(String(parts[i - 1]?.at(-1))) + 1)
    if (isLast) return { from: first, to: to > first ? to : first, ...(open ? { open } : {}) }
    return { from: first, to: String(part.at(-1)) }
  })
}

/** How many codes and how many days a request takes so that the fewest requests keep every answer within `most` cells. */
export function requestShape(
  codes: number,
  days: number,
  most: number,
): { readonly codes: number; readonly days: number } {
  let best = { codes: Math.min(codes, most), days: 1, requests: Number.POSITIVE_INFINITY }
  for (let span = 1; span <= Math.min(days, most); span++) {
    const wide = Math.min(codes, Math.floor(most / span))
    const requests = Math.ceil(codes / wide) * Math.ceil(days / span)
    if (requests < best.requests) best = { codes: wide, days: span, requests }
  }
  return best
}
