import fc from 'fast-check'
import { datasets } from '../../../src/contract/catalogue.js'
import type { Column, Kind } from '../../../src/contract/column.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { arbitraryRows } from '../../helper/arbitrary-rows.js'
import type { Chance } from './random.js'
import { Spelling } from './spelling.js'

const kinds: readonly Kind[] = [
  'code',
  'date',
  'minute',
  'clock',
  'label',
  'moment',
  'id',
  'text',
  'number',
  'integer',
  'long',
  'boolean',
  'texts',
  'json',
]
const everyKind: Record<string, Column> = Object.fromEntries(
  kinds.flatMap((kind): [string, Column][] => [
    [kind, { kind, meaning: kind }],
    [`${kind}_or_null`, { kind, nullable: true, meaning: kind }],
  ]),
)

/** No operation of the service: a column of each kind, with and without nulls. */
export const allKinds: Dataset = {
  ...datasets[0],
  name: 'all_kinds',
  shape: 'rows',
  columns: { ...everyKind, side: { kind: 'label', values: ['buy', 'sell'], meaning: 'one of two' } },
  key: [],
}

/** Every dataset that answers with rows, and one with every kind of column. */
export const rowDatasets: readonly Dataset[] = [...datasets.filter(({ shape }) => shape === 'rows'), allKinds]

export interface Pool {
  readonly dataset: Dataset
  readonly columns: Readonly<Record<string, Column>>
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Rows of every dataset, stored columns too. */
export function pools(seed: number): readonly Pool[] {
  return rowDatasets.map((dataset) => {
    const columns = { ...dataset.columns, ...dataset.stored }
    const names = Object.keys(columns)
    const rows = fc.sample(arbitraryRows(dataset, { columns: names, minLength: 2 }), { numRuns: 12, seed }).flat()
    return { dataset, columns, names, rows }
  })
}

export interface Body {
  readonly pool: Pool
  readonly expected: readonly string[]
  readonly text: string
}

const names = ['limit', 'total', 'count', 'view', 'meta', '7', '3', '', 'Fields', '说明', 'a"b', '\\', 'constructor']

function nested(chance: Chance): string {
  const depth = chance.below(40)
  const open = Array.from({ length: depth }, () => chance.once(2))
  const closed = open.toReversed().map((list) => (list ? ']' : '}'))
  return open.map((list) => (list ? '[' : '{"a":')).join('') + chance.of(['1', '[]', '{}', 'null']) + closed.join('')
}

function anything(chance: Chance, spelling: Spelling): string {
  return chance.once(5) ? nested(chance) : spelling.value(chance.of(values))
}

const values = [
  null,
  true,
  false,
  12,
  -1.5,
  'text',
  '',
  '中文 "q" \\ / \b\f\n\r\t 😀',
  [],
  {},
  [1, [2, [3]]],
  { a: { b: [null] } },
]

/** Members under distinct names, which the scanner does not know. */
function others(chance: Chance, spelling: Spelling): [string, string][] {
  const some = chance.shuffled(names).slice(0, chance.once(2) ? 0 : chance.below(4))
  return some.map((name) => [name, anything(chance, spelling)])
}

function countOf(chance: Chance): number {
  return chance.once(60) ? 60 + chance.below(150) : chance.below(5)
}

/** A well-formed reply with code 200, spelled in some way; columns in any order. */
export function wellFormed(chance: Chance, all: readonly Pool[]): Body {
  const pool = chance.of(all)
  const spelling = new Spelling(chance)
  const size = chance.once(2) ? pool.names.length : 1 + chance.below(pool.names.length)
  const fields = chance.shuffled(pool.names).slice(0, size)
  const places = fields.map((name) => pool.names.indexOf(name))
  const items = Array.from({ length: countOf(chance) }, () => {
    const row = chance.of(pool.rows)
    const cells = places.map((place, i) => spelling.cell(pool.columns[fields[i] as string] as Column, row[place]))
    return spelling.list(cells, ['[', ']'])
  })
  const data = chance.shuffled([
    ...others(chance, spelling),
    ['fields', spelling.value(fields)] as const,
    ['items', spelling.list(items, ['[', ']'])] as const,
  ])
  const first = data.findIndex(([name]) => name === 'fields')
  const second = data.findIndex(([name]) => name === 'items')
  if (second < first) [data[first], data[second]] = [data[second] as never, data[first] as never]
  const envelope = chance.shuffled([
    ...others(chance, spelling),
    ['code', chance.of(['200', '200', '200.0', '2e2', '2000E-1'])] as const,
    ['message', spelling.text(chance.of(['ok', '', '成功', 'a "b"\\n']))] as const,
    ['data', spelling.object(data)] as const,
  ])
  const text = `${spelling.blank()}${spelling.object(envelope)}${spelling.blank()}`
  return { pool, expected: chance.shuffled(fields), text }
}
