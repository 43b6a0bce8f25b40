import { allDatasets } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import {
  besideMeaning,
  columnMeaning,
  datasetText,
  knownText,
  type Language,
  paramMeaning,
  unitText,
} from '../../contract/language.js'
import { openFields } from './input-schema.js'

/** What a source has, in a line for each dataset. */
export function datasetLines(): readonly Readonly<Record<string, unknown>>[] {
  return allDatasets().map(({ name, title, about, subject, knownAt, limit }) => {
    return { name, title, about, subject, known: knownAt.note, limit: limit.kind, tool: `query_${name}` }
  })
}

/** The datasets as lines of text. */
export function datasetList(language: Language): string {
  const lines = allDatasets().map((dataset) => {
    const [{ title, about }, known] = [datasetText(dataset, language), knownText(dataset, language)]
    return language === 'en'
      ? `${dataset.name}: ${title}. ${about} Known: ${known}.`
      : `${dataset.name}：${title}。${about}何时可知：${known}。`
  })
  return lines.join('\n')
}

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
