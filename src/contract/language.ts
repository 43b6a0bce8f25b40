import type { Column } from './column.js'
import type { Dataset } from './dataset.js'
import { type ChineseLabels, chineseUnits, commonChinese } from './labels.js'
import type { Param } from './param.js'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** Texts by name: English, Chinese. Places to be filled in stand in braces, `{name}`. */
export type Phrases = Readonly<Record<string, readonly [en: string, zh: string]>>

/** A text by its name, its places filled in. */
export type Translate<K extends string> = (key: K, places?: Readonly<Record<string, string | number>>) => string

export function translatorOf<P extends Phrases>(phrases: P, language: Language): Translate<keyof P & string> {
  const at = language === 'en' ? 0 : 1
  return (key, places = {}) =>
    (phrases[key]?.[at] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole))
}

/** Title, purpose and rules of a dataset. */
export function datasetText(dataset: Dataset, language: Language): Pick<ChineseLabels, 'title' | 'about' | 'rules'> {
  return language === 'en' ? dataset : dataset.chinese
}

/** The name of a source as it is read: that of an archive is `archive july`. */
export function sourceText(name: string, language: Language): string {
  return language === 'en' ? name : name.replace(/^archive /, '归档 ')
}

/** When rows of a dataset are known, in words. */
export function knownText(dataset: Dataset, language: Language): string {
  return language === 'en' ? dataset.knownAt.note : dataset.chinese.known
}

export function paramMeaning(dataset: Dataset, name: string, param: Param, language: Language): string {
  if (language === 'en') return param.meaning
  return dataset.chinese.params[name] ?? commonChinese.params[name] ?? param.meaning
}

/** A column of the contract; undefined for a name that it does not know. */
export function contractColumn(dataset: Dataset, name: string): Column | undefined {
  return Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
}

/** What a column means; undefined for one that the contract does not know. */
export function columnMeaning(dataset: Dataset, name: string, language: Language): string | undefined {
  const column = contractColumn(dataset, name)
  if (column === undefined || language === 'en') return column?.meaning
  return dataset.chinese.columns[name] ?? commonChinese.columns[name] ?? column.meaning
}

/** What a column of `stored` or `meta` means. */
export function besideMeaning(dataset: Dataset, name: string, { meaning }: Column, language: Language): string {
  return (language === 'en' ? undefined : dataset.chinese.beside?.[name]) ?? meaning
}

export function unitText(column: Column | undefined, language: Language): string | undefined {
  const unit = column?.unit
  return unit === undefined || language === 'en' ? unit : (chineseUnits[unit] ?? unit)
}

/** What an allowed value of a param means, or undefined where it explains itself. */
export function valueTitle(dataset: Dataset, value: string, language: Language): string | undefined {
  const titles = dataset.valueTitles
  return titles && Object.hasOwn(titles, value) ? titles[value]?.[language === 'en' ? 0 : 1] : undefined
}
