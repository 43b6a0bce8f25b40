/**
 * Quotebook: Chinese securities data as DataFrames and Arrow tables, complete or refused; the vendor's derived numbers
 * recomputed; reports that come out the same to the byte. In reading order:
 */

// tables show themselves
import './show/register-display.js'

// where data comes from
export {
  type ArchiveConnection,
  type ConnectOptions,
  connect,
  type ServiceConnection,
  sampleDir,
} from './connect.js'
export {
  type FrameLoaders,
  type LoadOptions,
  Market,
  type TableLoaders,
  type WatchedTable,
  type WatchQueryOptions,
} from './market.js'
export type { StatusOptions } from './archive/archive-status.js'
export { type Call, type Proof, type Provenance, provenance } from './table/provenance.js'
export type { RowLaw, Suspect } from './contract/row-laws.js'
export type { Progress, QueryOptions, Source } from './source/source.js'

// the live day
export type { WatchOptions, WatchWait } from './watch/asking-pace.js'
export { Change } from './watch/change.js'
export type { RowChanges } from './watch/row-changes.js'

// a service over HTTP
export { HttpSource } from './source/http-source.js'
export type { HttpSourceOptions, PaceOptions } from './source/http-source.js'
export type { NodeAddresses } from './source/transport/node-address.js'
export type { Deadlines } from './source/transport/http-client.js'
export type { RetryPolicy } from './source/transport/middleware.js'
export type { ExtraColumn, RequestLog } from './source/requester.js'
export type { Explanation, Pace } from './source/source.js'
export { SourceError, TruncatedError } from './source/source-error.js'

// an archive kept up to a source
export type { FollowOptions, FollowRun } from './sync/follow.js'
export type { SyncedDataset, SyncOptions, SyncResult } from './sync/sync.js'

// the auction-tick files
export { type TickDay, type TickFetchOptions, Ticks } from './ticks/ticks.js'
export type { TickReadOptions, TickReadProgress } from './ticks/read/tick-request.js'
export type { FetchResult } from './ticks/fetch/fetch-into-archive.js'
export type { FileProgress, FetchProgress } from './ticks/fetch/fetch-files.js'
export type { ShareKind } from './ticks/share/open-share.js'
export { type TickCheck, type VerifyOptions, type VerifyProgress, verifyTicks } from './ticks/verify/verify-ticks.js'
export type { CheckSummary } from './ticks/verify/tick-checks.js'

// what exists
export {
  type Catalogue,
  type DatasetName,
  datasetNames,
  datasetOf,
  datasets,
  type FieldOf,
  type LoaderName,
  type ParamsFor,
  type RowOf,
} from './contract/catalogue.js'
export type { Dataset, KnownAt, Limit, Params, Row } from './contract/dataset.js'
export type { Cell, Column, Kind, StoredColumn } from './contract/column.js'
export type { Param, ParamKind, ParamsOf } from './contract/param.js'
export { checkParams, type Query } from './contract/check-params.js'
export { knownAt } from './contract/known-at.js'
export { isTradingDay, tradingDays } from './contract/calendar.js'
export type { Days } from './contract/day-list.js'
export { ContractError, type ErrorCode, ImportError, ParamsError, QuotebookError } from './contract/error.js'
export { version } from './contract/version.js'

// a table or a frame, and its columns
export { DataFrame, Series } from './frame/danfo-classes.js'
export type {
  CellOf,
  ColumnsIn,
  Data,
  FrameOf,
  KnownFrame,
  NameOf,
  NameOfType,
  RowIn,
  TypedFrame,
} from './frame/data.js'
export type { ColumnsOf, TableOf } from './table/typed-table.js'
export type { Bool, Dictionary, Float64, Int32, List, Table, TypeMap, Utf8, Vector } from 'apache-arrow'
export { asTable } from './frame/as-table.js'
export { toDataFrame } from './frame/to-data-frame.js'
export {
  flags,
  lists,
  namesOf,
  nullCounts,
  numbers,
  objectsOf,
  rowsOf,
  texts,
  words,
} from './frame/read-columns.js'
export { checkTable } from './table/check-table.js'

