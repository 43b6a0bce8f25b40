// Deep: a ClickHouse server.
import { tableFromArrays } from 'apache-arrow'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, sampleDir } from '../../../../src/connect.js'
import { datasetNames, datasetOf } from '../../../../src/contract/catalogue.js'
import { copyArchive } from '../../../../src/data/archive/copy-archive.js'
import { ClickHouseStore } from '../../../../src/data/archive/store/clickhouse-store.js'
import { clickHouseAddress } from '../../../../src/data/clickhouse/clickhouse-address.js'
import { dropLostQueries } from '../../../../src/data/clickhouse/query-database.js'
import { bindParams, paramLiteral } from '../../../../src/data/sql/bind-params.js'
import { rowsOf, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../../src/frame/table/values.js'
import type { Market } from '../../../../src/market.js'
import { startClickHouse } from '../../../helper/clickhouse-server.js'
import { has } from '../../../helper/server-process.js'
import '../../../helper/seed.js'

test('params stand where nothing else does', () => {
  const text = `select '$1 ?', "?", \`$1\`, $1 -- $1 ?\n/* ? */ from t where a = $1`
  expect(bindParams(text, ["it's"])).toBe(
    `select '$1 ?', "?", \`$1\`, 'it\\'s' -- $1 ?\n/* ? */ from t where a = 'it\\'s'`,
  )
  expect(bindParams('a ? b : c')).toBe('a ? b : c')
  expect(bindParams('? + ?', [1, -2])).toBe('(1) + (-2)')
  expect(bindParams('a ? $1 : $2', [true, null])).toBe('a ? 1 : NULL')
  expect(bindParams('$from, $from', { from: '2026' })).toBe("'2026', '2026'")
  for (const [wrong, params] of [
    ['select 1', ['a']],
    ['select $2', ['a']],
    ['select $x', { y: 1 }],
  ] as const) {
    expect(() => bindParams(wrong, params)).toThrow(expect.objectContaining({ code: 'SQL' }))
  }
})

describe.skipIf(!has('clickhouse-server'))('SQL over an archive in ClickHouse', () => {
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let store: ClickHouseStore
  let files: Market
  let held: Market
  beforeAll(async () => {
    const settings = {
      max_result_rows: 5,
      result_overflow_mode: 'break',
      max_rows_to_group_by: 5,
      group_by_overflow_mode: 'any',
    }
    servers = await startClickHouse({
      users: [
        { name: 'few', password: 'a', settings },
        { name: 'reader', password: 'a', settings: { readonly: 2 } },
      ],
    })
    const address = servers.nodes[0]?.address('archive') as string
    store = new ClickHouseStore(clickHouseAddress(address))
    await copyArchive(sampleDir, store)
    files = await connect()
    held = await connect({ archive: address })
  })
  afterAll(async () => {
    await files?.close()
    await held?.close()
    await store?.close()
    await servers?.stop()
  })

  test('every literal is the value that was given', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", '\\', "\\'", '\0', '`', '$1', '?', '--', '\n'),
    )
    const isWhole = (word: string): boolean => Buffer.from(word).toString() === word
    const value = fc.oneof(
      text.filter(isWhole),
      fc.double({ noNaN: true }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 8 }),
        fc.array(text.filter(isWhole)),
        async (given, list) => {
          const cells = [...given.map((one) => paramLiteral(one, 'a')), paramLiteral(list, 'b')]
          const sql = `select ${cells.map((cell, at) => `${cell} as c${at}`).join(', ')}`
          const read = await store.client.columns(sql)
          const found = cells.map((_, at) => cellOf(read?.columns.get(`c${at}`) as ColumnData, 0))
          expect(found).toStrictEqual([...given.map((one) => (typeof one === 'boolean' ? Number(one) : one)), list])
        },
      ),
    )
  })

  test('both engines give the same rows of every dataset and of the ticks', async () => {
    for (const name of datasetNames) {
      const sql = `select ${
        name === 'file_download'
          ? 'year'
          : Object.keys(datasetOf(name).columns)
              .map((column) => `"${column}"`)
              .join(', ')
      } from ${name}`
      const [here, there] = [await held.sql(sql), await files.sql(sql)]
      // Before it had a Bool, true was 1.
      const sorted = (rows: readonly unknown[]): string[] =>
        rows.map((row) => JSON.stringify(row, (_, cell) => (typeof cell === 'boolean' ? Number(cell) : cell))).sort()
      expect(sorted(toObjects(here)).join('\n') === sorted(toObjects(there)).join('\n'), name).toBe(true)
      expect(here.schema.fields.map(String), name).toEqual(
        there.schema.fields.map((field) => String(field).replace('Bool', 'Int32')),
      )
    }
    const sum =
      'select symbol, count(*) as n, max(m_price) as high from ticks where tradedate >= $from group by symbol order by symbol'
    const params = { from: '20260715' }
    expect(rowsOf(await held.sql(sum, { params }))).toEqual(rowsOf(await files.sql(sum, { params })))
    expect(provenance(await held.sql(sum, { params }))).toMatchObject({
      dataset: 'sql',
      complete: true,
      state: provenance(await files.sql(sum, { params }))?.state,
    })
  })

  test('tables of the caller join datasets, and no rows have their columns', async () => {
    const mine = await files.table.convertibleDaily({ tradedate: '20260729' }, { fields: ['code', 'close'] })
    const joined = `select code, close - theirs as gap from mine any inner join
      (select code, close as theirs from convertible_daily where tradedate = $1) using code order by code`
    const found = await held.sql(joined, { tables: { mine }, params: ['20260729'] })
    expect(found.numRows).toBe(mine.numRows)
    expect(rowsOf(found).every(([, gap]) => gap === 0 || gap === null)).toBe(true)
    const none = await held.sql("select code, close, tradedate as day from convertible_daily where code = 'none'")
    expect(none.schema.fields.map(String)).toEqual(
      found.schema.fields.slice(0, 1).map(String).concat(['close: Float64', 'day: Dictionary<Int32, Utf8>']),
    )
  })

  test('what is not there is missing, and no 0, NaN or empty text', async () => {
    const t = tableFromArrays({ k: ['110059.SH', 'b'], x: Float64Array.of(Number.NaN, 3) })
    const tables = { t, u: tableFromArrays({ k: ['b'], y: Float64Array.of(7), word: ['w'] }) }
    for (const text of [
      'select sum(x) as s, avg(x) as a, count(x) as n from t',
      'select max(x) as high, min(k) as low, count(*) as n from t where x > 100',
      'select t.x as x, u.y as y, u.word as word from t left join u on t.k = u.k order by x',
      "select min(tradedate) as day, max(type) as type, count(*) as n from st where symbol = 'none'",
      'select max(rank) as rank, count(*) as n from hotstock where tradedate < $1',
      'select t.x as x, b.name as name, b.close as close from t left join (select * from convertible_daily where tradedate = $1) as b on t.k = b.code order by x',
    ]) {
      const options = { tables, params: text.includes('$1') ? ['20200101'] : [] }
      expect(rowsOf(await held.sql(text, options)), text).toEqual(rowsOf(await files.sql(text, options)))
    }
  })

  test('a user whose profile ends queries early gets all rows or an error', async () => {
    const url = servers.nodes[0]?.url as string
    const of = (user: string) => connect({ clickhouse: { url, database: 'archive', user, password: 'a' } })
    const few = await of('few')
    for (const text of [
      'select code from convertible_daily',
      'select code, count(*) as n from convertible_daily group by code',
    ])
      await expect(few.sql(text)).rejects.toMatchObject({ code: 'SQL', message: expect.stringMatching(/Limit for/) })
    await expect(few.table.convertibleDaily({ tradedate: '20260729' })).rejects.toThrow(/Limit for result/)
    await few.close()
    const reader = await of('reader')
    expect((await reader.table.convertibleDaily({ tradedate: '20260729' })).numRows).toBeGreaterThan(0)
    await expect(reader.sql('select 1 as a')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await reader.close()
  })

  test('only reading, within memory, from what there is, until it is stopped', async () => {
    const failure = (text: string, options = {}): Promise<unknown> => held.sql(text, options).catch((error) => error)
    for (const text of [
      'drop table st',
      'insert into st select * from st',
      "select * from url('http://127.0.0.1:1/', 'CSV', 'a String')",
      'create table x (a String) engine = Memory',
      'set readonly = 0',
      "/* select */ kill query where query_id = 'none'",
      'select name from system.databases',
      '(select a from (select * from`system` /* */ . "users"))',
      'select * from `s\\x79stem`.users',
      'select * from system.users -- archive.',
      'select tradedate, count(*) as n from st group by tradedate with totals',
    ]) {
      expect(await failure(text), text).toMatchObject({ code: 'SQL' })
    }
    expect(
      await failure('select groupArray(number) from (select number from system.numbers limit 10000000)', {
        memory: '8MiB',
      }),
    ).toMatchObject({ code: 'SQL', message: expect.stringMatching(/more memory than the 8MiB/) })
    expect(await failure('select * from stt')).toMatchObject({
      code: 'SQL',
      message: expect.stringContaining("did you mean 'st'?"),
    })
    expect(await failure('selec 1')).toMatchObject({ code: 'SQL' })
    expect(await failure(' ; ')).toMatchObject({ code: 'SQL', message: 'the text is empty' })
    const controller = new AbortController()
    const reason = new Error('enough')
    setTimeout(() => controller.abort(reason), 300)
    expect(
      await failure('select sum(number) from (select number from system.numbers limit 100000000000)', {
        signal: controller.signal,
      }),
    ).toBe(reason)
    const left = await store.client.columns("select name from system.databases where match(name, '_q[0-9a-f]{16}$')")
    expect(left).toBeUndefined()
  })

  test('what a query left whose process was killed is dropped, and nothing else', async () => {
    const server = store.client.withDatabase('system')
    const names = ['archive_q0123456789abcdef', 'archive_quotes', 'other_q0123456789abcdef']
    for (const name of names) {
      await server.command(`create database ${name}`)
      await server.command(`create table ${name}.given (a String) engine = Memory`)
    }
    const left = async (): Promise<unknown[]> =>
      strings(
        toTable(
          (await server.columns("select name from system.databases where match(name, '_q')")) as RecordColumns,
          {},
        ),
        'name',
      )
    await dropLostQueries(store.client, 3600)
    expect(await left()).toEqual(names)
    await dropLostQueries(store.client, -1)
    expect(await left()).toEqual(names.slice(1))
    for (const name of names.slice(1)) await server.command(`drop database ${name}`)
    await server.close()
  })

  test('rows that lack are an error that names file and node', async () => {
    const other = await connect({ archive: servers.nodes[0]?.address('archive') as string })
    const table = await store.client.columns(
      `select name from system.tables where database = 'archive' and match(name, '^rows_st_')`,
    )
    const name = cellOf(table?.columns.get('name') as ColumnData, 0)
    await store.client.command(`create table kept as ${name}`)
    await store.client.command(`insert into kept select * from ${name}`)
    const [first] = toObjects(await files.sql('select tradedate from st limit 1'))
    await store.client.command(`alter table ${name} delete where __row = 0`)
    for (let tries = 0; tries < 100; tries++) {
      const left = await store.client.columns('select 1 as a from system.mutations where is_done = 0')
      if (!left) break
    }
    await expect(other.sql('select count(*) as n from st')).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringContaining(store.client.node),
    })
    expect(first).toBeDefined()
    await other.close()
  })
})
