import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Table, tableFromArrays } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DataFrame } from '../../src/frame/danfo-classes.js'
import { namesOf, nullCounts, numbers, objectsOf, rowsOf } from '../../src/frame/read-columns.js'
import { sql } from '../../src/sql/sql.js'
import { toTable } from '../../src/table/arrow.js'
import { provenance } from '../../src/table/provenance.js'
import { columnsOf } from '../../src/table/unwrap.js'
import type { ColumnData, RecordColumns } from '../../src/table/values.js'
import { useOwnTemp } from '../helper/temp.js'

useOwnTemp()

const nan = Number.NaN

function codes(cells: readonly (string | null)[]): ColumnData {
  const words = [...new Set(cells.filter((cell) => cell !== null))]
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => (cell === null ? -1 : words.indexOf(cell))),
    dictionary: words,
  }
}

function float(cells: readonly (number | null)[]): ColumnData {
  return {
    type: 'float',
    data: Float64Array.from(cells, (cell) => cell ?? nan),
    valid: Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1)),
  }
}

function tableOf(of: Record<string, ColumnData>): Table {
  const columns: RecordColumns = {
    length: Object.values(of)[0]?.data.length ?? 0,
    columns: new Map(Object.entries(of)),
  }
  return toTable(columns, {})
}

const bars = tableOf({
  symbol: codes(['600000', '000001', null, '000001', '300750']),
  amount: float([12345678901.23, 98765432109.87, 1, null, 0.1]),
  volume: { type: 'int', data: Int32Array.of(3, 0, 5, 7, -1), valid: Uint8Array.of(1, 0, 1, 1, 1) },
  up: { type: 'boolean', data: Uint8Array.of(1, 0, 0, 1, 0), valid: Uint8Array.of(1, 1, 0, 1, 1) },
  title: { type: 'string', data: ["it's; drop table bars --", null, '股票😀', '', 'a\0b\nc'] },
  held: { type: 'list', data: [['000001', '600000'], null, [], ["o'x"], ['三']] },
})

const ask = (text: string, tables: Record<string, Table | DataFrame> = { bars }) => sql(text, { tables })
const typesOf = (table: Table) => table.schema.fields.map(({ type }) => String(type))

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'no error',
    (error) => `${error.code}: ${error.message}`,
  )
}

test('a table goes in and comes out with its types, codes, nulls and twelve digits', async () => {
  const out = await ask('from bars')
  expect(namesOf(out)).toEqual(namesOf(bars))
  expect(typesOf(out)).toEqual([
    'Dictionary<Int32, Utf8>',
    'Float64',
    'Int32',
    'Bool',
    'Dictionary<Int32, Utf8>',
    'List<Utf8>',
  ])
  expect(rowsOf(out)).toEqual(rowsOf(bars))
  expect(numbers(out, 'amount')[1]).toBe(98765432109.87)
})

test('text sorts and compares as text, not as the place of a word', async () => {
  const sorted = await ask("select symbol from bars where symbol >= '000001' order by symbol desc")
  expect(rowsOf(sorted).flat()).toEqual(['600000', '300750', '000001', '000001'])
  const none = await ask("select symbol from bars where symbol = 'no such word'")
  expect([none.numRows, typesOf(none)]).toEqual([0, ['Dictionary<Int32, Utf8>']])
})

test('missing is last in both directions; NaN is missing', async () => {
  const table = tableOf({
    id: codes(['a', 'b', 'c', 'd']),
    x: { type: 'float', data: Float64Array.of(2, nan, 1, nan), valid: Uint8Array.of(1, 1, 1, 0) },
  })
  for (const [direction, wanted] of [
    ['asc', 'cabd'],
    ['desc', 'acbd'],
  ] as const) {
    const out = await ask(`select id from t order by x ${direction}, id`, { t: table })
    expect(rowsOf(out).flat().join('')).toBe(wanted)
  }
  expect(rowsOf(await ask('select count(x), sum(x), count(*) filter (x > 1) from t', { t: table }))).toEqual([
    [2, 3, 1],
  ])
  const odd = await ask("select 'nan'::double as x, sqrt(4) as y")
  expect([nullCounts(odd).get('x'), numbers(odd, 'y')[0]]).toEqual([1, 2])
})

