import type { Law, LawTables } from '../../../checks/law.js'
import type { DatasetName } from '../../../contract/catalogue.js'
import { loadable } from '../../../load/tables.js'
import { open } from '../../source.js'
import { type CheckOptions, fromFile, lastDays, notBoth, withFiles } from './read.js'
import { showRuns } from './show.js'

export interface LawOptions extends CheckOptions {
  readonly days: number
  readonly with?: Record<string, string>
  readonly transitions?: true
}

/** The rows of a dataset, and of those that it is held against. */
export async function tablesOf(
  dataset: DatasetName,
  needed: readonly DatasetName[],
  options: LawOptions,
): Promise<LawTables> {
  notBoth(options)
  if (options.file !== undefined) return { [dataset]: [await fromFile(options.file, dataset, options.rename)] }
  const market = await open(options)
  if (options.params) return { [dataset]: [await market.query(dataset, options.params)] }
  return lastDays(market, options.days, needed)
}

/** Which rows were missing where no law could run, and how to bring them. */
function lacking(tables: LawTables, needed: readonly DatasetName[]): string {
  const [first] = needed
  const missing = needed.filter((name) => !tables[name]?.some(({ numRows }) => numRows > 0))
  const how = missing.flatMap((name) => {
    if (name !== first) return `--with ${name}=FILE brings them`
    return loadable.includes(name) ? [] : 'ask for them with --params'
  })
  if (missing.length === 0) return 'the rows are not of the kinds that are held against each other'
  return [`no rows of ${missing.join(' and ')}`, ...how].join('; ')
}

/** Runs the laws of one name over a file, over what a question is answered with, or over the last days of a source. */
export async function law(laws: readonly Law[], options: LawOptions): Promise<void> {
  const [first] = laws
  if (!first) return
  const needed = [...new Set(laws.flatMap(({ dataset, beside = [] }) => [dataset, ...beside]))]
  const tables = await withFiles(await tablesOf(first.dataset, needed, options), Object.entries(options.with ?? {}))
  const runs = laws.flatMap((one) => one.runs(tables))
  await showRuns(first.name, runs, options, lacking(tables, needed))
}
