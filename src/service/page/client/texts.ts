import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import type { Param } from '../../../contract/param.js'
import { chineseColumns, chineseUnits } from './chinese/columns.js'
import { type ChineseDataset, chineseDatasets } from './chinese/datasets.js'
import { chineseParams } from './chinese/params.js'
import { valueTitles } from './value-titles.js'
import type { Language } from './words.js'

/** Title, purpose and rules of a dataset. */
export function datasetText(dataset: Dataset, language: Language): ChineseDataset {
  if (language === 'en') return dataset
  return (chineseDatasets as Readonly<Record<string, ChineseDataset>>)[dataset.name] ?? dataset
}

export function paramMeaning(dataset: Dataset, name: string, param: Param, language: Language): string {
  if (language === 'en') return param.meaning
  return chineseParams[`${dataset.name}.${name}`] ?? chineseParams[name] ?? param.meaning
}

/** What a column means; undefined for one that the contract does not know. */
export function columnMeaning(dataset: Dataset, name: string, language: Language): string | undefined {
  const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
  if (column === undefined || language === 'en') return column?.meaning
  const own = chineseColumns[`${dataset.name}.${name}`]
  const bar = 'trademin' in dataset.columns ? chineseColumns[`minute.${name}`] : undefined
  return own ?? bar ?? chineseColumns[name] ?? column.meaning
}

export function unitText(column: Column | undefined, language: Language): string | undefined {
  const unit = column?.unit
  return unit === undefined || language === 'en' ? unit : (chineseUnits[unit] ?? unit)
}

/** What an allowed value means, or undefined where it explains itself. */
export function valueTitle(name: string, value: string, language: Language): string | undefined {
  const titles = valueTitles[`${name}=${value}`] ?? valueTitles[value]
  return titles?.[language === 'en' ? 0 : 1]
}
