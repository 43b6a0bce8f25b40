// Deep: a ClickHouse server beside the codec.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArchiveTables } from '../../../../src/data/archive/store/archive-tables.js'
import { clickHouseAddress } from '../../../../src/data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../../../src/data/clickhouse/clickhouse-client.js'
import { typesOf } from '../../../../src/data/clickhouse/column-types.js'
import { nativeBytes, readNative } from '../../../../src/data/clickhouse/native-codec.js'
import {
  type ColumnData,
  type ColumnType,
  cellOf,
  concatRows,
  type RecordColumns,
} from '../../../../src/frame/table/values.js'
import { startClickHouse } from '../../../helper/clickhouse-server.js'
import { has } from '../../../helper/server-process.js'
import '../../../helper/seed.js'

const text = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((word) => !/[\ud800-\udfff]/.test(word)),
  fc.constantFrom("'", '\\', '`', '\ufffd', '\0', '涨停', 'Code: 1', 'x'.repeat(300)),
)
const float = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, -0, 0, Number.POSITIVE_INFINITY, Number.MIN_VALUE))
const cells: Record<ColumnType, fc.Arbitrary<unknown>> = {
  float,
  int: fc.integer(),
  boolean: fc.boolean(),
  dictionary: text,
  string: text,
  list: fc.array(text, { maxLength: 4 }),
}

function columnOf(type: ColumnType, given: readonly unknown[]): ColumnData {
  const valid = given.includes(null) ? Uint8Array.from(given, (cell) => (cell === null ? 0 : 1)) : null
  if (type === 'float')
    return { type, data: Float64Array.from(given, (cell) => (cell === null ? Number.NaN : (cell as number))), valid }
  if (type === 'int') return { type, data: Int32Array.from(given as number[]), valid }
  if (type === 'boolean') return { type, data: Uint8Array.from(given as number[]), valid }
  if (type !== 'dictionary') return { type, data: given } as ColumnData
  const dictionary = [...new Set(given.filter((cell) => cell !== null))] as string[]
  return { type, data: Int32Array.from(given, (cell) => dictionary.indexOf(cell as string)), dictionary }
}

const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
})
/** Columns of all forms, with and without missing cells. */
const records: fc.Arbitrary<RecordColumns> = fc.tuple(names, fc.integer({ min: 1, max: 40 })).chain(([of, length]) =>
  fc
    .tuple(
      ...of.map((name) =>
        fc.constantFrom<ColumnType>('float', 'int', 'boolean', 'dictionary', 'string', 'list').chain((type) => {
          const cell = fc.oneof({ weight: 3, arbitrary: cells[type] }, { weight: 1, arbitrary: fc.constant(null) })
          const column = fc.array(
            fc.boolean().chain(() => cell),
            { minLength: length, maxLength: length },
          )
          return column.map((given) => [name, columnOf(type, given)] as const)
        }),
      ),
    )
    .map((columns) => ({ length, columns: new Map(columns) })),
)

function plain({ length, columns }: RecordColumns): unknown {
  const cellsIn = (values: ColumnData): unknown[] => Array.from({ length }, (_, row) => cellOf(values, row))
  return [...columns].map(([name, values]) => [name, values.type, cellsIn(values)])
}

function formsOf({ columns }: RecordColumns): Map<string, ColumnType> {
  return new Map([...columns].map(([name, { type }]) => [name, type]))
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(
  bytes: Uint8Array,
  size: number,
  forms: Map<string, ColumnType>,
): Promise<RecordColumns | undefined> {
  const blocks: RecordColumns[] = []
  for await (const block of readNative(inPieces(bytes, size), forms)) blocks.push(block)
  return blocks.length === 0 ? undefined : concatRows(blocks)
}

const bytesOf = (columns: RecordColumns): Buffer => Buffer.concat([...nativeBytes(columns, typesOf(columns))])

describe('Native', () => {
  test('columns become bytes and the same columns again, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 200 }), async (columns, size) => {
        const read = await readAll(bytesOf(columns), size, formsOf(columns))
        expect(plain(read as RecordColumns)).toStrictEqual(plain(columns))
      }),
    )
  })

  test('what is cut off is refused wherever it is cut', async () => {
    const columns: RecordColumns = {
      length: 3,
      columns: new Map<string, ColumnData>([
        ['s', { type: 'dictionary', data: Int32Array.of(0, -1, 1), dictionary: ['a', 'bc'] }],
        ['l', { type: 'list', data: [['x'], null, []] }],
        ['f', { type: 'float', data: Float64Array.of(1, 2, 3), valid: null }],
      ]),
    }
    const bytes = bytesOf(columns)
    for (let end = 1; end < bytes.length; end++) {
      await expect(readAll(bytes.subarray(0, end), 7, new Map())).rejects.toMatchObject({ code: 'CUT_OFF' })
    }
  })

  test('a missing cell has no place in a type that is not Nullable, and half a sign none in UTF-8', () => {
    const missing: ColumnData = { type: 'float', data: Float64Array.of(Number.NaN), valid: Uint8Array.of(0) }
    const one = (values: ColumnData): RecordColumns => ({ length: 1, columns: new Map([['a', values]]) })
    expect(() => [...nativeBytes(one(missing), new Map([['a', 'Float64']]))]).toThrow(/column 'a' .* missing/)
    expect(() => bytesOf(one({ type: 'string', data: ['\ud800'] }))).toThrow(/half a sign/)
  })
})

