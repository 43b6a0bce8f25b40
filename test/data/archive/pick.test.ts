import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { selectRows } from '../../../src/data/archive/answer/select-rows.js'
import { inOrder, partition, span, storedKey } from '../../../src/data/archive/merge-rows.js'
import type { ManifestPart, Snapshot } from '../../../src/data/archive/snapshot.js'
import { decode } from '../../../src/frame/table/decode.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../src/frame/table/values.js'
import { encodeAnswer } from '../../../src/server/service/encode/encode-answer.js'
import { EncodedCache } from '../../../src/server/service/encode/encoded-cache.js'

/**
 * Answers of `selectRows` and of the encoder to awkward rows, compared with a filter and a sort over plain objects that share no
 * code with them: of each rule that has a law of its own. What every dataset answers is in `test/conformance`.
 */

type Row = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, unknown>>

interface Case {
  readonly name: string
  /** Cells that differ from row to row; the others are null, or what their kind needs. */
  readonly cells: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly params: fc.Arbitrary<Params>
  /** What the rows are answered with, in `order`, so many of them. */
  readonly find: (rows: readonly Row[], params: Params) => readonly Row[]
  readonly order: readonly string[]
  readonly cap: number
}

const codes = ['110001.SH', '110001.SZ', '110001', '123002', '123002.SZ', '00700.HK', '00700', '830003', 'XX', 'XX.SH']
const days = ['20251231', '20260105', '20260106', '20260130', '20260202', '20260203', '20260401']
const minutes = ['0930', '1000', '1030', '1100', '1500']
const code = fc.constantFrom(...codes)
const day = fc.constantFrom(...days)
const some = fc.integer({ min: -3, max: 3 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 })

/** A list as callers write it: one value, an array, or a text with commas. */
function listOf(words: readonly string[]): fc.Arbitrary<string | string[]> {
  const list = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 16, size: 'max' })
  return fc.tuple(list, fc.boolean()).map(([all, isText]) => (isText ? all.join(', ') : all))
}

const asked = listOf([...codes, '110001.sh', '999999', '999999.SZ', '123002.SH'])
const range = fc.oneof(
  fc.constant({}),
  day.map((startdate) => ({ startdate })),
  fc.constantFrom('20260106', '20260110', '20260401').map((enddate) => ({ enddate })),
  fc.tuple(day, day).map(([a, b]) => (a < b ? { startdate: a, enddate: b } : { startdate: b, enddate: a })),
)
const oneDay = fc.constantFrom(...days, '20260110').map((tradedate) => ({ tradedate }))

