import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { missingKeys, sortUnique } from '../../../src/source/reply/join-replies.js'
import { distinctValues } from '../../../src/source/reply/reply-chunk.js'
import { comparer } from '../../../src/table/check-table.js'
import { gatherRows } from '../../../src/table/gather-cells.js'
import { sortRows } from '../../../src/table/sort-rows.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../src/table/values.js'
import { cpuTime } from '../../helper/cpu-time.js'

const minute = datasetOf('etf_minute')

function codes(cells: readonly (string | null)[], spare: readonly string[] = []): ColumnData {
  const words = [...new Set([...spare, ...cells.filter((cell) => cell !== null)])]
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => (cell === null ? -1 : words.indexOf(cell))),
    dictionary: words,
  }
}

function columnsOf(
  rows: readonly (readonly (string | null)[])[],
  names: readonly string[],
  spare: readonly string[] = [],
): RecordColumns {
  return {
    length: rows.length,
    columns: new Map(
      names.map((name, i) => [
        name,
        codes(
          rows.map((row) => row[i] ?? null),
          spare,
        ),
      ]),
    ),
  }
}

function rowsOf(columns: RecordColumns): string[] {
  const all = [...columns.columns.values()]
  return Array.from({ length: columns.length }, (_, row) => all.map((values) => cellOf(values, row)).join(' '))
}

const names = ['tradedate', 'symbol', 'trademin']
const cell = fc.constantFrom('b', 'a', 'aa', 'A', 'é', '10', '9', null)
const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 40 })

test('rows are ranked as they are compared, in every order, equal ones as they stand', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(names, ['-tradedate', 'symbol'], ['symbol'], ['trademin', '-tradedate', 'symbol']),
      (rows, order) => {
        const columns = columnsOf(rows, names, ['unused'])
        const compare = comparer(columns, order)
        const expected = Array.from({ length: rows.length }, (_, i) => i).sort((a, b) => compare(a, b) || a - b)
        const keys = order.map((text) => {
          const name = text.replace(/^-/, '')
          return { name, values: columns.columns.get(name) as ColumnData, descending: text.startsWith('-') }
        })
        expect([...sortRows(keys, rows.length)]).toEqual(expected)
      },
    ),
    { numRuns: 2000 },
  )
})

test('an answer comes in order with each key once, or is refused', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom('20260701', '20260702'),
          fc.constantFrom('a', 'b', 'c'),
          fc.constantFrom('0930', '1000', '1030'),
        ),
        { maxLength: 12 },
      ),
      (rows) => {
        const columns = columnsOf(rows, names)
        const distinct = new Set(rows.map((row) => row.join(' ')))
        if (distinct.size < rows.length) expect(() => sortUnique(minute, {}, columns)).toThrow(/share the key/)
        else expect(rowsOf(sortUnique(minute, {}, columns))).toEqual([...distinct].sort())
      },
    ),
    { numRuns: 1000 },
  )
})

test('a key of texts is held unique too', () => {
  const qa = datasetOf('interactive_qa')
  const of = (ids: string[]): RecordColumns => ({
    length: ids.length,
    columns: new Map<string, ColumnData>([
      ['qa_id', { type: 'string', data: ids }],
      ['revision_no', { type: 'int', data: new Int32Array(ids.length), valid: null }],
    ]),
  })
  expect(() => sortUnique(qa, {}, of(['1', '2', '1']))).toThrow(
    'rows 1 and 3 of the answer share the key qa_id 1, revision_no 0',
  )
  expect(sortUnique(qa, {}, of(['1', '2', '3'])).length).toBe(3)
})

test('more distinct rows than a double can number are compared one by one', () => {
  const words = Array.from({ length: 300_000 }, (_, i) => String(i))
  const data = Int32Array.from(words, (_, i) => words.length - 1 - i)
  const values: ColumnData = { type: 'dictionary', data, dictionary: words }
  const columns: RecordColumns = { length: words.length, columns: new Map(names.map((name) => [name, values])) }
  const sorted = sortUnique(minute, {}, columns)
  expect(cellOf(sorted.columns.get('symbol') as ColumnData, 0)).toBe('0')
})

test('five million rows are put in order and found unique in seconds', () => {
  const [days, symbols, bars] = [295, 1000, 17]
  const length = days * symbols * bars
  const data = names.map(() => new Int32Array(length))
  let row = 0
  for (let group = 0; group < 2; group++) {
    for (let day = 0; day < days; day++) {
      for (let symbol = group; symbol < symbols; symbol += 2) {
        for (let bar = 0; bar < bars; bar++, row++) {
          for (const [i, code] of [day, symbol, bar].entries()) (data[i] as Int32Array)[row] = code
        }
      }
    }
  }
  const words = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padStart(6, '0'))
  const sizes = [days, symbols, bars]
  const of = new Map(
    names.map((name, i) => [
      name,
      { type: 'dictionary', data: data[i] as Int32Array, dictionary: words(sizes[i] as number) } as ColumnData,
    ]),
  )
  const began = cpuTime()
  const sorted = sortUnique(minute, {}, { length, columns: of })
  expect(cpuTime() - began).toBeLessThan(20_000)
  const last = sorted.columns.get('symbol')
  expect(last?.type === 'dictionary' && [last.data[0], last.data[17], last.data[length - 1]]).toEqual([0, 1, 999])
})

test('words that stand in no row do not count as there', () => {
  const columns = gatherRows(columnsOf([['20260701'], ['20260702']], ['tradedate']), [1])
  expect(distinctValues(columns, 'tradedate')).toEqual(['20260702'])
  expect(missingKeys(datasetOf('hotstock'), {}, ['20260701', '20260702'], columns)).toEqual({ days: ['20260701'] })
})

test('a symbol is absent when it has no row, in whatever spelling', () => {
  const daily = datasetOf('convertible_daily')
  const columns = columnsOf([['110059.SH'], ['123124.SZ']], ['code'])
  const query = { symbols: ['110059', '110059.SH', '110059.SZ', '123124.sz', '123125'] }
  expect(missingKeys(daily, query, undefined, columns)).toEqual({ symbols: ['110059.SZ', '123125'] })
  const many = Array.from({ length: 20_000 }, (_, i) => String(200_000 + i))
  expect(missingKeys(daily, { symbols: many }, undefined, columns)?.symbols).toHaveLength(20_000)
})
