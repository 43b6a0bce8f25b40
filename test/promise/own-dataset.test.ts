import { readFileSync } from 'node:fs'
import {
  Archive,
  backtest,
  checkAll,
  computeAnomalies,
  connect,
  datasetOf,
  defineDataset,
  type FileNote,
  fromCsv,
  fromRows,
  importFiles,
  loadPanel,
  panel,
  provenance,
  type Table,
  toCsv,
} from 'quotebook'
import { beforeAll, describe, expect, test } from 'vitest'
import { failure, file, newPlace, objects, removeFolders } from './helper/files.js'

removeFolders()

const price = (meaning: string) => ({ kind: 'number', unit: 'yuan', nullable: true, meaning }) as const
const stockDaily = {
  name: 'stock_daily',
  title: 'Daily prices of stocks',
  columns: {
    tradedate: { kind: 'date', isTrading: true, meaning: 'Trading day.' },
    symbol: { kind: 'code', spelling: 'full', meaning: 'Code with its exchange.' },
    open: price('First price.'),
    high: price('Highest price.'),
    low: price('Lowest price.'),
    close: price('Last price.'),
    vol: { kind: 'number', unit: 'share', nullable: true, meaning: 'Shares traded.' },
    amount: price('Turnover.'),
    adj_factor: { kind: 'number', nullable: true, meaning: 'Cumulative factor of ex-rights.' },
    board: { kind: 'label', nullable: true, values: ['main', 'STAR'], meaning: 'Board.' },
  },
  key: ['tradedate', 'symbol'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:30:00', note: 'after the close' },
  laws: ['vol >= 0', 'adj_factor > 0', 'amount >= vol'],
  instruments: 'stock',
  chinese: { title: '股票日行情', columns: { vol: '成交量。' } },
} as const

const indexDaily = {
  name: 'index_daily',
  title: 'Daily closes of indices',
  columns: {
    tradedate: { kind: 'date', isTrading: true, meaning: 'Trading day.' },
    code: { kind: 'code', spelling: 'full', meaning: 'Index.' },
    close: { kind: 'number', unit: 'point', meaning: 'Close.' },
  },
  key: ['tradedate', 'code'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:30:00', note: 'after the close' },
  instruments: 'index',
} as const

const real = (name: string): string => readFileSync(`test/fixture/real/${name}`, 'utf8')
const dir = newPlace()
const notes: FileNote[] = []
beforeAll(async () => {
  defineDataset(stockDaily)
  defineDataset(indexDaily)
  // Shanghai's benchmark is its A-share index; the composite stands for it.
  const index = file('index.csv', real('000001.SH.daily.csv').replaceAll('000001.SH', '000002.SH'))
  const onFile = (note: FileNote): void => void notes.push(note)
  const covers = { from: '20201110', to: '20201127' }
  const set = { adj_factor: '1', board: 'main' }
  await importFiles(dir, datasetOf('stock_daily'), [file('s.csv', real('601008.SH.ohlc.csv'))], { set, covers, onFile })
  await importFiles(dir, datasetOf('index_daily'), [index], { covers })
})

describe('a dataset of one’s own', () => {
  test('is imported, asked, read by SQL and told of as one of the vendor’s', async () => {
    expect(notes).toMatchObject([{ rows: 14, ignored: [], absent: [] }])
    const market = await connect({ archive: dir })
    type Load = (params?: object) => Promise<Table>
    const { stockDaily: load } = market.table as unknown as { readonly stockDaily: Load }
    const days: Table = await load({ startdate: '20201116', enddate: '20201118', symbols: '601008' })
    expect(toCsv(days)).toBe(
      `${Object.keys(stockDaily.columns)}\n20201116,601008.SH,4.14,4.14,4.14,4.14,34914146,145242848,1,main\n20201117,601008.SH,4.28,4.56,4.22,4.56,53566238,236868416,1,main\n20201118,601008.SH,5.02,5.02,4.89,5,77055665,387986368,1,main\n`,
    )
    expect(provenance(days)).toMatchObject({ dataset: 'stock_daily', complete: true })
    expect(days.schema.fields[6]?.metadata.get('unit')).toBe('share')
    expect((await load()).numRows).toBe(1)
    expect((await load({ startdate: '20201110', board: 'STAR' })).numRows).toBe(0)
    expect((await market.query('stock_daily', {}, { days: 3, fields: ['tradedate'] })).numRows).toBe(3)
    const joined = await market.sql(
      'select count(*)::int as n, max(s.close / i.close) as most from stock_daily s join index_daily i using (tradedate)',
    )
    expect(objects(joined)).toEqual([{ n: 14, most: 5 / 3347.3 }])
    expect((await market.status()).columns).toContain('missing')
    const wrong = await failure(load({ symbol: '601008' }))
    expect([wrong.code, wrong.suggestion]).toEqual(['INVALID_PARAMS', 'symbols'])
    const other = await failure(market.query('stock_dayly'))
    expect(other.suggestion).toBe('stock_daily')
  })

  test('is checked by its laws, its keys and what follows from its columns', async () => {
    const rows = [
      {
        tradedate: '20201116',
        symbol: '601008.SH',
        open: 4,
        high: 5,
        low: 3,
        close: 4,
        vol: 1,
        amount: 4,
        adj_factor: 1,
      },
      {
        tradedate: '20201116',
        symbol: '601008.SH',
        open: 4,
        high: 5,
        low: 3,
        close: 4,
        vol: 1,
        amount: 4,
        adj_factor: 1,
      },
      {
        tradedate: '20201117',
        symbol: '601008.SH',
        open: 4,
        high: 3,
        low: 3,
        close: 4,
        vol: -1,
        amount: 4,
        adj_factor: 0,
      },
      {
        tradedate: '20201118',
        symbol: '601008.SH',
        open: -4,
        high: 5,
        low: 3,
        close: null,
        vol: null,
        amount: 4,
        adj_factor: null,
      },
      {
        tradedate: '20201121',
        symbol: '601008.SH',
        open: 4,
        high: 5,
        low: 3,
        close: 4,
        vol: 9,
        amount: 4,
        adj_factor: 1,
      },
    ]
    const found = checkAll({ stock_daily: [fromRows(rows)] } as never).find(({ check }) => check.name === 'stock_daily')
    const { table, counts } = found?.runs[0]?.result ?? (undefined as never)
    expect(counts).toEqual({ pass: 1, duplicate: 1, mismatch: 3 })
    expect(objects(table).map(({ verdict, rules }) => [verdict, rules])).toEqual([
      ['pass', null],
      ['duplicate', 'key'],
      ['mismatch', 'open <= high, close <= high, vol >= 0, adj_factor > 0'],
      ['mismatch', 'open > 0, low <= open'],
      ['mismatch', 'tradedate, amount >= vol'],
    ])
    expect(checkAll({}).map(({ check }) => check.name)).toContain('index_daily')
  })

  test('feeds the check of abnormal movement: what 601008 did in November 2020', async () => {
    const market = await connect({ archive: dir })
    const [prices, benchmarks] = await Promise.all(
      ['stock_daily', 'index_daily'].map((name) => market.query(name, { startdate: '20201110' })),
    )
    const { table, refused } = computeAnomalies(prices as Table, benchmarks as Table, undefined, undefined, {
      resets: 'none',
    })
    expect(refused.numRows).toBe(0)
    const plain = computeAnomalies(
      fromCsv(real('601008.SH.daily.csv')),
      fromCsv(real('000001.SH.daily.csv').replaceAll('000001.SH', '000002.SH')),
      undefined,
      undefined,
      { resets: 'none' },
    )
    expect(toCsv(table)).toBe(toCsv(plain.table))
    // +32.9787 % of the stock less +1.1238 % of the index.
    expect(objects(table).find(({ tradedate }) => tradedate === '20201118')).toMatchObject({
      deviation_pct: 31.8549,
      status: 'triggered',
      elapsed_days: 3,
    })
  })

  test('is backtested with ex-rights and ST marks', async () => {
    const day = (tradedate: string, close: number, adj_factor: number, symbol = '600001.SH') => {
      return {
        tradedate,
        symbol,
        open: close,
        high: close,
        low: close,
        close,
        vol: 1e7,
        amount: 1e7 * close,
        adj_factor,
      }
    }
    const days = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708']
    // Ten for ten on 07-03: the price halves, the factor doubles.
    const shares = days.map((one, at) => day(one, at < 2 ? 10 : 5, at < 2 ? 1 : 2))
    const marked = days.map((one, at) => day(one, at === 0 ? 4 : 4.2, 1, '600002.SH'))
    const place = newPlace()
    await importFiles(place, datasetOf('stock_daily'), [file('d.csv', toCsv(fromRows([...shares, ...marked])))])
    const st = fromRows(
      days.slice(0, 3).map((tradedate) => ({ tradedate, symbol: '600002', name: 'ST', type: 'ST', type_name: null })),
    )
    await importFiles(place, datasetOf('st'), [file('st.csv', toCsv(st))], {
      covers: { from: '20260701', to: '20260708' },
    })
    const market = await connect({ archive: place })
    const data = {
      dataset: 'stock_daily' as never,
      columns: ['open', 'close', 'vol', 'adj_factor'],
      st: true,
      history: 0,
    }
    const { panel: made } = await loadPanel(market, data as never)
    const how = { cash: 100_000, slippageTicks: 0, lookahead: false, maxVolumeShare: null }
    const held = { weights: () => ({ '600001.SH': 0.9 }), when: { days: ['20260701'] } }
    const { fills, account } = backtest(made as never, held as never, how)
    const [fill] = objects(fills)
    expect(fill).toMatchObject({ side: 'buy', tradedate: '20260702', price: 10 })
    const equity = objects(account).map((one) => one.equity)
    expect(new Set(equity.slice(1)).size).toBe(1)
    // Marked, 4.20 after 4.00 is the limit, and nobody sells; for others it is 4.40.
    const buys = { weights: () => ({ '600002.SH': 0.5 }), when: { days: ['20260701'] } }
    const { panel: plain } = await loadPanel(market, { ...data, st: false } as never)
    const [asMarked, asOthers] = [made, plain].map((one) => backtest(one as never, buys as never, how))
    expect(objects(asMarked?.rejected as Table).map(({ reason }) => reason)).toEqual(['limit-up'])
    expect(objects(asOthers?.fills as Table)).toMatchObject([{ tradedate: '20260702', price: 4.2 }])
  })

  test('keeps its declaration in the archive, with its columns in their order', async () => {
    const { own = [] } = await new Archive(dir, 'a').manifest()
    expect(own.map((text) => JSON.parse(text))).toEqual([indexDaily, stockDaily])
    expect(Object.keys(JSON.parse(own[1] ?? '').columns)).toEqual(Object.keys(stockDaily.columns))
  })
})

test('a list without days is whole when it is there', async () => {
  const meaning = 'x'
  const pools = {
    name: 'own_pools',
    title: 'Pools',
    columns: { symbol: { kind: 'code', spelling: 'full', meaning }, pool: { kind: 'label', meaning } },
    key: ['symbol'],
    knownAt: { fetched: true, note: 'as it is now' },
  } as const
  defineDataset(pools)
  const place = newPlace()
  const rows = file('pools.csv', 'symbol,pool\n600000.SH,a\n000001.SZ,b\n')
  await importFiles(place, datasetOf('own_pools'), [rows])
  const market = await connect({ archive: place })
  for (const [params, count] of [
    [{}, 2],
    [{ pool: 'a' }, 1],
    [{ symbols: '600001' }, 0],
  ] as const) {
    const about = provenance(await market.query('own_pools', params))
    expect([about?.rows, about?.complete, about?.proof, about?.note]).toEqual([count, true, 'state', undefined])
  }
  const other = await connect({ archive: dir })
  expect(provenance(await other.query('own_pools'))).toMatchObject({
    complete: false,
    note: 'the archive holds nothing of own_pools',
  })
})

describe('a declaration that is none is refused', () => {
  const own = { ...stockDaily, name: 'other' }
  const refused = (given: unknown): string => {
    try {
      defineDataset(given as typeof stockDaily)
      return 'taken'
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      return `${code}: ${message}`
    }
  }
  test.each<[string, unknown, string]>([
    [
      'a name of the vendor’s',
      { ...own, name: 'news' },
      "USAGE: dataset news: the name is one of the vendor's; take another",
    ],
    ['a member', { ...own, keys: [] }, "USAGE: a dataset of one's own has no option 'keys'; did you mean 'key'?"],
    [
      'a kind',
      { ...own, columns: { a: { kind: 'numbr', meaning: 'x' } } },
      "USAGE: dataset other: column a has no kind 'numbr'; did you mean 'number'?",
    ],
    [
      'a column of the key',
      { ...own, key: ['tradedat'] },
      "USAGE: dataset other: key names no column 'tradedat'; did you mean 'tradedate'?",
    ],
    [
      'a key that may be null',
      { ...own, key: ['tradedate', 'close'] },
      'USAGE: dataset other: key: close may be null, and then tells no row',
    ],
    ...['sql', 'status', 'constructor'].map((name): [string, unknown, string] => [
      `the name ${name}`,
      { ...own, name },
      `USAGE: a dataset's name is of 2 to 40 lowercase letters, digits and _, and not one of ticks, revisions, datasets, manifest, main, temp, system, information_schema, sql, status, constructor: a string "${name}"`,
    ]),
    [
      'columns that SQL takes for one',
      { ...own, columns: { ...own.columns, v: price('x'), V: price('x') } },
      'USAGE: dataset other: columns v and V differ only in case, and SQL reads both as one',
    ],
    [
      'a column that every object has',
      { ...own, columns: { ...own.columns, constructor: price('x') } },
      "USAGE: dataset other: 'constructor' is a member of every object: rename the column",
    ],
    [
      'a label that queries have another use for',
      { ...own, columns: { ...own.columns, from: { kind: 'label', meaning: 'x' } } },
      "USAGE: dataset other: queries use 'from' for themselves: rename the column, or give it the kind text instead of label",
    ],
    [
      'a column twice in the key',
      { ...own, key: ['tradedate', 'symbol', 'tradedate'] },
      'USAGE: dataset other: key: tradedate stands twice',
    ],
    [
      'a day of knowledge that is a number',
      { ...own, knownAt: { day: 'vol', at: '09:00:00', note: 'x' } },
      'USAGE: dataset other: knownAt: day names vol, which is of kind number, not date, moment, text',
    ],
    [
      'a minute that is a code',
      { ...own, knownAt: { day: 'tradedate', minute: 'symbol', note: 'x' } },
      'USAGE: dataset other: knownAt: minute names symbol, which is of kind code, not minute, text',
    ],
    ['a day that is none', { ...own, day: 'symbol' }, 'USAGE: dataset other: day: symbol is of kind code, not date'],
    [
      'no knownAt',
      { ...own, knownAt: undefined },
      "USAGE: dataset other: it has no knownAt, such as { day: 'tradedate', at: '15:30:00', note: 'after the close' }",
    ],
    [
      'a law of another column',
      { ...own, laws: ['volu > 0'] },
      "USAGE: dataset other: law 'volu > 0' names no column 'volu'; did you mean 'vol'?",
    ],
    [
      'a law of texts',
      { ...own, laws: ['symbol > 0'] },
      "USAGE: dataset other: law 'symbol > 0' compares numbers, and symbol is of kind code",
    ],
    [
      'a law that is none',
      { ...own, laws: ['vol'] },
      "USAGE: dataset other: a law is 'column <= column or number' or 'amount / vol between low and high', not \"vol\"",
    ],
    [
      'another unit of what is stored',
      { ...stockDaily, columns: { ...stockDaily.columns, vol: { ...stockDaily.columns.vol, unit: 'lot' } } },
      'USAGE: dataset stock_daily is declared twice, with other columns, units, key or day: one process knows one of each name; take another name, or a new archive',
    ],
  ])('%s', (_, given, message) => {
    expect(refused(given)).toBe(message)
  })

  test('words and laws may change', () => {
    expect(refused({ ...stockDaily, title: 'Stocks', laws: [...stockDaily.laws, 'high >= low'] })).toBe('taken')
  })
})

const number = { kind: 'number', nullable: true, meaning: 'A number.' } as const
const date = { kind: 'date', nullable: true, meaning: 'A day.' } as const
const day = { kind: 'date', isTrading: true, meaning: 'Day that a row is about.' } as const
const code = { kind: 'code', spelling: 'full', meaning: 'Code.' } as const
const [fund, other] = ['510300.SH', '588000.SH']
const july = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708']
const nan = Number.NaN

/** A market with the rows of a dataset that is declared here. */
async function marketWith(name: string, columns: object, knownAt: object, rows: readonly object[], key: string[] = []) {
  const all = { tradedate: day, symbol: code, ...columns }
  const whole = { name, title: name, columns: all, key: ['tradedate', 'symbol', ...key], day: 'tradedate' }
  defineDataset({ ...whole, knownAt: { ...knownAt, note: 'as it is' } } as never)
  const place = newPlace()
  await importFiles(place, datasetOf(name), [file('rows.csv', toCsv(fromRows(rows as never)))])
  return connect({ archive: place })
}

const pricesOf = (minutes: readonly string[] = [], symbols = [fund, other]) =>
  july.flatMap((tradedate) =>
    (minutes.length ? minutes : ['']).flatMap((trademin) =>
      symbols.map((symbol) => ({ tradedate, ...(trademin && { trademin }), symbol, open: 4, close: 4, vol: 1e6 })),
    ),
  )
const beside = (data: Table, join: object = {}, minutes: readonly string[] = []) =>
  panel(fromRows(pricesOf(minutes, [fund])), {
    columns: ['open', 'close', 'vol'],
    join: [{ data, columns: ['value'], ...join }],
  })
const values = (made: { column(name: string): Float64Array }): number[] => [...made.column('value')]
const refusal = (act: () => unknown): string => {
  try {
    return String(act())
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`
  }
}

describe('a joined dataset is known when its declaration says', () => {
  // About 1 July and published on the 6th; on Saturday the 4th; never; before the panel begins.
  const published = ['20260706', '20260704', null, '20260630'].map((published_on, at) => {
    return {
      tradedate: july[at],
      symbol: fund,
      published_on,
      said_at: published_on && `${published_on.replace(/(....)(..)(..)/, '$1-$2-$3')}T10:01:00`,
      value: at + 1,
    }
  })
  const columns = { published_on: date, said_at: { kind: 'moment', nullable: true, meaning: 'When.' }, value: number }

  test('by the day of publication, which is not the one that a row is about', async () => {
    const market = await marketWith('late_values', columns, { day: 'published_on', at: '09:00:00' }, published)
    const data = await market.query('late_values', { startdate: '20260601' })
    const made = beside(data)
    expect(values(made)).toEqual([nan, nan, nan, 1, nan, nan])
    expect([made.known.get('value'), made.notes]).toEqual([
      '09:00:00',
      [
        '2 joined rows are of days that the panel does not have',
        '1 joined rows are superseded by rows that became known by the same time',
      ],
    ])
    expect(values(beside(data, { lagDays: 1 }))).toEqual([nan, nan, nan, 2, 1, nan])
    const ordered = { score: (bar: { value: number }) => bar.value, pick: { n: 1, side: 'highest' } } as never
    const options = { cash: 1e6, exec: { decide: 'open', fill: 'nextOpen' } } as never
    expect(backtest(made as never, ordered, options).fills.numRows).toBe(2)
    expect(refusal(() => beside(data, { time: 'tradedate' }))).toBe(
      "LOOK_AHEAD: panel: column 'tradedate' puts a row of late_values on 20260701, and it becomes known at 2026-07-06T09:00:00; leave time out, or give knownAt",
    )
    const later = beside(data, { knownAt: '14:00:00' })
    expect([values(later), later.known.get('value')]).toEqual([values(made), '14:00:00'])
    expect(values(beside(data, { time: 'tradedate', knownAt: '09:00:00' }))).toEqual([1, 2, 3, 4, nan, nan])
    expect(refusal(() => beside(data.select(['tradedate', 'symbol', 'value'])))).toMatch(
      /^MISSING_COLUMN: panel: rows of late_values become known by the column 'published_on'/,
    )
    const loaded = await loadPanel(market, { dataset: 'late_values' } as never).catch((error) => error.code)
    expect(loaded).toBe('USAGE')
  })

  test('by another column where one is missing, and by a moment and what is needed after it', async () => {
    const either = await marketWith(
      'or_values',
      columns,
      { day: 'published_on', or: 'tradedate', at: '18:00:00' },
      published,
    )
    const made = beside(await either.query('or_values', { startdate: '20260601' }))
    expect([values(made), made.known.get('value')]).toEqual([[nan, nan, 3, 1, nan, nan], '18:00:00'])
    const moments = await marketWith(
      'said_values',
      columns,
      { moment: 'said_at', delayMinutes: 300 },
      published.slice(0, 1),
    )
    expect(values(beside(await moments.query('said_values', { startdate: '20260601' })))).toEqual([
      nan,
      nan,
      nan,
      nan,
      1,
      nan,
    ])
  })

  test('columns beside the prices of a panel itself too; prices are known with their bar', async () => {
    const rows = pricesOf().map((row, at) => ({
      ...row,
      published_on: july[Math.floor(at / 2) + 2] ?? null,
      value: at,
    }))
    const prices = { open: number, close: number, vol: number, published_on: date, value: number }
    const late = await marketWith('rated_prices', prices, { day: 'published_on', at: '09:00:00' }, rows)
    const { panel: made } = await loadPanel(late, { dataset: 'rated_prices' as never, history: 0 } as never)
    expect(values(made)).toEqual([nan, nan, nan, nan, 0, 1, 2, 3, 4, 5, 6, 7])
    expect(made.column('close')[0]).toBe(4)
    const evening = await marketWith('evening_prices', prices, { day: 'tradedate', at: '18:00:00' }, rows)
    const { panel: told } = await loadPanel(evening, { dataset: 'evening_prices' as never, history: 0 } as never)
    expect([told.known.get('value'), told.known.get('close')]).toEqual(['18:00:00', 'close'])
  })
})

test.each(['trademin', 'bar_end'])(
  'a dataset of bars of one’s own, closed at %s, makes a panel and is joined',
  async (minute) => {
    const times = ['1000', '1130', '1500']
    const rows = pricesOf(times).map(({ trademin = '', ...row }, at) => ({ ...row, [minute]: trademin, value: at }))
    const columns = {
      open: number,
      close: number,
      vol: number,
      value: number,
      [minute]: { kind: 'minute', meaning: 'Close of the bar.' },
    }
    const name = `bars_${minute}`
    const market = await marketWith(name, columns, { day: 'tradedate', minute }, rows, [minute])
    const { panel: made } = await loadPanel(market, {
      dataset: name as never,
      join: [{ dataset: name, columns: { again: 'value' } }],
    } as never)
    expect([made.minutes, made.days]).toEqual([times, july])
    expect([values(made), [...made.column('again')]]).toEqual([rows.map((_, at) => at), rows.map((_, at) => at)])
    const data = await market.query(name, { startdate: '20260701', symbols: 'all' })
    const ofFund = rows.flatMap(({ symbol }, at) => (symbol === fund ? [at] : []))
    expect(values(beside(data, {}, ['1000', '1100', '1400', '1500'])).slice(0, 4)).toEqual([
      ofFund[0],
      ofFund[0],
      ofFund[1],
      ofFund[2],
    ])
    const daily = beside(data)
    expect(values(daily)).toEqual(ofFund.filter((_, at) => at % 3 === 2))
    expect(daily.notes).toEqual(['12 joined rows are superseded by rows that became known by the same time'])
  },
)
