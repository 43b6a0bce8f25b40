import * as quotebook from 'quotebook'
import { fromRows, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'

/* Arguments of a wrong shape, as JavaScript and `as any` let them through: an error of ours, never a bare TypeError. */

const table = fromRows([
  { code: '000001', close: 1, day: '20260101' },
  { code: '000002', close: 2, day: '20260102' },
])
const frame = toDataFrame(table)
const junk: readonly unknown[] = [
  ...[undefined, null, 0, -1, 1.5, Number.NaN, 10n, '', 'code', 'close', 'nope', true, Symbol('s')],
  ...[[], ['code'], ['code', 'close'], [['code']], [1], [null], {}, { a: null }, { a: ['close'] }, { a: [1, 2] }],
  ...[
    { a: ['close', 'mean'] },
    { a: ['code', 'mean'] },
    () => 1,
    () => [],
    new Date(0),
    new Map(),
    new Float64Array(2),
  ],
  ...[Object.create(null), table, frame, { on: 1 }, { on: {} }, { on: 'code', how: 3 }, { on: 'code', suffix: 3 }],
  ...[{ on: 'close', by: 3 }, { on: 'close', tolerance: 'x' }, { on: 'close', tolerance: 3n }, { on: { code: 3 } }],
  ...[
    { by: 1 },
    { by: 'code', order: 5 },
    { order: 5 },
    { order: [null] },
    { keep: 1 },
    { minPeriods: 'x' },
    { method: 3 },
  ],
  ...[
    { index: 'code', columns: 'day', values: 3 },
    { index: 1, columns: 'day', values: 'close' },
  ],
  { index: 'code', columns: 'day', values: 'close', op: 3 },
  ...[{ id: 3 }, { id: 'code', columns: 3 }, { id: 'code', name: 3 }, { close: 3 }, { span: 'x' }, { span: 2, com: 1 }],
]

const verbs: readonly (keyof typeof quotebook)[] = [
  ...([
    'filter',
    'select',
    'sort',
    'concat',
    'derive',
    'groupBy',
    'join',
    'asofJoin',
    'dropDuplicates',
    'pivot',
    'rename',
    'unpivot',
  ] as const),
  ...([
    'describe',
    'shift',
    'diff',
    'pctChange',
    'rolling',
    'expanding',
    'rank',
    'quantile',
    'correlation',
    'cumulative',
    'ewm',
    'rollingCorrelation',
    'rollingRegression',
    'cut',
    'qcut',
  ] as const),
  ...(['numbers', 'strings', 'dictionary', 'booleans', 'lists', 'columnNames', 'rowsOf', 'toObjects'] as const),
  ...(['asTable', 'toDataFrame'] as const),
]

function failures(name: keyof typeof quotebook): string[] {
  const verb = Object(quotebook)[name] as (...given: unknown[]) => unknown
  const found = new Set<string>()
  const attempt = (...given: unknown[]): void => {
    try {
      verb(...given)
    } catch (error) {
      if (!(error instanceof quotebook.QuotebookError)) found.add(`${given.map((one) => typeof one)}: ${error}`)
    }
  }
  for (const first of junk) for (const second of [undefined, 'code', 1]) attempt(first, second)
  for (const first of [table, frame, [1, 2], new Float64Array(3)]) for (const second of junk) attempt(first, second)
  for (const good of [table, 'code', { x: () => 1 }, ['code'], 2, { n: 'rows' }])
    for (const third of junk) attempt(good === 2 ? [1, 2] : table, good, third)
  for (const third of junk) attempt(table, () => true, third)
  for (const second of [[1, 2], { span: 2 }, 2]) for (const third of junk) attempt([1, 2], second, third)
  return [...found]
}

test.each(verbs)('%s', (name) => {
  expect(failures(name)).toEqual([])
})

test('names may stand in a list', () => {
  expect(quotebook.columnNames(quotebook.select(table, ['code', 'close']))).toEqual(['code', 'close'])
  expect(quotebook.columnNames(quotebook.select(frame, ['close'], 'code'))).toEqual(['close', 'code'])
  expect(quotebook.strings(quotebook.sort(table, ['-close', 'code']), 'code')).toEqual(['000002', '000001'])
  expect(() => quotebook.select(table, [['code']] as never)).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining("such as ['code', 'close']") }),
  )
})

test('a name and a list of one name are the same to every verb', () => {
  const q = quotebook
  const right = q.rename(table, { close: 'open' })
  const both = (make: (name: <T extends string>(name: T) => T | readonly T[]) => quotebook.Data): void => {
    expect(q.rowsOf(make((name) => [name]))).toEqual(q.rowsOf(make((name) => name)))
  }
  for (const data of [table, frame] as (typeof table)[]) {
    both((name) => q.select(data, name('code')))
    both((name) => q.sort(data, name('-close')))
    both((name) => q.groupBy(data, name('code'), { n: 'rows' }))
    both((name) => q.dropDuplicates(data, name('code')))
    both((name) => q.derive(data, { n: (c) => c.close?.length ?? null }, { by: name('code'), order: name('-day') }))
    both((name) => q.filter(data, (c) => c.close?.length === 1, { by: name('code'), order: name('day') }))
    both((name) => q.join(data, right, { on: name('code') }))
    both((name) => q.asofJoin(data, right, { on: 'day', by: name('code') }))
    both((name) => q.pivot(data, { index: name('day'), columns: 'code', values: 'close' }))
    both((name) => q.unpivot(data, { id: name('code'), columns: name('close') }))
  }
})
