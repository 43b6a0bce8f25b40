import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import fc from 'fast-check'
import { connect, datasetOf, fromRows, importFiles, provenance, rowsOf, sql, type Table } from 'quotebook'
import { expect, test } from 'vitest'
import { datasetNames } from './helper/catalogue.js'
import { bytesBelow, failure, file, newPlace, objects, removeFolders, sampleCopy } from './helper/files.js'

removeFolders()

const bars = fromRows([
  { symbol: '600000', amount: 12345678901.23, volume: 3, up: true, title: "it's; drop table bars --" },
  { symbol: '000001', amount: 98765432109.87, volume: 0, up: false, title: null },
  { symbol: null, amount: 1, volume: null, up: null, title: '股票😀' },
  { symbol: '000001', amount: null, volume: 7, up: true, title: '' },
])
const ask = async (text: string, params?: never) => rowsOf(await sql(text, { tables: { bars }, params }))
const fault = async (text: string, options: object = { tables: { bars } }) => {
  const { code, message } = await failure(sql(text, options))
  return `${code}: ${message}`
}

test('a table goes in and comes out with its rows, nulls and all digits', async () => {
  const out = await sql('from bars', { tables: { bars } })
  expect(rowsOf(out)).toEqual(rowsOf(bars))
  expect(out.schema.fields.map(({ name }) => name)).toEqual(['symbol', 'amount', 'volume', 'up', 'title'])
})

