import { type DatasetName, datasetNames } from '../../../contract/catalogue.js'
import { type Language, languages } from './words.js'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the address says after `#`: the operation, and what was chosen by hand. */
export interface Place {
  readonly name: DatasetName
  readonly language: Language | undefined
  readonly theme: Theme
}

const usual: DatasetName = 'etf_minute'

/** Reads `#etf_minute&lang=zh&theme=dark`; what it does not know counts as absent. */
export function placeOf(hash: string): Place {
  const [name, ...rest] = hash.replace(/^#/, '').split('&')
  const given = new Map(rest.map((part) => part.split('=', 2) as [string, string]))
  return {
    name: datasetNames.find((known) => known === name) ?? usual,
    language: languages.find((known) => known === given.get('lang')),
    theme: themes.find((known) => known === given.get('theme')) ?? 'auto',
  }
}

/** The inverse of `placeOf`. */
export function hashOf({ name, language, theme }: Place): string {
  return `#${name}${language === undefined ? '' : `&lang=${language}`}${theme === 'auto' ? '' : `&theme=${theme}`}`
}
