import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetOf, datasets } from '../../../src/contract/catalogue.js'
import { checkParams } from '../../../src/contract/check-params.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { ParamsError } from '../../../src/contract/error.js'
import { requestBody } from '../../../src/server/service/page/client/api-call.js'
import {
  conflicts,
  fieldsOffered,
  findNamedField,
  findRefusal,
  toParams,
  toValues,
} from '../../../src/server/service/page/client/form-values.js'

const all = (datasets as readonly Dataset[]).map((dataset) => [dataset.name, dataset] as const)

describe.each(all)('%s', (_, dataset) => {
  test('the example fills the form, and the form says the example', () => {
    const params = toParams(dataset, toValues(dataset.example))
    expect(checkParams(dataset, params)).toEqual(checkParams(dataset, dataset.example))
    expect(findRefusal(dataset, params)).toBeUndefined()
    expect(conflicts(dataset, toValues(dataset.example)).size).toBeLessThan(Object.keys(dataset.params).length)
  })

  test('exclusive params: what the form closes is what the contract refuses', () => {
    const names = Object.keys(dataset.params)
    const subset = fc.subarray(names)
    fc.assert(
      fc.property(subset, (filled) => {
        const values = Object.fromEntries(filled.map((name) => [name, 'x']))
        const beside = conflicts(dataset, values)
        const clashes = filled.some((name) => beside.has(name))
        const refused = (dataset.exclusive ?? []).some(
          ([left, right]) => left.some((name) => filled.includes(name)) && right.some((name) => filled.includes(name)),
        )
        expect(clashes).toBe(refused)
      }),
    )
  })
})

test('an empty form asks for nothing', () => {
  expect(toParams(datasetOf('etf_minute'), { symbols: '  ', period: '' })).toEqual({})
  expect(requestBody({ dataset: datasetOf('st'), params: {}, fields: undefined }, 'k')).toEqual({
    apikey: 'k',
    apiname: 'st',
  })
  expect(requestBody({ dataset: datasetOf('hotstock'), params: {}, fields: ['s'] }, 'k')).toEqual({
    apikey: 'k',
    apiname: 'hotstock',
    fields: 's',
    params: {},
  })
})

test('lists take commas of either script and blanks; a joined list goes as one text; integers as numbers', () => {
  const etf = toParams(datasetOf('etf_minute'), { symbols: ' 510300.SH，159915.SZ\n512880.SH ' })
  expect(etf).toEqual({ symbols: ['510300.SH', '159915.SZ', '512880.SH'] })
  expect(toParams(datasetOf('southbound_top10'), { market_type: '2,4' })).toEqual({ market_type: '2,4' })
  expect(toParams(datasetOf('news'), { limit: '20' })).toEqual({ limit: 20 })
})

test('what is no whole number is sent as it was typed, so that the service can say so', () => {
  for (const text of ['1.5', '1e3', '0x10', '12345678901234567890', 'ten']) {
    const params = toParams(datasetOf('news'), { limit: text })
    expect(params).toEqual({ limit: text })
    expect(findRefusal(datasetOf('news'), params)?.field).toBe('limit')
  }
})

test('a message of the service is traced to the param that it is about', () => {
  const bad: [string, Record<string, unknown>][] = [
    ['etf_minute', { tradedate: '2026-07-01' }],
    ['etf_minute', { trademin: '1001' }],
    ['convertible_daily', { startdate: '20260710', enddate: '20260701' }],
    ['convertible_daily', { tradedate: '20260710', enddate: '20260701' }],
    ['finance_announcement', { limit: 5000 }],
    ['finance_announcement', { ann_startdate: 'x' }],
    ['hotstock', {}],
    ['transfer_financing', { recentdays: 0 }],
  ]
  for (const [name, params] of bad) {
    const dataset = datasetOf(name)
    try {
      checkParams(dataset, params)
      expect.unreachable(name)
    } catch (error) {
      expect(error).toBeInstanceOf(ParamsError)
      expect(findNamedField(dataset, (error as ParamsError).message), (error as ParamsError).message).toBe(
        (error as ParamsError).field,
      )
    }
  }
  expect(findNamedField(datasetOf('etf_minute'), 'something else')).toBeUndefined()
  expect(
    findNamedField(datasetOf('interactive_qa'), 'UNSUPPORTED_MARKET: symbols 430047.BJ is of the Beijing exchange.'),
  ).toBe('symbols')
})

test('hotstock offers the columns of the mode that the form is in', () => {
  const dataset = datasetOf('hotstock')
  expect(fieldsOffered(dataset, {})).toEqual(['s', 'n', 'pc'])
  expect(fieldsOffered(dataset, { tradedate: '20260701' })).toEqual(['s', 'rank', 'tradedate', 'type'])
})
