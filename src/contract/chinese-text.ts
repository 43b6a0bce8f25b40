import readLocale from '#locale'

let texts: Readonly<Record<string, string>> | undefined

/** The Chinese of a template; undefined if it has none. The file is read when Chinese is asked for first. */
export function chineseText(template: string): string | undefined {
  texts ??= readLocale()
  return Object.hasOwn(texts, template) ? texts[template] : undefined
}
