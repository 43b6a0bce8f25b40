import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { codes } from '../../../contract/error.js'
import { closedObject, envelopeSchema, orNull, pascal, ref, type Schema, type Schemas } from './json-schema.js'

interface Mode {
  /** What the names of its schemas carry; empty where the operation has one mode only. */
  readonly name: '' | 'Latest' | 'History'
  readonly columns: Readonly<Record<string, Column>>
}

/** The modes of an operation with the columns of each: one, or two for `hotstock`. */
function modesOf({ columns }: Dataset): readonly Mode[] {
  const entries = Object.entries(columns)
  if (!entries.some(([, { mode }]) => mode)) return [{ name: '', columns }]
  const inMode = (name: 'latest' | 'history'): Readonly<Record<string, Column>> =>
    Object.fromEntries(entries.filter(([, { mode = name }]) => mode === name))
  return [
    { name: 'Latest', columns: inMode('latest') },
    { name: 'History', columns: inMode('history') },
  ]
}

const string: Schema = { type: 'string' }

const kindSchemas: Readonly<Record<Column['kind'], Schema>> = {
  date: ref('Date'),
  minute: ref('Minute'),
  clock: ref('Clock'),
  number: { type: 'number' },
  integer: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  long: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: string },
  json: {},
  code: string,
  label: string,
  moment: string,
  id: string,
  text: string,
}

/** A value of a column, with its meaning and its unit (`x-unit`). */
export function cellSchema({ kind, values, nullable, meaning, unit, secret }: Column): Schema {
  const schema = kindSchemas[kind] === string && values ? { ...string, enum: values } : kindSchemas[kind]
  const value = nullable && kind !== 'json' ? orNull(schema) : schema
  return { description: meaning, 'x-unit': unit, ...(secret && { format: 'password' }), ...value }
}

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description })

/** What stands in `data` with fields and items. */
function extraMembers(dataset: Dataset): { required: readonly string[]; properties: Schemas } {
  if (dataset.limit.kind === 'page') {
    const properties = {
      limit: count('Most rows of this call.'),
      offset: count('Rows skipped.'),
      total: count('All rows that match.'),
    }
    return { required: Object.keys(properties), properties }
  }
  if (dataset.name !== 'news') return { required: [], properties: {} }
  const properties = {
    count: count('Rows of `items`.'),
    view: { type: 'string', enum: dataset.params.view?.values ?? [], description: 'The view that was asked for.' },
    meta: ref('NewsMeta'),
    groups: { type: 'array', items: ref('NewsGroup'), description: 'In the view `source`: the rows of each source.' },
  }
  return { required: ['count', 'view'], properties }
}

/** `data` of an operation that answers rows: of all fields, and of fields that were asked for by name. */
function rowSchemas(name: string, dataset: Dataset, { columns }: Mode): Schemas {
  const names = Object.keys(columns)
  const { required, properties } = extraMembers(dataset)
  const data = (description: string, fields: Schema, row: string): Schema => {
    const members = { fields, items: { type: 'array', items: ref(row) }, ...properties }
    return { description, ...closedObject(members, ['fields', 'items', ...required]) }
  }
  const row = {
    description: `A row of all fields: ${names.join(', ')}.`,
    type: 'array',
    prefixItems: Object.entries(columns).map(([column, spec]) => ({ title: column, ...cellSchema(spec) })),
    minItems: names.length,
    maxItems: names.length,
  }
  const table = data('All fields, in their order: every cell at its place.', { const: names }, `${name}Row`)
  if (dataset.noFields) return { [`${name}Row`]: row, [`${name}Table`]: table }
  const projection = {
    description: 'A row of the fields that were asked for, each at the place of its name in `fields`.',
    type: 'array',
    minItems: 1,
    maxItems: names.length,
  }
  const some = { type: 'array', items: { type: 'string', enum: names }, minItems: 1, uniqueItems: true }
  const part = data('Fields that were asked for by name.', { ...some, not: { const: names } }, `${name}Projection`)
  return { [`${name}Row`]: row, [`${name}Projection`]: projection, [`${name}Table`]: table, [`${name}Part`]: part }
}

/** The share of a year: the whole record or the fields that were asked for, a level deeper, in an envelope of its own (section 7). */
function fileSchemas(name: string, record: Schema): Schemas {
  const description = 'Fields that were asked for by name: any of them may be absent.'
  const part = { ...record, required: undefined, description, minProperties: 1 }
  const code = { description: 'What became of the share: 0 when it is ready; otherwise a code of section 7.' }
  const data = { anyOf: [ref(`${name}Record`), ref(`${name}Part`), { type: 'null' }] }
  return { [`${name}Part`]: part, [`${name}Data`]: envelopeSchema(code, data) }
}

function dataSchemas(name: string, dataset: Dataset): Schemas {
  if (dataset.shape === 'rows') {
    const modes = modesOf(dataset)
    const kinds = dataset.noFields ? ['Table'] : ['Table', 'Part']
    const all = modes.flatMap((mode) => kinds.map((kind) => ref(name + mode.name + kind)))
    const schemas = modes.map((mode) => rowSchemas(name + mode.name, dataset, mode))
    return Object.assign({}, ...schemas, { [`${name}Data`]: { anyOf: all } })
  }
  const members = Object.entries(dataset.columns).map(([column, spec]) => [column, cellSchema(spec)])
  const record = { title: dataset.title, ...closedObject(Object.fromEntries(members)) }
  const isFile = dataset.name === 'file_download'
  const data = isFile ? fileSchemas(name, record) : { [`${name}Data`]: ref(`${name}Record`) }
  return { [`${name}Record`]: record, ...data }
}

/** `EtfMinuteReply` of an operation and what it is made of: `…Data`, `…Table`, `…Row`, `…Part`, `…Projection`, `…Record`. */
export function replySchemas(dataset: Dataset): Schemas {
  const name = pascal(dataset.name)
  const reply = envelopeSchema({ const: codes.ok }, ref(`${name}Data`), { const: 'success' })
  return { ...dataSchemas(name, dataset), [`${name}Reply`]: { title: `${dataset.title}: answer`, ...reply } }
}
