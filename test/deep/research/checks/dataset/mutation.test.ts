/* Deep: runs every check over cells of any kind, at length. */
import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { type DatasetName, datasetNames, datasetOf } from '../../../../../src/contract/catalogue.js'
import type { Column } from '../../../../../src/contract/column.js'
import { columnsOf, toObjects } from '../../../../../src/frame/read-columns.js'
import { toTable } from '../../../../../src/frame/table/arrow.js'
import { gatherRows } from '../../../../../src/frame/table/gather-cells.js'
import type { ColumnData } from '../../../../../src/frame/table/values.js'
import { checkAll } from '../../../../../src/research/checks/all-checks.js'
import type { CheckTables } from '../../../../../src/research/checks/check.js'
import { gradeOf } from '../../../../../src/research/checks/check-summary.js'
import { chances } from '../../../../helper/chance.js'
import { sample } from '../../../../promise/helper/check-tables.js'

const rounds = Number(process.env['ROUNDS'] ?? 12)

type Next = () => number

const pick = <T>(next: Next, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T

const words = ['', ' ', 'x', '20260230', '20260704', '1033', '25:99:00', '123124', '510300.SH', '-1', '99991231', '🙂']
const numbers = [
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -1,
  1e308,
  -1e308,
  5e-324,
  0.1 + 0.2,
  2 ** 53,
  1.5,
]

/** A column with one cell replaced: by null, by what no column holds, or by the cell of another row. */
function replaced(values: ColumnData, row: number, next: Next): ColumnData {
  const other = Math.floor(next() * values.data.length)
  const kind = next()
  switch (values.type) {
    case 'dictionary': {
      const data = Int32Array.from(values.data)
      data[row] = kind < 0.25 ? -1 : kind < 0.5 ? (values.data[other] as number) : values.dictionary.length
      return { type: 'dictionary', data, dictionary: [...values.dictionary, pick(next, words)] }
    }
    case 'float':
    case 'int': {
      const data = values.data.slice() as Float64Array
      const valid = values.valid?.slice() ?? new Uint8Array(data.length).fill(1)
      valid[row] = kind < 0.25 ? 0 : 1
      data[row] = kind < 0.5 ? (values.data[other] as number) : pick(next, numbers)
      return { type: values.type, data, valid } as ColumnData
    }
    case 'boolean': {
      const valid = values.valid?.slice() ?? new Uint8Array(values.data.length).fill(1)
      valid[row] = kind < 0.5 ? 0 : 1
      return { type: 'boolean', data: values.data.map((one, i) => (i === row ? 1 - one : one)), valid }
    }
    case 'string':
      return {
        type: 'string',
        data: values.data.map((one, i) => (i === row ? (kind < 0.3 ? null : pick(next, words)) : one)),
      }
    case 'list':
      return {
        type: 'list',
        data: values.data.map((one, i) => (i === row ? (kind < 0.3 ? null : [pick(next, words)]) : one)),
      }
  }
}

/** The table with a cell replaced, or a row that is a duplicate or not at all. */
function mutated(name: DatasetName, table: Table, next: Next): { readonly table: Table; readonly how: string } {
  const dataset = datasetOf(name)
  const columns = columnsOf(table)
  const row = Math.floor(next() * columns.length)
  const declared = { ...dataset.columns, ...dataset.stored }
  const made = (own: typeof columns): Table => toTable(own, declared, table.schema.metadata)
  const what = next()
  if (what < 0.1) {
    const all = [...Array(columns.length).keys()]
    const rows = what < 0.05 ? [...all, row] : all.filter((one) => one !== row)
    return { table: made(gatherRows(columns, rows)), how: `row ${row} ${what < 0.05 ? 'duplicate' : 'left out'}` }
  }
  const [column, values] = pick(next, [...columns.columns])
  const of = new Map(columns.columns).set(column, replaced(values, row, next))
  return { table: made({ length: columns.length, columns: of }), how: `${column} of row ${row}` }
}

test.each(datasetNames)('%s: whatever a cell holds, every check ends with verdicts', async (name) => {
  const next = chances(17)
  const whole: readonly Table[] = sample[name]
  const daily = sample.convertible_daily
  for (let round = 0; round < rounds; round++) {
    const at = Math.floor(next() * whole.length)
    const { table, how } = mutated(name, whole[at] as Table, next)
    const tables: CheckTables = {
      ...(name === 'convertible_minute' && { convertible_daily: daily }),
      [name]: whole.map((one, i) => (i === at ? table : one)),
    }
    let thrown: unknown
    try {
      for (const { check, runs } of checkAll(tables)) {
        for (const { result } of runs)
          expect(Object.keys(result.counts).every((verdict) => verdict in check.verdicts)).toBe(true)
      }
    } catch (error) {
      thrown = error
    }
    expect(thrown, `${how}, round ${round}: ${thrown instanceof Error ? thrown.stack : ''}`).toBeUndefined()
  }
})

/** Cells that a column must not hold, by what the contract says of it. */
function forbiddenCells(name: string, { kind, nullable, values }: Column): (string | number | null)[] {
  const of: (string | number | null)[] = nullable ? [] : [null]
  if (['number', 'long'].includes(kind)) of.push(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
  if (kind === 'long') of.push(1.5)
  if (kind === 'date') of.push('20260230', '2026-07-01', '')
  if (/^trade_?date$/.test(name)) of.push('20260704', '20260219')
  if (kind === 'minute') of.push('2561', '1033', '93')
  if (kind === 'clock') of.push('25:00:00')
  if (name === 'time') of.push('16:00:00')
  if (kind === 'moment') of.push('yesterday', '2026-02-30 10:00:00')
  if (kind === 'json') of.push('{')
  if (values) of.push('none of them')
  return of
}

function withCell(values: ColumnData, row: number, cell: string | number | null): ColumnData {
  if (values.type === 'dictionary') {
    const data = values.data.with(row, cell === null ? -1 : values.dictionary.length)
    return { type: 'dictionary', data, dictionary: [...values.dictionary, String(cell)] }
  }
  if (values.type === 'string') return { type: 'string', data: values.data.with(row, cell as string | null) }
  if (values.type === 'list') return { type: 'list', data: values.data.with(row, null) }
  const valid = (values.valid ?? new Uint8Array(values.data.length).fill(1)).with(row, cell === null ? 0 : 1)
  return { ...values, data: values.data.with(row, Number(cell)), valid } as ColumnData
}

/** By check and run, how many rows contradict it, and all reasons. */
function wrongRows(name: DatasetName, tables: CheckTables): { readonly wrong: number; readonly why: string } {
  const runs = checkAll(tables).flatMap(({ check, runs }) =>
    check.dataset === name ? runs.map((run) => ({ check, run })) : [],
  )
  const rows = runs.flatMap(({ check, run }) =>
    toObjects(run.result.table).filter((row) => gradeOf(check, String(row.verdict)) === 'contradicted'),
  )
  return { wrong: rows.length, why: rows.map(({ why }) => why).join('\n') }
}

test.each(datasetNames)('%s: a cell that the contract forbids is told', async (name) => {
  const next = chances(5)
  const dataset = datasetOf(name)
  const declared: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const whole: readonly Table[] = sample[name]
  const before = wrongRows(name, { [name]: whole })
  for (const [at, table] of whole.entries()) {
    const columns = columnsOf(table)
    for (const [column, values] of columns.columns) {
      for (const cell of forbiddenCells(column, declared[column] as Column)) {
        const row = Math.floor(next() * columns.length)
        const of = new Map(columns.columns).set(column, withCell(values, row, cell))
        const made = toTable({ length: columns.length, columns: of }, declared, table.schema.metadata)
        const { wrong, why } = wrongRows(name, { [name]: whole.with(at, made) })
        expect([column, cell, row, wrong >= before.wrong && why !== before.why]).toEqual([column, cell, row, true])
        if (name !== 'anomaly_forecast') expect(why).toContain(cell === '1033' ? '1033 is not the close' : column)
      }
    }
  }
})
