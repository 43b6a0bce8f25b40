import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { median } from './interleave.mjs'
import { pandasPeer } from './pandas-peer.mjs'
import { bars, folderOf } from './verb-data.mjs'

export const question = `expressions over 11 columns: filter, derive, pivot, group, roll and concat, of a frame, against pandas
  (text as objects and as categories) and polars (of the folder QUOTEBOOK_POLARS), and tables as a query over HTTP (table),
  Parquet, IPC, CSV and SQL give them against the frame`

const rowsIn = (data) => data?.numRows ?? data?.shape?.[0] ?? data?.height ?? data.length

function operationsOf({ filter, derive, when, pivot, groupBy, concat, rolling, ewm, numbers }, data) {
  const close = numbers(data, 'close')
  const all = { by: [] }
  return {
    'filter: text and number': () => filter(data, (c) => c.symbol.eq('000017.SZ').and(c.close.gt(5.5)), all),
    'filter: day and number': () => filter(data, (c) => c.tradedate.ge('20260715').and(c.close.gt(5.5)), all),
    'filter: mask': () => {
      const mask = new Uint8Array(close.length)
      for (let row = 0; row < mask.length; row++) mask[row] = close[row] > 5.5 ? 1 : 0
      return filter(data, mask)
    },
    'filter: condition': () => filter(data, (c) => c.close.gt(5.5), all),
    'derive: when to text': () => derive(data, { side: (c) => when(c.close.gt(c.open), 'up', 'down') }),
    'derive: when of text': () => derive(data, { code: (c) => when(c.close.gt(5.5), c.symbol, c.period) }),
    'derive: when to number': () => derive(data, { best: (c) => when(c.close.gt(c.open), c.high, c.low) }),
    'derive: arithmetic': () => derive(data, { spread: (c) => c.high.minus(c.low).over(c.close) }),
    'pivot to 4,000 columns': () =>
      pivot(data, { index: ['tradedate', 'trademin'], columns: 'symbol', values: 'close' }),
    'group: median and std': () => groupBy(data, 'symbol', { m: ['close', 'median'], s: ['close', 'std'] }),
    'group: mean and sum': () => groupBy(data, 'symbol', { m: ['close', 'mean'], s: ['amount', 'sum'] }),
    concat: () => concat([data, data]),
    ewm: () => ewm(close, { span: 20 }, 'mean'),
    'rolling median': () => rolling(close, 20, 'median'),
    'rolling std': () => rolling(close, 20, 'std'),
  }
}

function polarsOperations(pl, { columns }) {
  const list = [...columns].map(([name, { data, dictionary, valid }]) => {
    if (dictionary)
      return pl.Series(
        name,
        Array.from(data, (code) => dictionary[code] ?? null),
        pl.Utf8,
      )
    return pl.Series(name, valid ? Array.from(data, (x) => (Number.isNaN(x) ? null : x)) : Array.from(data), pl.Float64)
  })
  const df = pl.DataFrame(Object.fromEntries(list.map((series) => [series.name, series])))
  const c = (name) => pl.col(name)
  return {
    'filter: text and number': () => df.filter(c('symbol').eq(pl.lit('000017.SZ')).and(c('close').gt(5.5))),
    'filter: day and number': () => df.filter(c('tradedate').gtEq(pl.lit('20260715')).and(c('close').gt(5.5))),
    'filter: mask': () => df.filter(c('close').gt(5.5)),
    'filter: condition': () => df.filter(c('close').gt(5.5)),
    'derive: when to text': () =>
      df.withColumns(
        pl
          .when(c('close').gt(c('open')))
          .then(pl.lit('up'))
          .otherwise(pl.lit('down'))
          .alias('side'),
      ),
    'derive: when of text': () =>
      df.withColumns(pl.when(c('close').gt(5.5)).then(c('symbol')).otherwise(c('period')).alias('code')),
    'derive: when to number': () =>
      df.withColumns(
        pl
          .when(c('close').gt(c('open')))
          .then(c('high'))
          .otherwise(c('low'))
          .alias('best'),
      ),
    'derive: arithmetic': () => df.withColumns(c('high').minus(c('low')).div(c('close')).alias('spread')),
    'group: median and std': () =>
      df.groupBy('symbol').agg(c('close').median().alias('m'), c('close').std().alias('s')),
    'group: mean and sum': () => df.groupBy('symbol').agg(c('close').mean().alias('m'), c('amount').sum().alias('s')),
  }
}

