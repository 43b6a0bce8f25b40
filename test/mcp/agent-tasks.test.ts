import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { importFiles } from '../../src/archive/import/import-files.js'
import { connect } from '../../src/connect.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { derive } from '../../src/frame/verb/derive.js'
import { toCsv } from '../../src/frame/write-data.js'
import { type Agent, agentHere, type Said } from '../helper/agent.js'
import { csvRows } from '../helper/csv-rows.js'
import { sampleArchive } from '../helper/running-service.js'
import { tempDir, tempFile } from '../helper/temp.js'

/** What a script does in place of a model: it calls, reads what it got, and counts both. */
interface Counted {
  readonly spent: { calls: number; bytes: number }
  call(name: string, given: Record<string, unknown>): Promise<Said>
  /** All rows of an answer, from the file behind its link. */
  all(said: Said): Promise<Record<string, string | null>[]>
}

function counted(agent: Agent): Counted {
  const spent = { calls: 0, bytes: 0 }
  return {
    spent,
    async call(name, given) {
      const said = await agent.call(name, given)
      expect([name, said.isError ? said.text : '']).toEqual([name, ''])
      spent.calls++
      spent.bytes += said.bytes
      return said
    },
    async all({ links, object }) {
      const text = await agent.read(links[0] ?? '')
      spent.calls++
      spent.bytes += Buffer.byteLength(text)
      const { fields, rows } = csvRows(text)
      expect(rows.length).toBe(object.total_rows)
      return rows.map((row) => Object.fromEntries(fields.map((field, at) => [field, row[at] ?? null])))
    },
  }
}

/** DuckDB over the files of an archive, which no code of ours has touched. */
async function sqlOf(dir: string, text: string): Promise<unknown[][]> {
  const { datasets } = await new Archive(dir, 'truth').manifest()
  const db = await (await DuckDBInstance.create()).connect()
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const files = datasets[name]?.parts.map(({ file }) => `'${join(dir, file)}'`)
    return `read_parquet([${files?.join()}])`
  })
  return (await db.runAndReadAll(filled)).getRowsJS() as unknown[][]
}

function spentBy({ spent }: Counted, calls: number, bytes: number): void {
  if (process.env.SHOW) console.log(expect.getState().currentTestName, spent)
  expect(spent.calls).toBe(calls)
  expect(spent.bytes).toBeLessThan(bytes)
}

test('which bonds trade below conversion value, since when', async () => {
  const agent = counted(await agentHere())
  const fields = ['tradedate', 'code', 'close', 'cb_value']
  const asked = { params: { startdate: '20260506' }, fields, max_rows: 0 }
  const said = await agent.call('query_convertible_daily', asked)
  expect(said.object).toMatchObject({ complete: true, proof: 'calendar' })
  const rows = await agent.all(said)
  const last = rows
    .map(({ tradedate }) => String(tradedate))
    .sort()
    .at(-1)
  const since = new Map<string, string>()
  // Days ascend in a bond: a run that is broken begins anew.
  for (const { tradedate, code, close, cb_value } of [...rows].sort((a, b) =>
    String(a.tradedate).localeCompare(String(b.tradedate)),
  )) {
    if (cb_value === null || Number(close) >= Number(cb_value)) since.delete(String(code))
    else if (!since.has(String(code))) since.set(String(code), String(tradedate))
  }
  const isNow = new Set(rows.flatMap(({ tradedate, code }) => (tradedate === last ? code : [])))
  const found = [...since].filter(([code]) => isNow.has(code)).sort()
  const truth = await sqlOf(
    sampleArchive,
    `with days as (select *, close < cb_value as below from {convertible_daily}),
      breaks as (select code, max(tradedate) filter (below is not true) as broken from days group by code)
    select d.code, min(d.tradedate) from days d join breaks b using (code)
    where below and (broken is null or tradedate > broken)
    group by d.code having max(d.tradedate) = (select max(tradedate) from days) order by d.code`,
  )
  expect(found.length).toBeGreaterThan(0)
  expect(found).toEqual(truth)
  spentBy(agent, 2, 60_000)

  // By sql the same question is one call.
  const short = counted(await agentHere())
  const text = `select code from convertible_daily where close < cb_value
    and tradedate = (select max(tradedate) from convertible_daily) order by code`
  const codes = (await short.call('sql', { text })).object.rows.map(([code]: string[]) => code)
  expect(codes).toEqual(truth.map(([code]) => code))
  spentBy(short, 1, 5_000)
})

