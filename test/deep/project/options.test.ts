// Deep: calls every public function with a wrong option for each right one, some thousand calls.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import * as door from '../../../src/index.js'
import { type OptionParam, publicOptions } from '../../helper/public-options.js'
import { tempDir } from '../../helper/temp.js'

/** Classes of danfo, whose methods take danfo's own options, and those that only Quotebook makes. */
const notOurs = ['DataFrame', 'Series']
const made = ['Panel', 'QuotebookError', 'SourceError']

/** Types with names and values that are no options: what they are. */
const data: Readonly<Record<string, string>> = {
  Dataset: 'a dataset of the catalogue',
  Source: 'an interface that callers may implement',
  ArchiveStore: 'an interface that callers may implement',
  AnomalyRules: 'tables of rules, most of them those that are there',
  Flows: 'a result',
  JoinedFlows: 'a result',
  AccountCurve: 'a result, or a curve of somebody',
  DatedReturns: 'a series of returns',
  TearSheetRun: 'a result',
  AttributedRun: 'a result',
  RunPositions: 'a result',
  Signal: 'a result',
  FactorStudy: 'a result',
  SharpeEstimate: 'figures of performanceStats() and more of them',
  estimate: 'figures of performanceStats() and more of them',
  OwnDataset: 'a declaration, tried member by member in test/promise/own-dataset.test.ts',
  ParamsFor: 'params of a dataset, which the contract checks: INVALID_PARAMS',
}

type Options = Readonly<Record<string, unknown>>
/** A call that is right with `{}`, and takes more members of its options. */
type Call = (more: Options) => unknown

const market = await door.connect()
const bonds = await market.table.convertibleDaily({ startdate: '20260701', enddate: '20260729' })
const bars = await market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })
const top = await market.table.southboundTop10({ startdate: '20260701', enddate: '20260729' })
const quotes = await market.table.themeDaily({ type: 'tj', startdate: '20260701', enddate: '20260729' })
const ticks = await market.ticks.read('20260729')
const flows = door.southboundFlows(top)
const on = String(door.strings(quotes, 'name')[0])
const prices = door.panel(bonds, { columns: ['open', 'high', 'low', 'close', 'pre_close', 'vol'] })
const strategy = { score: (bar: { close: number }) => bar.close, pick: { n: 3, side: 'lowest' } } as const
const grid = { n: [2, 3] }
const make = ({ n }: { n: number }) => ({ ...strategy, pick: { n, side: 'lowest' as const } })
const x = [1, 2, 3, 4, 5, 6, 7, 8]
const [returns, dir] = [[0.01, -0.02, 0.03, 0.01, -0.01, 0.02], tempDir()]
const parquet = await door.toParquet(bonds)
const half = { [prices.symbols[0] as string]: 0.5 }
const order = { symbol: prices.symbols[0] as string, side: 'buy', shares: 10 } as const
const sampleTicks = `${sampleDir}/ticks`
const http = { nodes: 'http://127.0.0.1:9', apikey: 'k' }
const signal = { times: ['1', '2'], symbols: ['a', 'b'], score: [1, 2, 3, 4], forward: [[1, 2, 3, 4]] }
const days = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708']
const statement = await door.readStatement('test/fixture/statements/tonghuashun.xls')
const candidates = await market.table.anomalyForecast({})
const daily = door.fromRows(
  days.flatMap((tradedate, at) => ({ tradedate, symbol: '600001.SH', name: 'A', close: 10 + at })),
)
const levels = door.fromRows(days.map((tradedate) => ({ tradedate, code: '000002.SH', close: 3000 })))
const priced = { prices: daily, benchmarks: levels, calendar: days }
const page = await door.report(market, { days: 5 })
const module = `${dir}/make.mjs`
writeFileSync(module, "export const make = ({ n }) => ({ score: (bar) => bar.close, pick: { n, side: 'lowest' } })\n")
const csv = `${dir}/st.csv`
writeFileSync(csv, door.toCsv(await market.table.st()))

async function all(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows) return
}

