import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsOf } from '../../../src/frame/read-columns.js'
import { fromCsv } from '../../../src/frame/table/csv.js'

/* What bytes are read as, against csv-parse, Number and JSON.parse. */

type Cell = string | null

function cells<T>(csv: string, cast: (value: string, isQuoted: boolean) => T): T[][] {
  return parse(csv, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    cast: (value, { quoting }) => cast(value, quoting),
  }) as unknown as T[][]
}

/** Rows by csv-parse; null for an empty cell without quotes. */
const cut = (csv: string): Cell[][] => cells(csv, (value, isQuoted) => (value === '' && !isQuoted ? null : value))

const bare = (text: string) => plain(/^="(([^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"'), text)
const plain = (formula: string | undefined, text: string) =>
  formula ?? (/^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text)
const isNumeral = (text: string) =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]\d+)?$/.test(text) && !/^-?\d{16,}$/.test(text) && Number.isFinite(Number(text))
const isDay = (text: string) => {
  const [, year = '', month = '', day = ''] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return year > '0000' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`)
}

/** A word for a missing number. */
const isNothing = (text: string) => ['', '-', '--', 'nan', 'null', 'n/a'].includes(text.trim().toLowerCase())

/** What the cells of a column without a known name are; one in quotes is a text. */
function expected(cells: readonly Cell[], isQuoted: boolean): { type: string; cells: unknown[] } {
  const texts = cells.filter((cell) => cell !== null)
  const each = (to: (text: string) => unknown) => cells.map((cell) => (cell === null ? null : to(cell)))
  const text = { type: 'Dictionary<Int32, Utf8>', cells: each(bare) }
  if (texts.length === 0 || isQuoted || texts.every(isDay)) return text
  if (texts.every((cell) => cell === 'true' || cell === 'false'))
    return { type: 'Bool', cells: each((cell) => cell === 'true') }
  const present = texts.filter((cell) => !isNothing(cell))
  const [first = ''] = present
  if (first === '' || (isDay(first) && present.length < texts.length)) return text
  const number = (cell: string) => (isNothing(cell) ? null : Number(cell))
  return present.every(isNumeral) ? { type: 'Float64', cells: each(number) } : text
}

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 })
const decimal = fc
  .tuple(
    fc.constantFrom('', '-', "'-"),
    fc.oneof(fc.nat(999).map(String), digits),
    fc.option(digits),
    fc.constantFrom('', '', '', 'e-3', 'E+22', 'e5'),
  )
  .map(([sign, whole, decimals, power]) => `${sign}${whole}${decimals === null ? '' : `.${decimals}`}${power}`)
const odd = fc.constantFrom(
  '',
  ' ',
  '0',
  '-0',
  '-0.0',
  '00',
  '1.',
  '.5',
  '+1',
  '=1',
  "'=1",
  "''=1",
  "'",
  "'a",
  '＝1',
  "'＝1",
  'NaN',
  '--',
  ' - ',
  'null',
  '="007"',
  '1e999',
  'TRUE',
  '\ufeff',
  '中',
  '😀',
  'a"b',
  'a,b',
  'a\nb',
  'a\r\nb',
  '\r',
  '\u0000',
)
const word = fc.string({ unit: fc.constantFrom('a', 'b', '中', '"', ',', '\n', '1', "'", '='), maxLength: 4 })
const day = fc.constantFrom('20260701', '20260702', '20240229', '20230229', '20261301', '99991231', '00000101')
const flag = fc.constantFrom('true', 'false')

/** Cells as a column has them, most of one sort, spelled with quotes where they need them or happen to have them. */
const column = fc
  .tuple(
    fc.constantFrom<fc.Arbitrary<string>>(
      decimal,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      word,
      day,
      flag,
    ),
    fc.constantFrom(0, 0, 1, 9),
  )
  .chain(([sort, others]) =>
    fc.tuple(
      fc.array(
        fc.tuple(
          fc.oneof({ arbitrary: sort, weight: 60 }, { arbitrary: odd, weight: others }),
          fc.boolean(),
          fc.nat(5),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      fc.tuple(odd, fc.nat(9000)),
    ),
  )
  .map(([cells, [strange, place]]) => ({
    strange: spell(strange, false),
    place,
    cells: cells.map(([text, isQuoted, dice]) => (dice === 0 ? '' : spell(text, isQuoted && dice < 3))),
  }))

function spell(text: string, isQuoted: boolean): string {
  return isQuoted || text === '' || /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A file of columns whose cells come again and again; in a long one a cell far down is strange. */
const file = fc
  .tuple(
    fc.array(column, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\ufeff'),
    fc.constantFrom(0, 5, 20, 20, 20, 20, 20, 20, 6000),
    fc.boolean(),
  )
  .map(([columns, end, mark, length, isEnded]) => {
    const names = columns.map((_, at) => `zz${at}`)
    const rows = Array.from({ length }, (_, row) =>
      columns.map(({ cells, strange, place }) => (row === place ? strange : cells[row % cells.length])),
    )
    const lines = [names, ...rows].map((cells) => cells.join(','))
    return mark + lines.join(end) + (isEnded || columns.length === 1 ? end : '')
  })

test('any file: cells, kinds and missing cells are those of csv-parse, Number and the rules, from text and from bytes', () => {
  fc.assert(
    fc.property(file, (csv) => {
      // csv-parse can not tell a blank line from a missing cell where there is one column.
      fc.pre(!/^\ufeff?zz0[\r\n]/.test(csv) || !/[\r\n][\r\n]|^$/.test(csv.replaceAll('\r\n', '\n')))
      const [names = [], ...rows] = cut(csv)
      const quotes = cells(csv, (_, isQuoted) => isQuoted)
      const table = fromCsv(csv)
      expect(rowsOf(fromCsv(Buffer.from(csv)))).toEqual(rowsOf(table))
      names.forEach((name, at) => {
        const own = {
          type: String(table.schema.fields[at]?.type),
          cells: rowsOf(table.select([name as string])).map(([cell]) => cell),
        }
        const isQuoted = quotes.some((row) => row[at] === true)
        expect(own).toEqual(
          expected(
            rows.map((row) => row[at] as Cell),
            isQuoted,
          ),
        )
      })
    }),
    { numRuns: 30 },
  )
})

test('decimals are rounded as Number rounds them, and stay signed', () => {
  const short = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.nat(24)).map(([mantissa, decimals]) => {
    const text = String(mantissa < 0n ? -mantissa : mantissa).padStart(decimals + 1, '0')
    const point = text.length - decimals
    return `${mantissa < 0n ? '-' : ''}${text.slice(0, point)}${decimals > 0 ? `.${text.slice(point)}` : ''}`
  })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(short, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String).filter(isNumeral)), {
        minLength: 1,
        maxLength: 500,
      }),
      (texts) => {
        const table = fromCsv(`zz\n${texts.join('\n')}\n`, { kinds: { zz: 'number' } })
        const own = rowsOf(table).map(([cell]) => cell)
        texts.forEach((text, at) => {
          if (!Object.is(own[at], Number(text))) throw new Error(`${text} is read as ${own[at]}`)
        })
      },
    ),
    { numRuns: 30 },
  )
})

test('lines of errors count line breaks in quotes and of every sort', () => {
  const rows = Array.from({ length: 30_000 }, (_, row) => (row % 3 === 0 ? '"a\r\nb"' : 'a'))
  for (const end of ['\n', '\r\n', '\r']) {
    const csv = (last: string) => `zz,y${end}${rows.map((cell) => `${cell},1${end}`).join('')}${last}`
    const line = 1 + 30_000 + 10_000 + 1
    expect(() => fromCsv(csv('"x\ny",z'), { kinds: { y: 'number' } })).toThrow(`line ${line + 1}, column 'y'`)
    expect(() => fromCsv(csv('"x\ny",1,2'))).toThrow(`line ${line + 1} has 3 cells`)
    expect(() => fromCsv(csv('"x'))).toThrow(`line ${line} opens a quote`)
    expect(() => fromCsv(csv('"x\n"y'))).toThrow(`line ${line + 1} has text behind`)
    expect(() => fromCsv(csv('x"'))).toThrow(`line ${line} has a quote`)
  }
})

test('bytes that are no UTF-8 are refused, wherever they stand', () => {
  const bytes = Buffer.concat([
    Buffer.from('zz\n'),
    Buffer.from('中\n'.repeat(5000)),
    Buffer.from([0xb4, 0xfa]),
    Buffer.from('\n'),
  ])
  expect(() => fromCsv(bytes)).toThrow(/not UTF-8.*gb18030/)
  expect(rowsOf(fromCsv(bytes.subarray(0, 7)))).toEqual([['中']])
})
