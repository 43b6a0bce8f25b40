import { datasets } from '../contract/catalogue.js'
import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'
import { openFields } from './input-schema.js'

/** What a source has, in a line for each dataset. */
export function datasetLines(): readonly Readonly<Record<string, unknown>>[] {
  return (datasets as readonly Dataset[]).map(({ name, title, about, subject, knownAt, limit }) => {
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
    knownAt,
    limit,
    key,
    order,
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
    known_at: knownAt,
    limit,
    key,
    order,
    example: dataset.example,
  }
}

/** The same as a page. */
export function datasetPage(dataset: Dataset): string {
  const { name, title, about, columns, stored = {}, params, rules, knownAt, key, order, example } = dataset
  const field = (id: string, { kind, unit, nullable, meaning }: Column): string =>
    `- ${id} (${[kind, unit, nullable && 'may be null'].filter(Boolean).join(', ')}): ${meaning}`
  const lines = (rows: readonly string[]): string => (rows.length > 0 ? rows.join('\n') : '- none')
  return [
    `# ${name}: ${title}\n\n${about}`,
    `## Fields\n\n${lines(openFields(dataset).map((id) => field(id, columns[id] as Column)))}`,
    `## Only in SQL\n\n${lines(Object.entries(stored).map(([id, column]) => field(id, column)))}`,
    `## Params\n\n${lines(
      Object.entries(params).map(([id, { kind, required, values, meaning }]) => {
        return `- ${id} (${[kind, required && 'required', values?.join(' | ')].filter(Boolean).join(', ')}): ${meaning}`
      }),
    )}`,
    `## Rules\n\n${lines(rules.map((rule) => `- ${rule}`))}`,
    `## Answer\n\n- key: ${key.join(', ')}\n- order: ${order.join(', ')}\n- known: ${knownAt.note}`,
    `## Example\n\n${JSON.stringify({ params: example })}\n`,
  ].join('\n\n')
}
