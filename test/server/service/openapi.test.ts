import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../../src/contract/catalogue.js'
import { version } from '../../../src/contract/version.js'
import { pascal } from '../../../src/server/service/openapi/json-schema.js'
import { openApi } from '../../../src/server/service/openapi/openapi.js'

/** The document as a client receives it. */
const document = JSON.parse(JSON.stringify(openApi())) as {
  readonly info: { readonly version: string }
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> }
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