const calls: Readonly<Record<string, Call>> = {
  'connect(ArchiveConnection)': (o) => door.connect(o),
  'connect(ServiceConnection)': (o) => door.connect({ ...http, ...o }),
  'Market#query(LoadOptions)': (o) => market.query('st', {}, o),
  'Market#explain(LoadOptions)': (o) => market.explain('st', {}, o),
  'Market#watch(WatchQueryOptions)': (o) => all(market.watch('etf_minute', { symbols: ['510300.SH'] }, o)),
  'Market#find(options)': (o) => market.find('云帆转债', o),
  'Market#symbols(options)': (o) => market.symbols('etf_minute', o),
  'Market#status(StatusOptions)': (o) => market.status(o),
  'Market#sync(SyncOptions)': (o) => market.sync({ archive: `${dir}/synced`, dryRun: true, from: '20260728', ...o }),
  'Market#follow(FollowOptions)': (o) => {
    const gone = AbortSignal.abort()
    return all(market.follow({ archive: `${dir}/followed`, signal: gone, ...o }))
  },
  'Market#sql(SqlOptions)': (o) => market.sql('select 1 as one', o),
  'Ticks#read(TickReadOptions)': (o) => market.ticks.read({ days: ['20260729'], ...o }),
  'Ticks#load(TickReadOptions)': (o) => market.ticks.load({ days: ['20260729'], symbols: '600000', ...o }),
  'Ticks#stream(TickReadOptions)': (o) => all(market.ticks.stream({ days: ['20260729'], ...o })),
  'Ticks#fetch(TickFetchOptions)': (o) =>
    // Without `dest` it fetches into the folder that the tests run in.
    market.ticks.fetch({ year: 2026, share: sampleTicks, ...o, dest: (o as { dest?: string }).dest ?? `${dir}/ticks` }),
  'verifyTicks(VerifyOptions)': (o) => door.verifyTicks(sampleDir, o),
  'fromRows(FromRows)': (o) => door.fromRows([['20260701']], { columns: ['tradedate'], ...o }),
  'fromCsv(CsvOptions)': (o) => door.fromCsv('a\n1\n', o),
  'fromJson(FromRows)': (o) => door.fromJson('[["20260701"]]', { columns: ['tradedate'], ...o }),
  'fromParquet(ParquetLimits)': (o) => door.fromParquet(parquet, 'bonds', o),
  'toCsv(options)': (o) => door.toCsv(bonds, o),
  'toParquet(options)': (o) => door.toParquet(bonds, o),
  'toXlsx(options)': (o) => door.toXlsx(bonds, o),
  'filter(GroupFilterOptions)': (o) => door.filter(bonds, (c) => c.close.gt(100), { by: 'code', ...o }),
  'derive(DeriveOptions)': (o) => door.derive(bonds, { up: (c) => c.close }, o),
  'join(JoinOptions)': (o) => door.join(bonds, bonds, { on: ['code', 'tradedate'], ...o }),
  'asofJoin(AsofOptions)': (o) => door.asofJoin(bonds, bonds, { on: 'tradedate', by: 'code', ...o }),
  'dropDuplicates(DuplicateOptions)': (o) => door.dropDuplicates(bonds, 'code', o),
  'pivot(options)': (o) => door.pivot(bonds, { index: 'tradedate', columns: 'code', values: 'close', ...o }),
  'unpivot(UnpivotOptions)': (o) => door.unpivot(bonds, { id: 'code', columns: ['open', 'close'], ...o }),
  'expanding(WindowOptions)': (o) => door.expanding(x, 'mean', o),
  'rolling(WindowOptions)': (o) => door.rolling(x, 3, 'mean', o),
  'ewm(options)': (o) => door.ewm(x, { span: 3, ...o }, 'mean'),
  'rollingCorrelation(WindowOptions)': (o) => door.rollingCorrelation(x, x, 3, o),
  'rollingRegression(WindowOptions)': (o) => door.rollingRegression(x, x, 3, o),
  'cut(CutOptions)': (o) => door.cut(x, [0, 5, 10], undefined, o),
  'qcut(QcutOptions)': (o) => door.qcut(x, 2, undefined, o),
  'rank(RankOptions)': (o) => door.rank(x, o),
  'sql(SqlOptions)': (o) => door.sql('select 1 as one', o),
  'checkAll(CheckTables)': (o) => door.checkAll(o),
  'checkVwap(VwapOptions)': (o) => door.checkVwap(bars, o),
  'checkBars(BarOptions)': (o) => door.checkBars(bars, o),
  'checkAnomalies(AnomalyOptions)': (o) => door.checkAnomalies(candidates, o),
  'checkAnomalies(PricedAnomalyOptions)': (o) => door.checkAnomalies(candidates, { ...priced, ...o }),
  'computeAnomalies(ComputeAnomaliesOptions)': (o) => door.computeAnomalies(daily, levels, days, undefined, o),
  'southboundFlows(UnitOptions)': (o) => door.southboundFlows(top, { unit: 'Hong Kong dollar', ...o }),
  'southboundNames(UnitOptions)': (o) => door.southboundNames(top, { unit: 'Hong Kong dollar', ...o }),
  'joinIndex(IndexJoinOptions)': (o) => door.joinIndex(flows, quotes, { on, ...o }),
  'leadLag(LeadLagOptions)': (o) => door.leadLag(flows, quotes, { on, ...o }),
  'eventStudy(EventStudyOptions)': (o) => door.eventStudy(flows, quotes, { on, ...o }),
  'auctionPath(AuctionOptions)': (o) => door.auctionPath(ticks, o),
  'auctionMatch(MatchOptions)': (o) => door.auctionMatch(ticks, o),
  'openingGaps(GapOptions)': (o) => door.openingGaps(door.auctionMatch(ticks), o),
  'panel(PanelOptions)': (o) => door.panel(bonds, { columns: ['open', 'close'], ...o }),
  'defineStrategy(file)': (o) =>
    door.defineStrategy({ data: { dataset: 'convertible_daily' }, ...strategy, ...o } as never),
  'loadPanel(StrategyData)': (o) => door.loadPanel(market, { dataset: 'convertible_daily', ...o } as never),
  'loadPanel(RunDays)': (o) =>
    door.loadPanel(market, { dataset: 'convertible_daily' }, { from: '20260701', ...o } as never),
  'backtest(RankStrategy)': (o) => door.backtest(prices, { ...strategy, ...o } as typeof strategy, { cash: 1e6 }),
  'backtest(WeightStrategy)': (o) => door.backtest(prices, { weights: () => half, ...o } as never, { cash: 1e6 }),
  'backtest(OrderStrategy)': (o) => door.backtest(prices, { orders: () => [order], ...o } as never, { cash: 1e6 }),
  'backtest(strategy)': (o) => door.backtest(prices, { prepare: () => strategy, ...o } as never, { cash: 1e6 }),
  'planOrders(RankStrategy)': (o) => door.planOrders(prices, { ...strategy, ...o } as typeof strategy, { cash: 1e6 }),
  'planOrders(WeightStrategy)': (o) => door.planOrders(prices, { weights: () => half, ...o } as never, { cash: 1e6 }),
  'planOrders(OrderStrategy)': (o) => door.planOrders(prices, { orders: () => [order], ...o } as never, { cash: 1e6 }),
  'planOrders(strategy)': (o) => door.planOrders(prices, { prepare: () => strategy, ...o } as never, { cash: 1e6 }),
  'planOrders(OrderPlanOptions)': (o) => door.planOrders(prices, strategy, { cash: 1e6, ...o }),
  'readStatement(Encoding)': (o) => door.readStatement('test/fixture/statements/tonghuashun.xls', o),
  'tradedAccount(TradedOptions)': (o) => door.tradedAccount(market, statement, o),
  'attribution(AttributionOptions)': (o) => door.attribution(door.backtest(prices, strategy, { cash: 1e6 }), prices, o),
  'backtest(BacktestOptions)': (o) => door.backtest(prices, strategy, { cash: 1e6, ...o }),
  'checkLookahead(RankStrategy)': (o) => door.checkLookahead(prices, { ...strategy, ...o } as never, { cash: 1e6 }),
  'checkLookahead(WeightStrategy)': (o) =>
    door.checkLookahead(prices, { weights: () => half, ...o } as never, { cash: 1e6 }),
  'checkLookahead(OrderStrategy)': (o) =>
    door.checkLookahead(prices, { orders: () => [order], ...o } as never, { cash: 1e6 }),
  'checkLookahead(strategy)': (o) =>
    door.checkLookahead(prices, { prepare: () => strategy, ...o } as never, { cash: 1e6 }),
  'checkLookahead(BacktestOptions)': (o) => door.checkLookahead(prices, strategy, { cash: 1e6, ...o }),
  'sweep(SweepOptions)': (o) => door.sweep(prices, grid, make, { cash: 1e6, ...o }),
  'sweepInThreads(StrategyModule)': (o) =>
    door.sweepInThreads(prices, grid, { module: pathToFileURL(module), ...o }, { cash: 1e6, threads: 1 }),
  'sweepInThreads(ThreadedSweepOptions)': (o) =>
    door.sweepInThreads(prices, grid, { module }, { cash: 1e6, threads: 1, ...o }),
  'forwardReturns(Pick)': (o) => door.forwardReturns(prices, { score: strategy.score, ...o }),
  'forwardReturns(ForwardReturnsOptions)': (o) => door.forwardReturns(prices, strategy, o),
  'walkForward(WalkForwardOptions)': (o) =>
    door.walkForward(prices, grid, make, { cash: 1e6, trainDays: 8, testDays: 4, ...o }),
  'performanceStats(PerformanceOptions)': (o) => door.performanceStats(returns, o),
  'rollingPerformance(RateOptions)': (o) => door.rollingPerformance(returns, 3, o),
  'probabilityOfOverfitting(OverfittingOptions)': (o) =>
    door.probabilityOfOverfitting([returns, returns.slice().reverse()], { blocks: 2, ...o }),
  'factorStudy(FactorStudyOptions)': (o) => door.factorStudy(signal, { quantiles: 2, ...o }),
  'factorPage(FactorPageOptions)': (o) => door.factorPage(door.factorStudy(signal, { quantiles: 2 }), o),
  'show(ShowOptions)': (o) => door.show(bonds, o),
  'chart(ChartOptions)': (o) => door.chart(bars, { x: 'trademin', y: 'close', kind: 'points', ...o }),
  'tearSheet(TearSheetOptions)': (o) => door.tearSheet({ days, returns }, o),
  'Archive(ArchiveOptions)': (o) => new door.Archive(sampleDir, 'sample', o),
  'Archive#query(QueryOptions)': (o) => market.archive?.query(door.datasetOf('st'), {}, o),
  'importFiles(ImportOptions)': (o) => door.importFiles(`${dir}/imported`, door.datasetOf('st'), [csv], o),
  'report(ReportOptions)': (o) => door.report(market, { days: 5, sections: ['auction'], ...o } as never),
  'verifyPage(VerifyPageOptions)': (o) => door.verifyPage(page, page, o),
}
const address = { url: 'http://127.0.0.1:9', database: 'd' }
for (const [name, call] of Object.entries({
  Archive: (place: never) => new door.Archive(place, 'a'),
  importFiles: (place: never) => door.importFiles(place, door.datasetOf('st'), [csv]),
}))
  (calls as Record<string, Call>)[`${name}(ClickHouseAddress)`] = async (o) => {
    try {
      await call({ ...address, ...o } as never)
    } catch (error) {
      if (!/does not answer|refused|127\.0\.0\.1/.test((error as Error).message)) throw error
    }
  }