const isHere = has('clickhouse-server')
if (!isHere) console.warn('no clickhouse-server here: its tests are skipped (apt-get install clickhouse-server)')

describe.skipIf(!isHere)('a real server', () => {
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let client: ClickHouseClient
  beforeAll(async () => {
    servers = await startClickHouse()
    client = new ClickHouseClient(clickHouseAddress((servers.nodes[0] as (typeof servers.nodes)[0]).address('default')))
  })
  afterAll(async () => {
    await client?.close()
    await servers?.stop()
  })

  test('takes columns of every form and gives the same back', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const columns = {
          ...given,
          columns: new Map([...given.columns.values()].map((values, at) => [`c${at}`, values])),
        }
        const types = typesOf(columns)
        await client.command('drop table if exists t')
        const declared = [...types].map(([name, type]) => `${name} ${type}`).join(', ')
        await client.command(`create table t (${declared}) engine = Log`)
        await client.insert('t', columns)
        const read = await client.columns('select * from t', { forms: formsOf(columns) })
        expect(plain(read as RecordColumns)).toStrictEqual(plain(columns))
      }),
      { numRuns: 60 },
    )
  })

  test('gives the values of literals', async () => {
    const read = await client.columns(`select toFloat64(-1.5) as a, nan as b, cast(null as Nullable(String)) as c,
      ['x', ''] as d, '涨停''' as e, toInt64(-9007199254740992) as f, toDate('2026-07-29') as g,
      toDateTime('2026-07-29 09:25:00', 'Asia/Shanghai') as h, toInt16(-7) as i, toDecimal64('-0.05', 2) as j, null as k`)
    expect(plain(read as RecordColumns)).toStrictEqual([
      ['a', 'float', [-1.5]],
      ['b', 'float', [Number.NaN]],
      ['c', 'dictionary', [null]],
      ['d', 'list', [['x', '']]],
      ['e', 'dictionary', ["涨停'"]],
      ['f', 'float', [-9007199254740992]],
      ['g', 'string', ['20260729']],
      ['h', 'string', ['2026-07-29T09:25:00+08:00']],
      ['i', 'int', [-7]],
      ['j', 'float', [-0.05]],
      ['k', 'int', [null]],
    ])
  })

  test('a number that no double holds is refused', async () => {
    const ask = client.columns('select toInt64(9007199254740993) as big')
    await expect(ask).rejects.toMatchObject({ code: 'INVALID_VALUE', message: expect.stringContaining("'big'") })
  })

  test('an exception in the middle of an answer is an error, not a shorter answer', async () => {
    const ask = client.columns('select throwIf(number = 900000) as a from system.numbers limit 1000000')
    await expect(ask).rejects.toMatchObject({ code: 'SERVICE', exception: 395, node: client.node })
  })

  test('files come back byte by byte', async () => {
    const tables = new ArchiveTables(client)
    for (const size of [0, 1, 2 ** 20, 2 ** 20 + 1, 3_500_000]) {
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255))
      const file = `ticks/${size}'.parquet`
      const sum = createHash('sha256').update(bytes).digest('hex')
      const read = await tables.bytes(file, sum, await tables.writeFile(file, [bytes]))
      expect(Buffer.compare(Buffer.from(read), bytes)).toBe(0)
    }
  })
})
