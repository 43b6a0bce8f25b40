import type { Dataset } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { type HttpHeaders, nextLinkOf } from '../transport/http-headers.js'

/** What a reply says of itself beside its rows. */
interface Said {
  readonly rows: number
  /** Members of `data` beside the rows. */
  readonly beside: Readonly<Record<string, unknown>>
  /** Members beside `code`, `message` and `data`. */
  readonly outer: Readonly<Record<string, unknown>>
  readonly headers: HttpHeaders
}

/** Names that speak of how a service may be asked. */
const aside = /limit|rate|quota|cache|request|retry|per_page|page_size|max|byte|length|time|version|cost/
const saysMore =
  /^(more|has_(more|next)(_(page|data|rows))?|more_\w+|(is_)?(truncated|partial|incomplete|cut|capped|clipped))$/
const saysEnd = /^(is_)?(complete|completed|finished|last|last_page|end|eof|final|whole)$/
const pointsOn =
  /^(next|cursor|scroll_id|page_token|continuation(_token)?|next_(page|cursor|token|offset|url|link|page_token))$/
const countsRows =
  /^((total|count|matched|hits)(_|$)|num(ber)?_|n_(rows|records))|_(total|count|rows|records|matched|hits)$/
const countsPages = /^(total_pages|page_count|pages|num_pages)$/
const countsLeft =
  /^(remaining|left|omitted|dropped|skipped)(_(rows|records|items|count))?$|^(rows|records|items)_(remaining|left|omitted|dropped|skipped)$/

/** `hasMore` and `X-Has-More` are `has_more`. */
function plainName(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
    .replace(/^x_/, '')
}

function numberIn(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)) ? Number(value) : 0
}

/** Whether a member says that there are more rows than so many. */
function isWord(name: string, value: unknown, rows: number): boolean {
  const text = String(value).toLowerCase()
  if (saysMore.test(name)) return ['true', '1', 'yes'].includes(text)
  if (saysEnd.test(name)) return text === 'false' || text === 'no'
  if (aside.test(name)) return false
  if (pointsOn.test(name)) {
    return typeof value === 'string' ? !['', '0', '-1', 'null', 'none', 'end'].includes(text) : numberIn(value) > 0
  }
  if (countsPages.test(name)) return numberIn(value) > 1
  if (countsLeft.test(name)) return numberIn(value) > 0
  return countsRows.test(name) && numberIn(value) > rows
}

const deepest = 3

/** The member by which an object says that there is more than so many rows. @param known names that are compared elsewhere */
export function wordIn(
  members: Readonly<Record<string, unknown>>,
  rows: number,
  known: readonly string[] = [],
  depth = 0,
): Words | undefined {
  for (const [name, value] of Object.entries(members)) {
    if (known.includes(name)) continue
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < deepest) {
      const found = wordIn(value as Readonly<Record<string, unknown>>, rows, [], depth + 1)
      if (found !== undefined) return sentence`${name}.${found}`
    }
    if (isWord(plainName(name), value, rows)) return sentence`${name} ${String(value)}`
  }
  return undefined
}

/** The header by which an answer says that there is more than so many rows. */
export function wordInHeaders(headers: HttpHeaders, rows: number): Words | undefined {
  for (const [name, sent] of Object.entries(headers)) {
    const value = String(typeof sent === 'object' ? sent[0] : sent).trim()
    const range = name === 'content-range' ? /(\d+)$/.exec(value)?.[1] : undefined
    const isNext = name === 'link' && nextLinkOf(headers) !== undefined
    const isOwn = name.startsWith('x-') && isWord(plainName(name), value, rows)
    if (isNext || isOwn || numberIn(range) > rows) return sentence`${name}: ${value}`
  }
  return undefined
}

/** Members of `data` that the contract has, and that are compared with the rows elsewhere. */
const ofContract: Readonly<Record<Dataset['limit']['kind'], readonly string[]>> = {
  none: [],
  cap: [],
  page: ['limit', 'offset', 'total'],
  newest: ['limit', 'view', 'count'],
}

/**
 * The member or header by which a reply says that there are more rows than it holds; undefined where nothing says so. Of a
 * page that is not the last one by its `total` that is no news.
 */
export function wordOfMore({ shape, limit }: Dataset, { rows, beside, outer, headers }: Said): Words | undefined {
  if (shape === 'object') return undefined
  const isPage = limit.kind === 'page'
  const end = isPage ? rows + numberIn(beside.offset) : rows
  if (isPage && end < numberIn(beside.total)) return undefined
  return wordIn(beside, end, ofContract[limit.kind]) ?? wordIn(outer, end, []) ?? wordInHeaders(headers, end)
}