test('a frame goes in too', async () => {
  const frame = new DataFrame(
    [
      ['000001', 1.5],
      ['600000', nan],
    ],
    { columns: ['symbol', 'close'], dtypes: ['string', 'float32'] },
  )
  expect(rowsOf(await ask('select symbol, close from f order by symbol desc', { f: frame }))).toEqual([
    ['600000', null],
    ['000001', 1.5],
  ])
})

test('group, join and window agree with loops', async () => {
  const cell = fc.record({
    key: fc.option(fc.constantFrom('000001', '600000', '股', "o'"), { nil: null }),
    cents: fc.option(fc.integer({ min: -1e12, max: 1e12 }), { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { maxLength: 60 }), fc.array(cell, { maxLength: 20 }), async (left, right) => {
      const [l, r] = [left, right].map((rows) =>
        tableOf({ key: codes(rows.map(({ key }) => key)), n: float(rows.map(({ cents }) => cents)) }),
      ) as [Table, Table]
      const grouped = await ask(
        'select key, count(*) as rows, count(n) as n, sum(n) as sum, max(n) as high from l group by key order by key',
        { l },
      )
      const keys = [...new Set(left.map(({ key }) => key))].sort((a, b) =>
        a === null ? 1 : b === null ? -1 : a < b ? -1 : 1,
      )
      const wanted = keys.map((key) => {
        const rows = left.filter((row) => row.key === key)
        const known = rows.flatMap(({ cents }) => (cents === null ? [] : [cents]))
        return [
          key,
          rows.length,
          known.length,
          known.length ? known.reduce((a, b) => a + b, 0) : null,
          known.length ? Math.max(...known) : null,
        ]
      })
      // byte order of UTF-8 and of UTF-16 agree on these keys
      expect(rowsOf(grouped)).toEqual(wanted)
      const joined = await ask('select count(*) as n from l join r on l.key = r.key', { l, r })
      const pairs = left.flatMap(({ key }) => right.filter((other) => key !== null && other.key === key))
      expect(rowsOf(joined)).toEqual([[pairs.length]])
    }),
    { numRuns: 25 },
  )
})

test('every table survives the way in and out', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('', '\0', "'", '"', 'NULL', '000001'),
  )
  const row = fc.record({
    a: fc.option(text, { nil: null }),
    b: fc.option(fc.double({ noNaN: true }), { nil: null }),
    c: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { nil: null }),
    d: fc.option(fc.boolean(), { nil: null }),
    e: fc.option(text, { nil: null }),
    f: fc.option(fc.array(text, { maxLength: 4 }), { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 50 }), async (rows) => {
      const valid = (pick: (row: (typeof rows)[number]) => unknown) =>
        Uint8Array.from(rows, (r) => (pick(r) === null ? 0 : 1))
      const table = tableOf({
        a: codes(rows.map(({ a }) => a)),
        b: float(rows.map(({ b }) => b)),
        c: { type: 'int', data: Int32Array.from(rows, ({ c }) => c ?? 0), valid: valid(({ c }) => c) },
        d: { type: 'boolean', data: Uint8Array.from(rows, ({ d }) => (d ? 1 : 0)), valid: valid(({ d }) => d) },
        e: { type: 'string', data: rows.map(({ e }) => e) },
        f: { type: 'list', data: rows.map(({ f }) => f) },
      })
      expect(rowsOf(await ask('from t', { t: table }))).toEqual(rowsOf(table))
    }),
    { numRuns: 30 },
  )
})

test('more rows than a batch, many words: each row keeps its own', async () => {
  const n = 70_001
  const words = Array.from({ length: n }, (_, i) => `w${(i * 48_271) % 99_991}`)
  const table = tableOf({
    w: codes(words.slice(0, 3000).concat(words.slice(0, 3000))),
    x: float(Array.from({ length: 6000 }, (_, i) => (i % 7 === 0 ? null : i))),
  })
  expect(rowsOf(await ask('from t', { t: table }))).toEqual(rowsOf(table))
  const wide: ColumnData = {
    type: 'dictionary',
    data: Int32Array.from({ length: n }, (_, i) => (i * 7) % n),
    dictionary: Array.from({ length: n }, (_, i) => `${(i * 31) % n}.SZ`),
  }
  const big = tableOf({ w: wide })
  const out = columnsOf(await ask('from t', { t: big })).columns.get('w') as Extract<ColumnData, { type: 'dictionary' }>
  for (let row = 0; row < n; row += 97)
    expect(out.dictionary[out.data[row] as number]).toBe(wide.dictionary[wide.data[row] as number])
})

