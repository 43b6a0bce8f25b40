import { datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'

type Params = Record<string, unknown>
/** For each param of an operation: requests that are accepted, and requests that are refused by this field's name. */
export type Cases = Record<string, { accepted: Params[]; refused: Params[] }>

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

/** By operation, by param, where a param is more than its kind says. */
const own: Record<string, Cases> = {
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
  transfer_financing: {
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
  },
  southbound_top10: {
    market_type: choice('market_type', ['2', '4', '2,4', ['2', '4']], ['1', '2,3', 2, '']),
  },
  anomaly_forecast: { symbols: codes('symbols'), tradedate: date('tradedate') },
  file_download: {
    data_type: choice('data_type', ['auction_tick'], ['ticks', '', undefined], { year: 2026 }),
    year: whole('year', [2022, 2026], [2021, 0, undefined, null], { data_type: 'auction_tick' }),
  },
  finance_announcement: {
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

/** Cases of a param by its kind. */
function casesOf(dataset: Dataset, name: string): Cases[string] {
  const param = dataset.params[name] as Dataset['params'][string]
  if (param.kind === 'codes') return codes(name)
  if (param.kind !== 'date') throw new Error(`${dataset.name}.${name}: cases of its own are to be written`)
  if (param.role === 'day' && dataset.exclusive) return day({}, name)
  return param.role === 'from' ? start() : date(name)
}

/** By operation, by param. */
export const paramCases: Readonly<Record<string, Cases>> = Object.fromEntries(
  (datasets as readonly Dataset[]).map((dataset) => {
    const names = Object.keys(dataset.params).map((name) => [name, own[dataset.name]?.[name] ?? casesOf(dataset, name)])
    return [dataset.name, Object.fromEntries(names) as Cases]
  }),
)