function polars() {
  const folder = process.env.QUOTEBOOK_POLARS
  if (folder) return createRequire(join(folder, 'package.json'))('nodejs-polars')
  console.log('  QUOTEBOOK_POLARS names no folder with nodejs-polars: nothing is compared with polars')
  return undefined
}

async function timed(run) {
  const start = performance.now()
  const kept = run()
  return { time: performance.now() - start, rows: rowsIn(kept) }
}

/** Median milliseconds of each, in turns that begin with another each time: what one leaves to the next weighs on all. */
async function inTurns(runs, { rounds, warmUp }) {
  const names = Object.keys(runs)
  const times = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < rounds + warmUp; round++) {
    const seen = new Map()
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const { time, rows } = await runs[name]()
      seen.set(name, rows)
      if (round >= warmUp) times.get(name).push(time)
    }
    if (new Set(seen.values()).size > 1) throw new Error(`rows differ: ${JSON.stringify([...seen])}`)
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]))
}

/** Goals: ours over that of pandas with text as objects, as categories, and over that of polars. */
const goals = {
  'filter: text and number': [1, 30, 6],
  'filter: day and number': [1, 4, 2],
  'filter: mask': [1.1, 1.5, 1.5],
  'filter: condition': [1.1, 1.6, 1.5],
  'derive: when to text': [1, 1.5, 5],
  'derive: when of text': [1.3, 1.5, 4],
  'derive: when to number': [1.7, 2, 5],
  'derive: arithmetic': [1.2, 1.8, 3.5],
  'pivot to 4,000 columns': [2, 5, 1],
  'group: median and std': [0.8, 1.5, 2.5],
  'group: mean and sum': [0.8, 1.5, 1.5],
  concat: [0.8, 1.5, 1.5],
  ewm: [1.6, 1.6, 1.5],
  'rolling median': [0.8, 0.8, 1.5],
  'rolling std': [1.5, 1.5, 1.5],
}

export async function measure(parts) {
  const { toTable, toDataFrame, toParquet, fromParquet, toIpc, fromIpc, toCsv, fromCsv, sql } = parts
  const pl = polars()
  const only = process.env.QUOTEBOOK_BENCH_ONLY
  const results = []
  for (const [rows, times] of [
    [100_000, { rounds: 15, warmUp: 15 }],
    [1_000_000, { rounds: 9, warmUp: 4 }],
  ]) {
    const columns = bars(rows)
    const folder = folderOf({ bars: columns })
    const pandas = await pandasPeer('expressions-pandas.py', folder)
    const table = toTable(columns, {})
    const own = operationsOf(parts, toDataFrame(table))
    const theirs = pl ? polarsOperations(pl, columns) : {}
    const sources = {
      table,
      Parquet: await fromParquet(await toParquet(table)),
      IPC: fromIpc(toIpc(table)),
      CSV: fromCsv(Buffer.from(toCsv(table))),
      SQL: await sql('from bars', { tables: { bars: table } }),
    }
    const others = Object.entries(sources).map(([name, one]) => [name, operationsOf(parts, one)])
    for (const [name, run] of Object.entries(own)) {
      if (only && !name.includes(only)) continue
      const runs = { own: () => timed(run) }
      if (pandas?.has(name)) runs.pandas = () => pandas.ask(name)
      if (pandas?.has(`category ${name}`)) runs.category = () => pandas.ask(`category ${name}`)
      if (theirs[name]) runs.polars = () => timed(theirs[name])
      if (name.includes(':')) for (const [source, of] of others) runs[source] = () => timed(of[name])
      const found = await inTurns(runs, times)
      const time = found.get('own')
      const what = `${rows / 1000}k ${name}`
      ;['pandas', 'category', 'polars'].forEach((peer, at) => {
        if (found.has(peer))
          results.push({ what: `${what}, ${peer}`, time, against: found.get(peer), goal: goals[name][at] })
      })
      for (const [source] of others)
        if (found.has(source))
          results.push({ what: `${what}, ${source}/frame`, time: found.get(source), against: time, goal: 1.6 })
    }
    pandas?.close()
    rmSync(folder, { recursive: true })
  }
  return results
}
