import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../../src/contract/catalogue.js'
import { checkFields } from '../../../src/contract/check-fields.js'
import { checkParams, type Query } from '../../../src/contract/check-params.js'
import { beijingMoment, isDate } from '../../../src/contract/date.js'
import { ParamsError, QuotebookError } from '../../../src/contract/error.js'
import { version } from '../../../src/contract/version.js'
import { pascal } from '../../../src/server/service/openapi/json-schema.js'
import { openApi } from '../../../src/server/service/openapi/openapi.js'
import { complaint, document, validator } from '../../helper/openapi.js'
import { paramCases } from '../../helper/param-cases.js'

const request = (apiname: string, params?: unknown, fields?: unknown) => {
  const body = { apikey: 'key', apiname, params, fields }
  return JSON.parse(JSON.stringify(body)) as { params?: Record<string, unknown> }
}

/** What the validator of the contract says of params and fields; undefined when they are taken. */
function refusal(apiname: string, params: unknown, fields: unknown = undefined): string | undefined {
  const dataset = datasetOf(apiname)
  let query: Query = {}
  try {
    query = checkParams(dataset, params)
    checkFields(dataset, fields, query)
  } catch (error) {
    if (error instanceof ParamsError) return error.message
    if (error instanceof QuotebookError && error.code === 'UNSUPPORTED_MARKET') return undefined
    throw error
  }
  return undefined
}

/** The one rule about params that a schema can not say. */
const isReversed = (message: string | undefined): boolean => / is later than /.test(message ?? '')

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(openApi()))
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
  })

  test('is the same every time, and of this version', () => {
    expect(JSON.stringify(openApi())).toBe(JSON.stringify(openApi()))
    expect(document.info.version).toBe(version)
  })

  test('names each operation once, and what it refers to is there', () => {
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId))
    expect(ids).toEqual(['query', 'health', 'metrics', 'openapi'])
    const refs = [...JSON.stringify(document).matchAll(/"#\/components\/([\w/]+)"/g)].map(([, path = '']) => path)
    expect(refs.length).toBeGreaterThan(200)
    for (const path of new Set(refs)) expect(document.components, path).toHaveProperty(path.split('/'))
  })

  test('has no schema that nothing leads to', () => {
    const text = JSON.stringify(document)
    for (const name of Object.keys(document.components.schemas)) {
      expect(text, name).toContain(`"#/components/schemas/${name}"`)
    }
  })

  test('has params, fields, columns, units and meanings of every operation', () => {
    for (const name of datasetNames) {
      const { params, columns, shape } = datasetOf(name)
      const schemas = document.components.schemas as Record<string, { properties?: object } | undefined>
      expect(Object.keys(schemas[`${pascal(name)}Params`]?.properties ?? {}), name).toEqual(Object.keys(params))
      const own = Object.entries(schemas).filter(([key]) => key.startsWith(pascal(name)) && /(Row|Record)$/.test(key))
      const text = JSON.stringify(own)
      for (const [column, { meaning, unit }] of Object.entries(columns)) {
        const at = shape === 'rows' ? `{"title":"${column}","description":` : `"${column}":{"description":`
        expect(text, `${name}.${column}`).toContain(
          `${at}${JSON.stringify(meaning)}${unit ? `,"x-unit":${JSON.stringify(unit)}` : ''}`,
        )
      }
    }
  })

  test('its examples are requests that it and the contract take', () => {
    const body = (document as never as { paths: { '/api': { post: { requestBody: { content: object } } } } }).paths[
      '/api'
    ].post.requestBody.content as { 'application/json': { examples: Record<string, { value: { params: object } }> } }
    const { examples } = body['application/json']
    expect(Object.keys(examples)).toEqual(datasetNames)
    for (const [name, { value }] of Object.entries(examples)) {
      expect(complaint('Request', value)).toBe(undefined)
      expect(refusal(name, value.params)).toBe(undefined)
    }
  })
})

