import type { Dataset } from '../../../contract/dataset.js'
import type { Param } from '../../../contract/param.js'
import { bucketCloses } from '../../../contract/session.js'
import { closedObject, ifThen, orNull, pascal, ref, type Schema, type Schemas, wordsPattern } from './json-schema.js'
import { modesOf } from './reply-schemas.js'

const year = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'

/** Real dates of the calendar only, without look-around: engines without backtracking take it too. */
function day(between: '' | '-'): string {
  const month31 = `(?:0[13578]|1[02])${between}(?:0[1-9]|[12][0-9]|3[01])`
  const month30 = `(?:0[469]|11)${between}(?:0[1-9]|[12][0-9]|30)`
  const february = `02${between}(?:0[1-9]|1[0-9]|2[0-8])`
  return `(?:${year}${between}(?:${month31}|${month30}|${february})|${leapYear}${between}02${between}29)`
}

const minute = '(?:[01][0-9]|2[0-3])[0-5][0-9]'
const offset = '(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)'
const clock = `[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?\\s*${offset}?`

/** Texts that have a form of their own; what a pattern can not say (a range that is reversed) the service checks. */
export const textSchemas: Schemas = {
  Date: {
    type: 'string',
    pattern: `^${day('')}$`,
    description: 'A date of the calendar, `YYYYMMDD`, Beijing.',
    examples: ['20260701'],
  },
  Minute: { type: 'string', pattern: `^${minute}$`, description: 'A minute, `HHmm`, Beijing.', examples: ['1000'] },
  Clock: {
    type: 'string',
    pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?$',
    description: 'A time of the day, `HH:mm:ss` or `HH:mm:ss.mmm`, Beijing unless the field says otherwise.',
    examples: ['09:30:00'],
  },
  Moment: {
    type: 'string',
    pattern: `^(?:${day('-')}|${day('')})(?:${clock})?$`,
    description:
      'A point in time: `YYYYMMDD` or `YYYY-MM-DD` (the end of that day), or ISO 8601; without an offset, Beijing time.',
    examples: ['20260630', '2026-06-30T15:00:00+08:00'],
  },
  Values: {
    anyOf: [
      { type: 'string', pattern: '[^\\s,]' },
      { type: 'array', minItems: 1, items: { type: 'string', pattern: '\\S' }, contains: { pattern: '[^\\s,]' } },
    ],
    description: 'One value, several with commas between them, or an array. Strings only: numbers lose leading zeros.',
    examples: ['000001', '000001.SZ,600000.SH', ['000001', '600000.SH']],
  },
}

/** Minutes at which a bucket closes, for each bar period that the operation has. */
function closesOf({ params }: Dataset, { period }: Param): [period: string, closes: readonly string[]][] {
  const periods = params[period ?? '']?.values ?? []
  return periods.flatMap((name) => (name === '15m' || name === '30m' ? [[name, bucketCloses[name]]] : []))
}

