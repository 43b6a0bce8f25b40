import type { CodeKind } from './dataset.js'
import { type Exchange, exchangeOf } from './symbol.js'

/** What programs call the exchanges, before a code or behind it. */
const exchanges: Readonly<Record<Exchange, string>> = {
  SH: 'SH SS SHA SSE SHSE XSHG',
  SZ: 'SZ SHE SZSE XSHE',
  BJ: 'BJ BSE BJSE XBSE',
  HK: 'HK SEHK HKEX XHKG',
}
const exchangeNamed = new Map(
  Object.entries(exchanges).flatMap(([own, names]) => names.split(' ').map((name) => [name, own as Exchange] as const)),
)
const names = [...exchangeNamed.keys()].join('|')
const before = new RegExp(`^(${names})[.:#_-]?(\\d{1,6})$`)
const behind = new RegExp(`^(\\d{1,6})[.:#_-]?(${names})$`)
/** Codes of six digits that are no listing of an exchange: funds over the counter, indices and bonds of their publishers. */
const otherMarkets = /^\d{6}\.(OF|CSI|CNI|SI|TI|WI|MI|EI|IB|NQ)$/i

/** Numbers of which one kind of instrument is, and its exchange. */
const numbering: readonly (readonly [CodeKind, RegExp, Exchange])[] = [
  ['stock', /^(60|68[89]|900)\d+$/, 'SH'],
  ['stock', /^(00[0-4]|30[0-3]|20[01])\d{3}$/, 'SZ'],
  ['stock', /^(92|83|87|43)\d{4}$/, 'BJ'],
  ['fund', /^5[0-8]\d{4}$/, 'SH'],
  ['fund', /^1[568]\d{4}$/, 'SZ'],
  ['bond', /^(11[0138]|132)\d{3}$/, 'SH'],
  ['bond', /^12[378]\d{3}$/, 'SZ'],
  ['index', /^000\d{3}$/, 'SH'],
  ['index', /^399\d{3}$/, 'SZ'],
  ['index', /^899\d{3}$/, 'BJ'],
  ['hk', /^\d{5}$/, 'HK'],
]

/** The exchange of a bare code if its number leaves no doubt: 000001 is a share of Shenzhen, and an index of Shanghai. */
function exchangeOfNumber(bare: string, instruments: CodeKind | undefined): Exchange | undefined {
  const fitting = numbering.filter(([kind, number]) => (instruments ?? kind) === kind && number.test(bare))
  return fitting.length === 1 ? fitting[0]?.[2] : undefined
}

/** Which kinds of instruments have a number; none where it leaves that open. */
export const kindsOfNumber = (bare: string): readonly CodeKind[] =>
  numbering.flatMap(([kind, number]) => (number.test(bare) ? kind : []))

/** What is known of a column of codes. */
export interface CodeColumn {
  readonly spelling?: 'full' | 'bare' | undefined
  readonly instruments?: CodeKind | undefined
  /** Digits that a short number had before its zeros were lost; absent: a short number tells nothing. */
  readonly digits?: number | undefined
}

/** Without what spreadsheets and programs put around a code: blanks, a quote mark, `="…"`. */
const unwrapped = (text: string): string =>
  text
    .trim()
    .replace(/^=?"([^"]*)"$/, '$1')
    .replace(/^'/, '')
    .trim()

/**
 * A code as any program writes it (`sh.600000`, `SH600000`, `600000.XSHG`, `'600000`), as a column spells it: `600000.SH` or `600000`; by
 * a column that has no spelling, with its exchange if the text has it. Codes of other markets are as they are. Undefined for what is no
 * code, and if the exchange can't be told, or contradicts the number.
 */
export function spelledCode(text: string, { spelling, instruments, digits = 0 }: CodeColumn): string | undefined {
  const plain = unwrapped(text)
  const upper = plain.toUpperCase()
  const [, first, number1] = before.exec(upper) ?? []
  const [, number2, last] = behind.exec(upper) ?? []
  const given = exchangeNamed.get(first ?? last ?? '')
  const number = number1 ?? number2 ?? (/^\d{1,6}$/.test(upper) ? upper : undefined)
  if (number === undefined) {
    const isOther = otherMarkets.test(plain) || /^(?!\d{6}\.)[\w-]+\.[a-z]+$/i.test(plain)
    if (spelling === 'full') return isOther && !exchangeNamed.has(upper.replace(/^.*\./, '')) ? plain : undefined
    return spelling === undefined || /^[\w-]+$/.test(plain) ? plain : undefined
  }
  const bare = given === 'HK' ? number.replace(/^0+/, '').padStart(5, '0') : number.padStart(digits, '0')
  if (bare.length < (given && given !== 'HK' ? 6 : 5)) return undefined
  const own = exchangeOfNumber(bare, instruments)
  if (spelling === 'full') return (given ?? own) && `${bare}.${given ?? own}`
  const byNumber = own ?? exchangeOf(bare)
  if (spelling === 'bare') return given && byNumber && given !== byNumber ? undefined : bare
  return given ? `${bare}.${given}` : bare
}