describe('requests', () => {
  for (const name of datasetNames) {
    test(`${name}: the schema takes what the contract takes and refuses what it refuses`, () => {
      let [taken, refused] = [0, 0]
      for (const { accepted, refused: bad } of Object.values(paramCases[name] ?? {})) {
        for (const given of [...accepted, ...bad]) {
          const body = request(name, given)
          const message = refusal(name, body.params)
          const wrong = complaint(`${pascal(name)}Request`, body)
          if (isReversed(message)) continue
          if (message) refused++
          else taken++
          expect(wrong === undefined, `${JSON.stringify(given)}: contract: ${message}; schema: ${wrong}`).toBe(!message)
          expect(validator('Request')(body), JSON.stringify(given)).toBe(!message)
        }
      }
      expect(Math.min(taken, refused)).toBeGreaterThan(0)
    })

    test(`${name}: so it is for params put together at random`, () => {
      const pool = Object.entries(paramCases[name] ?? {}).map(([param, { accepted, refused }]) => {
        const values = [...accepted, ...refused].map((given) => given[param])
        const good = accepted.map((given) => given[param])
        const rare = fc.oneof(
          fc.constantFrom(...values),
          fc.string().map((text) => text.trim()),
          fc.integer(),
          fc.jsonValue(),
        )
        return [
          param,
          fc.option(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: rare }), {
            nil: undefined,
            freq: 2,
          }),
        ] as const
      })
      const law = fc.property(fc.record(Object.fromEntries(pool)), (given) => {
        const body = request(name, given)
        const message = refusal(name, body.params)
        fc.pre(!isReversed(message) && !forgiven(body.params))
        expect(complaint(`${pascal(name)}Request`, body) === undefined, message).toBe(message === undefined)
      })
      fc.assert(law, { numRuns: 300 })
    })

    test(`${name}: fields are held against its columns`, () => {
      const names = Object.keys(datasetOf(name).columns)
      const some = fc
        .array(fc.constantFrom(...names, 'nothing', '', ' close '), { maxLength: 4 })
        .map((list) => list.join(','))
      const params = fc.constantFrom(datasetOf(name).example, {
        ...datasetOf(name).example,
        ...('tradedate' in datasetOf(name).params
          ? { tradedate: '20260701', startdate: null, enddate: null, recentdays: null }
          : {}),
      })
      const known = params.map((given) =>
        Object.fromEntries(Object.entries(given).filter(([param]) => param in datasetOf(name).params)),
      )
      const law = fc.property(fc.oneof(some, fc.constant(null), fc.constant(undefined)), known, (fields, given) => {
        fc.pre(!(datasetOf(name).noFields && fields === ''))
        const body = request(name, given, fields)
        const message = refusal(name, given, fields)
        expect(complaint(`${pascal(name)}Request`, body) === undefined, message).toBe(message === undefined)
      })
      fc.assert(law, { numRuns: 300 })
    })
  }

  test.each([
    ['no body', null],
    ['a list', []],
    ['no key', { apiname: 'st' }],
    ['an empty key', { apikey: '', apiname: 'st' }],
    ['a key that is a number', { apikey: 1, apiname: 'st' }],
    ['no operation', { apikey: 'key' }],
    ['an operation that is not there', { apikey: 'key', apiname: 'etfminute' }],
    ['params that are a list', { apikey: 'key', apiname: 'st', params: [1] }],
    ['params of another operation', { apikey: 'key', apiname: 'st', params: { period: '15m' } }],
    ['no params where they are needed', { apikey: 'key', apiname: 'hotstock' }],
    ['null params where they are needed', { apikey: 'key', apiname: 'file_download', params: null }],
    ['__proto__', JSON.parse('{"apikey":"key","apiname":"st","params":{"__proto__":1}}')],
  ])('%s is refused', (_, body) => {
    expect(validator('Request')(body)).toBe(false)
  })

  test.each([
    ['without params', { apikey: 'key', apiname: 'st' }],
    ['with null params and fields', { apikey: 'key', apiname: 'st', params: null, fields: null }],
    ['with null fields where none are taken', { apikey: 'key', apiname: 'thememembers_jx', fields: null }],
  ])('a request %s is taken', (_, body) => {
    expect(complaint('Request', body)).toBe(undefined)
  })
})

/** Whether the contract takes more than the canonical form that the schema describes: stray commas, commas in an array. */
function forgiven(params: Record<string, unknown> = {}): boolean {
  const texts = Object.values(params).flat()
  return (
    texts.some((text) => typeof text === 'string' && (text !== text.trim() || /^,|,\s*,|,$|, /.test(text))) ||
    Object.values(params).some((value) => Array.isArray(value) && value.some((part) => String(part).includes(',')))
  )
}

test('a date is one of the calendar, for the pattern as for the contract', () => {
  const validate = validator('Date')
  for (let year = 0; year <= 9999; year += year > 1890 && year < 2110 ? 1 : 97) {
    for (let month = 0; month <= 13; month++) {
      for (const day of [0, 1, 28, 29, 30, 31, 32]) {
        const text = `${String(year).padStart(4, '0')}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`
        expect(validate(text), text).toBe(isDate(text))
      }
    }
  }
})

test('a moment is one, for the pattern as for the contract', () => {
  const validate = validator('Moment')
  const part = (...texts: string[]) => fc.constantFrom(...texts)
  const moment = fc
    .tuple(
      part('2026-07-01', '20260701', '2026-02-29', '20240229', '2026-0701', '0000-01-01', '1900-02-29', '2000-02-29'),
      part('', 'T', ' ', 't', 'T '),
      part('', '10:00', '23:59:59', '24:00', '10:60', '10:00:60', '10:00:00.123', '1000', '10'),
      part('', ' '),
      part('', 'Z', '+08:00', '+0800', '+08', '-05:30', '+15:00', '+08:60', '+8', 'z'),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(moment, (text) => {
      fc.pre(text === text.trim())
      expect(validate(text), text).toBe(beijingMoment(text) !== undefined)
    }),
    { numRuns: 3000 },
  )
})
