import { DuckDBInstance } from '@duckdb/node-api'
import { interleave, random } from './interleave.mjs'

export const question = `southbound flows of three years by day and channel, each stock once, exact: against DuckDB over the same rows as a
  table of its own in memory, sums of DECIMAL(18,2) (its sums of doubles depend on their order)`
const goal = 3

const days = 730
const codes = Array.from({ length: 60 }, (_, i) => `${String(100 + 37 * i).padStart(5, '0')}.HK`)

function dayOf(number) {
  return new Date(Date.UTC(2023, 6, 11) + number * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Ten stocks a channel and day, some of them in both; amounts with cents. */
function* rows() {
  const next = random(7)
  const draw = (below) => Math.floor(next() * below)
  for (let day = 0; day < days; day++) {
    const [sh, sz] = [0, 1].map(() => {
      const list = new Map()
      while (list.size < 10) list.set(codes[draw(24)], [draw(2 ** 31) / 100, draw(2 ** 31) / 100])
      return list
    })
    const cells = (side) => {
      if (!side) return [null, null, null, null]
      const [buy, sell] = side
      const cents = (x) => Math.round(x * 100) / 100
      return [cents(buy + sell), cents(buy - sell), buy, sell]
    }
    for (const [market, own] of [
      ['2', sh],
      ['4', sz],
    ]) {
      for (const code of own.keys()) {
        yield [dayOf(day), code, market, ...cells(sh.get(code)), ...cells(sz.get(code))]
      }
    }
  }
}

const money = ['amount', 'net_amount', 'buy', 'sell']
const fields = [
  'trade_date',
  'code',
  'market_type',
  ...money.map((name) => `sh_${name}`),
  ...money.map((name) => `sz_${name}`),
]

const sql = `
  with once as (select distinct trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell from top),
  parts as (
    select trade_date, '2' as channel, code, sh_buy as buy, sh_sell as sell from once where sh_buy is not null
    union all select trade_date, '4', code, sz_buy, sz_sell from once where sz_buy is not null),
  flows as (
    select trade_date, channel, sum(buy) as buy, sum(sell) as sell, count(distinct code) as stocks from parts group by all
    union all select trade_date, 'both', sum(buy), sum(sell), count(distinct code) from parts group by trade_date)
  select trade_date, channel, buy::double as buy, sell::double as sell, (buy - sell)::double as net,
    (buy + sell)::double as turnover, stocks from flows order by trade_date, channel`

async function duckdb(all) {
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  const types = fields.map((name, i) => `${name} ${i < 3 ? 'varchar' : 'decimal(18,2)'}`)
  await db.run(`create table top (${types.join(', ')})`)
  const quoted = (cell) => (cell === null ? 'null' : typeof cell === 'string' ? `'${cell}'` : String(cell))
  for (let from = 0; from < all.length; from += 1000) {
    const values = all.slice(from, from + 1000).map((row) => `(${row.map(quoted).join(', ')})`)
    await db.run(`insert into top values ${values.join(', ')}`)
  }
  return db
}

export async function measure({ datasetOf, decode, toTable, numbers, southboundFlows }) {
  const all = [...rows()]
  const dataset = datasetOf('southbound_top10')
  const table = toTable(decode(dataset, fields, all), dataset.columns)
  const db = await duckdb(all)
  const found = southboundFlows(table).table
  const expected = (await db.runAndReadAll(sql)).getColumnsObjectJS()
  for (const name of ['buy', 'sell', 'net', 'turnover', 'stocks']) {
    const [own, theirs] = [numbers(found, name), expected[name].map(Number)]
    if (own.length !== 3 * days || own.some((x, row) => x !== theirs[row])) throw new Error(`${name} differs`)
  }
  const { own, theirs } = await interleave(
    { own: () => southboundFlows(table), theirs: () => db.run(sql) },
    { rounds: 31, warmUp: 10 },
  )
  return [{ what: `${all.length} rows`, time: own, against: theirs, goal }]
}
