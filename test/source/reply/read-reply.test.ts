import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellOf } from '../../../src/table/values.js'
import { readBody, verdictOf } from './read-body.js'
import { allKinds } from './reply-bodies.js'
import { body, bytesOf } from './reply-text.js'
import { hardNumbers } from './spelling.js'

const names = ['number']

describe('what is refused, and with which code', () => {
  const good = body(names, ['[1]'])

  test.each<[string, string, string]>([
    ['nothing', 'ENVELOPE', ''],
    ['blanks', 'ENVELOPE', ' \n'],
    ['half a body', 'ENVELOPE', good.slice(0, -1)],
    ['something after the body', 'CUT_OFF', `${good}x`],
    ['two bodies', 'ENVELOPE', good + good],
    ['a zero byte after the body', 'CUT_OFF', `${good}\0`],
    ['an array', 'ENVELOPE', `[${good}]`],
    ['a code that is no number', 'ENVELOPE', good.replace('200', '"200"')],
    ['no data', 'ENVELOPE', good.replace('200', '1002')],
    ['an error', 'UNAVAILABLE', good.replace('200', '503')],
    ['no code', 'ENVELOPE', good.replace('"code":200,', '')],
    ['no message', 'ENVELOPE', good.replace('"message":"ok",', '')],
    ['a message that is no text', 'ENVELOPE', good.replace('"ok"', 'null')],
    ['data that is null', 'ENVELOPE', '{"code":200,"message":"ok","data":null}'],
    ['data that is a list', 'ENVELOPE', '{"code":200,"message":"ok","data":[]}'],
    ['no data at all', 'ENVELOPE', '{"code":200,"message":"ok"}'],
    ['no items', 'ENVELOPE', '{"code":200,"message":"ok","data":{"fields":["number"]}}'],
    ['no fields', 'ENVELOPE', '{"code":200,"message":"ok","data":{"items":[[1]]}}'],
    ['fields after items', 'taken', '{"code":200,"message":"ok","data":{"items":[[1]],"fields":["number"]}}'],
    ['items that are no list', 'ENVELOPE', '{"code":200,"message":"ok","data":{"fields":["number"],"items":{}}}'],
    ['a row that is no list', 'ENVELOPE', body(names, ['1'])],
    ['a row that is an object', 'ENVELOPE', body(names, ['{"number":1}'])],
    ['fields that are no list', 'ENVELOPE', good.replace('["number"]', '"number"')],
    ['a field that is no text', 'ENVELOPE', good.replace('["number"]', '[1]')],
    ['code twice', 'ENVELOPE', good.replace('{', '{"code":200,')],
    ['code twice, once escaped', 'ENVELOPE', good.replace('{', '{"\\u0063ode":200,')],
    ['data twice', 'ENVELOPE', good.replace('{', '{"data":{},')],
    ['an unknown key twice', 'ENVELOPE', body(names, ['[1]'], '', '"x":1,"x":1,')],
    ['fields twice', 'ENVELOPE', body(names, ['[1]'], '"fields":["number"],')],
    ['items twice', 'ENVELOPE', good.replace('"items"', '"items":[],"items"')],
    ['total twice', 'ENVELOPE', body(names, ['[1]'], '"total":1,"total":1,')],
    ['__proto__ in the envelope', 'taken', body(names, ['[1]'], '', '"__proto__":1,')],
    ['__proto__ in data', 'taken', body(names, ['[1]'], '"__proto__":{},')],
    ['__proto__ escaped', 'taken', body(names, ['[1]'], '"__pr\\u006fto__":{},')],
    ['__proto__ deeper', 'taken', body(names, ['[1]'], '"meta":{"a":[{"__proto__":1}]},')],
    ['half a pair in beside', 'taken', body(names, ['[1]'], '"meta":"\\ud800",')],
    ['deep nesting in beside', 'ENVELOPE', body(names, ['[1]'], `"meta":${'['.repeat(90)}${']'.repeat(90)},`)],
    ['a column that is not known', 'taken', body(['number', 'more'], ['[1,2]'])],
    ['another column', 'CONTRACT', body(['text'], ['["1"]'])],
    ['no column', 'taken', body([], [])],
    ['a column named twice', 'CONTRACT', body(['number', 'number'], ['[1,1]'])],
    ['a short row', 'ENVELOPE', body(names, ['[1]', '[]'])],
    ['a long row', 'ENVELOPE', body(names, ['[1]', '[1,2]'])],
    ['a comma too many in a row', 'ENVELOPE', body(names, ['[1,]'])],
    ['a comma too many after the rows', 'ENVELOPE', body(names, ['[1]', ''])],
    ['a comma too many after a member', 'ENVELOPE', good.replace('"ok",', '"ok",,')],
    ['a remark', 'CUT_OFF', `${good}/* */`],
    ['a blank that JSON does not know', 'ENVELOPE', good.replace(':', ':\u00a0')],
    ['a tab that goes down', 'ENVELOPE', good.replace(':', ':\v')],
    ['a line feed of a page', 'ENVELOPE', good.replace(':', ':\f')],
  ])('%s: %s', (_, code, text) => {
    expect(verdictOf(allKinds, bytesOf(text), names)).toBe(code)
  })

  const cases: [string, string[]][] = [
    [
      'number',
      ['01', '-01', '00', '1.', '.5', '-', '+1', '1e', '1e+', '0x1', '1_0', 'NaN', 'Infinity', '1e400', '-1e309'],
    ],
    ['number', ['"1"', 'true', 'null', '[]', '{}', '', '1 2', '1.5.5', '1e5e5', '--1', '1-', '１']],
    ['number_or_null', ['nul', 'nulll', 'NULL', 'undefined', '1e999', '"null"']],
    ['integer', ['2147483648', '-2147483649', '1.5', '1e10', 'null', '1e-1']],
    ['long', ['9007199254740992', '-9007199254740992', '0.5', '1e16', 'null']],
    ['boolean', ['1', 'null', 'True', 'tru', '"true"']],
    ['code', ['""', '" a"', '"a "', 'null', '1', '600000', "'a'"]],
    ['date', ['"20240230"', '"2024-01-01"', '"00000101"', '20240101']],
    ['minute', ['"2400"', '"09:30"', '"930"']],
    ['clock', ['"24:00:00"', '"9:30:00"', '"09:30:00."']],
    ['side', ['"hold"', '""', 'null']],
    ['moment', ['"2024-02-30T10:00:00"', '"soon"', '""', 'null']],
    [
      'text',
      [
        'null',
        '1',
        '"a',
        '"\t"',
        '"\n"',
        '"\\x"',
        '"\\u12"',
        '"\\u12G4"',
        '"\\ud800"',
        '"\\udc00"',
        '"\\ud800\\u0041"',
      ],
    ],
    ['label', ['"\\ud83d"', '"\\ude00\\ud83d"', '"\\ud83d\\ud83d"', '"\\', '"\0"', '["a"]']],
    ['texts', ['null', '["a",1]', '["a",null]', '"a"', '{}', '["a",]', '[,]', '["a" "b"]', '["\\ud800"]', '[["a"]]']],
    [
      'json',
      [
        'null',
        '[1',
        '{"a":1,}',
        '{a:1}',
        '{"a"}',
        '{"__proto__":1}',
        '"\\ud800"',
        '[01]',
        'tru',
        '1.',
        `${'['.repeat(90)}${']'.repeat(90)}`,
      ],
    ],
  ]
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  // Half of a pair is text to JSON; what is nested deeper than any answer is not parsed.
  const isTaken = (name: string, cell: string): boolean =>
    cell === '{"__proto__":1}' || (/^(text|label|json|texts)$/.test(name) && isJson(cell) && /\\u[dD]/.test(cell))
  test.each(cases.flatMap(([name, cells]) => cells.map((cell): [string, string] => [name, cell])))(
    '%s: %s',
    (name, cell) => {
      const code = isTaken(name, cell) ? 'taken' : isJson(cell) && cell.length < 100 ? 'CONTRACT' : 'ENVELOPE'
      expect(verdictOf(allKinds, bytesOf(body([name], [`[${cell}]`])), [name])).toBe(
        cell === '1e400' || cell === '-1e309' || cell === '1e999' ? 'CONTRACT' : code,
      )
    },
  )

  test.each(['80', 'c0af', 'eda080', 'f4908080', 'e4b8', 'ff'])('bytes that are no UTF-8: %s', (hex) => {
    const bytes = Buffer.from(
      body(['text'], ['["@@"]']).replace('@@', Buffer.from(hex, 'hex').toString('latin1')),
      'latin1',
    )
    expect(verdictOf(allKinds, bytes, ['text'])).toBe('ENVELOPE')
  })

  test('every beginning of a body, and any bytes', () => {
    const all = ['number', 'label', 'texts', 'json']
    const text = bytesOf(body(all, ['[1.5e3,"a\\n",["x"],{"a":[1]}]', ' [0,"b",[],true]'], '"total":2,'))
    expect(verdictOf(allKinds, text, all)).toBe('taken')
    for (let end = 0; end < text.length; end++)
      expect(verdictOf(allKinds, text.subarray(0, end), all), `${end} bytes`).toMatch(/^(ENVELOPE|CUT_OFF)$/)
    fc.assert(fc.property(fc.uint8Array(), (bytes) => verdictOf(allKinds, bytes, names) === 'ENVELOPE'))
  })
})

