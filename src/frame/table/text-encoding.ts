import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { TextEncoding } from '../../contract/text-encodings.js'

/** Text in UTF-8, and what it was. */
export interface DecodedText {
  readonly bytes: Buffer
  readonly encoding: 'UTF-8' | 'GB18030' | 'UTF-16'
  /** Valid UTF-8 that was read as GB18030, because its words are words there. */
  readonly isBoth?: true
}

const marks = '[\u0300-\u030c\u0323\u0327\u0328]'
const scripts =
  'Arab Beng Cher Deva Ethi Geor Gujr Guru Hang Khmr Knda Laoo Mlym Mong Mymr Orya Sinh Taml Telu Thai Tibt'
/** Words in the letters that people write; of letters of two scripts none is. */
const words: readonly RegExp[] = [
  ...['A-Za-zÀ-ÖØ-öø-ſƏəƠơƯưȘ-ț\u1e00-\u1eff', 'Ѐ-џҐ-ғҚқҢңҮ-ұҺһӘәӨө'].map((letters) => `([${letters}]${marks}*)+`),
  `([ΆΈ-ΊΌΎ-ΡΣ-ώ\u1f00-\u1fff]${marks}*)+[a-z]*`,
  ...['Ա-Ֆա-և', 'א-ת', ...scripts.split(' ').map((script) => `\\p{sc=${script}}`)].map((letters) => `[${letters}]+`),
].map((source) => new RegExp(`^(${source})$`, 'u'))

const han = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\uff21-\uff5a'
const token = new RegExp(`[${han}]+|((?![${han}ªµº])[\\p{L}\\p{M}])+|[^\\0-\\x7f]`, 'gu')
const neutral = /^(?!\ufffd)[\p{P}\p{Sc}\p{Sm}\p{So}\p{Z}\p{N}\p{Cf}ªµº¨¯´¸]$/u
const isHan = new RegExp(`^[${han}]`, 'u')
/** Three letters of one case, a name, Han, or a Greek letter by itself: two or three Han characters in GBK hardly ever make these. */
const surely = /\p{Lu}{3}|\p{Lu}?\p{Ll}{3}|\p{Lu}\p{Ll}{2}|\p{Lo}{3}|\p{sc=Han}|(?<![^\0-\x7f])[Α-Ωα-ω](?![^\0-\x7f])/u

let common: ReadonlySet<string> | undefined

/** The Han characters of GB2312, and the common ones of Big5, by the order of their bytes. */
function commonHan(): ReadonlySet<string> {
  const decoded = (encoding: string, first: number, rows: number, from: number): string => {
    const cells = 0xff - from
    const byteAt = (at: number): number =>
      at % 2 === 0 ? first + Math.floor(at / 2 / cells) : from + ((at >> 1) % cells)
    return new TextDecoder(encoding).decode(Uint8Array.from({ length: 2 * rows * cells }, (_, at) => byteAt(at)))
  }
  common ??= new Set(decoded('gb18030', 0xb0, 72, 0xa1) + decoded('big5', 0xa4, 35, 0x40))
  return common
}

/** How likely each character that is not ASCII is in text of UTF-8, from 0 to 1. */
function* likelyInUtf8(text: string): Generator<number> {
  for (const [part] of text.matchAll(token)) {
    const others = Array.from(part).filter((one) => one > '\x7f')
    if (others.length === 0 || neutral.test(part)) continue
    const isWord = isHan.test(part) || words.some((one) => one.test(part))
    for (const one of others) yield !isWord ? 0 : /\p{sc=Han}/u.test(one) && !commonHan().has(one) ? 0.7 : 1
  }
}

/** The same in text of GBK: common ones come before 0xd8, rarer ones behind, rare ones without 0xa1, and 〔 or Ａ in any text. */
function* likelyInGbk(bytes: Uint8Array): Generator<number> {
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    const trail = bytes[++at] ?? 0
    const isPlain = trail >= 0xa1
    if (isPlain && (lead === 0xa1 || lead === 0xa3)) continue
    if (isPlain && lead >= 0xb0 && lead <= 0xf7) yield lead <= 0xd7 ? 1 : 0.6
    else yield trail < 0x40 ? 0 : 0.1
  }
}

const mean = (each: readonly number[]): number => each.reduce((sum, one) => sum + one, 0) / (each.length || 1)

