import { readFileSync } from 'node:fs'
import {
  connect,
  type DatasetName,
  datasetOf,
  datasets,
  knownAt,
  provenance,
  QuotebookError,
  tradingDays,
} from 'quotebook'
import { describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { datasetNames } from './helper/catalogue.js'
import { runCommand } from './helper/command.js'
import { failure } from './helper/files.js'

const caught = (action: () => unknown): Error & { code: string; field?: string; suggestion?: string } => {
  try {
    action()
  } catch (error) {
    return error as Error & { code: string }
  }
  throw new Error('it did not fail')
}

describe('the catalogue', () => {
  test('fifteen datasets, each a declaration of columns, params, key and time', async () => {
    const market = await connect()
    expect(datasets.map(({ name }) => name)).toEqual(datasetNames)
    for (const { name, columns, params, key, example, knownAt: rule } of datasets) {
      for (const { kind, meaning } of Object.values(columns))
        expect([typeof kind, meaning.at(-1)], name).toEqual(['string', '.'])
      for (const { meaning } of Object.values(params)) expect(meaning, name).toMatch(/\.$/)
      expect(Object.keys(columns), name).toEqual(expect.arrayContaining(key.filter((column) => column in columns)))
      await market.explain(name, example as never)
      expect(rule.note.length, name).toBeGreaterThan(5)
    }
  })

  test('units are those of the specification', () => {
    const { columns } = datasetOf('etf_minute')
    expect(Object.keys(columns)).toEqual([
      'tradedate',
      'symbol',
      'trademin',
      'time',
      'open',
      'high',
      'low',
      'close',
      'vol',
      'amount',
      'vwap',
    ])
    expect([columns.vol?.unit, columns.amount?.unit, columns.vwap?.unit]).toEqual(['lot', 'yuan', 'yuan'])
    expect(datasetOf('theme_daily').columns.pct_chg?.unit).toBe('percent')
  })

  test('a dataset that there is not is answered with the nearest, in code and at the command', async () => {
    const error = caught(() => datasetOf('etfminute' as never))
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', suggestion: 'etf_minute' })
    expect(error.message).toContain("Did you mean 'etf_minute'?")
    const told = await here('query', 'etfminute')
    expect([told.code, told.err]).toEqual([2, expect.stringContaining("Did you mean 'etf_minute'?")])
    const shown = await here('datasets', 'etf_minute')
    expect(shown.code).toBe(0)
    for (const part of ['trademin', 'period', 'yuan', 'lot']) expect(shown.out).toContain(part)
  })

  test('the version of the command is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect((await runCommand(['--version'])).out.trim()).toBe(version)
  })
})

describe('params are checked', () => {
  test('they come out canonical, with their defaults', async () => {
    const market = await connect()
    const canonical = async (name: DatasetName, params: unknown): Promise<unknown> =>
      provenance(await market.query(name, params as never))?.request.params
    expect(await canonical('news', { sources: ' yicai_home , cls_hot_article,yicai_home' })).toEqual({
      view: 'time',
      sources: ['yicai_home', 'cls_hot_article'],
    })
    expect(await canonical('interactive_qa', undefined)).toEqual({ version: 'latest' })
    expect(await canonical('etf_minute', {})).toEqual({ period: '30m' })
    const listed = { symbols: ['000001, 600519', '300750'], startdate: null, type: undefined }
    expect(await canonical('st', listed)).toEqual({ symbols: ['000001', '600519', '300750'] })
  })

  test('what is refused says by which field, and what would be right', async () => {
    const market = await connect()
    const error = await failure(market.explain('hotstock', { type: 'ths&norml' } as never))
    expect(error).toBeInstanceOf(QuotebookError)
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', field: 'type', suggestion: 'ths&normal' })
  })

  test('a Beijing code is UNSUPPORTED_MARKET for questions and answers, and nowhere else', async () => {
    const market = await connect()
    for (const symbols of ['920001.BJ', '920001', ['000001.SZ', '430047.BJ']]) {
      const error = await failure(market.explain('interactive_qa', { symbols }))
      expect(error).toBeInstanceOf(QuotebookError)
      expect([error.code, error.message]).toEqual([
        'UNSUPPORTED_MARKET',
        expect.stringMatching(/^UNSUPPORTED_MARKET: symbols \S+ is of the Beijing exchange\.$/),
      ])
      await market.explain('st', { symbols })
    }
  })

  test('a field that there is not is refused by name, one of another mode with those that it has', async () => {
    const market = await connect()
    const fail = (fields: readonly string[]): Promise<unknown> =>
      market.source
        .query(datasetOf('etf_minute'), { tradedate: '20260729' }, { fields } as never)
        .catch((error: unknown) => error)
    expect(await fail(['vwapp'])).toMatchObject({ code: 'INVALID_PARAMS', field: 'fields', suggestion: 'vwap' })
    await market.close()
  })
})

describe('the calendar', () => {
  test('has as many days a year as the exchanges counted', () => {
    const counts = [2022, 2023, 2024, 2025, 2026].map((year) => tradingDays(`${year}0101`, `${year}1231`).length)
    expect(counts).toEqual([242, 242, 242, 243, 242])
    expect(tradingDays('20260615', '20260626')).toEqual(
      ['15', '16', '17', '18', '22', '23', '24', '25', '26'].map((day) => `202606${day}`),
    )
    expect(tradingDays('20250127', '20250206')).toEqual(['20250127', '20250205', '20250206'])
  })

  test.each(['2026-07-04', '20260230', '2026', ''])('%j is no date', (bad) => {
    expect(caught(() => tradingDays(bad, '20260710'))).toMatchObject({
      code: 'INVALID_VALUE',
      message: `a date must be YYYYMMDD, not '${bad}'`,
    })
  })

  test('a year of which there is no notice is refused: a guess would look like knowledge', () => {
    for (const day of ['20270104', '20211231'])
      expect(caught(() => tradingDays(day, day))).toMatchObject({
        code: 'INVALID_VALUE',
        message: `the trading calendar knows 2022 to 2026, not ${day}`,
      })
  })
})

describe('knownAt', () => {
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['etf_minute', { tradedate: '20260701', trademin: '1000' }, '2026-07-01T10:00:00'],
    ['convertible_daily', { tradedate: '20260701' }, '2026-07-01T15:00:00'],
    ['interactive_qa', { event_date: '20260701' }, '2026-07-01T22:00:00'],
    ['finance_announcement', { disclosed_at: '2026-07-01T18:30:00' }, '2026-07-01T18:30:00'],
    ['theme_lib_detail_kp', {}, undefined],
  ])('%s %j', (name, row, moment) => {
    expect(knownAt(datasetOf(name as 'st'), row)).toBe(moment)
  })

  test('a row that lacks what tells is refused', () => {
    const error = caught(() => knownAt(datasetOf('convertible_daily'), {}))
    expect([error.code, error.message]).toEqual(['MISSING_COLUMN', expect.stringContaining('knownAt needs tradedate')])
    expect(caught(() => knownAt(datasetOf('convertible_daily'), { tradedate: 'soon' })).code).toBe('INVALID_VALUE')
  })
})
