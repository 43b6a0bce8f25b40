import fc from 'fast-check'
import { connect, fromJson, fromRows, toIpc, toJson } from 'quotebook'
import { expect, test } from 'vitest'

type Read = Parameters<typeof fromRows>[1]

/** The bytes of a table, which hold names, types, words in their order, and what is missing; or why there is none. */
function outcome(read: () => Parameters<typeof toIpc>[0]): string {
  try {
    return Buffer.from(toIpc(read())).toString('latin1')
  } catch (error) {
    return String(error)
  }
}

const one = (text: string, options: Read) => outcome(() => fromJson(text, options))
const whole = (text: string, options: Read) => outcome(() => fromRows(JSON.parse(text) as unknown[], options))

const strings = ['},{', 'x}, {', '],[', '"},{"', '\\', '中},{文', '\ud83d', '', '000001'].map((text) =>
  JSON.stringify(text),
)
const cells = {
  number: fc.constantFrom('0', '-0', '-0.0', '1.5', '1e999', '123456', '2147483648', '0.1', '-7e-9'),
  text: fc.oneof(
    fc.constantFrom(...strings),
    fc.string().map((text) => JSON.stringify(text)),
  ),
  flag: fc.constantFrom('true', 'false'),
  texts: fc.constantFrom('[]', '["a"]', '["},{","b"]'),
  nested: fc.constantFrom('{"a":[{"b":1},{"b":2}]}', '[]', '[[],[]]', '[{},{}]', '{}', '[1,"x"]', '["a","},{"]'),
} as const
const sorts = Object.keys(cells) as (keyof typeof cells)[]
/** Names that the contract gives a kind, and some that it does not. */
const names = ['zz', 'close', 'tradedate', 'symbols', 'title', 'count', 'constructor', '__proto__', '1', '名']

/** A column of cells of one sort, of which some are missing or absent, or of any. */
const column = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...sorts), fc.nat(5)).map(([name, sort, mixed]) => {
  const own = fc.option(cells[sort], { nil: undefined, freq: 6 })
  const some = fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: fc.constant('null') })
  return { name, cell: mixed > 0 ? some : fc.oneof(some, ...Object.values(cells)) }
})

/** Rows of JSON as text, of some shapes that each stand there thousands of times. */
const texts = fc
  .tuple(fc.uniqueArray(column, { minLength: 1, maxLength: 4, selector: ({ name }) => name }), fc.boolean())
  .chain(([columns, isArrays]) => {
    const own = columns.map(({ name }) => name)
    const row = fc.tuple(...columns.map(({ cell }) => cell)).map((given) => {
      if (isArrays) return `[${given.map((cell) => cell ?? 'null').join(',')}]`
      const members = given.map((cell, at) => (cell === undefined ? [] : [`"${own[at]}":${cell}`]))
      return `{${members.flat().join(' ,')}}`
    })
    const block = fc.tuple(fc.array(row, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 5000 }))
    const options = isArrays
      ? fc.constant<Read>({ columns: own })
      : fc.constantFrom<Read>(
          {},
          {},
          { columns: own.slice(1) },
          { columns: own.toReversed() },
          { kinds: { zz: 'json' } },
        )
    const blocks = fc.array(block, { minLength: 2, maxLength: 4 })
    return fc.tuple(blocks, fc.constantFrom(',', ' ,\n  ', ',\r\n'), options).map(([given, between, options]) => {
      const rows = given.flatMap(([some, times]) => Array.from({ length: times }, (_, at) => some[at % some.length]))
      return { text: ` [${rows.join(between)}\n]`, options }
    })
  })

test('JSON of thousands of rows is the table of the rows that JSON.parse makes of it, or the same error', () => {
  fc.assert(
    fc.property(texts, ({ text, options }) => {
      expect(one(text, options) === whole(text, options)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('with a dataset too: its types, and what is wrong with the last of many rows', async () => {
  const market = await connect()
  const rows = toJson(await market.table.etfMinute({ symbols: '510300.SH', period: '15m' })).slice(1, -1)
  const last = rows.slice(rows.lastIndexOf('{'))
  const ends = {
    right: last,
    'is null where': last.replace('"trademin"', '"x"'),
    'symbol must be code, not 7': last.replace(/"symbol":"[^"]*"/, '"symbol":7'),
    other: `{"other":[1],${last.slice(1)}`,
  }
  for (const [what, end] of Object.entries(ends)) {
    const text = `[${`${rows},`.repeat(300)}${end}]`
    const found = one(text, { dataset: 'etf_minute' })
    expect(found === whole(text, { dataset: 'etf_minute' })).toBe(true)
    if (what.includes(' ')) expect(found).toContain(what)
  }
  await market.close()
})

test('what is no JSON at the end of a large text is told as that of a small one', () => {
  const rows = '{"zz":1},\n'.repeat(20_000)
  const number = '1234567890123456789'
  expect(() => fromJson(`[${rows}{"zz":${number}}]`)).toThrow(
    `line 20001: ${number} has more digits than a double holds`,
  )
  expect(() => fromJson(`[${rows}{"zz":${number},"zz":1}]`)).toThrow('line 20001')
  const ends = [']', '{}', '{}}]', '{}]]', '\v{}]', '{}]\u00a0', '{"a":"},{"', '{"a":{},{}]']
  for (const text of ['[,{}]', ...ends].map((end) => `[${rows}${end}`)) {
    let message = ''
    try {
      JSON.parse(text)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).not.toBe('')
    expect(() => fromJson(text)).toThrow(`the text is not JSON: ${message}`)
  }
  expect(() => fromJson(`[${rows}1]`)).toThrow('row 20001 must be an object like the first, not 1')
  expect(() => fromJson(`{"a":[${rows}{}]}`)).toThrow('must be an array of row objects')
  const deep = (levels: number): string => `[${rows}{"yy":${'['.repeat(levels)}${']'.repeat(levels)}}]`
  expect(fromJson(deep(62)).numRows).toBe(20_001)
  expect(() => fromJson(deep(63))).toThrow('the JSON is more than 64 levels deep, in yy')
  expect(fromJson(`\ufeff [${rows}{}]\t`).numRows).toBe(20_001)
})