test('whole numbers and decimals are exact or refused with the cast that helps', async () => {
  const fine = await ask(
    'select count(*) as n, sum(volume) as s, 9007199254740993::bigint - 1 as b, 0.1 + 0.2 as d, 12345678901.23 as m, 3::tinyint as t, 4000000000::uinteger as u from bars',
  )
  expect(rowsOf(fine)).toEqual([[5, 14, 9007199254740992, 0.3, 12345678901.23, 3, 4000000000]])
  expect(typesOf(fine)).toEqual(['Float64', 'Float64', 'Float64', 'Float64', 'Float64', 'Int32', 'Float64'])
  for (const value of [
    '9007199254740993',
    '1234567890123456789::hugeint',
    '0.12345678901234567',
    '9007199254740993.0',
    '-9007199254740993',
  ]) {
    expect(await codeOf(ask(`select ${value} as id`)), value).toMatch(
      /^SQL: column 'id': -?[\d.]+ has no exact double; write ::double .* ::varchar/,
    )
  }
  expect(rowsOf(await ask('select 9007199254740993::varchar as id'))).toEqual([['9007199254740993']])
  const decimals = await ask('select unnest([0.00::decimal(9,2), -1.10, 1234567.80]) as x')
  expect(rowsOf(decimals).flat()).toEqual([0, -1.1, 1234567.8])
})

test('dates, times, moments and nested values are text', async () => {
  const out =
    await ask(`select date '2026-07-01' as d, date '0001-01-01' as first, time '09:30:00' as t, time '09:30:00.250' as ms,
    timestamp '2026-07-01 09:30:00' as m, timestamp '2026-07-01 09:30:00.5' as half, timestamptz '2026-07-01 01:30:00+00' as z,
    timestamptz '1969-12-31 23:59:59.999999+00' as old, [1.5, null] as l, {'a': 1.10, 'b': ['x"']} as s, map {'k': 12345678901234567890} as h,
    '{"a":1}'::json as j, null as nothing, ['a', 'b'] as w, [date '2026-07-01'] as days`)
  expect(objectsOf(out)).toEqual([
    {
      d: '20260701',
      first: '00010101',
      t: '09:30:00',
      ms: '09:30:00.25',
      m: '2026-07-01T09:30:00',
      half: '2026-07-01T09:30:00.5',
      z: '2026-07-01T09:30:00+08:00',
      old: '1970-01-01T07:59:59.999999+08:00',
      l: '[1.5,null]',
      s: '{"a":1.10,"b":["x\\""]}',
      h: '[["k",12345678901234567890]]',
      j: '{"a":1}',
      nothing: null,
      w: ['a', 'b'],
      days: '["20260701"]',
    },
  ])
  for (const bad of [
    "date 'infinity'",
    "timestamp '-infinity'",
    "timestamptz 'infinity'",
    "['a', null]",
    'interval 1 day',
    "'a'::blob",
  ]) {
    expect(await codeOf(ask(`select ${bad} as x`)), bad).toMatch(/^SQL: column 'x'/)
  }
})

test('a mistake is one line that says what is right', async () => {
  const cases: [string, RegExp][] = [
    ['selec 1', /^SQL: Parser Error: syntax error at or near "selec"$/],
    ['select\n\n foo from bars', /^SQL: Binder Error: Referenced column "foo" not found in FROM clause!.*\(line 3\)$/],
    ['from barz', /^SQL: unknown table 'barz'; did you mean 'bars'\?$/],
    ['from nothing_like_it', /^SQL: unknown table 'nothing_like_it'; it knows: bars$/],
    ['', /^SQL: the text is empty$/],
    ['-- only a comment', /^SQL: the text is empty$/],
    ['create table x(a int)', /^SQL: the last statement gives no rows; end with a select$/],
    ['select symbol, symbol from bars', /^SQL: the result has two columns 'symbol'; give one another name/],
    ["select 'x'::int", /^SQL: Conversion Error/],
  ]
  for (const [text, wanted] of cases) expect(await codeOf(ask(text)), text).toMatch(wanted)
  expect(await codeOf(sql('select 1', { table: {} } as never))).toMatch(/^USAGE: sql has no option 'table'/)
  expect(await codeOf(sql(1 as never))).toMatch(/^USAGE/)
  expect(await codeOf(sql('select 1', { tables: { x: [] as never } }))).toMatch(/^INVALID_VALUE/)
})

