import { DataFrame, Series } from 'quotebook'
import { expect, test } from 'vitest'
import { near, pandas, plain, quotes, shown, shownSeries } from '../helper/pandas.js'

/* What is missing: null, undefined and NaN alike (stock danfo counts null as 0), against pandas. */
const numbers = () => quotes().loc({ columns: ['amount', 'v'] })
const values = (name: string) => pandas<{ values: unknown[] }>('nulls', name).values

/** The column v with every sign for what is missing. */
const v = (): Series[] =>
  [null, undefined, Number.NaN].map(
    (missing) =>
      new Series(
        quotes()['v'].values.map((cell: number) => (Number.isNaN(cell) ? missing : cell)),
        { dtypes: ['float32'] },
      ),
  )

test('arithmetic with what is missing is missing', () => {
  for (const column of v()) {
    expect(plain(column.add(quotes()['amount']).values)).toEqual(values('add'))
    expect(plain(column.add(1).values)).toEqual(values('addOne'))
    expect(plain(column.mod(2).values)).toEqual(values('mod'))
    expect(plain(column.abs().values)).toEqual(values('abs'))
    expect(plain(column.pow(0).values)).toEqual(values('addOne').map((cell) => (cell === null ? null : 1)))
  }
})

test('what is missing equals nothing and has no order', () => {
  for (const column of v()) {
    expect(column.lt(5).values).toEqual(values('lt'))
    expect(column.ge(0).values).toEqual(values('ge'))
    expect(column.eq(column).values).toEqual(values('eq'))
    expect(column.ne(3).values).toEqual(values('ne'))
  }
  const code = quotes()['code'].dropNa()
  expect(code.lt('300750').values).toEqual(values('codeLt'))
  expect(() => code.lt(5)).toThrow('text and numbers have no order')
})

test('running sums and extremes go on behind a gap', () => {
  for (const column of v()) {
    expect(plain(column.cumSum().values)).toEqual(values('cumSum'))
    expect(plain(column.cumMin().values)).toEqual(values('cumMin'))
    expect(plain(column.cumMax().values)).toEqual(values('cumMax'))
    expect(plain(column.cumProd().values)).toEqual(values('cumProd'))
  }
  expect(shown(numbers().cumSum({ axis: 0 }))).toEqual(pandas('nulls', 'frameCumSum'))
  expect(shown(numbers().cumMax({ axis: 0 }))).toEqual(pandas('nulls', 'frameCumMax'))
})

test('aggregates skip what is missing', () => {
  for (const name of ['sum', 'mean', 'std', 'var', 'median', 'min', 'max', 'count'] as const) {
    const stored = pandas('nulls', name)
    expect(near(shownSeries(numbers()[name]({ axis: 0 })))).toEqual(near(stored))
  }
  expect(near(plain(numbers().sum().values))).toEqual(near(values('rowSums')))
  for (const column of v()) expect([column.sum(), column.count(), column.mean()]).toEqual([10, 8, 1.25])
})

test('nothing but missing values gives a missing result and the count 0', () => {
  for (const missing of [null, undefined, Number.NaN]) {
    const column = new Series([missing, missing])
    const results = [
      column.sum(),
      column.mean(),
      column.min(),
      column.max(),
      column.median(),
      column.std(),
      column.var(),
    ]
    expect(results).toEqual(results.map(() => Number.NaN))
    expect([column.count(), column.nUnique()]).toEqual([0, 0])
    const groups = new DataFrame([['a', missing]], { columns: ['k', 'v'], dtypes: ['string', 'float32'] }).groupby([
      'k',
    ])
    expect(groups.agg({ v: ['sum', 'mean', 'min', 'count'] }).values).toEqual([
      ['a', Number.NaN, Number.NaN, Number.NaN, 0],
    ])
  }
})

test('describe', () => {
  const facts = pandas<Record<'amount' | 'v', Record<string, number>>>('nulls', 'describe')
  const described = quotes().describe()
  expect(described.columns).toEqual(['amount', 'v', 'flag'])
  for (const name of ['amount', 'v'] as const) {
    const own = Object.fromEntries(described.index.map((fact, at) => [fact, described[name].values[at]]))
    expect(near(own)).toEqual(near(facts[name]))
    expect(near(quotes()[name].describe().values)).toEqual(near(Object.values(facts[name])))
  }
})

test('rows and columns with gaps', () => {
  expect(shown(quotes().dropNa())).toEqual(pandas('nulls', 'dropNa'))
  expect(quotes().dropNa({ axis: 0 })?.columns).toEqual(pandas('nulls', 'dropNaColumns'))
  expect(Object.fromEntries(quotes().columns.map((name) => [name, quotes()[name].nUnique()]))).toEqual(
    pandas('nulls', 'nUnique'),
  )
  const whole = quotes().fillNa(['?', 0], { columns: ['code', 'v'] })
  expect(plain(whole.isNa().sum({ axis: 0 }).values)).toEqual([0, 0, 2, 2, 0, 2])
})

test('groups: missing keys are one group, missing values are skipped', () => {
  const groups = quotes().groupby(['code'])
  const frame = groups.agg({
    v: ['sum', 'mean', 'count', 'min', 'max', 'std', 'median'],
    amount: 'sum',
    market: 'count',
  })
  expect(near(shown(frame))).toEqual(near(pandas('nulls', 'groups')))
  expect(plain(groups.col(['v']).cumSum()['v_cumsum'].values)).toEqual(pandas<unknown[][]>('nulls', 'cumulated').flat())
  const rows = (name: string) => pandas<number[]>('nulls', name).map((at) => quotes().iat(at, 0))
  expect(groups.first()['tradedate'].values).toEqual(rows('firstRows'))
  expect(groups.last()['tradedate'].values).toEqual(rows('lastRows'))
  expect(groups.size()['applyOps'].values).toEqual(pandas('nulls', 'sizes'))
  expect(groups.first().values).toEqual(groups.apply((group) => group.head(1)).values)
})
