/**
 * Quotebook: Chinese securities data as DataFrames and Arrow tables, complete or refused; the vendor's derived numbers
 * recomputed; reports that come out the same byte for byte. In reading order:
 */

// tables and results show themselves
import './frame/show/register-display.js'
import './research/report/result-displays.js'

// where data comes from
export { type ArchiveConnection, type ConnectOptions, connect, type ServiceConnection } from './connect.js'
export { type LoadOptions, Market, type WatchQueryOptions } from './market.js'
export { type Call, type Provenance, provenance } from './frame/table/provenance.js'
export type { Progress, QueryOptions, Source } from './data/source/source.js'

// the live day
export type { WatchOptions, WatchWait } from './data/watch/poll-interval.js'
export type { Change } from './data/watch/change.js'

// a service over HTTP
export type { HttpSourceOptions } from './data/source/http-source.js'
export type { RequestLog } from './data/source/requester.js'
export { SourceError } from './data/source/source-error.js'

// an archive kept up to a source
export type { FollowOptions, FollowRun } from './data/sync/follow.js'
export type { SyncOptions, SyncResult } from './data/sync/sync.js'

// the auction-tick files
export type { TickFetchOptions, Ticks } from './data/ticks/ticks.js'
export type { TickReadOptions } from './data/ticks/read/tick-request.js'
export type { FetchResult } from './data/ticks/fetch/fetch-into-archive.js'
export { type TickCheck, type VerifyOptions, verifyTicks } from './data/ticks/verify/verify-ticks.js'

// what exists
export {
  type Catalogue,
  type DatasetName,
  datasetOf,
  datasets,
  defineDataset,
  type OwnDatasets,
  type ParamsFor,
  type RowOf,
} from './contract/catalogue.js'
export type { Dataset, Params, Row } from './contract/dataset.js'
export type { OwnDataset } from './contract/dataset.js'
export type { Cell, Column, Kind } from './contract/column.js'
export type { Param } from './contract/param.js'
export { knownAt } from './contract/known-at.js'
export { tradingDays } from './contract/calendar.js'
export type { Days } from './contract/day-list.js'
export { type ErrorCode, QuotebookError } from './contract/error.js'
export { errorText } from './contract/error-message.js'

// a table or a frame, and its columns
export { DataFrame, Series } from './frame/danfo-classes.js'
export type { Data } from './frame/data.js'
export type { TableOf } from './frame/table/typed-table.js'
export type { Bool, Dictionary, Float64, Int32, List, Table, TypeMap, Utf8, Vector } from 'apache-arrow'
export { asTable } from './frame/as-table.js'
export { toDataFrame } from './frame/to-data-frame.js'
export { booleans, lists, columnNames, numbers, toObjects, rowsOf, strings, dictionary } from './frame/read-columns.js'

// in and out, without loss
export { fromRows } from './frame/table/from-rows.js'
export { fromCsv } from './frame/table/csv.js'
export { fromJson } from './frame/table/json.js'
export { fromIpc } from './frame/table/ipc.js'
export { fromParquet } from './frame/table/parquet.js'
export { fromTdx } from './frame/table/tdx.js'
export { toCsv, toIpc, toJson, toParquet, toXlsx } from './frame/write-data.js'
export type { Reading } from './frame/table/reading.js'

// what a quant does with it
export { filter } from './frame/verb/filter.js'
export { select } from './frame/verb/select.js'
export { rename } from './frame/verb/rename.js'
export { sort } from './frame/verb/sort.js'
export { concat } from './frame/verb/concat.js'
export { type DeriveOptions, derive } from './frame/verb/derive.js'
export type { FlagArray, TextArray } from './frame/verb/cell-array.js'
export type { NumberArray } from './frame/verb/number-array.js'
export { when } from './frame/verb/when.js'
export { groupBy } from './frame/verb/group-by.js'
export { type JoinOptions, join } from './frame/verb/join.js'
export { type AsofOptions, asofJoin } from './frame/verb/asof-join.js'
export { type DuplicateOptions, dropDuplicates } from './frame/verb/drop-duplicates.js'
export { type PivotOptions, pivot } from './frame/verb/pivot.js'
export { unpivot, type UnpivotOptions } from './frame/verb/unpivot.js'
export { describe } from './frame/verb/describe.js'
export { diff, pctChange, shift } from './frame/verb/shift.js'
export { expanding, rolling, type WindowOptions } from './frame/verb/rolling.js'
export { cumulative } from './frame/verb/cumulative.js'
export { ewm, type EwmOptions } from './frame/verb/ewm.js'
export { rollingCorrelation, type RollingRegression, rollingRegression } from './frame/verb/rolling-pairs.js'
export { cut, type CutOptions, qcut, type QcutOptions } from './frame/verb/cut.js'
export { type RankOptions, rank } from './frame/verb/rank.js'
export { correlation, quantile } from './frame/verb/array-statistics.js'
export type { Aggregate, SortKey } from './frame/verb/verb-types.js'
export type { Numbers } from './frame/verb/array-statistics.js'
export { type SqlOptions, sql } from './data/sql/sql.js'

