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

interface Reply {
  readonly items: unknown[][]
  readonly beside: Readonly<Record<string, unknown>>
}

interface Case {
  readonly name: string
  /** Cells that differ from row to row; the others are null, or what their kind needs. */
  readonly cells: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly params: fc.Arbitrary<Params>
  /** What the rows are answered with, in `order`; a leading `-` turns a column round. */
  readonly find: (rows: readonly Row[], params: Params) => readonly Row[]
  readonly order: (params: Params) => readonly string[]
  readonly cap?: number
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
const holds = (given: unknown, cells: readonly unknown[]): boolean =>
  cells.some((cell) => typeof cell === 'string' && cell.toLowerCase().includes(String(given).toLowerCase()))
const greatest = (all: readonly unknown[]): unknown => [...all].sort().at(-1)

function onDays(rows: readonly Row[], params: Params, column: string): readonly Row[] {
  const latest = greatest(rows.map((row) => row[column]))
  const { tradedate, startdate, enddate } = params
  const from = tradedate ?? startdate ?? enddate ?? latest
  const to = tradedate ?? enddate ?? latest
  return rows.filter((row) => String(row[column]) >= String(from) && String(row[column]) <= String(to))
}

/** The row of the highest version of each record, the first of equal ones. */
function newest(rows: readonly Row[], record: string, version: string): readonly Row[] {
  return rows.filter((row, at) => {
    const others = rows.flatMap((other, i) => (other[record] === row[record] ? [[Number(other[version]), i]] : []))
    const best = others.sort(([a = 0, i = 0], [b = 0, j = 0]) => b - a || i - j)[0]
    return best?.[1] === at
  })
}

const page = optional({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.integer({ min: 0, max: 9 }) })
const keyword = fc.constantFrom('a', 'AB', 'ü', 'zz')
const text = fc.constantFrom('a', 'Ab "c"', 'Übung', 'line\nbreak', '证券'.repeat(90), '\ud83d\ude00', '\ud800')
const moment = fc.constantFrom(
  '2026-01-05T10:00:00',
  '2026-01-05T10:00:01',
  '2026-01-06T09:00:00',
  '2026-02-01T00:00:00',
)

const cases: readonly Case[] = [
  {
    name: 'convertible_daily',
    cells: { tradedate: day, symbol: maybe(code), code: maybe(code), name: maybe(text), close: maybe(some) },
    params: together(optional({ symbols: asked }), fc.oneof(range, oneDay)),
    find: (rows, params) =>
      onDays(rows, params, 'tradedate').filter((row) => keeps(row, params, 'symbols', 'code', isAsked)),
    order: () => ['tradedate', 'code'],
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
    order: () => ['symbol', 'trademin'],
    cap: 7,
  },
  {
    name: 'finance_announcement',
    cells: {
      symbol: maybe(code),
      event_date: moment,
      title: text,
      summary: maybe(text),
      announcement_type: fc.constantFrom('financial_report', 'other', 'unknown'),
      record_id: fc.constantFrom('1', '2', '3', '4', '5'),
      version_no: fc.integer({ min: 1, max: 4 }),
      disclosed_at: moment,
      period: maybe(fc.constantFrom('20251231', '20260105')),
    },
    params: together(
      page,
      optional({
        symbols: asked,
        keyword,
        version: fc.constantFrom('latest', 'all'),
        announcement_type: fc.constantFrom('other', 'other,financial_report'),
        as_of: fc.constantFrom('20260105', '2026-01-05T10:00:00'),
        ann_startdate: fc.constantFrom('20260105', '20260106'),
      }),
      fc.oneof(
        optional({ period: fc.constantFrom('20251231', '20260105') }),
        optional({ date: fc.constantFrom('20251231', '20260105') }),
        optional({ startdate: fc.constantFrom('20260101', '20260106') }),
      ),
    ),
    find: (rows, params) => {
      const until = params.as_of === '20260105' ? '2026-01-05T23:59:59' : (params.as_of ?? '9')
      const known = rows.filter((row) => String(row.disclosed_at) <= String(until))
      const versions = params.version === 'all' ? known : newest(known, 'record_id', 'version_no')
      const dayIn = (cell: unknown): string => String(cell).slice(0, 10).replaceAll('-', '')
      return versions.filter((row) => {
        const isReport = row.announcement_type === 'financial_report' && row.period !== null
        const date = isReport ? String(row.period) : dayIn(row.event_date)
        return (
          keeps(row, params, 'symbols', 'symbol', isAsked) &&
          keeps(row, params, 'announcement_type', 'announcement_type', isWord) &&
          (params.keyword === undefined || holds(params.keyword, [row.title, row.summary])) &&
          (params.period === undefined || row.period === params.period) &&
          (params.date === undefined || date === params.date) &&
          (params.startdate === undefined || date >= String(params.startdate)) &&
          (params.ann_startdate === undefined || dayIn(row.disclosed_at) >= String(params.ann_startdate))
        )
      })
    },
    order: () => ['-disclosed_at', 'symbol', 'record_id', '-version_no'],
  },
  {
    name: 'news',
    cells: {
      display_at: moment,
      source: fc.constantFrom('cls_depth_1000', 'cls_hot_article', 'yicai_home'),
      title: text,
      summary: maybe(text),
      source_id: fc.constantFrom('1', '2', '3'),
      rank: maybe(some),
    },
    params: optional({
      limit: fc.integer({ min: 1, max: 5 }),
      view: fc.constantFrom('time', 'source'),
      sources: fc.constantFrom('yicai_home', 'yicai_home,cls_hot_article'),
      keyword,
    }),
    find: (rows, params) =>
      rows.filter(
        (row) =>
          keeps(row, params, 'sources', 'source', isWord) &&
          (params.keyword === undefined || holds(params.keyword, [row.title, row.summary])),
      ),
    order: ({ view }) => [...(view === 'source' ? ['source'] : []), '-display_at', 'source', 'source_id'],
  },
]

/** -1, 0, 1: null comes last whichever way round. */
function compare(a: unknown, b: unknown, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a as string) < (b as string) ? -sign : sign
}

