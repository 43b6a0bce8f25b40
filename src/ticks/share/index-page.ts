import { isDate } from '../../contract/date.js'
import { dayOfTickFile } from './names.js'
import type { ListedFile } from './share.js'

/** Bounded, so that no page is slow to read. */
const link = /<a\s[^<>]{0,1000}?\bhref\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'<>]{1,2000}))/gi
const name = /(?<![\w.%-])(\d{8})_aucde\.parquet(?![\w.%-])/g

/** References that an address in a page has use for. */
function unescaped(text: string): string {
  return text
    .replace(/&#(\d{1,7});/g, (_, code) => safeCharacter(Number(code)))
    .replace(/&#x([\da-f]{1,6});/gi, (_, code) => safeCharacter(Number.parseInt(code, 16)))
    .replaceAll('&amp;', '&')
}

function safeCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** What a link to one of our files has in it, however it is written. */
const hint = /aucde|[%&]/

/** The day of the file that a link of a page leads to, if it lies in the folder of the page. */
function dayOfLink(href: string, page: URL): string | undefined {
  if (!hint.test(href)) return undefined
  try {
    const target = new URL(unescaped(href), page)
    const folder = page.pathname.slice(0, page.pathname.lastIndexOf('/') + 1)
    const last = target.pathname.lastIndexOf('/') + 1
    if (target.origin !== page.origin || target.pathname.slice(0, last) !== folder) return undefined
    return dayOfTickFile(decodeURIComponent(target.pathname.slice(last)))
  } catch {
    return undefined
  }
}

/** Days of names of the one form that the contract has, wherever in a text that has no links. */
function daysInText(text: string): string[] {
  return [...text.matchAll(name)].map(([, day = '']) => day).filter(isDate)
}

/**
 * The tick files that the index page of a folder links to, or that a plain list names, ascending by day. Sizes and dates are
 * rounded there, in zones that nobody tells: they are not taken.
 * @param address of the page
 */
export function parseIndexPage(text: string, address: string): readonly ListedFile[] {
  const page = new URL(address)
  const links = [...text.matchAll(link)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const days = links.length > 0 ? links.flatMap((href) => dayOfLink(href, page) ?? []) : daysInText(text)
  return [...new Set(days)].sort().map((day) => ({ day }))
}