// in and out, without loss
export { type FromRows, fromRows } from './table/from-rows.js'
export { fromCsv } from './table/csv.js'
export { fromJson } from './table/json.js'
export { fromIpc } from './table/ipc.js'
export { fromParquet } from './table/parquet.js'
export { toCsv, toIpc, toJson, toParquet, toXlsx } from './frame/write-data.js'
export type { ImportLimits } from './archive/import/import-limits.js'
export type { ParquetLimits } from './table/parquet-file/limits.js'
export type { Reading } from './table/reading.js'

// what a quant does with it
export { filter, type GroupFilterOptions } from './frame/verb/filter.js'
export { select } from './frame/verb/select.js'
export { rename } from './frame/verb/rename.js'
export { sort } from './frame/verb/sort.js'
export { concat } from './frame/verb/concat.js'
export { type DeriveOptions, derive } from './frame/verb/derive.js'
export type { FlagArray, FlagOperand, TextArray, TextOperand } from './frame/verb/cell-array.js'
export type { NumberArray, NumberOperand } from './frame/verb/number-array.js'
export { when } from './frame/verb/when.js'
export { groupBy } from './frame/verb/group-by.js'
export { type JoinOptions, join } from './frame/verb/join.js'
export { type AsofOptions, asofJoin } from './frame/verb/asof-join.js'
export { type DuplicateOptions, dropDuplicates } from './frame/verb/drop-duplicates.js'
export { type PivotOptions, pivot } from './frame/verb/pivot.js'
export { unpivot, type UnpivotOptions } from './frame/verb/unpivot.js'
export { type Described, describe } from './frame/verb/describe.js'
export { difference, pctChange, shift } from './frame/verb/shift.js'
export { expanding, rolling, type WindowOperation, type WindowOptions } from './frame/verb/rolling.js'
export { cumulative, type CumulativeOperation } from './frame/verb/cumulative.js'
export { type Decay, ewm, type EwmOperation, type EwmOptions } from './frame/verb/ewm.js'
export { rollingCorrelation, type RollingRegression, rollingRegression } from './frame/verb/rolling-pairs.js'
export { cut, type CutOptions, quantileCut, type QuantileCutOptions } from './frame/verb/cut.js'
export { type RankOptions, rank } from './frame/verb/rank.js'
export { correlation, quantile } from './frame/verb/array-statistics.js'
export type {
  Aggregate,
  ArraysIn,
  Joined,
  ColumnResult,
  Operation,
  SameForm,
  SortKey,
} from './frame/verb/verb-types.js'
export type { Numbers } from './frame/verb/array-statistics.js'
export { type SqlOptions, sql } from './sql/sql.js'
export type { SqlParam, SqlParams } from './sql/run-query.js'

// what the numbers mean: each dataset held against what must be true of it
export type { CheckResult } from './checks/check.js'
export type { Check, CheckRuns, CheckRun, CheckTables, VerdictMeaning } from './checks/check.js'
export { checkAll, checks } from './checks/all-checks.js'
export { healthOf } from './checks/check-health.js'
export { checkConvertibleDaily, type ConvertibleDailyVerdict } from './checks/dataset/check-convertible-daily.js'
export { checkPremium, type Premium, type PremiumVerdict } from './checks/dataset/check-premium.js'
export { checkThemeDaily, type ThemeDailyVerdict } from './checks/dataset/check-theme-daily.js'
export { checkFinancing, type FinancingVerdict } from './checks/dataset/check-financing.js'
export { checkStList, type StListVerdict } from './checks/dataset/check-st-list.js'
export { stTransitions } from './checks/dataset/check-st-list.js'
export { checkHotLists, type HotListVerdict } from './checks/dataset/check-hot-lists.js'
export { checkMembers, type MembersVerdict } from './checks/dataset/check-members.js'
export { checkAnnouncements, type AnnouncementVerdict } from './checks/dataset/check-announcements.js'
export { checkQa, type QaOptions, type QaVerdict } from './checks/dataset/check-qa.js'
export { checkNews, type NewsVerdict } from './checks/dataset/check-news.js'
export { checkThemeDetail, type ThemeDetailVerdict } from './checks/dataset/check-theme-detail.js'
export { checkTickShare, type TickShareVerdict } from './checks/dataset/check-tick-share.js'

