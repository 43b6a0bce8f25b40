import { allDatasets } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { openFields } from './input-schema.js'

/** What a source has, in a line for each dataset. */
export function datasetLines(): readonly Readonly<Record<string, unknown>>[] {
  return allDatasets().map(({ name, title, about, subject, knownAt, limit }) => {
    return { name, title, about, subject, known: knownAt.note, limit: limit.kind, tool: `query_${name}` }
  })
}

/** All that the contract says of a dataset. */
export function aboutDataset(dataset: Dataset): Readonly<Record<string, unknown>> {
  const {
    name,
    title,
    about,
    columns,
    stored = {},
    params,
    exclusive = [],
    rules,
    limit,
    key,
    order,
    example,
  } = dataset
  return {
    name,
    title,
    about,
    fields: openFields(dataset).map((field) => ({ name: field, ...columns[field] })),
    stored: Object.entries(stored).map(([field, column]) => ({ name: field, ...column })),
    params: Object.entries(params).map(([param, about]) => ({ name: param, ...about })),
    not_together: exclusive,
    rules,
    known_at: dataset.knownAt,
    limit,
    key,
    order,
    example,
  }
}

/** The same as a page. */
export function datasetPage(dataset: Dataset): string {
  const { name, title, about, ...parts } = aboutDataset(dataset)
  const lines = (value: unknown): string =>
    Array.isArray(value) ? value.map((one) => `- ${JSON.stringify(one)}`).join('\n') || '- none' : JSON.stringify(value)
  const sections = Object.entries(parts).map(([part, value]) => `## ${part}\n\n${lines(value)}`)
  return `${[`# ${name}: ${title}`, about, ...sections].join('\n\n')}\n`
}
