import type { Dataset } from '../../contract/dataset.js'
import { closedObject, pascal, type Schema, type Schemas } from '../service/openapi/json-schema.js'
import { exclusions, requestSchemas } from '../service/openapi/request-schemas.js'

/** A date, as every tool takes it. */
export const dateInput: Schema = { type: 'string', pattern: '^[0-9]{8}$', description: 'YYYYMMDD, Beijing.' }

/** Forms of text in few words: what a pattern of the service's description says at length, the contract checks anyway. */
const forms: Schemas = {
  Date: dateInput,
  Minute: { type: 'string', pattern: '^[0-9]{4}$' },
  Moment: { type: 'string', description: 'YYYYMMDD or ISO 8601, Beijing time without an offset.' },
  Values: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
}

/** A schema of the service's description as models read it best: nothing refers elsewhere, and absent is not also null. */
function plain(schema: Schema): Schema {
  const { $ref, anyOf, type, description, ...rest } = schema
  const about = description === undefined ? {} : { description }
  if (typeof $ref === 'string') return { ...forms[$ref.replace(/.*\//, '')], ...about }
  const ways = (anyOf as readonly Schema[] | undefined)?.filter((way) => way.type !== 'null').map(plain)
  if (ways?.length === 1) return { ...rest, ...ways[0], ...about }
  if (ways) return { ...about, ...rest, anyOf: ways }
  const values = (rest.enum as readonly unknown[] | undefined)?.filter((value) => value !== null)
  const one = Array.isArray(type) ? type.filter((name) => name !== 'null')[0] : type
  return { type: one, ...about, ...rest, ...(values && { enum: values }) }
}

/** The params of a dataset, made from its declaration. */
function paramsInput(dataset: Dataset): Schema {
  const { properties, required } = requestSchemas(dataset)[`${pascal(dataset.name)}Params`] as {
    properties: Schemas
    required?: readonly string[]
  }
  const entries = Object.entries(properties).map(([name, schema]) => [name, plain(schema)])
  return {
    description: `Conditions, spelt as the vendor does.${exclusions(dataset)}`,
    ...closedObject(Object.fromEntries(entries), required ?? []),
  }
}

/** Columns that may be asked for: a credential is none of them. */
export function openFields({ columns }: Dataset): readonly string[] {
  return Object.keys(columns).filter((name) => !columns[name]?.secret)
}

/** Which of the rows to show. */
export const shownInput: Schemas = {
  max_rows: { type: 'integer', minimum: 0, maximum: 1000, default: 50, description: 'Rows to show.' },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'Rows to pass over first.' },
}

const daysInput: Schema = {
  description: 'Asks once for each trading day from one to the other.',
  ...closedObject({ from: dateInput, to: dateInput }),
}
const cutInput: Schema = { type: 'boolean', default: false, description: 'Take rows of a reply that was cut.' }

/** What a query of a dataset takes. */
export function queryInput(dataset: Dataset): Schema {
  const { required = [] } = paramsInput(dataset)
  const isRange = !('tradedate' in dataset.params) || 'startdate' in dataset.params
  return closedObject(
    {
      params: paramsInput(dataset),
      fields: {
        type: 'array',
        items: { type: 'string', enum: openFields(dataset) },
        description: 'Columns; absent, all.',
      },
      ...(isRange ? {} : { days: daysInput }),
      ...(dataset.limit.kind === 'cap' ? { allow_truncated: cutInput } : {}),
      ...shownInput,
    },
    (required as readonly string[]).length > 0 ? ['params'] : [],
  )
}
