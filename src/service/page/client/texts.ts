import { type DatasetName, datasets } from '../../../contract/catalogue.js'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type ChineseLabels, chineseUnits, commonChinese, subjects } from '../../../contract/labels.js'
import type { Param } from '../../../contract/param.js'
import type { Language } from './words.js'

/** The operations by subject, in the order in which they are offered. */
export const datasetGroups: readonly {
  readonly en: string
  readonly zh: string
  readonly names: readonly DatasetName[]
}[] = Object.entries(subjects).map(([subject, [en, zh]]) => ({
  en,
  zh,
  names: datasets.filter((dataset) => dataset.subject === subject).map(({ name }) => name),
}))

/** Title, purpose and rules of a dataset. */
export function datasetText(dataset: Dataset, language: Language): Pick<ChineseLabels, 'title' | 'about' | 'rules'> {
  return language === 'en' ? dataset : dataset.chinese
}

export function paramMeaning(dataset: Dataset, name: string, param: Param, language: Language): string {
  if (language === 'en') return param.meaning
  return dataset.chinese.params[name] ?? commonChinese.params[name] ?? param.meaning
}

/** What a column means; undefined for one that the contract does not know. */
export function columnMeaning(dataset: Dataset, name: string, language: Language): string | undefined {
  const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
  if (column === undefined || language === 'en') return column?.meaning
  return dataset.chinese.columns[name] ?? commonChinese.columns[name] ?? column.meaning
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
