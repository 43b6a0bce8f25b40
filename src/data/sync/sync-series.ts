import { datasetOf, datasets } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { paramWithRole } from '../source/plan/asked.js'

/**
 * How the days of a series are asked for. `range`: many in a request; `pages`: many, page by page; `day`: one by one;
 * `snapshot`: it has none, and is asked for as it is now.
 */
type Way = 'range' | 'pages' | 'day' | 'snapshot'

/** What sync brings as one: bars of a period, a hot list, a dataset that has no such parts. */
export interface SyncSeries {
  readonly dataset: Dataset
  /** What tells it apart under its dataset; '' where nothing does. */
  readonly scope: string
  /** The params that each of its questions has. */
  readonly params: Readonly<Record<string, string>>
  readonly way: Way
}

/** The datasets that sync brings; ticks have a fetch of their own. */
export const syncable: readonly string[] = datasets.map(({ name }) => datasetOf(name)).flatMap(nameIfKept)

function nameIfKept({ name, cache, snapshot }: Dataset): string[] {
  return cache || snapshot ? [name] : []
}

function wayOf(dataset: Dataset): Way {
  if (!dataset.cache) return 'snapshot'
  if (!dataset.cache.range && paramWithRole(dataset, 'from') === undefined) return 'day'
  return dataset.limit.kind === 'page' ? 'pages' : 'range'
}

/**
 * The series of a dataset, as its declaration says.
 * @param known values of a param that the contract does not list: the ids of themes
 */
export function syncSeriesOf(dataset: Dataset, known: readonly string[] = []): SyncSeries[] {
  const { cache, snapshot, params } = dataset
  const each = cache?.scope ?? snapshot?.each
  const fixed = Object.entries(params).flatMap(([name, { required, values = [] }]) =>
    required && name !== each && values.length === 1 ? [[name, values[0] as string]] : [],
  )
  const always: Record<string, string> = { ...Object.fromEntries(fixed), ...cache?.only }
  const way = wayOf(dataset)
  if (each === undefined) return [{ dataset, scope: '', params: always, way }]
  const values = params[each]?.values ?? known
  return values.map((scope) => ({ dataset, scope, params: { ...always, [each]: scope }, way }))
}