const bareSchemas: Readonly<Record<Param['kind'], (param: Param, dataset: Dataset) => Schema>> = {
  integer: ({ min, max = Number.MAX_SAFE_INTEGER }) => ({ type: 'integer', minimum: min, maximum: max }),
  date: () => ref('Date'),
  moment: () => ref('Moment'),
  minute: (param, dataset) => {
    const closes = new Set(closesOf(dataset, param).flatMap(([, minutes]) => minutes))
    return closes.size === 0 ? ref('Minute') : { type: 'string', enum: [...closes].sort() }
  },
  choice: ({ values = [] }) => ({ type: 'string', enum: values }),
  choices: ({ values = [] }) => ({
    anyOf: [
      { type: 'string', pattern: `^${wordsPattern(values)}$`, examples: [values.join(',')] },
      { type: 'array', minItems: 1, items: { type: 'string', enum: values } },
    ],
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

/** What follows from a param being there: those that exclude it are not, and a minute closes a bucket of its period. */
function dependents(dataset: Dataset): Schemas {
  const excluded = new Map<string, Record<string, Schema>>()
  for (const [left, right] of dataset.exclusive ?? []) {
    const others = right.map((other) => [other, absent])
    for (const name of left) excluded.set(name, { ...excluded.get(name), ...Object.fromEntries(others) })
  }
  const rules: Record<string, Schema> = {}
  for (const [name, others] of excluded) {
    rules[name] = { anyOf: [{ properties: { [name]: absent } }, { properties: others }] }
  }
  for (const [name, param] of Object.entries(dataset.params)) {
    const { period = '' } = param
    const closes = closesOf(dataset, param)
    if (closes.length < 2) continue
    const choices = closes.map(([value, minutes]) => {
      const isUsual = value === dataset.params[period]?.default
      const properties = { [period]: { enum: isUsual ? [value, null] : [value] }, [name]: { enum: [...minutes, null] } }
      return { required: isUsual ? undefined : [period], properties }
    })
    rules[name] = { anyOf: choices }
  }
  return rules
}

function paramsSchema(dataset: Dataset): Schema {
  const entries = Object.entries(dataset.params)
  const required = entries.flatMap(([name, param]) => (param.required ? [name] : []))
  const rules = dependents(dataset)
  return {
    title: `${dataset.title}: params`,
    description: 'Null is the same as absent.',
    type: 'object',
    required: required.length === 0 ? undefined : required,
    properties: Object.fromEntries(entries.map(([name, param]) => [name, paramSchema(dataset, param)])),
    additionalProperties: false,
    dependentSchemas: Object.keys(rules).length === 0 ? undefined : rules,
    examples: [dataset.example],
  }
}

function fieldsPattern(names: readonly string[]): string {
  return `^(?:${wordsPattern(names)})?$`
}

/** `fields`, and what its names depend on where the operation has two modes. */
function fieldsRule(dataset: Dataset): { readonly fields: Schema; readonly rule: Schema } {
  if (dataset.noFields) return { fields: { type: 'null', description: 'Takes no fields.' }, rule: {} }
  const names = Object.keys(dataset.columns)
  const fields = {
    type: ['string', 'null'],
    pattern: fieldsPattern(names),
    description: 'Names of the fields to return, in this order, with commas between them; absent or null, all.',
    examples: [names.slice(0, 3).join(',')],
  }
  const [latest, history] = modesOf(dataset)
  if (!latest || !history) return { fields, rule: {} }
  const inMode = ({ columns }: typeof latest): Schema => ({
    properties: { fields: { pattern: fieldsPattern(Object.keys(columns)) } },
  })
  const ofDay = { required: ['tradedate'], properties: { tradedate: { type: 'string' } } }
  const rule = ifThen({ required: ['params'], properties: { params: ofDay } }, inMode(history), inMode(latest))
  return { fields: { ...fields, examples: Object.keys(latest.columns).slice(0, 1) }, rule }
}

function requestSchema(dataset: Dataset): Schema {
  const params = ref(`${pascal(dataset.name)}Params`)
  const { fields, rule } = fieldsRule(dataset)
  const members = {
    apikey: ref('ApiKey'),
    apiname: { type: 'string', const: dataset.name },
    fields,
    params: dataset.needsParams ? params : orNull(params),
  }
  return {
    title: dataset.title,
    description: [dataset.about, ...dataset.rules].join('\n\n'),
    ...closedObject(members, ['apikey', 'apiname', ...(dataset.needsParams ? ['params'] : [])]),
    ...rule,
  }
}

/** `EtfMinuteParams` and `EtfMinuteRequest` of an operation. */
export function requestSchemas(dataset: Dataset): Schemas {
  const name = pascal(dataset.name)
  return { [`${name}Params`]: paramsSchema(dataset), [`${name}Request`]: requestSchema(dataset) }
}