for (const [kind, loaders] of Object.entries({ load: market.load, table: market.table }))
  for (const [name, load] of Object.entries(loaders)) {
    const dataset = door.datasets.find((one) => one.name.replace(/_(.)/g, (_, c) => c.toUpperCase()) === name)
    const required = Object.entries(dataset?.params ?? {}).filter(([, param]) => param.required)
    const params = Object.fromEntries(
      required.map(([key, param]) => [key, key === 'year' ? 2026 : (param.values?.[0] ?? '1001')]),
    )
    ;(calls as Record<string, Call>)[`Market#${kind}.${name}(LoadOptions)`] = (o) =>
      (load as (params: unknown, options: unknown) => Promise<unknown>)(params, o)
  }

/** What the door has, and the class whose methods `market.ticks` has. */
const values = new Set(
  [...Object.keys(door), 'Ticks'].filter((name) => !notOurs.includes(name) && !made.includes(name)),
)
const checked = publicOptions(values).filter(({ type }) => !Object.hasOwn(data, type))

async function thrownBy(key: string, more: Options): Promise<door.QuotebookError | Error | undefined> {
  try {
    await calls[key]?.(more)
    return undefined
  } catch (error) {
    return error as Error
  }
}

const codeOf = (error: unknown): string => String((error as { code?: string } | undefined)?.code)

