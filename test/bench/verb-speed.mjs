import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interleave, median } from './interleave.mjs'
import { pandasPeer } from './pandas-peer.mjs'
import { bars, days, folderOf, stocks } from './verb-data.mjs'

export const question = `sort, group, join, filter, rank and roll Arrow tables of 11 columns, 4,000 symbols, and read and write them as CSV: against
  pandas on the same data (text as objects, which share memory where they are equal); DataFrames
  against the same tables`

const rowsIn = (data) => data.numRows ?? data.shape[0]

function operationsOf(parts, tables) {
  const { sort, groupBy, join: joined, filter, derive, rank, rolling, numbers } = parts
  const { bars: table, stocks: reference, days: daily } = tables
  const close = numbers(table, 'close')
  return {
    'sort by two keys': () => rowsIn(sort(table, 'symbol', 'tradedate')),
    'sort by three keys': () => rowsIn(sort(table, 'symbol', 'tradedate', 'trademin')),
    'sort by a number': () => rowsIn(sort(table, '-close')),
    'group by symbol': () =>
      rowsIn(
        groupBy(table, 'symbol', {
          amount: ['amount', 'sum'],
          close: ['close', 'mean'],
          high: ['high', 'max'],
          bars: ['vol', 'count'],
        }),
      ),
    'left join by symbol': () => rowsIn(joined(table, reference, { on: 'symbol' })),
    'left join by two keys': () => rowsIn(joined(table, daily, { on: ['tradedate', 'symbol'] })),
    'filter by a mask': () => {
      const close = numbers(table, 'close')
      const mask = new Uint8Array(close.length)
      for (let row = 0; row < mask.length; row++) mask[row] = close[row] > 5.5 ? 1 : 0
      return rowsIn(filter(table, mask))
    },
    'filter by a function': () => rowsIn(filter(table, (row) => row.close > 5.5)),
    'rolling mean': () => rolling(close, 20, 'mean').length,
    'rolling mean by symbol': () =>
      rowsIn(derive(table, { mean_20: (bar) => rolling(bar.close, 20, 'mean') }, { by: 'symbol' })),
    'rank of a column': () => rowsIn(derive(table, { rank_of_close: (bar) => rank(bar.close) })),
  }
}

/** A file of the bars to read, in the folder that pandas reads too, and one to write. */
function filesIn(folder, { toCsv, fromCsv }, table) {
  const file = join(folder, 'bars.csv')
  writeFileSync(file, toCsv(table))
  return {
    'read CSV': () => rowsIn(fromCsv(readFileSync(file))),
    'write CSV': () => {
      writeFileSync(join(folder, 'own.csv'), toCsv(table))
      return rowsIn(table)
    },
  }
}

async function againstPandas(operations, folder, { rounds, warmUp }) {
  const pandas = await pandasPeer('verb-pandas.py', folder)
  if (!pandas) return []
  const results = []
  for (const [name, run] of Object.entries(operations)) {
    const [own, theirs] = [[], []]
    for (let round = 0; round < rounds + warmUp; round++) {
      const start = performance.now()
      const rows = run()
      const time = performance.now() - start
      const answer = await pandas.ask(name)
      if (answer.rows !== rows) throw new Error(`${name}: ${rows} rows, pandas has ${answer.rows}`)
      if (round < warmUp) continue
      own.push(time)
      theirs.push(answer.time)
    }
    results.push({ what: `${name}, pandas ${pandas.version}`, time: median(own), against: median(theirs), goal: 1 })
  }
  pandas.close()
  return results
}

async function framesAgainstTables(onTables, onFrames, { rounds }) {
  const results = []
  for (const [name, table] of Object.entries(onTables)) {
    const times = await interleave({ frame: onFrames[name], table }, { rounds, warmUp: 3 })
    results.push({ what: `${name}, frame against table`, time: times.frame, against: times.table, goal: 1.45 })
  }
  return results
}

export async function measure(parts) {
  const { toTable, toDataFrame } = parts
  const results = []
  for (const [rows, times] of [
    [100_000, { rounds: 21, warmUp: 20 }],
    [1_000_000, { rounds: 9, warmUp: 4 }],
  ]) {
    const columns = { bars: bars(rows), stocks: stocks(), days: days() }
    const tables = Object.fromEntries(Object.entries(columns).map(([name, own]) => [name, toTable(own, {})]))
    const operations = operationsOf(parts, tables)
    const folder = folderOf(columns)
    const withFiles = { ...operations, ...filesIn(folder, parts, tables.bars) }
    const found = await againstPandas(withFiles, folder, times)
    rmSync(folder, { recursive: true })
    const frames = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, toDataFrame(table)]))
    found.push(...(await framesAgainstTables(operations, operationsOf(parts, frames), times)))
    results.push(...found.map(({ what, ...rest }) => ({ what: `${rows / 1000}k ${what}`, ...rest })))
  }
  return results
}
