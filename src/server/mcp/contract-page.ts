import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import {
  besideMeaning,
  columnMeaning,
  datasetText,
  knownText,
  paramMeaning,
  unitText,
} from '../../contract/dataset-text.js'
import type { Language } from '../../contract/language.js'
import { openFields } from './input-schema.js'

/** All that the contract says of a dataset. */
export function aboutDataset(dataset: Dataset, language: Language = 'en'): Readonly<Record<string, unknown>> {
  const { name, columns, stored = {}, params, exclusive = [], limit, key, order, example } = dataset
  const { title, about, rules } = datasetText(dataset, language)
  const inWords = (field: string, column: Column | undefined, meaning: string | undefined) => {
    return { name: field, ...column, ...(column?.unit && { unit: unitText(column, language) }), meaning }
  }
  return {
    name,
    title,
    about,
    fields: openFields(dataset).map((field) => inWords(field, columns[field], columnMeaning(dataset, field, language))),
    stored: Object.entries(stored).map(([field, column]) =>
      inWords(field, column, besideMeaning(dataset, field, column, language)),
    ),
    params: Object.entries(params).map(([param, own]) => {
      return { name: param, ...own, meaning: paramMeaning(dataset, param, own, language) }
    }),
    not_together: exclusive,
    rules,
    known_at: { ...dataset.knownAt, note: knownText(dataset, language) },
    limit,
    key,
    order,
    example,
  }
}

/** The same as a page. */
export function datasetPage(dataset: Dataset, language: Language): string {
  const { name, title, about, ...parts } = aboutDataset(dataset, language)
  const none = language === 'en' ? '- none' : '- 无'
  const lines = (value: unknown): string =>
    Array.isArray(value) ? value.map((one) => `- ${JSON.stringify(one)}`).join('\n') || none : JSON.stringify(value)
  const sections = Object.entries(parts).map(([part, value]) => `## ${part}\n\n${lines(value)}`)
  return `${[`# ${name}${language === 'en' ? ': ' : '：'}${title}`, about, ...sections].join('\n\n')}\n`
}
