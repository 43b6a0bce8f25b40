import { camel } from '../../../contract/dataset.js'

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. A member that is undefined is absent. */
export type Schema = Readonly<Record<string, unknown>>
export type Schemas = Readonly<Record<string, Schema>>

/** A schema of the document, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** `etf_minute` → `EtfMinute`: what the schemas of an operation begin with. */
export function pascal(name: string): string {
  const loader = camel(name)
  return loader.charAt(0).toUpperCase() + loader.slice(1)
}

/** An object that has these members and no other; all of them are required, unless it is said which. */
export function closedObject(properties: Schemas, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: 'object', required, properties, additionalProperties: false }
}

/** The envelope of every answer: code, message, data. */
export function envelopeSchema(code: Schema, data: Schema, message: Schema = {}): Schema {
  return closedObject({ code: { type: 'integer', ...code }, message: { type: 'string', ...message }, data })
}

/** The same, or null. */
export function orNull(schema: Schema): Schema {
  const { description, ...bare } = schema
  const { type, enum: values } = bare
  if (typeof type !== 'string') return { ...(description ? { description } : {}), anyOf: [bare, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

/** Text that stands for itself in a pattern. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** A pattern of one or more of these words with commas between them, blanks allowed around each. */
export function wordsPattern(words: readonly string[]): string {
  const word = ` *(?:${words.map(literal).join('|')}) *`
  return `${word}(?:,${word})*`
}