// what the numbers mean: each dataset compared with what must be true of it
export type { Check, CheckResult, CheckRuns, CheckTables } from './research/checks/check.js'
export { checkAll, checks } from './research/checks/all-checks.js'

// minute bars
export { checkVwap, type VwapOptions } from './research/checks/vwap/check-vwap.js'
export { type BarOptions, checkBars } from './research/checks/bars/check-bars.js'
export { resampleBars } from './research/checks/bars/resample-bars.js'

// abnormal movement
export {
  type AnomalyOptions,
  checkAnomalies,
  type PricedAnomalyOptions,
} from './research/checks/anomaly/check-anomalies.js'
export { type ComputeAnomaliesOptions, computeAnomalies } from './research/checks/anomaly/compute/compute-anomalies.js'
export { anomalyRules } from './research/checks/anomaly/anomaly-rules.js'

// southbound flows
export { type Flows, type FlowsOptions, southboundFlows } from './research/analysis/southbound/southbound-flows.js'
export { southboundNames } from './research/analysis/southbound/southbound-names.js'
export { netStreaks } from './research/analysis/southbound/net-streaks.js'
export { type JoinedFlows, joinIndex } from './research/analysis/southbound/index-join.js'
export { flowCorrelation, hitRate, leadLag } from './research/analysis/southbound/flow-correlation.js'
export { type EventStudyOptions, eventStudy } from './research/analysis/southbound/event-study.js'

// the opening auction
export type { AuctionOptions } from './research/analysis/auction/tick-columns.js'
export { auctionPath } from './research/analysis/auction/auction-path.js'
export { auctionMatch, type MatchOptions } from './research/analysis/auction/auction-match.js'
export { openingGaps } from './research/analysis/auction/opening-gaps.js'

// backtests
export { panel, type PanelOptions } from './research/backtest/make-panel.js'
export type { Delisting, Panel } from './research/backtest/panel.js'
export type { Bar } from './research/backtest/cursor.js'
export type { Schedule } from './research/backtest/schedule.js'
export type {
  CrossSection,
  OrderStrategy,
  RankStrategy,
  Strategy,
  StrategyOrder,
  WeightStrategy,
} from './research/backtest/strategy.js'
export { defineStrategy, type StrategyData, type StrategyFile } from './research/backtest/load/strategy-file.js'
export { type LoadedPanel, loadPanel } from './research/backtest/load/load-panel.js'
export { benchmarkOfTable, loadBenchmark } from './research/backtest/load/load-benchmark.js'
export { loadRedemptions } from './research/backtest/load/load-redemptions.js'
export { type OrderPlan, planOrders } from './research/backtest/plan-orders.js'
export { backtest, type BacktestResult } from './research/backtest/backtest.js'
export type { BacktestOptions } from './research/backtest/backtest-options.js'
export { checkLookahead, type LookaheadCheck } from './research/backtest/check-lookahead.js'
export { chinaRules, type TradingRules } from './contract/trading-rules.js'
export { sweep, type SweepOptions } from './research/backtest/sweep.js'
export type { Sweep } from './research/backtest/sweep-result.js'
export type { StrategyModule } from './research/backtest/strategy-module.js'
export { sweepInThreads, type ThreadedSweepOptions } from './research/backtest/sweep-threads.js'
export type { TradedAccount, TradedOptions } from './research/backtest/traded-account.js'
export { tradedAccount } from './research/backtest/load/load-traded-account.js'
export { attribution } from './research/backtest/attribution.js'
export { forwardReturns } from './research/backtest/forward-returns.js'
export { type WalkForward, walkForward, type WalkForwardOptions } from './research/backtest/walk-forward.js'

// what an account, or a score, was worth
export {
  type Performance,
  type PerformanceOptions,
  performanceStats,
} from './research/analysis/performance/performance-stats.js'
export { rollingPerformance } from './research/analysis/performance/rolling-performance.js'
export { deflatedSharpe } from './research/analysis/performance/deflated-sharpe.js'
export { probabilityOfOverfitting } from './research/analysis/performance/probability-of-overfitting.js'
export { type FactorStudy, factorStudy, type Signal } from './research/analysis/performance/factor-study.js'

// looking at it
export { type Shown, type ShowOptions, show } from './frame/show/show-data.js'
export { type Chart, type ChartOptions, chart } from './research/report/chart.js'
export { tearSheet } from './research/report/tear-sheet/tear-sheet.js'
export { factorPage } from './research/report/factor/factor-page.js'
export type { TearSheetOptions, TearSheetRun } from './research/report/tear-sheet/sheet-input.js'

// an archive of one's own, and the report
export { Archive, type ArchiveOptions } from './data/archive/archive.js'
export {
  type FileNote,
  type ImportOptions,
  type ImportResult,
  importFiles,
} from './data/archive/import/import-files.js'
export { readStatement } from './data/archive/import/read-form.js'
export { type ReportOptions, report } from './research/report/load/market-report.js'
export { verifyPage } from './research/report/load/verify-page.js'
export type { Verification } from './research/report/verify/compare-pages.js'
