import fc from 'fast-check'
import { connect, Series, show, toDataFrame } from 'quotebook'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { displayOf } from '../../../src/frame/show/show-data.js'
import { tableOfColumns as tableOf } from '../helper/rows.js'

const bonds = tableOf({
  name: ['示例转债', 'B', '', null],
  close: [150.5, -1, null, 12345678901.23],
  ok: [true, null, false, true],
})

test('wide characters, points of numbers, missing and empty cells: all in their columns', () => {
  expect(show(bonds).text().split('\n')).toEqual([
    'name               close  ok',
    '示例转债          150.5   true',
    'B                  -1     ·',
    '                    ·     false',
    '·         12345678901.23  true',
    '[4 rows x 3 columns]',
  ])
})

test('a DataFrame of the same reads the same', () => {
  expect(show(toDataFrame(bonds)).text()).toBe(show(bonds).text())
})

test('a nested value is its JSON, whatever numbers it holds', () => {
  const cell = { id: 9n, tags: ['x', 1] }
  expect(show(new Series([cell])).text()).toContain('{"id":"9","tags":["x",1]}')
})

test('a long frame: first and last rows, and how many are not shown', () => {
  const long = tableOf({ i: Array.from({ length: 101 }, (_, i) => i) })
  const lines = show(long, { rows: 5 }).text().split('\n')
  expect(lines).toEqual([
    '  i',
    '  0',
    '  1',
    '  2',
    '  …',
    ' 99',
    '100',
    '[101 rows x 1 columns]',
    'not shown: 96 rows',
  ])
})

test('a wide frame: columns in the middle give way, and are named', () => {
  const wide = tableOf(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`column_${i}`, ['x']])))
  expect(show(wide, { width: 40 }).text().split('\n')).toEqual([
    'column_0  column_1  …  column_8',
    'x         x         …  x',
    '[1 rows x 9 columns]',
    'not shown: 6 columns (column_2, …',
  ])
  expect(show(wide, { columns: 2 }).text().split('\n')[0]).toBe('column_0  …  column_8')
})

test('on a narrow screen a dataset shows what a reader asks for first', async () => {
  const market = await connect()
  const day = await market.table.convertibleDaily({ startdate: '20260728', enddate: '20260728' })
  for (const width of [80, 110]) {
    const lines = show(day, { width }).text().split('\n')
    expect(lines.every((line) => stringWidth(line) <= width)).toBe(true)
    const heads = lines[0]?.split(/ +/) ?? []
    expect(heads).toEqual(expect.arrayContaining(['name', 'code', 'close', 'pct_chg', 'cb_over_rate', 'amount']))
  }
  const days = await market.table.convertibleDaily({ symbols: ['123124'], startdate: '20260727', enddate: '20260728' })
  expect(show(days, { width: 60 }).text()).toMatch(/^tradedate .* close/)
  await market.close()
})

test('a terminal with colours shows rises red and falls green, and nothing moves', async () => {
  const market = await connect()
  const day = await market.table.convertibleDaily({ startdate: '20260728', enddate: '20260728' })
  const [plain, tinted] = [false, true].map((tints) =>
    displayOf(day, { width: 110 }, { tints, write: () => String }).text(),
  ) as [string, string]
  const code = String.fromCharCode(27)
  expect(tinted.replaceAll(new RegExp(`${code}\\[\\d+m`, 'g'), '')).toBe(plain)
  const coloured = [...tinted.matchAll(new RegExp(`${code}\\[(31|32)m *(-?[\\d.]+)`, 'g'))]
  expect(coloured.length).toBe(20)
  for (const [, colour, value] of coloured) expect(colour).toBe(Number(value) > 0 ? '31' : '32')
  await market.close()
})

test('labels of rows are shown where they are not the places of the rows', () => {
  const frame = toDataFrame(tableOf({ v: [3, 1, 2] }))
  expect(show(frame).text().split('\n')[1]).toBe('3')
  const sorted = frame.sortValues('v')
  expect(show(sorted).text().split('\n').slice(1, 4)).toEqual(['1  1', '2  2', '0  3'])
})

test('a series, an empty table, a table without columns', () => {
  const series = toDataFrame(bonds).column('close')
  expect(show(series).text().split('\n')[0]?.trim()).toBe('close')
  expect(show(tableOf({ a: [] })).text()).toBe('a\n[0 rows x 1 columns]')
  expect(show(tableOf({})).text()).toBe('[0 rows x 0 columns]')
})

test('what is not complete says so', () => {
  const part = tableOf({ a: ['x'] }, {}, { complete: false, note: 'cut at 5000 rows' })
  expect(show(part).text()).toContain('not complete: cut at 5000 rows')
})

test('a text can not steer the terminal', () => {
  const text = show(tableOf({ 'a\u001b[2J': ['\u001b[31mred\u0007\u202e\nnext', 'x'] })).text()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  expect(text.split('\n')).toHaveLength(4)
  expect(text).toContain(' [31mred next')
})

const unit = fc.constantFrom('a', '1', ' ', '转', 'é', '…', 'Ａ', '_')
const cellTexts = fc.array(fc.option(fc.string({ unit, maxLength: 60 })), { minLength: 6, maxLength: 6 })
const cellNumbers = fc.array(fc.option(fc.double({ noNaN: true })), { minLength: 6, maxLength: 6 })
const tables = fc
  .dictionary(fc.string({ unit, minLength: 1, maxLength: 20 }), fc.oneof(cellTexts, cellNumbers), {
    maxKeys: 12,
    noNullPrototype: true,
  })
  .filter((columns) => !Object.keys(columns).includes('__proto__'))

describe('of any table', () => {
  test('no line is wider than the width, and all rows but the foot are aligned', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 60, max: 200 }), (columns, width) => {
        const lines = show(tableOf(columns), { width }).text().split('\n')
        for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width)
      }),
    )
  })

  test('every number that is shown reads back as itself', () => {
    fc.assert(
      fc.property(cellNumbers, (numbers) => {
        const lines = show(tableOf({ n: [...numbers, 1] }))
          .text()
          .split('\n')
          .slice(1, 7)
        const read = lines.map((line) => (line.trim() === '·' ? null : Number(line)))
        expect(read).toEqual(numbers.map((value) => (value === null ? null : value + 0)))
      }),
    )
  })
})

test('options that make no sense are refused', () => {
  expect(() => show(bonds, { rows: 0 })).toThrow('rows must be a whole number of at least 1')
  expect(() => show(bonds, { width: 1.5 })).toThrow('width must be')
  expect(() => show({} as never)).toThrow('what is shown must be an Arrow table')
})
