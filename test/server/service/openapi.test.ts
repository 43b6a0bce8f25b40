import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../../src/contract/catalogue.js'
import { version } from '../../../src/contract/version.js'
import { pascal } from '../../../src/server/service/openapi/json-schema.js'
import { openApi } from '../../../src/server/service/openapi/openapi.js'
import { paramCases } from '../../helper/param-cases.js'

/** The document as a client receives it. */
const document = JSON.parse(JSON.stringify(openApi())) as {
  readonly info: { readonly version: string }
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> }
}
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'service')

/** Why a value is not what a schema says; undefined when it is. */
function complaint(name: string, value: unknown): string | undefined {
  const validate = ajv.getSchema(`service#/components/schemas/${name}`)
  return validate?.(value) ? undefined : `${name}: ${ajv.errorsText(validate?.errors)}`
}

test('is valid OpenAPI 3.1, the same every time, and of this version', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(openApi()))
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
  expect(JSON.stringify(openApi())).toBe(JSON.stringify(openApi()))
  expect(document.info.version).toBe(version)
})

test('what it refers to is there, and it has no schema that nothing leads to', () => {
  const text = JSON.stringify(document)
  const refs = new Set([...text.matchAll(/"#\/components\/([\w/]+)"/g)].map(([, path = '']) => path))
  for (const path of refs) expect(document.components, path).toHaveProperty(path.split('/'))
  for (const name of Object.keys(document.components.schemas)) expect(refs).toContain(`schemas/${name}`)
})

test.each(datasetNames)('%s: params, fields, columns, units and meanings are those of the contract', (name) => {
  const { params, columns, shape } = datasetOf(name)
  const { schemas } = document.components
  expect(Object.keys(schemas[`${pascal(name)}Params`]?.properties ?? {})).toEqual(Object.keys(params))
  const own = Object.entries(schemas).filter(([key]) => key.startsWith(pascal(name)) && /(Row|Record)$/.test(key))
  const text = JSON.stringify(own)
  for (const [column, { meaning, unit }] of Object.entries(columns)) {
    const at = shape === 'rows' ? `{"title":"${column}","description":` : `"${column}":{"description":`
    const about = `${at}${JSON.stringify(meaning)}${unit ? `,"x-unit":${JSON.stringify(unit)}` : ''}`
    expect(text, column).toContain(about)
  }
})

test.each(datasetNames)('%s: the schema takes every param that the contract takes', (name) => {
  for (const { accepted } of Object.values(paramCases[name] ?? {}))
    for (const params of accepted) {
      const body = JSON.parse(JSON.stringify({ apikey: 'key', apiname: name, params }))
      expect(complaint(`${pascal(name)}Request`, body), JSON.stringify(params)).toBeUndefined()
      expect(complaint('Request', body)).toBeUndefined()
    }
})

test.each([
  ['no body', null],
  ['no key', { apiname: 'st' }],
  ['an empty key', { apikey: '', apiname: 'st' }],
  ['an operation that is not there', { apikey: 'key', apiname: 'etfminute' }],
  ['params of another operation', { apikey: 'key', apiname: 'st', params: { period: '15m' } }],
  ['no params where they are needed', { apikey: 'key', apiname: 'hotstock' }],
  ['a value that a param does not have', { apikey: 'key', apiname: 'etf_minute', params: { period: '5m' } }],
  ['a minute that closes no bar', { apikey: 'key', apiname: 'etf_minute', params: { trademin: '1001' } }],
  ['a number for codes', { apikey: 'key', apiname: 'etf_minute', params: { symbols: 510300 } }],
  ['a field that the operation lacks', { apikey: 'key', apiname: 'st', fields: 'close' }],
  ['fields where none are taken', { apikey: 'key', apiname: 'thememembers_jx', fields: 'code' }],
])('%s is refused', (_, body) => {
  expect(complaint('Request', body)).toBeDefined()
})
