import { readFileSync } from 'node:fs'
import { columnNames, DataFrame, fromCsv, fromIpc, fromJson, fromRows, rowsOf, toCsv } from 'quotebook'
import { expect, test } from 'vitest'

const column = (...cells: string[]) =>
  rowsOf(fromCsv(`zz,y\n${cells.map((cell) => `${cell},\n`).join('')}`)).map(([cell]) => cell)
const typeOf = (...cells: string[]) =>
  String(fromCsv(`zz,y\n${cells.map((cell) => `${cell},\n`).join('')}`).schema.fields[0]?.type)
const text = 'Dictionary<Int32, Utf8>'

test.each([
  [
    ['1', '-2.5', ''],
    [1, -2.5, null],
  ],
  [
    ['0', '0.10', '-0.0'],
    [0, 0.1, -0],
  ],
  [
    ['1e-7', '1.5E+21'],
    [1e-7, 1.5e21],
  ],
  [
    ['000001', '2'],
    ['000001', '2'],
  ],
  [['00'], ['00']],
  [
    ['1', 'x'],
    ['1', 'x'],
  ],
  [['+1'], ['+1']],
  [['1.'], ['1.']],
  [['.5'], ['.5']],
  [['1e5'], ['1e5']],
  [['0x10'], ['0x10']],
  [['Infinity'], ['Infinity']],
  [['NaN'], ['NaN']],
  [[' 1'], [' 1']],
  [
    ['1234567890123456789', '1'],
    ['1234567890123456789', '1'],
  ],
  [['999999999999999'], [999999999999999]],
  [
    ['20260701', '20260702'],
    ['20260701', '20260702'],
  ],
  [
    ['20260701', '20260732'],
    [20260701, 20260732],
  ],
  [
    ['true', '', 'false'],
    [true, null, false],
  ],
  [
    ['true', '1'],
    ['true', '1'],
  ],
  [["'-5"], ['-5']],
  [
    ["'=1+1", '2'],
    ['=1+1', '2'],
  ],
  [
    ['', '""'],
    [null, ''],
  ],
])('%j is read as %j', (cells, values) => {
  expect(column(...cells)).toEqual(values)
})

test('the kind of a name counts where the cells fit, the kind wanted always', () => {
  expect(typeOf('1', '2')).toBe('Float64')
  expect(typeOf('20260701')).toBe(text)
  expect(rowsOf(fromCsv('code,close\n600000,1\n'))).toEqual([['600000', 1]])
  expect(rowsOf(fromCsv('code,close\n600000,x\n'))).toEqual([['600000', 'x']])
  expect(rowsOf(fromCsv('zz\n1\n', { kinds: { zz: 'code' } }))).toEqual([['1']])
  expect(rowsOf(fromCsv('zz\n20260701\n', { kinds: { zz: 'number' } }))).toEqual([[20260701]])
  expect(rowsOf(fromCsv('zz\n9007199254740991\n', { kinds: { zz: 'long' } }))).toEqual([[9007199254740991]])
})

test.each([
  ['a,b\n1,2\n3\n', {}, 'line 3 has 1 cells where the header has 2'],
  ['a,b\n"x\ny",2\n3,4,5\n', {}, 'line 4 has 3 cells'],
  ['a,a\n1,2\n', {}, "two columns are named 'a'"],
  ['', {}, 'the CSV is empty'],
  ['a\n"x\n', {}, 'line 2 opens a quote that nothing closes'],
  ['a\n"x"y\n', {}, 'line 2 has text behind a closing quote'],
  ['a\nx"y\n', {}, 'line 2 has a quote in a cell'],
  ['a,b\n1,2\n"\n",x\n', { kinds: { b: 'number' } }, `line 4, column 'b': must be number, not "x"`],
  ['a\n12345678901234567890\n', { kinds: { a: 'number' } }, "line 2, column 'a': must be number"],
  ['a\n1.5\n', { kinds: { a: 'integer' } }, 'must be integer, not "1.5"'],
  ['a\n2026-07-01\n', { kinds: { a: 'date' } }, 'must be date'],
  ['a\nTRUE\n', { kinds: { a: 'boolean' } }, 'must be boolean'],
  [
    'close\n1\n',
    { kinds: { closse: 'number' } },
    "kinds names a column 'closse' that is not there; did you mean 'close'?",
  ],
  ['s,rank\n000001,1\n000002,x\n', { dataset: 'hotstock' }, 'hotstock: line 3: rank must be integer, not "x"'],
] as const)('%j with %j is refused', (csv, options, wrong) => {
  expect(() => fromCsv(csv, options)).toThrow(wrong)
})

test('a column of one has its missing cells, other blank lines are nothing', () => {
  expect(rowsOf(fromCsv('zz\n1\n\n2\n'))).toEqual([[1], [null], [2]])
  expect(rowsOf(fromCsv('\n\nzz,y\r\n\r\n1,2\r\n\r\n'))).toEqual([[1, 2]])
  expect(toCsv(fromRows([[1], [null]], { columns: ['zz'] }))).toBe('zz\n1\n\n')
})

test('what Python wrote is read as Python reads it', () => {
  const { csv, read, json } = JSON.parse(readFileSync('test/frame/table/python-text.json', 'utf8'))
  const pythonRows = (text: string) => {
    const names = columnNames(fromCsv(text))
    const table = fromCsv(text, { kinds: Object.fromEntries(names.map((name) => [name, 'text'])) })
    return [names, ...rowsOf(table).map((row) => row.map((cell) => cell ?? ''))]
  }
  expect(csv.length).toBeGreaterThan(0)
  for (const { text, rows } of csv) expect(pythonRows(text)).toEqual(rows)
  for (const { text, rows } of read) {
    const columns = rows[0]
    const kinds = Object.fromEntries(columns.map((name: string) => [name, 'text']))
    expect(toCsv(fromRows(rows.slice(1), { columns, kinds }))).toBe(text)
  }
  for (const { text, rows } of json) expect(rowsOf(fromJson(text))).toEqual(rows)
})

