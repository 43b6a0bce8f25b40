import type { Column } from './column.js'
import type { Dataset } from './dataset.js'
import { type ChineseLabels, chineseUnits } from './labels.js'
import type { Language } from './language.js'
import type { Param } from './param.js'
import { wordsIn } from './say.js'
import { fact, isFact, sentence, type Words } from './sentence.js'

/** What the contract says of a dataset, in a language. */
const saidOf = (dataset: Dataset, text: string, language: Language): string =>
  wordsIn(fact(dataset.name, text), language)

/** Title, purpose and rules of a dataset. */
export function datasetText(dataset: Dataset, language: Language): Pick<ChineseLabels, 'title' | 'about' | 'rules'> {
  if (language === 'zh' && dataset.chinese) return dataset.chinese
  const [title, about] = [dataset.title, dataset.about].map((text) => saidOf(dataset, text, language)) as [
    string,
    string,
  ]
  return { title, about, rules: dataset.rules.map((text) => saidOf(dataset, text, language)) }
}

/** The name of a source as it is read; a page keeps it as a text, that of an archive as `archive july`. */
export function sourceText(name: Words, language: Language): string {
  if (isFact(name)) return wordsIn(name, language)
  const [, own] = /^archive (.*)$/s.exec(name) ?? []
  return wordsIn(own !== undefined ? sentence`archive ${own}` : name === 'sample' ? sentence`sample` : name, language)
}

/** What the sample says of itself in its manifest. */
const ofSample = /^SYNTHETIC: made by (quotebook sample[^(]*) \(seed (\d+)\), (\d+) to (\d+)\. No row is real\.$/

/** Whether an archive says of itself that no row of it is real. */
export const isSynthetic = (about: string | undefined): boolean => about?.startsWith('SYNTHETIC') ?? false

/** What an archive says of itself, as its manifest has it. */
export function aboutText(about: string, language: Language): string {
  if (language === 'en') return about
  return about.replace(ofSample, '合成数据：由 $1 生成（随机种子 $2），$3 至 $4，没有一行是真实数据。')
}

/** When rows of a dataset are known, in words. */
export function knownText(dataset: Dataset, language: Language): string {
  return (language === 'zh' && dataset.chinese?.known) || saidOf(dataset, dataset.knownAt.note, language)
}

export function paramMeaning(dataset: Dataset, name: string, param: Param, language: Language): string {
  return (language === 'zh' && dataset.chinese?.params[name]) || saidOf(dataset, param.meaning, language)
}

/** A column of the contract; undefined for a name that it does not know. */
export function contractColumn(dataset: Dataset, name: string): Column | undefined {
  return Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
}

/** What a column means; undefined for one that the contract does not know. */
export function columnMeaning(dataset: Dataset, name: string, language: Language): string | undefined {
  const column = contractColumn(dataset, name)
  if (column === undefined) return undefined
  return (language === 'zh' && dataset.chinese?.columns[name]) || saidOf(dataset, column.meaning, language)
}

/** What a column of `stored` or `meta` means. */
export function besideMeaning(dataset: Dataset, name: string, { meaning }: Column, language: Language): string {
  return (language === 'zh' && dataset.chinese?.beside?.[name]) || saidOf(dataset, meaning, language)
}

export function unitText(column: Column | undefined, language: Language): string | undefined {
  const unit = column?.unit
  return unit === undefined || language === 'en' ? unit : (chineseUnits[unit] ?? unit)
}

/** What an allowed value of a param means, or undefined where it explains itself. */
export function valueTitle(dataset: Dataset, value: string, language: Language): string | undefined {
  const titles = dataset.valueTitles
  return titles && Object.hasOwn(titles, value) ? saidOf(dataset, titles[value] as string, language) : undefined
}