test('several statements: the last one answers; PIVOT works', async () => {
  expect(rowsOf(await ask('create table n as select 41 as x; select x + 1 as y from n;'))).toEqual([[42]])
  const out = await ask('pivot (select symbol, volume from bars where symbol is not null) on symbol using sum(volume)')
  expect(objectsOf(out)).toEqual([{ '000001': 7, '300750': -1, '600000': 3 }])
})

test('params by place and by name', async () => {
  const by = (text: string, params: never) => sql(text, { tables: { bars }, params }).then(rowsOf)
  expect(
    await by('select $1 as a, $2 as b, $3 as c, $4 as d, $5 as e', ["o'", 1.5, true, null, 2 ** 40] as never),
  ).toEqual([["o'", 1.5, true, null, 2 ** 40]])
  expect(
    await by('select count(*) as n from bars where symbol = any($codes) and volume > $least limit $n', {
      codes: ['600000', '000001'],
      least: 2,
      n: 10,
    } as never),
  ).toEqual([[2]])
  expect(await by('select count(*) as n from bars where symbol = any(?)', [[]] as never)).toEqual([[0]])
  expect(await by('select $1 as x', [nan] as never)).toEqual([[null]])
  expect(await codeOf(by('select 1', [1] as never))).toBe('SQL: 1 params were given, and the text has 0')
  expect(await codeOf(by('select $1 + $2', [1] as never))).toMatch(/^SQL: /)
  expect(await codeOf(by('select $1', [new Date(0)] as never))).toMatch(/^USAGE: param \$1 must be/)
})

test('hostile names of tables and columns are names', async () => {
  const names = [
    'a"b',
    "it's",
    'select',
    'x.y',
    '../up',
    '表',
    'drop table t; --',
    ' ',
    '*',
    'main',
    'quotebook_cells',
    '__proto__',
    't0',
  ]
  const table = tableOf(
    Object.fromEntries(names.filter((name) => name !== '__proto__').map((name, i) => [name, float([i])])),
  )
  for (const name of names) {
    const out = await sql(`select * from "${name.replaceAll('"', '""')}"`, {
      tables: Object.defineProperty({}, name, { value: table, enumerable: true }),
    })
    expect(rowsOf(out), name).toEqual(rowsOf(table))
    expect(namesOf(out)).toEqual(namesOf(table))
  }
  expect(await codeOf(ask('select 1', { Bars: bars, bars }))).toMatch(/^USAGE: two tables are named/)
  expect(await codeOf(ask('select 1', { '': bars }))).toMatch(/^USAGE/)
  expect(await codeOf(ask('select 1', { t: tableOf({ a: float([1]), A: float([2]) }) }))).toMatch(
    /^USAGE: table 't' has two columns 'A'|'a'/,
  )
  expect(await codeOf(ask('select 1', { t: new Table() }))).toMatch(/^USAGE: table 't' has no columns/)
})

test('an empty table keeps its columns and types; a column of nothing but nulls is one', async () => {
  const none = await ask('select * from bars where false')
  expect([none.numRows, namesOf(none), typesOf(none)]).toEqual([0, namesOf(bars), typesOf(await ask('from bars'))])
  const empty = tableOf({
    a: codes([]),
    b: float([]),
    c: { type: 'string', data: [] },
    d: { type: 'list', data: [] },
  })
  expect(rowsOf(await ask('select count(*) as n, sum(b) as s from t', { t: empty }))).toEqual([[0, null]])
  const blank = tableOf({ a: codes([null, null]), b: float([null, null]) })
  expect(rowsOf(await ask("select * from t where a = '' union all select * from t", { t: blank }))).toEqual([
    [null, null],
    [null, null],
  ])
})

