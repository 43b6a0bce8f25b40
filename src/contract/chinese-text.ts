import readLocale from '#locale'

let read: Readonly<Record<string, string>> | undefined
let reasons: readonly (readonly [english: string, chinese: string])[] | undefined

/** The Chinese of all templates; the file is read when Chinese is asked for first. */
const texts = (): Readonly<Record<string, string>> => (read ??= readLocale())

/** The Chinese of a template; undefined if it has none. */
export function chineseText(template: string): string | undefined {
  return Object.hasOwn(texts(), template) ? texts()[template] : undefined
}

/** What the system says, which errors quote, and its Chinese. */
export function systemReasons(): readonly (readonly [english: string, chinese: string])[] {
  reasons ??= Object.entries(texts()).flatMap(([key, chinese]) =>
    key.endsWith(' @SYSTEM') ? [[key.replace(/ @SYSTEM$/, ''), chinese] as const] : [],
  )
  return reasons
}
