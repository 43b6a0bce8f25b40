import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { interleave } from './interleave.mjs'
import { bars, days, folderOf, stocks } from './verb-data.mjs'

export const question = `sort, group, join, filter, rank and roll Arrow tables of 11 columns, 4,000 symbols, and read and write them as CSV: against
  pandas on the same data (text as objects, which share memory where they are equal), in time and in processor time; DataFrames
  against the same tables (ONLY=CSV measures the operations with that in their names);
  and at 100,000 rows against stock danfo (which has no rolling)`

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

const rowsIn = (data) => data.numRows ?? data.shape[0]

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]

const isWanted = (name) => name.includes(process.env.ONLY ?? '')

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

/** A python that has pandas; undefined when there is none. */
function pythonWithPandas() {
  const found = ['python3', '/usr/bin/python3'].find((path) => spawnSync(path, ['-c', 'import pandas']).status === 0)
  if (!found) console.log('  no python3 with pandas here: nothing is compared with pandas')
  return found
}

async function againstPandas(python, operations, folder, { rounds, warmUp }) {
  const child = spawn(python, [here('verb-pandas.py'), folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const reply = async () => JSON.parse((await lines.next()).value)
  const { pandas } = await reply()
  const results = []
  for (const [name, run] of Object.entries(operations)) {
    if (!isWanted(name)) continue
    const [own, theirs, ownProcessor, theirProcessor] = [[], [], [], []]
    for (let round = 0; round < rounds + warmUp; round++) {
      const [before, start] = [process.cpuUsage(), performance.now()]
      const rows = run()
      const time = performance.now() - start
      const { user, system } = process.cpuUsage(before)
      child.stdin.write(`${name}\n`)
      const answer = await reply()
      if (answer.rows !== rows) throw new Error(`${name}: ${rows} rows, pandas has ${answer.rows}`)
      if (round < warmUp) continue
      own.push(time)
      theirs.push(answer.time)
      ownProcessor.push((user + system) / 1000)
      theirProcessor.push(answer.processor)
    }
    results.push({ what: `${name}, pandas ${pandas}`, time: median(own), against: median(theirs), goal: 1 })
    const processor = { time: median(ownProcessor), against: median(theirProcessor) }
    results.push({ what: `${name}, processor`, ...processor, goal: Number.POSITIVE_INFINITY })
  }
  child.stdin.end()
  return results
}

async function framesAgainstTables(onTables, onFrames, { rounds }) {
  const results = []
  for (const [name, table] of Object.entries(onTables)) {
    if (!isWanted(name)) continue
    const times = await interleave({ frame: onFrames[name], table }, { rounds, warmUp: 3 })
    results.push({ what: `${name}, frame against table`, time: times.frame, against: times.table, goal: 1.2 })
  }
  return results
}

async function againstDanfo(operations, tables, toDataFrame) {
  const { bundle } = await import('../../src/frame/danfo/bundle.mjs')
  const outfile = join(tmpdir(), 'quotebook-stock-danfo.cjs')
  await bundle({ repairs: false, outfile })
  const { DataFrame, merge } = createRequire(import.meta.url)(outfile)
  const stock = (table) => {
    const { values, columns, dtypes } = toDataFrame(table)
    return new DataFrame(values, { columns, dtypes })
  }
  const [table, reference] = [tables.bars, tables.stocks].map(stock)
  const theirs = {
    'sort by a number': () => table.sortValues('close', { ascending: false }).shape[0],
    'group by symbol': () =>
      table.groupby(['symbol']).agg({ amount: 'sum', close: 'mean', high: 'max', vol: 'count' }).shape[0],
    'left join by symbol': () => merge({ left: table, right: reference, on: ['symbol'], how: 'left' }).shape[0],
    'filter by a function': () => table.query(table['close'].gt(5.5)).shape[0],
  }
  const results = []
  for (const [name, run] of Object.entries(theirs)) {
    if (!isWanted(name)) continue
    const { own, danfo } = await interleave({ own: operations[name], danfo: run }, { rounds: 3, warmUp: 1 })
    results.push({ what: `${name}, danfo`, time: own, against: danfo, goal: 0.1 })
  }
  return results
}

export async function measure(parts) {
  const { toTable, toDataFrame } = parts
  const python = pythonWithPandas()
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
    const found = python ? await againstPandas(python, withFiles, folder, times) : []
    rmSync(folder, { recursive: true })
    const frames = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, toDataFrame(table)]))
    found.push(...(await framesAgainstTables(operations, operationsOf(parts, frames), times)))
    if (rows === 100_000) found.push(...(await againstDanfo(operations, tables, toDataFrame)))
    results.push(...found.map(({ what, ...rest }) => ({ what: `${rows / 1000}k ${what}`, ...rest })))
  }
  return results
}