test.each(checked)('$key does what it is called for here', async ({ key }) => {
  expect((await thrownBy(key, {}))?.message).toBeUndefined()
})

test('every parameter with named members is called here, or is said to be no options', () => {
  expect(checked.map(({ key }) => key).filter((key) => !Object.hasOwn(calls, key))).toEqual([])
  const keys = new Set(checked.map(({ key }) => key))
  expect(Object.keys(calls).filter((key) => !keys.has(key))).toEqual([])
  expect(checked.length).toBeGreaterThan(100)
})

test.each(checked)(
  '$key refuses an option that there is not, and takes undefined for those that there are',
  async (param) => {
    const { key, members } = param
    const other = await thrownBy(key, { unheardOf: 1 })
    expect([codeOf(other), other?.message]).toEqual(['USAGE', expect.stringContaining("'unheardOf'")])
    for (const { name } of members) {
      const slip = `${name}${name.endsWith('s') ? 'x' : 's'}`
      if (members.some((one) => one.name === slip)) continue
      const refused = await thrownBy(key, { [slip]: 1 })
      expect([codeOf(refused), refused?.message], `${key} ${slip}`).toEqual(['USAGE', expect.stringContaining(name)])
      const message = (await thrownBy(key, { [name]: undefined }))?.message ?? ''
      expect(message, `${key} ${name}`).not.toMatch(/has no option|no member/)
    }
  },
)

/** A value of a kind that a member does not take; undefined where it takes any. */
function alien({ takes }: OptionParam['members'][number]): unknown {
  if (takes.has('any')) return undefined
  const kinds = { boolean: true, string: 'alien', number: -7.25, object: { alien: true } }
  return Object.entries(kinds).find(([kind]) => !takes.has(kind))?.[1]
}

test.each(checked)('$key refuses values of another kind', async ({ key, members }) => {
  for (const member of members) {
    const value = alien(member)
    if (value === undefined) continue
    const refused = await thrownBy(key, { [member.name]: value })
    expect(codeOf(refused), `${key} ${member.name}: ${String(value)} ${String(refused?.message)}`).toMatch(/^[A-Z_]+$/)
  }
})