// minute bars
export { checkVwap, type Lots, type VwapOptions, type VwapVerdict } from './checks/vwap/check-vwap.js'
export { type BarOptions, type BarVerdict, checkBars } from './checks/bars/check-bars.js'
export { comparePeriods, type PeriodVerdict } from './checks/bars/compare-periods.js'
export { compareDay, type DayVerdict } from './checks/bars/compare-day.js'
export { resampleBars } from './checks/bars/resample-bars.js'

// abnormal movement
export {
  type AnomalyOptions,
  type AnomalyVerdict,
  checkAnomalies,
  type PricedAnomalyCheck,
  type PricedAnomalyOptions,
  type PricedAnomalyVerdict,
} from './checks/anomaly/check-anomalies.js'
export {
  type Anomalies,
  type AnomalyHalt,
  type AnomalyReset,
  type ComputeAnomaliesOptions,
  computeAnomalies,
} from './checks/anomaly/compute/compute-anomalies.js'
export type { AnomalyQuotes } from './checks/anomaly/compare-prices.js'
export {
  type AnomalyRules,
  anomalyRules,
  type DatedBenchmark,
  type DatedCount,
  type DatedThreshold,
  type DayCounting,
} from './checks/anomaly/anomaly-rules.js'
export type { Board, Dated, DatedLimit, DatedListing } from './contract/trading-rules.js'

// southbound flows
export { checkSouthbound, type SouthboundVerdict } from './checks/southbound/check-southbound.js'
export {
  type FlowChannel,
  type Flows,
  type FlowsOptions,
  southboundFlows,
} from './analysis/southbound/southbound-flows.js'
export type { FlowUnit } from './checks/southbound/southbound-channels.js'
export type { Rate } from './analysis/southbound/flow-unit.js'
export { southboundNames } from './analysis/southbound/southbound-names.js'
export { netStreaks } from './analysis/southbound/net-streaks.js'
export {
  type IndexJoinOptions,
  type IndexName,
  type IndexOptions,
  type JoinedFlows,
  joinIndex,
  type Purpose,
} from './analysis/southbound/index-join.js'
export {
  type Estimate,
  type FlowCorrelation,
  flowCorrelation,
  type HitRate,
  hitRate,
  type LeadLagOptions,
  leadLag,
} from './analysis/southbound/flow-correlation.js'
export { type EventStudy, type EventStudyOptions, eventStudy } from './analysis/southbound/event-study.js'

// the opening auction
export type { AuctionColumn, AuctionOptions } from './analysis/auction/tick-columns.js'
export { auctionPath } from './analysis/auction/auction-path.js'
export { auctionMatch, type MatchOptions, type MatchStatus } from './analysis/auction/auction-match.js'
export { type GapOptions, type Gaps, openingGaps } from './analysis/auction/opening-gaps.js'

