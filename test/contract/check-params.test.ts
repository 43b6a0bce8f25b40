import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { checkParams } from '../../src/contract/check-params.js'
import { ParamsError, QuotebookError } from '../../src/contract/error.js'

type Params = Record<string, unknown>
/** For each param of an operation: requests that are accepted, and requests that are refused by this field's name. */
type Cases = Record<string, { accepted: Params[]; refused: Params[] }>

const date = (name: string, base: Params = {}) => ({
  accepted: [
    { ...base, [name]: '20260701' },
    { ...base, [name]: '20240229' },
    { ...base, [name]: null },
  ],
  refused: ['2026-07-01', '20260230', '202607', 'today', '', 20260701, ['20260701'], true].map((value) => ({
    ...base,
    [name]: value,
  })),
})
const day = (base: Params = {}, name = 'tradedate') => {
  const { accepted, refused } = date(name, base)
  return {
    accepted,
    refused: [
      ...refused,
      { ...base, [name]: '20260701', startdate: '20260701' },
      { ...base, [name]: '20260701', enddate: '20260701' },
    ],
  }
}
const start = (base: Params = {}, name = 'startdate', end = 'enddate') => {
  const { accepted, refused } = date(name, base)
  return {
    accepted: [...accepted, { ...base, [name]: '20260701', [end]: '20260701' }],
    refused: [...refused, { ...base, [name]: '20260702', [end]: '20260701' }],
  }
}
const codes = (name: string, base: Params = {}) => ({
  accepted: ['000001', '000001.SZ', '000001,600000.SH', ['000001', '600000.SH']].map((value) => ({
    ...base,
    [name]: value,
  })),
  refused: [1, '', ' , ', [], [1], ['000001', 2], {}].map((value) => ({ ...base, [name]: value })),
})
const choice = (name: string, good: unknown[], bad: unknown[], base: Params = {}) => ({
  accepted: good.map((value) => ({ ...base, [name]: value })),
  refused: bad.map((value) => ({ ...base, [name]: value })),
})
const whole = (name: string, good: number[], bad: unknown[], base: Params = {}) =>
  choice(name, good, [...bad, '5', 1.5, Number.NaN], base)
const text = (name: string) => choice(name, ['a', '回购'], ['', 5, ['a']])
const page = { limit: whole('limit', [1, 2000], [0, 2001, -1]), offset: whole('offset', [0, 5000], [-1]) }
const bar = (period: string[], closes: string[], others: string[]) => ({
  symbols: codes('symbols'),
  tradedate: date('tradedate'),
  trademin: {
    accepted: closes.map((trademin) => ({ trademin, period: period.at(0) })),
    refused: [...others, 925, '9:30', '2560', ''].map((trademin) => ({ trademin, period: period.at(0) })),
  },
  period: choice('period', period, ['1m', '60m', 30, '']),
})
const tj = { type: 'tj' }