function optional(shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Params> {
  return fc.record(shape, { requiredKeys: [] })
}

function together(...all: readonly fc.Arbitrary<Params>[]): fc.Arbitrary<Params> {
  return fc.tuple(...all).map((parts) => Object.assign({}, ...parts) as Params)
}

const words = (given: unknown): string[] =>
  (Array.isArray(given) ? given : [given]).flatMap((part) => String(part).split(',')).map((part) => part.trim())

const exchanges: readonly (readonly [RegExp, string])[] = [
  [/^\d{5}$/, 'HK'],
  [/^(92|4|8)\d*$/, 'BJ'],
  [/^(5|6|9|11)\d*$/, 'SH'],
  [/^(0|12|15|16|18|2|3)\d*$/, 'SZ'],
]

function split(text: string): [bare: string, exchange: string | undefined] {
  const [bare = '', suffix] = text.split('.')
  return [bare, suffix?.toUpperCase()]
}

/** Whether a code is meant by one of those asked for: a suffix on both sides must agree. */
function isAsked(given: unknown, stored: unknown): boolean {
  if (typeof stored !== 'string') return false
  const [bare, suffix] = split(stored)
  const own = suffix ?? exchanges.find(([pattern]) => pattern.test(bare))?.[1]
  return words(given).some((one) => {
    const [wanted, exchange] = split(one)
    return wanted === bare && (exchange === undefined || own === undefined || exchange === own)
  })
}

function keeps(
  row: Row,
  params: Params,
  name: string,
  column: string,
  test: (given: unknown, cell: unknown) => boolean,
) {
  return params[name] === undefined || test(params[name], row[column])
}

const isWord = (given: unknown, cell: unknown): boolean => typeof cell === 'string' && words(given).includes(cell)
const greatest = (all: readonly unknown[]): unknown => [...all].sort().at(-1)

function onDays(rows: readonly Row[], params: Params, column: string): readonly Row[] {
  const latest = greatest(rows.map((row) => row[column]))
  const { tradedate, startdate, enddate } = params
  const from = tradedate ?? startdate ?? enddate ?? latest
  const to = tradedate ?? enddate ?? latest
  return rows.filter((row) => String(row[column]) >= String(from) && String(row[column]) <= String(to))
}
const text = fc.constantFrom('a', 'Ab "c"', 'Übung', 'line\nbreak', '证券'.repeat(90), '\ud83d\ude00', '\ud800')

const cases: readonly Case[] = [
  {
    name: 'convertible_daily',
    cells: { tradedate: day, symbol: maybe(code), code: maybe(code), name: maybe(text), close: maybe(some) },
    params: together(optional({ symbols: asked }), fc.oneof(range, oneDay)),
    find: (rows, params) =>
      onDays(rows, params, 'tradedate').filter((row) => keeps(row, params, 'symbols', 'code', isAsked)),
    order: ['tradedate', 'code'],
    cap: 9,
  },
  {
    name: 'etf_minute',
    cells: {
      tradedate: day,
      symbol: maybe(code),
      trademin: fc.constantFrom(...minutes),
      period: fc.constantFrom('15m', '30m'),
      close: maybe(some),
    },
    params: together(
      optional({
        symbols: asked,
        trademin: fc.constantFrom(...minutes),
        period: fc.constantFrom('15m', '30m'),
        tradedate: fc.constantFrom(...days),
      }),
    ),
    find: (rows, params) => {
      const ofPeriod = rows.filter(({ period }) => period === (params.period ?? '30m'))
      const tradedate = params.tradedate ?? greatest(ofPeriod.map((row) => row.tradedate))
      const found = ofPeriod.filter(
        (row) =>
          row.tradedate === tradedate &&
          keeps(row, params, 'symbols', 'symbol', isAsked) &&
          keeps(row, params, 'trademin', 'trademin', isWord),
      )
      if (params.trademin !== undefined || params.symbols !== undefined) return found
      const last = greatest(found.map((row) => row.trademin))
      return found.filter((row) => row.trademin === last)
    },
    order: ['symbol', 'trademin'],
    cap: 7,
  },
]

/** -1, 0, 1: null comes last. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a as string) < (b as string) ? -1 : 1
}

function sorted(rows: readonly Row[], order: readonly string[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const name of order) {
      const found = compare(a[name], b[name])
      if (found !== 0) return found
    }
    return 0
  })
}

function expected(one: Case, all: readonly Row[], params: Params, fields: readonly string[]): unknown[][] {
  const found = sorted(one.find(all, params), one.order).slice(0, one.cap)
  return found.map((row) => fields.map((name) => row[name]))
}

/** Every column may hold nothing: what an import leaves must not turn into other rows. */
function lenient(dataset: Dataset): Dataset {
  const all = { ...dataset.columns, ...dataset.stored }
  const columns = Object.fromEntries(Object.entries(all).map(([name, column]) => [name, { ...column, nullable: true }]))
  return { ...dataset, columns } as Dataset
}

/** A dictionary in which words stand twice, and are used in turn. */
function doubled(values: ColumnData): ColumnData {
  if (values.type !== 'dictionary') return values
  const { dictionary: words, data } = values
  return {
    type: 'dictionary',
    dictionary: [...words, ...words],
    data: data.map((place, row) => (place >= 0 && row % 2 === 1 ? place + words.length : place)),
  }
}

interface Shape {
  readonly isSorted: boolean
  readonly isDoubled: boolean
}

function snapshotOf(
  dataset: Dataset,
  rows: readonly Row[],
  { isSorted, isDoubled }: Shape,
): { snapshot: Snapshot; all: Row[] } {
  const loose = lenient(dataset)
  const names = Object.keys(loose.columns)
  const columns = decode(
    loose,
    names,
    rows.map((row) => names.map((name) => row[name] ?? null)),
  )
  const parts = new Map<ManifestPart, RecordColumns>()
  for (const [name, found] of rows.length === 0 ? [] : partition(dataset, columns)) {
    const own = isSorted ? inOrder(dataset, found) : found
    const of = isDoubled ? new Map([...own.columns].map(([column, values]) => [column, doubled(values)])) : own.columns
    parts.set({ partition: name, rows: own.length, ...span(dataset, own) }, { length: own.length, columns: of })
  }
  const list = [...parts.keys()]
  const all = [...parts.values()].flatMap(({ length, columns: of }) =>
    Array.from({ length }, (_, row) =>
      Object.fromEntries([...of].map(([name, values]) => [name, cellOf(values, row)])),
    ),
  )
  const snapshot: Snapshot = {
    state: 'a'.repeat(64),
    parts: () => list,
    load: async (_, part) => parts.get(part) as RecordColumns,
    entry: () => undefined,
    ticks: () => [],
  }
  return { snapshot, all }
}

interface Question {
  readonly params: Params
  /** Places of the columns wanted; all when there are none. */
  readonly fields: readonly number[]
}

function fieldsOf({ columns }: Dataset, { fields }: Question): readonly string[] {
  const all = Object.keys(columns)
  return fields.length === 0 ? all : [...new Set(fields.map((at) => all[at % all.length] as string))]
}

async function answered(
  snapshot: Snapshot,
  dataset: Dataset,
  { params, fields }: Question,
  names: readonly string[],
  held: EncodedCache,
): Promise<unknown[][]> {
  const asked = fields.length === 0 ? null : names.join()
  const selected = await selectRows(snapshot, dataset, params, { fields: asked })
  if (selected.rows === 0) return []
  const chunks = await encodeAnswer(held, dataset, selected)
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  expect([data.fields, data.items.length]).toEqual([names, selected.rows])
  return data.items
}

test.each(cases)('$name: rows, order and cut are those of a filter and a sort over all rows', async (one) => {
  const dataset = { ...datasetOf(one.name), limit: { kind: 'cap', rows: one.cap } } as Dataset
  const key = storedKey(dataset)
  const rows = fc.oneof(
    fc.array(fc.record(one.cells), { maxLength: 60, size: 'max' }),
    fc.uniqueArray(fc.record(one.cells), {
      maxLength: 60,
      size: 'max',
      selector: (row) => JSON.stringify(key.map((name) => (row as Row)[name])),
    }),
  )
  const question = fc.record({
    params: one.params,
    fields: fc.oneof(fc.constant([]), fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 })),
  })
  const shape = fc.record({ isSorted: fc.boolean(), isDoubled: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      rows,
      shape,
      fc.array(question, { minLength: 1, maxLength: 10, size: 'max' }),
      fc.constantFrom(0, 6000, 2 ** 20),
      async (given, about, questions, budget) => {
        const { snapshot, all } = snapshotOf(dataset, given as Row[], about)
        const held = new EncodedCache(budget)
        // Twice: by the second time parts are written as a whole.
        for (const asked of [...questions, ...questions]) {
          const names = fieldsOf(dataset, asked)
          const found = await answered(snapshot, dataset, asked, names, held)
          expect(found).toEqual(expected(one, all, asked.params, names))
          expect(held.bytes).toBeLessThanOrEqual(budget)
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 100) },
  )
})
