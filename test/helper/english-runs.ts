/** Two words and more that are names: of commands, of a person. */
const names = ['quotebook sample', 'quotebook check', 'quotebook datasets', 'ez de Prado', '--format json']

/** English words in a row, one blank between them, that are no such name. */
export function englishRuns(text: string): readonly string[] {
  const bare = names.reduce((rest, name) => rest.replaceAll(name, ''), text)
  return bare.match(/[A-Za-z]{2,}(?: [a-z]{2,})+/g) ?? []
}

/** What a page says to those who see it and to those who hear it, without its code. */
export function pageWords(page: string): string {
  const shown = page.replace(/<(style|code)\b[\s\S]*?<\/\1>|<meta[^>]*>/g, '')
  const heard = [...shown.matchAll(/(?:aria-label|title|alt)="([^"]*)"/g)].map(([, text]) => text)
  return `${shown.replace(/<[^>]*>/g, '\n')}\n${heard.join('\n')}`
}
