import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Table } from 'apache-arrow'
import { QuotebookError, unwritten } from '../contract/error.js'
import { writeFileAtomically } from '../data/archive/file-access.js'
import { moduleHash } from '../research/backtest/strategy-module.js'
import type { TearSheetOptions } from '../research/report/tear-sheet/sheet-input.js'
import type { Library } from './library.js'
import type { StrategyRun } from './run-strategy.js'

export type TableFormat = 'parquet' | 'csv'

/** A table of codes, with the names that are known. */
function withNames(library: Library, table: Table, names: StrategyRun['plan']['names'] = {}): Table {
  if (Object.keys(names).length === 0) return table
  const nameOf = ({ symbol }: { symbol: readonly (string | null)[] }) => symbol.map((code) => names[code ?? ''] ?? null)
  return library.derive(table, { name: nameOf as never }) as unknown as Table
}

/** What was tried, and what came of it out of sample. */
function searchTables(library: Library, { sweep, walkForward }: StrategyRun['searched']): Record<string, Table> {
  if (!walkForward) return sweep ? { trials: sweep.table } : {}
  const folds = walkForward.folds.map(({ train, test, params, inSample, outOfSample }) => ({
    train_from: train[0],
    train_to: train[1],
    test_from: test[0],
    test_to: test[1],
    ...params,
    in_sample: inSample,
    out_of_sample: outOfSample,
  }))
  const curve = walkForward.days.map((tradedate, day) => ({ tradedate, equity: walkForward.equity[day] as number }))
  const table = (rows: readonly object[]): Table => library.asTable(library.fromRows(rows as never))
  return { ...(sweep && { trials: sweep.table }), folds: table(folds), out_of_sample: table(curve) }
}

/** Files of a directory, beside it until all are on the disk: where one can not be written, it is left as it was. */
export async function writeTogether(dir: string, files: ReadonlyMap<string, Uint8Array | string>): Promise<void> {
  const beside = `${resolve(dir)}.${randomBytes(6).toString('hex')}.part`
  try {
    for (const [name, data] of files) await writeFileAtomically(join(beside, name), data)
    await mkdir(dir, { recursive: true })
    for (const name of files.keys()) await rename(join(beside, name), join(dir, name))
  } catch (error) {
    throw unwritten(dir, error instanceof QuotebookError ? (error.cause ?? error) : error)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

/**
 * Writes all of a run to a directory: its tables, what was tried, a summary and the tear sheet.
 * @returns the names of the files
 */
export async function writeRun(
  library: Library,
  run: StrategyRun,
  sheet: string,
  to: { readonly dir: string; readonly format: TableFormat; readonly source: TearSheetOptions['source'] },
): Promise<readonly string[]> {
  const { result, plan, searched, defaults, command } = run
  const { dir, format, source } = to
  const { account, trips } = result
  const named = Object.fromEntries(
    (['fills', 'rejected', 'positions', 'events'] as const).map((name) => [
      name,
      withNames(library, result[name], plan.names),
    ]),
  )
  const tables = { account, ...named, trips: withNames(library, trips, plan.names), ...searchTables(library, searched) }
  const files = new Map<string, Uint8Array | string>()
  for (const [name, table] of Object.entries(tables) as [string, Table][]) {
    files.set(`${name}.${format}`, format === 'csv' ? library.toCsv(table) : await library.toParquet(table))
  }
  const { options, hashes, warnings, findings, lookahead, days, start } = result
  const { benchmark } = plan
  const compared =
    benchmark && 'equity' in benchmark
      ? { name: benchmark.name, days: benchmark.days, levels: [...(benchmark.equity as Float64Array)] }
      : undefined
  const about = {
    title: plan.title,
    source,
    command,
    days: [days[0], days.at(-1)],
    start,
    code: moduleHash(resolve(run.file)),
    options,
    defaults,
    hashes,
    warnings,
    findings,
    lookahead,
    figures: library.performanceStats(result, benchmark ? { benchmark } : {}),
    benchmark: compared,
    searched: searched.sweep && {
      trials: searched.sweep.trials.length,
      best: searched.sweep.best?.params,
      deflatedSharpe: searched.sweep.deflatedSharpe,
      overfitting: searched.sweep.overfitting,
    },
    outOfSample: searched.walkForward?.performance,
  }
  files.set('summary.json', `${JSON.stringify(about, null, 2)}\n`).set('tear-sheet.html', sheet)
  await writeTogether(dir, files)
  return [...files.keys()]
}