test("did the vendor's vwap hold last week, and where not", async () => {
  const dir = tempDir()
  cpSync(sampleArchive, dir, { recursive: true })
  const etf = datasetOf('etf_minute')
  const params = { symbols: ['510300.SH'], tradedate: '20260722', period: '15m' }
  const bars = await new Archive(dir, 'copy').query(etf, params)
  const wrong = derive(bars, {
    vwap: ({ vwap = [], trademin = [] }) =>
      vwap.map((price, row) => Number(price) + (trademin[row] === '1045' ? 0.011 : 0)),
  })
  await importFiles(dir, etf, [tempFile('bars.csv', toCsv(wrong))], { set: { period: '15m' } })

  const agent = counted(await agentHere({ market: await connect({ archive: dir }) }))
  const newest = await agent.call('query_etf_minute', {
    params: { trademin: '1500' },
    fields: ['tradedate'],
    max_rows: 1,
  })
  const [[latest]] = newest.object.rows
  // The Friday before the week of the latest day.
  const date = new Date(`${latest.slice(0, 4)}-${latest.slice(4, 6)}-${latest.slice(6)}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 2) % 7 || 7))
  const end = date.toISOString().slice(0, 10).replaceAll('-', '')
  const { object } = await agent.call('check', { check: 'vwap', days: 5, end })
  expect(object).toMatchObject({
    holds: false,
    complete: true,
    days: { first: '20260720', last: '20260724', count: 5 },
  })
  const at = (name: string): number => object.columns.findIndex((column: { name: string }) => column.name === name)
  const found = object.rows
    .filter((row: unknown[]) => row[at('verdict')] === 'mismatch')
    .map((row: unknown[]) => ['tradedate', 'symbol', 'trademin'].map((name) => row[at(name)]))
  const truth = (name: string, factor: number): string => `
    select tradedate, symbol, trademin from (
      select *, sum(amount) over running / (sum(vol) over running * ${factor}) as fair from {${name}}
      where tradedate between '20260720' and '20260724'
      window running as (partition by symbol, tradedate, period order by trademin))
    where abs(fair - vwap) > 0.00051`
  const sql = await sqlOf(dir, `${truth('etf_minute', 100)} order by all`)
  expect(sql).toEqual([['20260722', '510300.SH', '1045']])
  expect(found).toEqual(sql)
  spentBy(agent, 2, 15_000)
})

test('what did the southbound channel buy this month, and what did the index do the day after', async () => {
  const agent = counted(await agentHere())
  const [startdate, enddate] = ['20260701', '20260729']
  const fields = ['trade_date', 'code', 'sh_buy', 'sh_sell', 'sz_buy', 'sz_sell']
  const flows = await agent.all(
    await agent.call('query_southbound_top10', { params: { startdate, enddate }, fields, max_rows: 0 }),
  )
  const quotes = await agent.call('sql', {
    text: 'select tradedate, pct_chg from theme_daily where name = $1 and tradedate between $2 and $3 order by 1',
    params: ['全A等权', startdate, enddate],
  })
  const days: string[] = quotes.object.rows.map(([day]: string[]) => day)
  const change = new Map<string, number>(quotes.object.rows)
  const net = new Map<string, number>()
  const seen = new Set<string>()
  for (const { trade_date, code, sh_buy, sh_sell, sz_buy, sz_sell } of flows) {
    // A stock in both channels has two rows: counted once.
    if (seen.has(`${trade_date} ${code}`)) continue
    seen.add(`${trade_date} ${code}`)
    const cents = [sh_buy, sz_buy, sh_sell, sz_sell].map((yuan) => Math.round(Number(yuan ?? 0) * 100)) as [
      number,
      number,
      number,
      number,
    ]
    net.set(String(trade_date), (net.get(String(trade_date)) ?? 0) + cents[0] + cents[1] - cents[2] - cents[3])
  }
  const found = [...net].sort().map(([day, sum]) => {
    const next = days[days.indexOf(day) + 1]
    return [day, sum / 100, next === undefined ? null : (change.get(next) ?? null)]
  })
  const truth = await sqlOf(
    sampleArchive,
    `with flows as (
      select trade_date, sum(coalesce(sh_buy, 0) + coalesce(sz_buy, 0) - coalesce(sh_sell, 0) - coalesce(sz_sell, 0)) as net
      from (select distinct on (trade_date, code) * from {southbound_top10} where trade_date between '${startdate}' and '${enddate}')
      group by trade_date),
    quotes as (select tradedate, lead(pct_chg) over (order by tradedate) as next from {theme_daily} where name = '全A等权')
    select trade_date, round(net, 2), next from flows left join quotes on tradedate = trade_date order by trade_date`,
  )
  expect(found.length).toBe(20)
  expect(found).toEqual(truth)
  expect(found.at(-1)?.[2]).toBe(null)
  spentBy(agent, 3, 80_000)
})