const cases: Record<string, Cases> = {
  news: {
    limit: whole('limit', [1, 500], [0, 501]),
    view: choice('view', ['time', 'source'], ['day', '', 1]),
    sources: choice(
      'sources',
      ['yicai_home', 'yicai_home,cls_hot_article', ['cls_depth_1000', 'cls_depth_1003']],
      ['sina', ['yicai_home', 'x'], []],
    ),
    keyword: text('keyword'),
  },
  theme_lib_detail_kp: { theme_id: choice('theme_id', ['1001'], [1001, '', undefined, null, ['1001']]) },
  hotstock: {
    type: choice(
      'type',
      ['ths&normal', 'dfcf&renqi', 'tdx&zuori'],
      ['ths', 'ths&norml', '', undefined, ['ths&normal']],
    ),
    tradedate: date('tradedate', { type: 'ths&normal' }),
  },
  st: {
    type: choice('type', ['ST', '*ST', 'ST,*ST', ['ST', '*ST']], ['S', '**ST', ['ST', 'x'], '']),
    symbols: codes('symbols'),
    startdate: start(),
    enddate: date('enddate'),
  },
  convertible_minute: bar(
    ['30m'],
    ['0930', '1000', '1130', '1330', '1500'],
    ['0945', '1300', '1200', '1515', '0925', '1301'],
  ),
  etf_minute: {
    ...bar(['15m', '30m'], ['0930', '0945', '1130', '1315', '1445', '1500'], ['1300', '0931', '1301', '1200']),
  },
  theme_daily: {
    type: choice('type', ['tj'], ['zs', '', undefined, ['tj']]),
    symbols: codes('symbols', tj),
    tradedate: day(tj),
    startdate: start(tj),
    enddate: date('enddate', tj),
  },
  convertible_daily: { symbols: codes('symbols'), tradedate: day(), startdate: start(), enddate: date('enddate') },
  transfer_financing: {
    tradedate: day(),
    startdate: start(),
    enddate: date('enddate'),
    recentdays: {
      accepted: [{ recentdays: 1 }, { recentdays: 250 }],
      refused: [
        { recentdays: 0 },
        { recentdays: '5' },
        { recentdays: 1.5 },
        { recentdays: 5, tradedate: '20260701' },
        { recentdays: 5, startdate: '20260701' },
        { recentdays: 5, enddate: '20260701' },
      ],
    },
  },
  thememembers_jx: {
    level: choice('level', ['parent', 'child'], ['parents', '', 1]),
    theme_symbols: codes('theme_symbols'),
    symbols: codes('symbols'),
  },
  southbound_top10: {
    symbols: codes('symbols'),
    tradedate: day(),
    startdate: start(),
    enddate: date('enddate'),
    market_type: choice('market_type', ['2', '4', '2,4', ['2', '4']], ['1', '2,3', 2, '']),
  },
  anomaly_forecast: { symbols: codes('symbols'), tradedate: date('tradedate') },
  file_download: {
    data_type: choice('data_type', ['auction_tick'], ['ticks', '', undefined], { year: 2026 }),
    year: whole('year', [2022, 2026], [2021, 0, undefined, null], { data_type: 'auction_tick' }),
  },
  finance_announcement: {
    symbols: codes('symbols'),
    startdate: start(),
    enddate: date('enddate'),
    ...page,
    period: {
      accepted: [{ period: '20260331' }],
      refused: [
        ...date('period').refused,
        { period: '20260331', date: '20260701' },
        { period: '20260331', startdate: '20260701' },
        { period: '20260331', enddate: '20260701' },
      ],
    },
    date: day({}, 'date'),
    ann_startdate: start({}, 'ann_startdate', 'ann_enddate'),
    ann_enddate: date('ann_enddate'),
    as_of: choice(
      'as_of',
      [
        '20260701',
        '2026-07-01',
        '2026-07-01T10:00:00',
        '2026-07-01T02:00:00Z',
        '2026-07-01T10:00:00.123+08:00',
        '2026-07-01 10:00',
      ],
      ['2026-7-1', '20260732', '2026-07-01T25:00:00', 'now', 20260701, ''],
    ),
    version: choice('version', ['latest', 'all'], ['first', '', 1]),
    keyword: text('keyword'),
    announcement_type: choice(
      'announcement_type',
      ['other', 'financial_report,other', ['unknown']],
      ['report', '', ['x']],
    ),
  },
  interactive_qa: {
    symbols: codes('symbols'),
    startdate: start(),
    enddate: date('enddate'),
    ...page,
    date: day({}, 'date'),
    qa_id: {
      accepted: [{ qa_id: '1234567890123456789' }, { qa_id: ['1', '2'] }, { qa_id: '1,2' }],
      refused: [{ qa_id: 1234567890 }, { qa_id: [1] }, { qa_id: '' }],
    },
    keyword: text('keyword'),
    version: choice('version', ['latest', 'all'], ['newest', '']),
  },
}

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
