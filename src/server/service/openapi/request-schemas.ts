import type { Dataset } from '../../../contract/dataset.js'
import type { Param } from '../../../contract/param.js'
import { bucketCloses } from '../../../contract/session.js'
import { closedObject, orNull, pascal, ref, type Schema, type Schemas, wordsPattern } from './json-schema.js'

/** Texts that have a form of their own: how they look. Whether a date is one of the calendar the service checks. */
// biome-ignore format: a table, one entry a line
export const textSchemas: Schemas = {
  Date: { type: 'string', pattern: '^[0-9]{8}$', description: 'A date of the calendar, `YYYYMMDD`, Beijing.', examples: ['20260701'] },
  Minute: { type: 'string', pattern: '^(?:[01][0-9]|2[0-3])[0-5][0-9]$', description: 'A minute, `HHmm`, Beijing.', examples: ['1000'] },
  Clock: {
    type: 'string',
    pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?$',
    description: 'A time of the day, `HH:mm:ss` or `HH:mm:ss.mmm`, Beijing unless the field says otherwise.',
    examples: ['09:30:00'],
  },
  Moment: {
    type: 'string',
    pattern: '^[0-9]{4}-?[0-9]{2}-?[0-9]{2}',
    description:
      'A point in time: `YYYYMMDD` or `YYYY-MM-DD` (the end of that day), or ISO 8601; without an offset, Beijing time.',
    examples: ['20260630', '2026-06-30T15:00:00+08:00'],
  },
  Values: {
    anyOf: [{ type: 'string', pattern: '[^\\s,]' }, { type: 'array', minItems: 1, items: { type: 'string', pattern: '\\S' }, contains: { pattern: '[^\\s,]' } }],
    description: 'One value, several with commas between them, or an array. Strings only: numbers lose leading zeros.',
    examples: ['000001', '000001.SZ,600000.SH', ['000001', '600000.SH']],
  },
}

/** Minutes at which a bucket closes, in any bar period that the operation has; none where it has none. */
function closesOf({ params }: Dataset, { period }: Param): string[] {
  const periods = params[period ?? '']?.values ?? []
  const closes = periods.flatMap((name) => (name === '15m' || name === '30m' ? bucketCloses[name] : []))
  return [...new Set(closes)].sort()
}

// biome-ignore format: a table, one entry a line
const bareSchemas: Readonly<Record<Param['kind'], (param: Param, dataset: Dataset) => Schema>> = {
  integer: ({ min, max = Number.MAX_SAFE_INTEGER }) => ({ type: 'integer', minimum: min, maximum: max }),
  date: () => ref('Date'),
  moment: () => ref('Moment'),
  minute: (param, dataset) => {
    const closes = closesOf(dataset, param)
    return closes.length === 0 ? ref('Minute') : { type: 'string', enum: closes }
  },
  choice: ({ values = [] }) => ({ type: 'string', enum: values }),
  choices: ({ values = [] }) => ({
    anyOf: [{ type: 'string', pattern: `^${wordsPattern(values)}$`, examples: [values.join(',')] }, { type: 'array', minItems: 1, items: { type: 'string', enum: values } }],
  }),
  codes: () => ref('Values'),
  ids: () => ref('Values'),
  texts: () => ref('Values'),
  text: () => ({ type: 'string', pattern: '\\S' }),
}

const absent: Schema = { type: 'null' }

/**
 * A param that has a default may be absent or null. The default stands inside: beside the description, generators take it
 * for a promise that the member is always there.
 */
function paramSchema(dataset: Dataset, param: Param): Schema {
  const bare = bareSchemas[param.kind](param, dataset)
  const description = param.meaning
  if (param.default !== undefined) return { description, anyOf: [{ ...bare, default: param.default }, absent] }
  return param.required ? { description, ...bare } : orNull({ description, ...bare })
}

/** Params that exclude each other, in words. */
export function exclusions({ exclusive = [] }: Dataset): string {
  return exclusive.map(([left, right]) => ` ${left.join(', ')} not with ${right.join(', ')}.`).join('')
}

function paramsSchema(dataset: Dataset): Schema {
  const entries = Object.entries(dataset.params)
  const required = entries.flatMap(([name, param]) => (param.required ? [name] : []))
  return {
    title: `${dataset.title}: params`,
    description: `Null is the same as absent.${exclusions(dataset)}`,
    type: 'object',
    required: required.length === 0 ? undefined : required,
    properties: Object.fromEntries(entries.map(([name, param]) => [name, paramSchema(dataset, param)])),
    additionalProperties: false,
    examples: [dataset.example],
  }
}

function fieldsSchema({ noFields, columns }: Dataset): Schema {
  if (noFields) return { type: 'null', description: 'Takes no fields.' }
  const names = Object.keys(columns)
  const first = names.filter((name) => columns[name]?.mode !== 'history').slice(0, 1)
  return {
    type: ['string', 'null'],
    pattern: `^(?:${wordsPattern(names)})?$`,
    description: 'Names of the fields to return, in this order, with commas between them; absent or null, all.',
    examples: [first.join()],
  }
}

function requestSchema(dataset: Dataset): Schema {
  const params = ref(`${pascal(dataset.name)}Params`)
  const members = {
    apikey: ref('ApiKey'),
    apiname: { type: 'string', const: dataset.name },
    fields: fieldsSchema(dataset),
    params: dataset.needsParams ? params : orNull(params),
  }
  return {
    title: dataset.title,
    description: [dataset.about, ...dataset.rules].join('\n\n'),
    ...closedObject(members, ['apikey', 'apiname', ...(dataset.needsParams ? ['params'] : [])]),
  }
}

/** `EtfMinuteParams` and `EtfMinuteRequest` of an operation. */
export function requestSchemas(dataset: Dataset): Schemas {
  const name = pascal(dataset.name)
  return { [`${name}Params`]: paramsSchema(dataset), [`${name}Request`]: requestSchema(dataset) }
}