test('objects may lack keys and order them as they like', () => {
  const rows: Record<string, unknown>[] = [{ a: 1, b: 'x' }, { b: 'y', a: undefined }, { constructor: 'z' }]
  expect(rowsOf(fromRows(rows))).toEqual([
    [1, 'x', null],
    [null, 'y', null],
    [null, null, 'z'],
  ])
  expect(rowsOf(fromRows(rows, { columns: ['b'] }))).toEqual([['x'], ['y'], [null]])
})

test('rows of a frame, bigints, lists and nested values', () => {
  const frame = new DataFrame([['000001', Number.NaN]], { columns: ['s', 'x'] })
  expect(rowsOf(fromRows(frame.values as unknown[][], { columns: ['s', 'x'] }))).toEqual([['000001', null]])
  expect(rowsOf(fromRows([{ zz: 5n }, { zz: null }]))).toEqual([[5], [null]])
  expect(rowsOf(fromRows([{ zz: 5n }, { zz: 1234567890123456789n }]))).toEqual([['5'], ['1234567890123456789']])
  expect(rowsOf(fromRows([{ zz: ['a', ''] }, { zz: [] }]))).toEqual([[['a', '']], [[]]])
  expect(rowsOf(fromRows([{ zz: { a: [1] } }, { zz: [2] }]))).toEqual([[{ a: [1] }], [[2]]])
  expect(rowsOf(fromRows([{ zz: Number.POSITIVE_INFINITY }]))).toEqual([[Number.POSITIVE_INFINITY]])
})

test.each([
  [[[1, 2], [3]], { columns: ['a', 'b'] }, 'row 2 has 1 cells where there are 2 columns'],
  [[[1]], {}, 'give { columns }'],
  [[[1, 2]], { columns: ['a', 'a'] }, "two columns are named 'a'"],
  [[{ zz: 1 }, [2]], {}, 'row 2 must be an object like the first, not [2]'],
  [[{ zz: 1 }, null], {}, 'row 2 must be an object'],
  [[{ zz: 1 }, { zz: 'x' }], {}, `column 'zz', row 2: "x" stands in a column of numbers`],
  [[{ zz: 1 }, { zz: new Date(0) }], {}, "column 'zz', row 2"],
  [[{ zz: new Date(0) }], {}, "column 'zz', row 1: a Date is a moment without a place"],
  [[{ zz: 5n }, { zz: 'x' }], {}, `column 'zz', row 2`],
  [[{ zz: () => 1 }], {}, "column 'zz', row 1"],
  [[{ zz: { a: new Date(0) } }], {}, 'JSON does not carry'],
  [[{ zz: 'a\ud800' }], {}, 'half of a surrogate pair'],
  [[{ zz: 1 }], { columns: ['zy'] }, "no row has the key 'zy'"],
  [
    [{ zz: 1 }],
    { kinds: { zz: 'code' } },
    /^column 'zz', row 1: must be code, not 1; text read as numbers loses its zeros$/,
  ],
  [[{ zz: '2026-07-01' }], { kinds: { zz: 'date' } }, 'must be date'],
  [[{ zz: 1.5 }], { kinds: { zz: 'long' } }, /must be long, not 1\.5$/],
  [[{ s: 1, rank: 1 }], { dataset: 'hotstock' }, 'hotstock: row 1: s must be code, not 1'],
  [[{ tradedate: '2026/7/8' }], { dataset: 'hotstock' }, '"2026/7/8": 20260708 was probably meant'],
] as const)('rows %# are refused', (rows, options, wrong) => {
  expect(() => fromRows(rows as readonly unknown[], options as Parameters<typeof fromRows>[1])).toThrow(wrong)
})

test('JSON whose numbers a double does not hold is refused with its line, not rounded', () => {
  expect(() => fromJson('[{"zz":1},\n{"zz":1234567890123456789}]')).toThrow(
    'line 2: 1234567890123456789 has more digits',
  )
  expect(rowsOf(fromJson('[{"zz":"1234567890123456789","y":9007199254740991,"x":0.30000000000000004}]'))).toEqual([
    ['1234567890123456789', 9007199254740991, 0.30000000000000004],
  ])
  expect(() => fromJson('{"a":1}')).toThrow('must be an array of row objects')
  expect(() => fromJson('[1')).toThrow('is not JSON')
  expect(() => fromJson('[1]')).toThrow('row 1')
})

test('a header that is not UTF-8 is refused with what would help', () => {
  const gbk = new TextDecoder().decode(Uint8Array.of(0xb4, 0xfa, 0xc2, 0xeb, 0x2c, 0x78, 0x0a, 0x31, 0x2c, 0x32))
  expect(() => fromCsv(gbk)).toThrow(/not UTF-8.*gb18030/)
})

test('what is no kind, no text, no bytes and no rows is said in words', () => {
  const kinds = { a: 'nummer' } as unknown as { a: 'number' }
  for (const read of [() => fromCsv('a\n1\n', { kinds }), () => fromRows([{ a: 1 }], { kinds })])
    expect(read).toThrow(/column 'a' the kind 'nummer'; a kind is one of code,.* json$/)
  expect(() => fromCsv(new ArrayBuffer(4) as unknown as string)).toThrow('a text or the bytes of one in UTF-8')
  expect(() => fromRows(undefined as unknown as [])).toThrow('takes an array of rows')
  expect(() => fromIpc(new ArrayBuffer(8) as unknown as Uint8Array)).toThrow('new Uint8Array(buffer)')
})
