import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { pascal } from '../../src/server/service/openapi/json-schema.js'
import { openApi } from '../../src/server/service/openapi/openapi.js'

/** The document as a client receives it. */
export const document = JSON.parse(JSON.stringify(openApi())) as {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false, discriminator: false })
ajv.addSchema(document, 'service')
const known = new Map<string, ValidateFunction>()

/** The validator of a schema of the document. */
export function validator(name: string): ValidateFunction {
  const validate = known.get(name) ?? ajv.compile({ $ref: `service#/components/schemas/${name}` })
  known.set(name, validate)
  return validate
}

/** Why a value is not what a schema says; undefined when it is. */
export function complaint(name: string, value: unknown): string | undefined {
  const validate = validator(name)
  return validate(value) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`
}

/** The schemas that an answer of an operation may have: with data, or without. */
export function replyOf(apiname: string, reply: unknown): string {
  const { code } = reply as { code?: unknown }
  if (code === 200) return `${pascal(apiname)}Reply`
  return code === 1002 ? 'NoData' : 'Refusal'
}
