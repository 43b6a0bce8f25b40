import { allNames } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { sentence } from '../../contract/sentence.js'
import { closedObject, type Schema, type Schemas } from '../service/openapi/json-schema.js'
import { budget, mostShown } from './tool.js'

/** A date, as every tool takes it. */
export const dateInput: Schema = { type: 'string', pattern: '^[0-9]{8}$', description: sentence`YYYYMMDD, Beijing.` }

/** Columns that may be asked for: a credential is none of them. */
export function openFields({ columns }: Dataset): readonly string[] {
  return Object.keys(columns).filter((name) => !columns[name]?.secret)
}

/** What of an answer is shown, which the instructions explain: arguments of every tool. */
export const shownInput: Schemas = {
  max_rows: { type: 'integer', minimum: 0, maximum: mostShown },
  budget: { type: 'integer', minimum: 1000, maximum: 50_000, default: budget.tokens },
  next: { type: 'string' },
}

const daysInput: Schema = {
  description: sentence`Asks once for each trading day; for a dataset without startdate.`,
  ...closedObject({ from: dateInput, to: dateInput }),
}

/** The name of a dataset; read when it is asked for: an archive may bring datasets of one's own. */
export const datasetInput: Schema = {
  type: 'string',
  get enum() {
    return allNames()
  },
}

/** What a query of a dataset takes. */
// biome-ignore format: a table, one entry a line
export const queryInput: Schemas = {
  dataset: datasetInput,
  params: { type: 'object', description: sentence`Conditions, spelt as the vendor does: see describe_dataset. No date: the latest.` },
  fields: { type: 'array', items: { type: 'string' }, description: sentence`Columns; absent, all.` },
  days: daysInput,
  allow_truncated: { type: 'boolean', default: false, description: sentence`Take rows of a reply that was cut.` },
}
