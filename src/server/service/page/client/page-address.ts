import { type DatasetName, findDataset } from '../../../../contract/catalogue.js'
import { type Language, languages } from '../../../../contract/language.js'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the address says after `#`: the operation, and what was chosen by hand. */
export interface PageAddress {
  readonly name: DatasetName
  readonly language: Language | undefined
  readonly theme: Theme
}

const usual: DatasetName = 'etf_minute'

/** Reads `#etf_minute&lang=zh&theme=dark`; what it does not know counts as absent. */
export function parseHash(hash: string): PageAddress {
  const [name, ...rest] = hash.replace(/^#/, '').split('&')
  const given = new Map(rest.map((part) => part.split('=', 2) as [string, string]))
  return {
    name: (findDataset(name)?.name as DatasetName | undefined) ?? usual,
    language: languages.find((known) => known === given.get('lang')),
    theme: themes.find((known) => known === given.get('theme')) ?? 'auto',
  }
}

/** The inverse of `parseHash`. */
export function formatHash({ name, language, theme }: PageAddress): string {
  return `#${name}${language === undefined ? '' : `&lang=${language}`}${theme === 'auto' ? '' : `&theme=${theme}`}`
}
