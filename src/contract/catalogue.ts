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
import type { Column } from './column.js'
import type { Camel, Dataset, OwnDataset, Params, Row } from './dataset.js'
import { QuotebookError } from './error.js'
import { unknownName } from './nearest.js'
import { completedDataset } from './own-dataset.js'
import { sentence } from './sentence.js'

/** Lists every dataset of the service, in the order of its document. */
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

/**
 * Datasets of your own, for the compiler: declare them, and loaders, rows and strategies have their columns.
 * @example declare module 'quotebook' { interface OwnDatasets { stock_daily: typeof stockDaily } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add to it
export interface OwnDatasets {}

/** A declaration as the types see it: what can be asked follows from the columns. */
type Completed<D extends OwnDataset> = Omit<Dataset, keyof OwnDataset | 'params' | 'own'> &
  D & {
    readonly params: {
      readonly tradedate: { readonly kind: 'date'; readonly role: 'day'; readonly meaning: string }
      readonly startdate: { readonly kind: 'date'; readonly role: 'from'; readonly meaning: string }
      readonly enddate: { readonly kind: 'date'; readonly role: 'to'; readonly meaning: string }
      readonly symbols: { readonly kind: 'codes'; readonly role: 'match'; readonly meaning: string }
    } & {
      readonly [K in keyof D['columns'] as D['columns'][K]['kind'] extends 'label' ? K : never]: {
        readonly kind: 'texts'
        readonly role: 'match'
        readonly meaning: string
      }
    }
  }

/** The declarations of all datasets, by name. */
export type Catalogue = { readonly [D in (typeof datasets)[number] as D['name']]: D } & {
  readonly [N in keyof OwnDatasets]: OwnDatasets[N] extends OwnDataset ? Completed<OwnDatasets[N]> & { name: N } : never
}
/** The name of a dataset, as in the contract (for example `etf_minute`). */
export type DatasetName = keyof Catalogue
/** A row of a dataset by its column names; null only if the contract allows it. */
export type RowOf<N extends DatasetName> = Row<Catalogue[N]>
/** Parameters of a dataset, with their types; those that the contract requires are required. */
export type ParamsFor<N extends DatasetName> = Params<Catalogue[N]>
/** Columns that may be asked for; none where the operation takes no `fields`. */
export type FieldOf<N extends DatasetName> = Catalogue[N] extends { readonly noFields: true }
  ? never
  : Extract<keyof Catalogue[N]['columns'], string>
/** The name under which loaders offer a dataset: `etf_minute` → `etfMinute`. */
export type LoaderName = Camel<DatasetName>

/** Those of one's own, of every copy of this file: strategies import the library, and the command is built apart from it. */
const shared = globalThis as { [key: symbol]: Map<string, Dataset> | undefined }
const key = Symbol.for('quotebook.own-datasets')
shared[key] ??= new Map()
const owned = shared[key] as Map<string, Dataset>

const byName: ReadonlyMap<string, Dataset> = new Map(datasets.map((dataset) => [dataset.name, dataset]))

/** The names of the vendor's datasets, in the order of the contract. */
export const datasetNames: readonly DatasetName[] = datasets.map((dataset) => dataset.name)

/** The datasets of one's own that are declared by now, by name. */
export function ownDatasets(): readonly Dataset[] {
  return [...owned.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Every dataset: the vendor's, in the order of the contract, then those of one's own. */
export function allDatasets(): readonly Dataset[] {
  return [...datasets, ...ownDatasets()]
}

/** The names of `allDatasets`. */
export function allNames(): readonly DatasetName[] {
  return allDatasets().map(({ name }) => name as DatasetName)
}

/** The dataset of a name; undefined for one that there is not. */
export function findDataset(name: string | undefined): Dataset | undefined {
  return name === undefined ? undefined : (byName.get(name) ?? owned.get(name))
}

/** Returns the dataset of a name. Unknown names are rejected with the nearest match. */
export function datasetOf(name: string): Dataset {
  const dataset = findDataset(name)
  if (!dataset) throw unknownName('apiname', name, allNames(), sentence`dataset`)
  return dataset
}

/** Makes a dataset known that another process completed: the test page is told of those that are served. */
export function adoptDataset(dataset: Dataset): void {
  owned.set(dataset.name, dataset)
}

/** What rows of a declaration are: what may not change while they are stored. */
function shapeOf({ columns, key, day, partition }: Dataset): string {
  const cells = Object.entries(columns).map(([name, { kind, unit, nullable }]: [string, Column]) => [
    name,
    kind,
    unit,
    nullable,
  ])
  return JSON.stringify([cells.sort(), key, day, partition])
}

/**
 * Makes a dataset of one's own known to this process. Its words and laws may change; columns, key and day may not while another
 * declaration of the name is known, since rows are stored by it.
 * @param isOld from an archive: a declaration that is known already comes first
 * @throws QuotebookError USAGE for a name of the vendor's, what is no declaration, and one that contradicts the one that is known
 */
export function declareDataset(own: OwnDataset, isOld = false): Dataset {
  const before = owned.get(own?.name)
  if (before && JSON.stringify(before.own) === JSON.stringify(own)) return before
  const dataset = completedDataset(own)
  const { name } = dataset
  if (byName.has(name))
    throw new QuotebookError('USAGE', sentence`dataset ${name}: the name is one of the vendor's; take another`)
  if (before && shapeOf(before) !== shapeOf(dataset))
    throw new QuotebookError(
      'USAGE',
      sentence`dataset ${name} is declared twice, with other columns, units, key or day: one process knows one of each name; take another name, or a new archive`,
    )
  if (before && isOld) return before
  adoptDataset(dataset)
  return dataset
}

/**
 * Declares a dataset of your own and returns it unchanged, so that an editor completes its members and the types have
 * its columns.
 * @throws QuotebookError USAGE for a name of the vendor's and for an invalid declaration, naming the member and the
 * nearest valid name
 * @example export default defineDataset({ name: 'stock_daily', title: 'Daily prices of stocks', columns: { … }, key: ['tradedate', 'symbol'], … })
 */
export function defineDataset<const D extends OwnDataset>(own: D): D {
  declareDataset(own)
  return own
}