describe('what is read', () => {
  const column = (name: string, cells: readonly string[]) =>
    readBody(
      allKinds,
      bytesOf(
        body(
          [name],
          cells.map((cell) => `[${cell}]`),
        ),
      ),
      [name],
    ).columns.columns.get(name)

  test('words under every spelling, in the order in which they first stand', () => {
    const spelled = [
      '"中文"',
      '"a/b"',
      '"\\u4e2d\\u6587"',
      'null',
      '"a\\/b"',
      '"\\u0061/b"',
      '"😀"',
      '"\\ud83d\\uDE00"',
      '""',
    ]
    expect(column('label_or_null', spelled)).toEqual({
      type: 'dictionary',
      data: Int32Array.of(0, 1, 0, -1, 1, 1, 2, 2, 3),
      dictionary: ['中文', 'a/b', '😀', ''],
    })
  })

  test('a mark of byte order within a text, not before the body', () => {
    expect(column('text', ['"\uFEFFa"'])).toEqual({ type: 'string', data: ['\uFEFFa'] })
    expect(verdictOf(allKinds, bytesOf(`\uFEFF${body(['text'], ['["a"]'])}`), ['text'])).toBe('ENVELOPE')
  })

  test.each([...hardNumbers])('%s is read as JSON.parse reads it', (text) => {
    expect(column('number', [text])?.data).toEqual(Float64Array.of(JSON.parse(text)))
  })

  test('whole numbers may be spelled as decimals, and end at the edge of their kind', () => {
    expect(column('integer', ['1.0', '1e2', '-0', '2147483647', '-2147483648', '20E-1'])).toEqual({
      type: 'int',
      data: Int32Array.of(1, 100, 0, 2147483647, -2147483648, 2),
      valid: null,
    })
    column('long', ['9007199254740991', '-9007199254740991', '-0', '9.007199254740991e15'])
  })

  test('bytes that lie within others, and shared ones', () => {
    const text = bytesOf(body(names, ['[1.5]']))
    const wide = new Uint8Array(text.length + 14).fill(0x39)
    wide.set(text, 7)
    const shared = new Uint8Array(new SharedArrayBuffer(text.length))
    shared.set(text)
    for (const bytes of [wide.subarray(7, 7 + text.length), Buffer.from(text), shared])
      expect(readBody(allKinds, bytes, names).columns.columns.get('number')?.data).toEqual(Float64Array.of(1.5))
  })

  test('columns whose missing cells come late', () => {
    const kinds = ['number', 'integer', 'boolean', 'label', 'text', 'texts', 'json'].map((kind) => `${kind}_or_null`)
    const rows = Array.from({ length: 4000 }, (_, row) => {
      const cells = [row / 7, row, row % 2 === 0, `w${row % 1500}`, `text ${row % 5}`, [`a${row}`], { row }]
      return cells.map((cell, i) => (row > 3600 && (row + i) % 3 === 0 ? null : cell))
    })
    const text = body(
      kinds,
      rows.map((row) => JSON.stringify(row)),
    )
    const { columns } = readBody(allKinds, bytesOf(text), kinds)
    const json = (cell: unknown, at: number): unknown => (at === 6 && cell !== null ? JSON.stringify(cell) : cell)
    const all = [...columns.columns.values()]
    for (let row = 0; row < rows.length; row++)
      expect(all.map((values) => cellOf(values, row))).toEqual(rows[row]?.map(json))
  })
})
