import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasets } from '../../../../src/contract/catalogue.js'
import type { Column, Kind } from '../../../../src/contract/column.js'
import type { Dataset } from '../../../../src/contract/dataset.js'
import { readReply } from '../../../../src/data/source/reply/read-reply.js'
import type { ReplyChunk } from '../../../../src/data/source/reply/reply-chunk.js'

const kinds: readonly Kind[] = [
  ...(['code', 'date', 'minute', 'clock', 'label', 'moment', 'id', 'text'] as const),
  ...(['number', 'integer', 'long', 'boolean', 'texts', 'json'] as const),
]

/** No operation of the service: a column of each kind, with and without nulls. */
const allKinds: Dataset = {
  ...datasets[0],
  name: 'all_kinds',
  shape: 'rows',
  key: [],
  columns: Object.fromEntries(
    kinds.flatMap((kind): [string, Column][] => [
      [kind, { kind, meaning: kind }],
      [`${kind}_or_null`, { kind, nullable: true, meaning: kind }],
    ]),
  ),
}

function read(body: string | Uint8Array, expected: readonly string[]): ReplyChunk {
  const bytes = Buffer.from(body)
  const answer = { status: 200, contentType: '', retryAfter: undefined, bytes, received: 0, node: 'n', headers: {} }
  const request = { dataset: 'all_kinds', params: {}, fields: expected }
  return readReply(answer, { dataset: allKinds, expected, request, key: 'secret' })
}

/** What a body is refused with; `taken` where it is not refused. */
function verdict(body: string | Uint8Array, expected: readonly string[]): string {
  try {
    read(body, expected)
    return 'taken'
  } catch (error) {
    return String((error as { readonly code?: unknown }).code ?? error)
  }
}

const body = (fields: readonly string[], rows: readonly string[], data = '', envelope = ''): string =>
  `{"code":200,"message":"ok",${envelope}"data":{${data}"fields":${JSON.stringify(fields)},"items":[${rows.join()}]}}`
const good = body(['number'], ['[1]'])

test.each<[what: string, code: string, text: string]>([
  ['blanks', 'ENVELOPE', ' \n'],
  ['half a body', 'ENVELOPE', good.slice(0, -1)],
  ['something after the body', 'CUT_OFF', `${good}x`],
  ['two bodies', 'ENVELOPE', good + good],
  ['a code that is no number', 'ENVELOPE', good.replace('200', '"200"')],
  ['no data, and rows', 'ENVELOPE', good.replace('200', '1002')],
  ['no code', 'ENVELOPE', good.replace('"code":200,', '')],
  ['a message that is no text', 'ENVELOPE', good.replace('"ok"', 'null')],
  ['data that is a list', 'ENVELOPE', '{"code":200,"message":"ok","data":[]}'],
  ['no fields', 'ENVELOPE', '{"code":200,"message":"ok","data":{"items":[[1]]}}'],
  ['fields after items', 'taken', '{"code":200,"message":"ok","data":{"items":[[1]],"fields":["number"]}}'],
  ['a field that is no text', 'ENVELOPE', good.replace('["number"]', '[1]')],
  ['a row that is an object', 'ENVELOPE', body(['number'], ['{"number":1}'])],
  ['a long row', 'ENVELOPE', body(['number'], ['[1]', '[1,2]'])],
  ['a member twice, once escaped', 'ENVELOPE', good.replace('{', '{"\\u0063ode":200,')],
  ['a member twice where nobody looks', 'ENVELOPE', body(['number'], ['[1]'], '"meta":{"a":[{"b":1,"b":1}]},')],
  ['one name in two objects', 'taken', body(['number'], ['[1]'], '"meta":{"a":{"a":1},"b":[{"a":1},{"a":2}]},')],
  ['members in a text', 'taken', body(['number'], ['[1]'], '"meta":"{\\"a\\":1,\\"a\\":2}",')],
  ['__proto__', 'taken', body(['number'], ['[1]'], '"meta":{"__proto__":{"a":1}},', '"__proto__":1,')],
  ['65 levels', 'ENVELOPE', body(['number'], ['[1]'], `"meta":${'['.repeat(63)}${']'.repeat(63)},`)],
  ['64 levels', 'taken', body(['number'], ['[1]'], `"meta":${'['.repeat(62)}${']'.repeat(62)},`)],
  ['a column that is not known', 'taken', body(['number', 'more'], ['[1,2]'])],
  ['another column', 'CONTRACT', body(['text'], ['["1"]'])],
  ['a column named twice', 'CONTRACT', body(['number', 'number'], ['[1,1]'])],
  ['no column and no row', 'taken', body([], [])],
])('%s: %s', (_, code, text) => expect(verdict(text, ['number'])).toBe(code))

const refused: Readonly<Record<string, string>> = {
  number: '"1" true null [] {} 1e400',
  integer: '2147483648 1.5 1e10 null',
  long: '9007199254740992 0.5 null',
  boolean: '1 null "true"',
  code: '"" "\\u0020a" null 600000',
  date: '"20240230" "2024-01-01" 20240101',
  minute: '"2400" "09:30"',
  clock: '"24:00:00" "9:30:00"',
  moment: '"soon" "" null',
  text: 'null 1',
  texts: 'null ["a",1] ["a",null] "a"',
  json: 'null',
}
test.each(Object.entries(refused))('cells of the kind %s that break the contract: %s', (kind, cells) => {
  for (const cell of cells.split(' ')) expect(verdict(body([kind], [`[${cell}]`]), [kind])).toBe('CONTRACT')
})

test('bytes that are no UTF-8, any bytes at all, and every beginning of a body', () => {
  for (const hex of ['80', 'c0af', 'eda080', 'f4908080', 'e4b8', 'ff']) {
    const [head, tail] = body(['text'], ['["@"]']).split('@') as [string, string]
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from(hex, 'hex'), Buffer.from(tail)])
    expect(verdict(bytes, ['text'])).toBe('ENVELOPE')
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => verdict(bytes, ['number']) === 'ENVELOPE'))
  const names = ['number', 'label', 'texts', 'json']
  const text = Buffer.from(body(names, ['[1.5e3,"a\\n",["x"],{"a":[1]}]', ' [0,"b",[],true]'], '"total":2,'))
  expect(verdict(text, names)).toBe('taken')
  for (let end = 0; end < text.length; end++)
    expect(verdict(text.subarray(0, end), names)).toMatch(/^(ENVELOPE|CUT_OFF)$/)
})

test('words in the order in which they first stand, whole numbers spelled as decimals, missing cells', () => {
  const column = (name: string, cells: readonly string[]) =>
    read(
      body(
        [name],
        cells.map((cell) => `[${cell}]`),
      ),
      [name],
    ).columns.columns.get(name)
  expect(column('label_or_null', ['"中文"', '"a/b"', '"\\u4e2d\\u6587"', 'null', '"a\\/b"', '""'])).toEqual({
    type: 'dictionary',
    data: Int32Array.of(0, 1, 0, -1, 1, 2),
    dictionary: ['中文', 'a/b', ''],
  })
  expect(column('integer', ['1.0', '1e2', '-0', '2147483647', '20E-1'])).toEqual({
    type: 'int',
    data: Int32Array.of(1, 100, 0, 2147483647, 2),
    valid: null,
  })
  expect(column('number_or_null', ['0.1', 'null', '5e-324'])).toMatchObject({ valid: Uint8Array.of(1, 0, 1) })
})
