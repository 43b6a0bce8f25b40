import { anomalyForecast } from './catalogue/anomaly-forecast.js'
import { convertibleDaily } from './catalogue/convertible-daily.js'
import { convertibleMinute } from './catalogue/convertible-minute.js'
import { etfMinute } from './catalogue/etf-minute.js'
import { fileDownload } from './catalogue/file-download.js'
import { financeAnnouncement } from './catalogue/finance-announcement.js'
import { hotstock } from './catalogue/hotstock.js'
import { interactiveQa } from './catalogue/interactive-qa.js'
import { news } from './catalogue/news.js'
import { southboundTop10 } from './catalogue/southbound-top10.js'
import { st } from './catalogue/st.js'
import { themeDaily } from './catalogue/theme-daily.js'
import { themeLibDetailKp } from './catalogue/theme-lib-detail-kp.js'
import { thememembersJx } from './catalogue/thememembers-jx.js'
import { transferFinancing } from './catalogue/transfer-financing.js'
import type { Camel, Dataset, Params, Row } from './dataset.js'
import { unknownName } from './nearest.js'
import { sentence } from './sentence.js'

/** Every operation of the service, in the order of its document. */
export const datasets = [
  news,
  themeLibDetailKp,
  hotstock,
  st,
  convertibleMinute,
  etfMinute,
  themeDaily,
  convertibleDaily,
  transferFinancing,
  thememembersJx,
  southboundTop10,
  anomalyForecast,
  fileDownload,
  financeAnnouncement,
  interactiveQa,
] as const

/** The declarations of all datasets, by name. */
export type Catalogue = { readonly [D in (typeof datasets)[number] as D['name']]: D }
/** The name of a dataset, as the contract spells it: `etf_minute`. */
export type DatasetName = keyof Catalogue
/** A row of a dataset by its column names; null only where the contract allows it. */
export type RowOf<N extends DatasetName> = Row<Catalogue[N]>
/** Params of a dataset, with their types; what the contract requires is required. */
export type ParamsFor<N extends DatasetName> = Params<Catalogue[N]>
/** Columns that may be asked for; none where the operation takes no `fields`. */
export type FieldOf<N extends DatasetName> = Catalogue[N] extends { readonly noFields: true }
  ? never
  : Extract<keyof Catalogue[N]['columns'], string>
/** The name under which loaders offer a dataset: `etf_minute` → `etfMinute`. */
export type LoaderName = Camel<DatasetName>

const byName: ReadonlyMap<string, Dataset> = new Map(datasets.map((dataset) => [dataset.name, dataset]))

/** The names of all datasets, in the order of the contract. */
export const datasetNames: readonly DatasetName[] = datasets.map((dataset) => dataset.name)

/** The dataset of a name; a wrong name is answered with the nearest right one. */
export function datasetOf(name: string): Dataset {
  const dataset = byName.get(name)
  if (!dataset) throw unknownName('apiname', name, datasetNames, sentence`dataset`)
  return dataset
}