function sorted(rows: readonly Row[], order: readonly string[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const text of order) {
      const name = text.replace('-', '')
      const found = compare(a[name], b[name], text.startsWith('-') ? -1 : 1)
      if (found !== 0) return found
    }
    return 0
  })
}

function cut(dataset: Dataset, rows: readonly Row[], params: Params): readonly Row[] {
  const { limit } = dataset
  if (limit.kind === 'none') return rows
  if (limit.kind === 'cap') return rows.slice(0, limit.rows)
  const most = Number(params.limit ?? 100)
  if (params.view === 'source') {
    const count = new Map<unknown, number>()
    return rows.filter(({ source }) => {
      count.set(source, (count.get(source) ?? 0) + 1)
      return (count.get(source) as number) <= most
    })
  }
  const from = Number(params.offset ?? 0)
  return rows.slice(from, from + most)
}

function expected(one: Case, dataset: Dataset, all: readonly Row[], params: Params, fields: readonly string[]): Reply {
  const found = sorted(one.find(all, params), one.order(params))
  const rows = cut(dataset, found, params)
  const beside =
    dataset.limit.kind === 'page'
      ? { limit: params.limit ?? 100, offset: params.offset ?? 0, total: found.length }
      : one.name === 'news'
        ? { count: rows.length, view: params.view ?? 'time' }
        : {}
  return { items: rows.map((row) => fields.map((name) => row[name])), beside }
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

interface Data extends Readonly<Record<string, unknown>> {
  readonly fields: string[]
  readonly items: unknown[][]
  readonly groups?: { source: unknown; count: number; items: unknown[][] }[]
}

async function answered(
  snapshot: Snapshot,
  dataset: Dataset,
  { params, fields }: Question,
  names: readonly string[],
  held: EncodedCache,
): Promise<Reply> {
  const asked = fields.length === 0 ? null : names.join()
  const selected = await selectRows(snapshot, dataset, params, { fields: asked })
  const { rows } = selected
  const chunks = rows === 0 ? [] : await encodeAnswer(held, dataset, selected)
  if (rows === 0) return { items: [], beside: {} }
  const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: Data }
  const { fields: given, items, groups, ...beside } = data
  expect(given).toEqual(names)
  expect(items.length).toBe(rows)
  if (groups) {
    expect(groups.flatMap((group) => group.items)).toEqual(items)
    expect(groups.map(({ count }) => count)).toEqual(groups.map((group) => group.items.length))
    expect(new Set(groups.map(({ source }) => source)).size).toBe(groups.length)
  }
  return { items, beside }
}

test.each(cases)('$name: rows, order and cut are those of a filter and a sort over all rows', async (one) => {
  const declared = datasetOf(one.name)
  const dataset = (one.cap === undefined ? declared : { ...declared, limit: { kind: 'cap', rows: one.cap } }) as Dataset
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
          const right = expected(one, dataset, all, asked.params, names)
          const found = await answered(snapshot, dataset, asked, names, held)
          expect(found.items).toEqual(right.items)
          if (right.items.length > 0) expect(found.beside).toEqual(right.beside)
          expect(held.bytes).toBeLessThanOrEqual(budget)
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 100) },
  )
})