test('groups and joins agree with loops', async () => {
  const cell = fc.record({
    key: fc.option(fc.constantFrom('000001', '股', "o'"), { nil: null }),
    n: fc.option(fc.integer({ min: -1e12, max: 1e12 }), { nil: null }),
  })
  const rows = fc.array(cell, { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(rows, rows, async (left, right) => {
      const [l, r] = [left, right].map((list) =>
        fromRows([...list, { key: 'end', n: 0 }] as { key: string | null; n: number | null }[]),
      ) as [Table, Table]
      const [own, other] = [
        [...left, { key: 'end', n: 0 }],
        [...right, { key: 'end', n: 0 }],
      ]
      const found = await sql('select key, count(n) as n, max(n) as high from l group by key order by key', {
        tables: { l },
      })
      const keys = [...new Set(own.map(({ key }) => key))].sort((a, b) =>
        a === null ? 1 : b === null ? -1 : a < b ? -1 : 1,
      )
      const wanted = keys.map((key) => {
        const known = own.flatMap((row) => (row.key === key && row.n !== null ? [row.n] : []))
        return [key, known.length, known.length > 0 ? Math.max(...known) : null]
      })
      expect(rowsOf(found)).toEqual(wanted)
      const joined = await sql('select count(*) as n from l join r on l.key = r.key', { tables: { l, r } })
      const pairs = own.flatMap(({ key }) => other.filter((row) => key !== null && row.key === key))
      expect(rowsOf(joined)).toEqual([[pairs.length]])
    }),
    { numRuns: 6 },
  )
})

test('missing is last either way, NaN is missing; without ORDER BY the order is the same each time', async () => {
  const t = fromRows([
    { id: 'a', x: 2 },
    { id: 'b', x: null },
    { id: 'c', x: 1 },
  ])
  const ids = async (order: string) =>
    rowsOf(await sql(`select id from t order by x ${order}`, { tables: { t } }))
      .flat()
      .join('')
  expect([await ids('asc'), await ids('desc')]).toEqual(['cab', 'acb'])
  expect(rowsOf(await sql("select 'nan'::double as x"))).toEqual([[null]])
  const text = 'select symbol, random() as r, sum(amount) as s from bars, range(500) group by symbol'
  expect(await ask(text)).toEqual(await ask(text))
})

test('numbers are exact or refused with the cast that helps; dates, times and nested values are text', async () => {
  expect(
    await ask('select count(*) as n, 0.1 + 0.2 as d, 9007199254740992::bigint as b, 3::tinyint as t from bars'),
  ).toEqual([[4, 0.3, 9007199254740992, 3]])
  for (const value of ['9007199254740993', '0.12345678901234567'])
    expect(await fault(`select ${value} as id`)).toMatch(
      /^SQL: column 'id': [\d.]+ has no exact double; write ::double to round it or ::varchar to keep its digits$/,
    )
  const row = `date '2026-07-01' as d, time '09:30:00.250' as t, timestamp '2026-07-01 09:30:00' as m,
    timestamptz '2026-07-01 01:30:00+00' as z, ['a'] as w, {'a': 1.10, 'b': ['x']} as s`
  expect(await ask(`select ${row}`)).toEqual([
    ['20260701', '09:30:00.25', '2026-07-01T09:30:00', '2026-07-01T09:30:00+08:00', ['a'], '{"a":1.10,"b":["x"]}'],
  ])
})

test('a mistake is one line that says what is right', async () => {
  for (const [text, wanted] of [
    ['selec 1', 'SQL: Parser Error: syntax error at or near "selec"'],
    ['from barz', "SQL: unknown table 'barz'; did you mean 'bars'?"],
    ['from nothing_like_it', "SQL: unknown table 'nothing_like_it'; there are: bars"],
    ['', 'SQL: the text is empty'],
    ['create table x(a int)', 'SQL: the last statement gives no rows; end with a select'],
    [
      'select symbol, symbol from bars',
      "SQL: the result has two columns 'symbol'; give one another name: … as symbol_2",
    ],
    [
      'explain select 1; select 1',
      'SQL: EXPLAIN is not for here; a query may SELECT, CREATE, INSERT, UPDATE, DELETE, DROP, ALTER',
    ],
  ])
    expect(await fault(text as string), text).toBe(wanted)
  expect(await fault("from 'package.json'")).toMatch(/^SQL: Permission Error: Cannot access file "package.json"/)
  expect(await fault('select\n\n foo from bars')).toMatch(/^SQL: Binder Error: .*"foo" not found.*\(line 3\)$/)
  expect(await fault('select 1', { table: {} })).toMatch(/^USAGE: sql has no option 'table'/)
  expect(await fault('select 1', { tables: { Bars: bars, bars } })).toBe(
    "USAGE: two tables are named 'bars': SQL does not tell capitals apart",
  )
})

test('params by place and by name, of each kind; what does not fit is said', async () => {
  expect(await ask('select $1 as a, $2 as b, $3 as c, $4 as d', ["o'", 1.5, true, null] as never)).toEqual([
    ["o'", 1.5, true, null],
  ])
  const named = { codes: ['600000', '000001'], least: 2 } as never
  expect(await ask('select count(*) as n from bars where symbol = any($codes) and volume > $least', named)).toEqual([
    [2],
  ])
  expect(await fault('select 1', { params: [1] })).toBe('SQL: 1 params were given, and the text has 0')
  expect(await fault('select $1', { params: [new Date(0)] })).toBe(
    'USAGE: param $1 must be text, a number, true, false, null or a list of text',
  )
})

test('limits: memory of a query and of its result, a signal; nothing is read, written or fetched', async () => {
  expect(await fault('select range as n from range(4000000)', { memory: '16MB' })).toBe(
    "SQL: the query needs more memory than the 16MB it may take (and four times as much on the disk); name fewer columns, aggregate, or LIMIT the rows, or raise the option memory: { memory: '32MB' }",
  )
  expect(await fault('select 1', { memory: 'lots' })).toBe(
    "USAGE: sql: memory must be '2GB', '512MiB' or a number of bytes, of at least 1 MiB, not \"lots\"",
  )
  const stop = new AbortController()
  const endless = 'select count(*) as n from range(100000) a, range(10000000) b where a.range % 7 = b.range % 11'
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await expect(sql(endless, { signal: stop.signal })).rejects.toThrow('enough')
  for (const text of [
    "select * from read_text('/etc/passwd')",
    "attach '/tmp/quotebook-promise.db' as x",
    "export database '/tmp/quotebook-promise'",
    'install httpfs',
    'set enable_external_access = true',
    "from 'https://example.com/x.parquet'",
  ])
    expect(await fault(`${text}; select 1`), text).toMatch(/^SQL: /)
})

test('each dataset of an archive is a table with every stored row and column; an absent one is empty', async () => {
  const market = await connect()
  const manifest = await market.archive?.manifest()
  const names = datasetNames.filter((one) => one !== 'file_download')
  const counts = names.map((name) => `select '${name}' as name, count(*) as n from ${name}`).join(' union all ')
  const rowsIn = new Map(rowsOf(await market.sql(counts)) as [string, number][])
  for (const name of names) {
    const rows = manifest?.datasets[name]?.parts.reduce((sum, part) => sum + part.rows, 0)
    expect(rowsIn.get(name), name).toBe(rows)
  }
  for (const name of ['etf_minute', 'hotstock', 'finance_announcement']) {
    const { columns, stored } = datasetOf(name)
    const found = await market.sql(`from ${name} limit 1`)
    expect(
      found.schema.fields.map((field) => field.name),
      name,
    ).toEqual(Object.keys({ ...columns, ...stored }))
  }
  const dir = newPlace()
  await importFiles(dir, datasetOf('st'), [
    file('s.csv', 'tradedate,symbol,name,type,type_name\n20260701,000001,x,ST,\n'),
  ])
  const own = await connect({ archive: dir })
  expect(rowsOf(await own.sql('select count(*) as n from theme_daily'))).toEqual([[0]])
  expect((await failure(own.sql('from ticks'))).message).toMatch(/ has no auction ticks$/)
})

test('rows are those of a query, ticks those of a read; tables of the caller join them and hide one of the same name', async () => {
  const market = await connect()
  const params = { startdate: '20260720', enddate: '20260729' }
  const wanted = await market.query('southbound_top10', params)
  const found = await market.sql(
    `select * from southbound_top10 where trade_date >= $1 order by trade_date, market_type, rank, code`,
    { params: ['20260720'] },
  )
  expect(objects(found)).toEqual(objects(wanted))
  const [day = ''] = await market.ticks.days()
  const ticks = await market.sql('from ticks where tradedate = $day', { params: { day } })
  expect(rowsOf(ticks)).toEqual(rowsOf(await market.ticks.read(day)))
  const mine = fromRows([{ code: '00700.HK', mine: 1 }])
  const joined = await market.sql(
    "select count(*) as n from southbound_top10 s join mine m on m.code = s.code where trade_date = '20260729'",
    { tables: { mine } },
  )
  const held = objects(wanted).filter((row) => row.code === '00700.HK' && row.trade_date === '20260729')
  expect(rowsOf(joined)).toEqual([[held.length]])
  expect(rowsOf(await market.sql('from st', { tables: { ST: mine } }))).toEqual([['00700.HK', 1]])
})

test('the result says where it came from, of which state, and whether it is complete', async () => {
  const market = await connect()
  expect(provenance(await market.sql('select count(*) as n from st'))).toMatchObject({
    dataset: 'sql',
    source: 'sample',
    complete: true,
    proof: 'state',
    state: await market.archive?.state(),
  })
  expect(provenance(await sql('from bars', { tables: { bars } }))).toMatchObject({
    source: 'tables',
    complete: false,
    note: 'table bars does not say whether it is whole',
  })
  const made = tableFromArrays({ n: BigInt64Array.of(1n, 2n), f: Float32Array.of(1.5, 2.25) })
  expect(rowsOf(await sql('from t', { tables: { t: made } }))).toEqual([
    [1, 1.5],
    [2, 2.25],
  ])
})

test('a file that is not what was written is refused before it is read; no query writes one', async () => {
  const dir = sampleCopy()
  const market = await connect({ archive: dir })
  const path = (name: string) => join(dir, name, String(readdirSync(join(dir, name))[0]))
  const other = file('other.parquet', readFileSync(path('st')))
  const before = bytesBelow(dir)
  const [st, at] = [path('st'), 'copy (select 1 as x from st) to']
  for (const text of [
    `${at} '${st}' (format parquet)`,
    `${at} '${st}' (format parquet, use_tmp_file false)`,
    `${at} '${st}.csv'`,
    `explain analyze ${at} '${st}' (format parquet, use_tmp_file false)`,
    `explain ${at} '${st}' (format parquet, use_tmp_file false)`,
    `prepare p as ${at} '${st}' (format parquet); execute p`,
    `with x as (${at} '${st}') select * from x`,
    `create table y as ${at} '${st}'`,
    `select * from query('${at} ''${st}''')`,
    `select * from enable_logging('QueryLog', storage = 'file', storage_path = '${st}')`,
    `select * from enable_profiling(save_location = '${st}')`,
    `set profiling_output = '${st}'`,
    `attach '${st}' as x`,
    `export database '${dir}/st'`,
    `select * from read_parquet('${other}'), st`,
  ])
    expect((await failure(market.sql(`${text}; select 1 as one`))).code, text).toBe('SQL')
  expect(bytesBelow(dir)).toEqual(before)
  const bytes = readFileSync(path('convertible_daily'))
  bytes[100] = ((bytes[100] as number) + 1) % 256
  writeFileSync(path('convertible_daily'), bytes)
  expect((await failure(market.sql('from convertible_daily'))).message).toMatch(
    / is damaged: its checksum is not that of the manifest; /,
  )
  rmSync(path('southbound_top10'))
  expect((await failure(market.sql('from southbound_top10'))).message).toMatch(/ is missing; /)
  expect((await market.sql('from st limit 1')).numRows).toBe(1)
})
