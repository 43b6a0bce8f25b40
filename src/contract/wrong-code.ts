import { kindsOfNumber, spelledCode } from './code-spelling.js'
import type { CodeKind } from './dataset.js'
import { editsBetween } from './nearest.js'
import { sentence, type Words } from './sentence.js'
import { exchangeOf, parseCode } from './symbol.js'

const kindWords: Readonly<Record<CodeKind, Words>> = {
  stock: sentence`it is the code of a stock`,
  bond: sentence`it is the code of a bond`,
  fund: sentence`it is the code of a fund`,
  index: sentence`it is the code of an index`,
  hk: sentence`it is the code of a Hong Kong stock`,
}

const most = 5

/** Codes that are a digit away. */
export function nearCodes(code: string, all: readonly string[]): readonly string[] {
  const { bare } = parseCode(code)
  return all.filter((one) => editsBetween(bare, parseCode(one).bare) === 1).slice(0, most)
}

/** What a code can't be, and what was probably meant. */
export interface WrongCode {
  readonly why: Words
  readonly meant?: string | undefined
}

/** Why a text is no code of a kind, by its form and number alone; undefined if it may be one. Indices have codes of any publisher. */
export function wrongCode(text: string, kind: CodeKind): WrongCode | undefined {
  const { bare, exchange } = parseCode(text)
  const digits = kind === 'hk' ? 5 : 6
  if (!/^\d+$/.test(bare)) {
    const written = spelledCode(text, { spelling: 'full', instruments: kind })
    const number = written && parseCode(written).bare
    if (number === undefined || !/^\d+$/.test(number)) return undefined
    const own = kind === 'index' || kind === 'hk' ? undefined : exchangeOf(number)
    return { why: sentence`a code is written as ${number}.SH`, meant: own ? `${number}.${own}` : written }
  }
  if (bare.length !== digits) return { why: sentence`it has ${bare.length} digits, not ${digits}` }
  if (kind === 'index' || kind === 'hk') return undefined
  const [kinds, own] = [kindsOfNumber(bare), exchangeOf(bare)]
  if (exchange && own && exchange !== own)
    return {
      why: sentence`its number is of ${own}, not of ${exchange}`,
      meant: kinds.includes(kind) ? `${bare}.${own}` : undefined,
    }
  const [other] = kinds
  return other && !kinds.includes(kind) ? { why: kindWords[other] } : undefined
}