// backtests
export { panel, type PanelOptions } from './backtest/make-panel.js'
export type { PanelJoin } from './backtest/join-columns.js'
export type { Ending, PanelInstrument, KnownTime, Panel } from './backtest/panel.js'
export type { Bar } from './backtest/cursor.js'
export type { Schedule } from './backtest/schedule.js'
export type {
  Allocate,
  Cross,
  OrderStrategy,
  RankStrategy,
  SharesByCode,
  Strategy,
  StrategyOrder,
  WeightStrategy,
} from './backtest/strategy.js'
export { backtest, type BacktestResult } from './backtest/backtest.js'
export type { BacktestOptions, Execute } from './backtest/backtest-options.js'
export type { Commission, CommissionOption } from './backtest/day-rules.js'
export type { RejectReason } from './backtest/execute.js'
export { checkLookahead, type LookaheadCheck } from './backtest/check-lookahead.js'
export { chinaRules, type InstrumentClass, type TradingRules } from './contract/trading-rules.js'
export type { Grid, ParamsIn, ParamValue } from './backtest/sweep-grid.js'
export { sweep, type SweepOptions } from './backtest/sweep.js'
export type { Sweep, Trial } from './backtest/sweep-result.js'
export type { StrategyModule } from './backtest/strategy-module.js'
export { sweepInThreads, type ThreadedSweepOptions } from './backtest/sweep-threads.js'
export { panelSignal, type PanelSignalOptions } from './backtest/panel-signal.js'
export { type Fold, type WalkForward, walkForward, type WalkForwardOptions } from './backtest/walk-forward.js'

// what an account, or a score, was worth
export {
  type Performance,
  type PerformanceOptions,
  performance,
  type PlacedReturn,
  type RateOptions,
} from './analysis/performance/performance.js'
export type { AccountCurve, DatedReturns, PerformanceInput } from './analysis/performance/return-series.js'
export type { BenchmarkFigures } from './analysis/performance/against-benchmark.js'
export type { CalendarReturn } from './analysis/performance/calendar-returns.js'
export type { Drawdown } from './analysis/performance/drawdowns.js'
export type { BootstrapInterval } from './analysis/performance/stationary-bootstrap.js'
export { rollingPerformance } from './analysis/performance/rolling-performance.js'
export {
  type DeflatedSharpe,
  deflatedSharpe,
  probabilisticSharpe,
  type SharpeEstimate,
  type TrialSharpes,
} from './analysis/performance/deflated-sharpe.js'
export {
  type Overfitting,
  type OverfittingOptions,
  probabilityOfOverfitting,
} from './analysis/performance/probability-of-overfitting.js'
export {
  type Signal,
  type SignalHorizon,
  type SignalOptions,
  type SignalStudy,
  signalStudy,
} from './analysis/performance/signal-study.js'

// looking at it
export { Shown, type ShowOptions, show } from './show/show-data.js'
export { Chart, type ChartOptions, chart } from './report/chart.js'
export { tearSheet } from './report/tear-sheet/tear-sheet.js'
export type {
  RunCommand,
  RunOptions,
  SheetSweep,
  SheetWalk,
  TearSheetOptions,
  TearSheetRun,
} from './report/tear-sheet/sheet-input.js'

// an archive of one's own, and the report
export { Archive, type ArchiveOptions } from './archive/archive.js'
export { dropCache, type CachedDays, cacheContents } from './archive/cache/cache-contents.js'
export { copyArchive, type CopyOptions, type CopyResult } from './archive/copy-archive.js'
export type { ArchivePlace } from './archive/store/store-of.js'
export type { ArchiveStore, MadePart, StoredManifest, WriteSession } from './archive/store/archive-store.js'
export type { ClickHouseAddress } from './clickhouse/clickhouse-address.js'
export type { ImportRemark } from './archive/import/import-remark.js'
export { type FileNote, type ImportOptions, type ImportResult, importFiles } from './archive/import/import-files.js'
export { type ReportOptions, report } from './load/market-report.js'
export { type VerifyPageOptions, verify } from './load/verify-page.js'
export type {
  DifferenceReason,
  FigureChange,
  ManifestChange,
  Verification,
} from './report/verify/compare-pages.js'
export type { PageInput, PageKind, PageManifest } from './report/verify/page-manifest.js'
