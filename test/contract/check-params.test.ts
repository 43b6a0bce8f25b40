import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { checkParams } from '../../src/contract/check-params.js'
import { ParamsError, QuotebookError } from '../../src/contract/error.js'
import { paramCases as cases } from '../helper/param-cases.js'

test('every param of every operation has cases in both directions', () => {
  for (const name of datasetNames) {
    expect(Object.keys(cases[name] ?? {}).sort(), name).toEqual(Object.keys(datasetOf(name).params).sort())
    for (const [param, { accepted, refused }] of Object.entries(cases[name] ?? {})) {
      expect(accepted.length, `${name}.${param}`).toBeGreaterThan(0)
      expect(refused.length, `${name}.${param}`).toBeGreaterThan(0)
    }
  }
})

for (const [name, params] of Object.entries(cases)) {
  for (const [param, { accepted, refused }] of Object.entries(params)) {
    test.each(accepted.map((given) => [JSON.stringify(given), given] as const))(
      `${name} takes ${param}: %s`,
      (_, given) => {
        const query = checkParams(datasetOf(name), given)
        if (given[param] === null) expect(query).not.toHaveProperty(param)
        else expect(query).toHaveProperty(param)
      },
    )
    test.each(refused.map((given) => [JSON.stringify(given), given] as const))(
      `${name} refuses ${param}: %s`,
      (_, given) => {
        const error = caught(() => checkParams(datasetOf(name), given))
        expect(error).toBeInstanceOf(ParamsError)
        expect([(error as ParamsError).field, (error as Error).message.includes(param)]).toEqual([param, true])
      },
    )
  }
}

function caught(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}

test('defaults are filled in, lists and integers canonical', () => {
  expect(checkParams(datasetOf('news'), { sources: ' yicai_home , cls_hot_article,yicai_home' })).toEqual({
    limit: 100,
    view: 'time',
    sources: ['yicai_home', 'cls_hot_article'],
  })
  expect(checkParams(datasetOf('interactive_qa'), undefined)).toEqual({ limit: 100, offset: 0, version: 'latest' })
  expect(checkParams(datasetOf('etf_minute'), {})).toEqual({ period: '30m' })
})

test('a comma inside an element separates too; only plain objects are params', () => {
  expect(checkParams(datasetOf('st'), { symbols: ['000001, 600519', '300750'] })).toEqual({
    symbols: ['000001', '600519', '300750'],
  })
  expect(caught(() => checkParams(datasetOf('st'), new Map([['symbols', '1']])))).toMatchObject({ field: 'params' })
})

test('a bucket of 15 minutes is refused for 30-minute bars', () => {
  expect(caught(() => checkParams(datasetOf('etf_minute'), { trademin: '0945', period: '30m' }))).toMatchObject({
    field: 'trademin',
  })
  expect(caught(() => checkParams(datasetOf('etf_minute'), { trademin: '0945' }))).toMatchObject({ field: 'trademin' })
})

test('operations that need params say which', () => {
  for (const name of ['hotstock', 'file_download', 'theme_lib_detail_kp', 'theme_daily']) {
    expect(
      caught(() => checkParams(datasetOf(name), undefined)),
      name,
    ).toMatchObject({ code: 'INVALID_PARAMS', field: 'params' })
  }
  expect(caught(() => checkParams(datasetOf('st'), [1]))).toMatchObject({ field: 'params' })
})

test('a misspelt name or value is answered with the nearest', () => {
  expect(caught(() => checkParams(datasetOf('etf_minute'), { symbol: '510300' }))).toMatchObject({
    suggestion: 'symbols',
  })
  expect(caught(() => checkParams(datasetOf('st'), { startDate: '20260701' }))).toMatchObject({
    suggestion: 'startdate',
  })
  expect(caught(() => checkParams(datasetOf('hotstock'), { type: 'ths&norml' }))).toMatchObject({
    suggestion: 'ths&normal',
  })
  expect(caught(() => datasetOf('etfminute'))).toMatchObject({ suggestion: 'etf_minute' })
  const { message } = caught(() => checkParams(datasetOf('etf_minute'), { startdate: '20260701' })) as Error
  expect(message).toContain("unknown param of etf_minute 'startdate'")
  expect(caught(() => checkParams(datasetOf('st'), JSON.parse('{"__proto__":1}')))).toBeInstanceOf(ParamsError)
})

test('a Beijing code is UNSUPPORTED_MARKET for questions and answers, and nowhere else', () => {
  for (const symbols of ['920001.BJ', '920001', ['000001.SZ', '430047.BJ']]) {
    const error = caught(() => checkParams(datasetOf('interactive_qa'), { symbols }))
    expect(error).toBeInstanceOf(QuotebookError)
    expect(error).toMatchObject({ code: 'UNSUPPORTED_MARKET' })
    expect(() => checkParams(datasetOf('st'), { symbols })).not.toThrow()
  }
})
