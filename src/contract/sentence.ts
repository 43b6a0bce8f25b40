/** What a fact is about: names, codes, days, numbers, or facts themselves. */
export type Values = Readonly<Record<string, unknown>>

/** What people read: a text as it is (a name, what others wrote), or a fact, which a view renders in its language. */
export type Words = string | Fact

/** The same in every copy of this file: the library that a strategy imports is not the one that the command was built from. */
const brand = Symbol.for('quotebook.fact')

/** Replaces the places `{name}` of a template. */
export function fill(template: string, values: Values, text: (value: unknown, name: string) => string): string {
  return template.replace(/\{(\w+)\}/g, (hole, name: string) =>
    Object.hasOwn(values, name) ? text(values[name], name) : hole,
  )
}

/**
 * What Quotebook knows and people read: a template, its values and, if code asks for it, a stable code. As a text it is
 * English (`String(fact)`, and in JSON); `wordsIn` renders it in a language. Ask the code and the values, never the text.
 */
export class Fact extends String {
  readonly template: string
  readonly values: Values
  readonly code?: string
  constructor(template: string, values: Values = {}, code?: string) {
    super(fill(template, values, String))
    this.template = template
    this.values = values
    if (code !== undefined) this.code = code
    Object.defineProperty(this, brand, { value: true })
  }
  /** As it is logged. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return String(this)
  }
}

export function isFact(value: unknown): value is Fact {
  return typeof value === 'object' && value !== null && brand in value
}

/** A fact with a stable code: `fact('HIGH_BELOW_LOW', 'high {high} is below low {low}', { high, low })`. */
export function fact(code: string, template: string, values: Values = {}): Fact {
  return new Fact(template, values, code)
}

const templates = new WeakMap<TemplateStringsArray, string>()

/** A fact without a code, whose values are `{1}`, `{2}` … of its template: an error, a note, a caption. */
export function sentence(texts: TemplateStringsArray, ...given: readonly unknown[]): Fact {
  let template = templates.get(texts)
  if (template === undefined) {
    template = texts.reduce((sum, text, i) => `${sum}{${i}}${text}`)
    templates.set(texts, template)
  }
  return new Fact(template, Object.fromEntries(given.map((value, i) => [i + 1, value])))
}

/** Several in a row between the same words; one alone is itself. */
function row(items: readonly unknown[], join: (all: Words, one: unknown) => Fact): Words {
  const [first = '', ...others] = items
  return others.reduce<Words>(join, isFact(first) ? first : String(first))
}

/** Several in a row, of which one is meant. */
export const anyOf = (items: readonly unknown[]): Words => row(items, (all, one) => sentence`${all} or ${one}`)

/** Several in a row, all of which are meant. */
export const allOf = (items: readonly unknown[]): Words => row(items, (all, one) => sentence`${all} and ${one}`)

/** Several in a row, with commas. */
export const eachOf = (items: readonly unknown[]): Words => row(items, (all, one) => sentence`${all}, ${one}`)

/** Several that stand by themselves, with semicolons. */
export const listOf = (items: readonly unknown[]): Words => row(items, (all, one) => sentence`${all}; ${one}`)

/** `1 row`, `12 rows`: in Chinese the number alone, since the template has the measure word. @param text of the number */
export function counted(count: number, noun: string, text = String(count), plural = `${noun}s`): Fact {
  return fact('COUNT', `{count} ${count === 1 ? noun : plural}`, { count: text })
}

/** Words that read alike once. */
export const unlike = (items: readonly Words[]): Words[] => [
  ...new Map(items.map((one) => [String(one), one])).values(),
]

/** A fact as a message to a thread, or JSON, carries it. */
export type SentWords =
  | string
  | { readonly template: string; readonly values: Values; readonly code?: string | undefined }

function mapValues(values: Values, change: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

export function sent(words: Words): SentWords {
  if (!isFact(words)) return words
  const { template, values, code } = words
  return { template, code, values: mapValues(values, (value) => (isFact(value) ? sent(value) : String(value))) }
}

/** What `sent` made, as it was, each text in it changed. */
export function received(words: SentWords, change: (text: string) => string = (text) => text): Words {
  if (typeof words === 'string') return change(words)
  const { template, values, code } = words
  return new Fact(
    template,
    mapValues(values, (value) => received(value as SentWords, change)),
    code,
  )
}