const chunk = 65_536
/** Bytes that are looked at, and bytes of different words that are enough. */
const most = { bytes: 2 ** 20, words: 8_192 }

/** Words that are not ASCII, once each, from the beginning on; no byte below `@` but a digit is part of a GB18030 character. */
function differentWords(bytes: Buffer): ReadonlySet<string> {
  const found = new Set<string>()
  let [seen, size] = [0, 0]
  for (let at = 0, end = 0; at < bytes.length && seen < most.bytes && size < most.words; at = end) {
    end = Math.min(at + chunk, bytes.length)
    while (end < bytes.length && (bytes[end] as number) >= 0x2d) end++
    const part = bytes.subarray(at, end)
    if (isAscii(part)) continue
    seen += part.length
    for (const [word] of part.toString('latin1').matchAll(/[^\0-/:-?]*[\x80-\xff][^\0-/:-?]*/g)) {
      if (!found.has(word)) size += word.length
      found.add(word)
    }
  }
  return found
}

/**
 * What text is likelier to be by its words: letters of one script, and Han characters that are common. Undefined if both are likely,
 * or neither: 专注 in GBK is the Hebrew רע.
 */
function likelier(bytes: Buffer): TextEncoding | undefined {
  const own = Array.from(differentWords(bytes), (word) => Buffer.from(word, 'latin1'))
  const texts = own.map(String)
  const each = texts.flatMap((text) => [...likelyInUtf8(text)])
  const [utf8, gbk] = [mean(each), mean(own.flatMap((word) => [...likelyInGbk(word)]))]
  const isSure = gbk < 0.9 || texts.some((text) => surely.test(text))
  if (each.length === 0 || utf8 - gbk >= 0.3 || (utf8 >= 0.9 && isSure)) return 'utf8'
  return gbk >= 0.6 && gbk - utf8 >= 0.3 ? 'gbk' : undefined
}

const stated = sentence`state its encoding: gbk or utf8 (--encoding)`

function fromGb18030(bytes: Buffer): Buffer | undefined {
  try {
    return Buffer.from(new TextDecoder('gb18030', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The first word that two readings differ in, in both. */
function example(bytes: Buffer): Words {
  const [word = ''] = differentWords(bytes)
  const own = Buffer.from(word, 'latin1').subarray(0, 40)
  return sentence`${own.toString()} in UTF-8 is ${new TextDecoder('gb18030').decode(own)} in GBK`
}

/**
 * Decodes text of UTF-8, GB18030 (GBK, GB2312) or, with its mark, UTF-16. GBK that is valid UTF-8 too, as 平煤转债 is, is read as what its
 * words are words in.
 * @param what what an error calls it
 * @throws QuotebookError INVALID_VALUE for what is none of them, is not of the stated encoding, or may be two of them
 */
export function decodeText(given: Uint8Array, what: Words, encoding?: TextEncoding): DecodedText {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const refuse = (why: Words): never => {
    throw new QuotebookError('INVALID_VALUE', sentence`${what} ${why}`)
  }
  const isValid = isUtf8(bytes)
  const start = bytes.toString('latin1', 0, 3)
  const isUtf16 = start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')
  if (isUtf16 && encoding === undefined) {
    const text = new TextDecoder(start.startsWith('\xff') ? 'utf-16le' : 'utf-16be').decode(bytes)
    return { bytes: Buffer.from(text), encoding: 'UTF-16' }
  }
  if (encoding === 'utf8' && !isValid) return refuse(sentence`is not UTF-8 text`)
  if (isAscii(bytes) || (isValid && (encoding === 'utf8' || start === '\xef\xbb\xbf')))
    return { bytes, encoding: 'UTF-8' }
  const likely = encoding ?? likelier(bytes)
  if (isValid && likely === 'utf8') return { bytes, encoding: 'UTF-8' }
  const text = fromGb18030(bytes)
  if (!text && isValid && !encoding) return { bytes, encoding: 'UTF-8' }
  if (!text) return refuse(sentence`is not UTF-8, nor GB18030 (GBK) text`)
  if (likely === 'utf8') return refuse(sentence`is UTF-8 text with bytes that are not; ${stated}`)
  if (isValid && !likely) return refuse(sentence`may be UTF-8 or GBK: ${example(bytes)}; ${stated}`)
  return { bytes: text, encoding: 'GB18030', ...(isValid && !encoding && { isBoth: true as const }) }
}
