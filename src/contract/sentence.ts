/** What a sentence was made of: its template, with `{1}`, `{2}` … for its values, and those as text. */
export interface SentenceParts {
  readonly template: string
  readonly values: readonly string[]
  /** Those of its values that are sentences themselves, by their text. */
  readonly within: Readonly<Record<string, SentenceParts>>
}

/** Chinese by template. Values stand in the order that Chinese wants: `{2} 中没有 {1}`. */
export type Chinese = Readonly<Record<string, string>>

interface Kept {
  readonly template: string
  readonly values: readonly string[]
}

/** Of every copy of this file: the library that a strategy imports is not the one that the command was built from. */
const shared = globalThis as { [key: symbol]: Map<string, Kept> | undefined }
const key = Symbol.for('quotebook.sentences')
shared[key] ??= new Map()
const kept = shared[key] as Map<string, Kept>

/** Sentences that are remembered, the latest. */
const most = 10_000

const templates = new WeakMap<TemplateStringsArray, string>()

function templateOf(texts: TemplateStringsArray): string {
  let template = templates.get(texts)
  if (template === undefined) {
    template = texts.reduce((sum, text, i) => `${sum}{${i}}${text}`)
    templates.set(texts, template)
  }
  return template
}

function fill(template: string, values: readonly string[]): string {
  return template.replace(/\{(\d+)\}/g, (hole, place: string) => values[Number(place) - 1] ?? hole)
}

function keep(text: string, template: string, values: readonly string[]): void {
  // A sentence that is one of its own values would be looked up for ever.
  if (values.length === 0 || values.includes(text)) return
  kept.delete(text)
  kept.set(text, { template, values })
  if (kept.size > most) kept.delete(kept.keys().next().value as string)
}

/**
 * A sentence for people, in English: a text like any other. Template and values are remembered apart, so that `inChinese` can say
 * the same: for errors and notes that the command and the pages show. Values may be sentences themselves.
 */
export function sentence(texts: TemplateStringsArray, ...given: readonly unknown[]): string {
  const [template, values] = [templateOf(texts), given.map(String)]
  const text = fill(template, values)
  keep(text, template, values)
  return text
}

/** Several in a row, of which one is meant. */
export function anyOf(items: readonly unknown[]): string {
  return items.slice(1).reduce<string>((all, one) => sentence`${all} or ${one}`, String(items[0] ?? ''))
}

/** Several in a row, all of which are meant. */
export function allOf(items: readonly unknown[]): string {
  return items.slice(1).reduce<string>((all, one) => sentence`${all} and ${one}`, String(items[0] ?? ''))
}

/** Several in a row, with commas. */
export function eachOf(items: readonly unknown[]): string {
  return items.slice(1).reduce<string>((all, one) => sentence`${all}, ${one}`, String(items[0] ?? ''))
}

/** What a text was made of, to go with it to another thread or process; undefined for one that is no sentence. */
export function sentenceParts(text: string): SentenceParts | undefined {
  const found = kept.get(text)
  if (!found) return undefined
  const within = found.values.flatMap((value) => {
    const parts = sentenceParts(value)
    return parts ? [[value, parts] as const] : []
  })
  return { ...found, within: Object.fromEntries(within) }
}

/** Remembers a sentence of another thread or process. */
export function keepSentence(text: string, parts: SentenceParts | undefined): void {
  if (!parts) return
  for (const [value, own] of Object.entries(parts.within)) keepSentence(value, own)
  keep(text, parts.template, parts.values)
}

const isWide = (sign: string | undefined): boolean => sign !== undefined && /[\u2e80-\u9fff\uff00-\uffef]/.test(sign)

/** The same in Chinese, where a blank parts Chinese from what is none, and no two Chinese signs. */
function fillWide(template: string, values: readonly string[]): string {
  return template.split(/(\{\d+\})/).reduce((said, part) => {
    const text = fill(part, values)
    if (said.endsWith(' ') && isWide(said.at(-2)) && isWide(text[0])) return said.slice(0, -1) + text
    return said + (text.startsWith(' ') && isWide(said.at(-1)) && isWide(text[1]) ? text.slice(1) : text)
  }, '')
}

/** A sentence, or several between semicolons, in Chinese as far as it is known; any other text as it is. */
export function inChinese(text: string, chinese: Chinese): string {
  const found = kept.get(text)
  if (found) {
    // What stands in quotes is a name, also where it is a word that Chinese has.
    const values = found.values.map((value, i) =>
      found.template.includes(`'{${i + 1}}'`) ? value : inChinese(value, chinese),
    )
    return fillWide(chinese[found.template] ?? found.template, values)
  }
  const known = Object.hasOwn(chinese, text) ? chinese[text] : undefined
  if (known !== undefined) return known
  const parts = text.split('; ')
  if (parts.length === 1) return text
  const said = parts.map((part) => inChinese(part, chinese))
  return said.join(said.some((one, i) => one !== parts[i]) ? '；' : '; ')
}