test('tables that others made: chunks, 64-bit whole numbers, 32-bit floats', async () => {
  const made = tableFromArrays({ f: Float32Array.of(1.5, 2.25), n: BigInt64Array.of(1n, 2n), u: Uint8Array.of(200, 1) })
  expect(rowsOf(await ask('from t', { t: made }))).toEqual([
    [1.5, 1, 200],
    [2.25, 2, 1],
  ])
  const twice = made.concat(made)
  expect(rowsOf(await ask('select count(*) as n, sum(n) as s from t', { t: twice }))).toEqual([[4, 6]])
  const arrays = tableFromArrays({ code: ['000001', '600000'] })
  expect(rowsOf(await ask('from t', { t: arrays }))).toEqual([['000001'], ['600000']])
})

test('no file is read or written, nothing is fetched, settings stay', async () => {
  const texts = [
    "from '/etc/passwd'",
    "from 'package.json'",
    "select * from read_text('/etc/passwd')",
    "select * from read_csv('package.json')",
    "select * from read_blob('/proc/self/environ')",
    "select * from glob('/etc/*')",
    "from read_parquet('data/sample/st/*.parquet')",
    "copy bars to '/tmp/quotebook-sql.csv'",
    "attach '/tmp/quotebook-sql.db' as x",
    "export database '/tmp/quotebook-sql'",
    "create persistent secret s (type http, bearer_token 'x')",
    'install httpfs',
    'load httpfs',
    'set threads = 8',
    'set enable_external_access = true',
    'reset enable_external_access',
    'set lock_configuration = false',
    "set TimeZone = 'UTC'",
    "pragma temp_directory = '/tmp'",
    "from 'https://example.com/x.parquet'",
  ]
  for (const text of texts) expect(await codeOf(ask(`${text}; select 1`)), text).toMatch(/^SQL: /)
  expect(readdirSync('/tmp').filter((name) => /^quotebook-sql(\.|$)/.test(name))).toEqual([])
})

test('the same query gives the same bytes, chance and time zone included', async () => {
  const text =
    "select symbol, sum(amount) as s, random() as r, current_setting('TimeZone') as z from bars, range(5000) group by symbol"
  const [a, b] = [await ask(text), await ask(text)]
  expect(rowsOf(a)).toEqual(rowsOf(b))
  expect(objectsOf(a)[0]?.z).toBe('Asia/Shanghai')
  const [now] = rowsOf(await ask("select current_setting('threads') as n"))
  expect(now).toEqual([1])
})

test('queries at once do not see each other', async () => {
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      ask('create table mine as from t; select sum(x) as s from mine', { t: tableOf({ x: float([i, i * 10]) }) }),
    ),
  )
  expect(all.map((table) => rowsOf(table)[0]?.[0])).toEqual([0, 11, 22, 33, 44, 55])
})

const endless = 'select count(*) as n from range(100000) a, range(10000000) b where a.range % 7 = b.range % 11'

test('a signal stops a query that runs, and one that has not begun; nothing is left behind', async () => {
  const before = readdirSync(tmpdir()).filter((name) => /duck|quotebook-sql/.test(name))
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 150)
  await expect(sql(endless, { signal: stop.signal })).rejects.toThrow('enough')
  await expect(sql('select 1 as x', { signal: stop.signal })).rejects.toThrow('enough')
  const early = new AbortController()
  const asked = sql(endless, { signal: early.signal })
  early.abort(new Error('at once'))
  await expect(asked).rejects.toThrow('at once')
  expect(readdirSync(tmpdir()).filter((name) => /duck|quotebook-sql/.test(name))).toEqual(before)
  expect(readdirSync('.').filter((name) => /^\.tmp|duckdb/.test(name))).toEqual([])
})

test('the result says where it came from, and is whole only when that is proven', async () => {
  const out = await ask('select symbol from bars where false')
  expect(provenance(out)).toMatchObject({ dataset: 'sql', source: 'tables', rows: 0, complete: false })
  expect(provenance(out)?.note).toBe('table bars does not say whether it is whole')
  expect(provenance(await sql('select 1 as one'))).toMatchObject({ complete: true, request: { fields: ['one'] } })
})
