import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { tableNames } from '../../../frame/table-names.js'
import { onceOf } from '../report-day.js'

/** From those that name fewest for sure: a later one counts. */
export const naming: readonly DatasetName[] = ['finance_announcement', 'st', 'anomaly_forecast', 'hotstock']

/** Names of stocks by their bare code, from whichever table of the report has them; hot lists of a day carry none. */
export const stockNames = onceOf(({ of }): ReadonlyMap<string, string> => {
  const all = naming.flatMap((name) => tableNames(of(name)?.table, datasetOf(name)))
  return new Map(all.map(([code, name]) => [code.slice(0, 6), name]))
})
