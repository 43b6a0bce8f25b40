/**
 * Quotebook: Chinese securities data as DataFrames and Arrow tables, complete or refused; the vendor's derived numbers
 * recomputed; reports that come out the same to the byte. In reading order:
 */

export { checkAnomaly } from './analysis/anomaly.js'
// what the numbers mean
export type { Check } from './analysis/check.js'
export { resampleBars } from './analysis/resample.js'
export { checkSouthbound, southboundFlows } from './analysis/southbound.js'
export { checkVwap, type VwapOptions, type VwapVerdict } from './analysis/vwap.js'
export { Archive, type ArchiveOptions } from './archive/archive.js'
// an archive of one's own
export { type FileNote, type ImportOptions, type ImportResult, importFiles } from './archive/import/import.js'
// where data comes from
export { type ConnectOptions, connect, sampleDir } from './connect.js'
export { isTradingDay, tradingDays } from './contract/calendar.js'
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
export { checkParams, type Query } from './contract/check-params.js'
export type { Cell, Column, Kind, StoredColumn } from './contract/column.js'
export type { Dataset, KnownAt, Limit, Params, Row } from './contract/dataset.js'
export { ContractError, type ErrorCode, ImportError, ParamsError, QuotebookError } from './contract/error.js'
export { knownAt } from './contract/known-at.js'
export type { Param, ParamKind, ParamsOf } from './contract/param.js'
export { version } from './contract/version.js'
export { asTable } from './frame/as-table.js'
export { checkTable } from './frame/check.js'
// the columns of a table
export {
  flags,
  lists,
  type NameIn,
  namesOf,
  nullCounts,
  numbers,
  objectsOf,
  rowsOf,
  texts,
  words,
} from './frame/column.js'
export { toCsv } from './frame/csv.js'
export { DataFrame, Series } from './frame/danfo/classes.js'
export { toDataFrame } from './frame/danfo/to-data-frame.js'
export type { CellOf, ColumnsIn, Data, FrameOf, NameOf, RowIn } from './frame/data.js'
export { fromParquet, toParquet } from './frame/parquet.js'
export { type Provenance, provenance } from './frame/provenance.js'
export type { TableOf } from './frame/table.js'
export { type FrameLoaders, type LoadOptions, Market, type TableLoaders, Ticks } from './market.js'

// the report
export { type ReportOptions, report } from './overview/report.js'
export type { QueryOptions, Source } from './source/source.js'
