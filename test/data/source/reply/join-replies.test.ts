import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { missingKeys, sortUnique } from '../../../../src/data/source/reply/join-replies.js'
import { distinctValues } from '../../../../src/data/source/reply/reply-chunk.js'
import { gatherRows } from '../../../../src/frame/table/gather-cells.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../../src/frame/table/values.js'

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
