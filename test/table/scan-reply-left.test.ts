import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { scanReply } from '../../src/table/scan-reply.js'
import { allKinds } from '../source/reply/reply-bodies.js'
import { body, bytesOf } from '../source/reply/reply-text.js'

describe('what it leaves to JSON.parse and decode', () => {
  const good = body(['number'], ['[1]'])

  test.each<[string, string]>([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['half a body', good.slice(0, -1)],
    ['something after the body', `${good}x`],
    ['two bodies', good + good],
    ['a zero byte after the body', `${good}\0`],
    ['an array', `[${good}]`],
    ['a code that is no number', good.replace('200', '"200"')],
    ['no data', good.replace('200', '1002')],
    ['an error', good.replace('200', '503')],
    ['no code', good.replace('"code":200,', '')],
    ['no message', good.replace('"message":"ok",', '')],
    ['a message that is no text', good.replace('"ok"', 'null')],
    ['data that is null', '{"code":200,"message":"ok","data":null}'],
    ['data that is a list', '{"code":200,"message":"ok","data":[]}'],
    ['no data at all', '{"code":200,"message":"ok"}'],
    ['no items', '{"code":200,"message":"ok","data":{"fields":["number"]}}'],
    ['no fields', '{"code":200,"message":"ok","data":{"items":[[1]]}}'],
    ['fields after items', '{"code":200,"message":"ok","data":{"items":[[1]],"fields":["number"]}}'],
    ['items that are no list', '{"code":200,"message":"ok","data":{"fields":["number"],"items":{}}}'],
    ['items of another member first', body(['number'], [], '', '"meta":{"fields":["number"],"items":[[1]]},')],
    ['items of a member of data first', body(['number'], [], '"meta":{"fields":["number"],"items":[[1]]},')],
    ['items in a name', '{"code":200,"message":"ok","data":{"fields":["number"],"x\\"items":[[1]],"items":[[2]]}}'],
    ['items after data', '{"code":200,"message":"ok","data":{"fields":["number"]},"meta":{"items":[[1]]}}'],
    ['items escaped', good.replace('items', 'it\\u0065ms')],
    ['items deeper', '{"code":200,"message":"ok","data":{"data":{"fields":["number"],"items":[[1]]}}}'],
    ['a column of lists', body(['texts'], ['[["a"]]'])],
    ['a column of JSON', body(['json'], ['[1]'])],
    ['a row that is no list', body(['number'], ['1'])],
    ['a row that is an object', body(['number'], ['{"number":1}'])],
    ['fields that are no list', good.replace('["number"]', '"number"')],
    ['a field that is no text', good.replace('["number"]', '[1]')],
    ['code twice', good.replace('{', '{"code":200,')],
    ['code twice, once escaped', good.replace('{', '{"\\u0063ode":200,')],
    ['data twice', good.replace('{', '{"data":{},')],
    ['an unknown key twice', body(['number'], ['[1]'], '', '"x":1,"x":1,')],
    ['fields twice', body(['number'], ['[1]'], '"fields":["number"],')],
    ['items twice', good.replace('"items"', '"items":[],"items"')],
    ['total twice', body(['number'], ['[1]'], '"total":1,"total":1,')],
    ['deep nesting in beside', body(['number'], ['[1]'], `"meta":${'['.repeat(90)}${']'.repeat(90)},`)],
    ['a column that is not known', body(['number', 'more'], ['[1,2]'])],
    ['another column', body(['text'], ['["1"]'])],
    ['no column', body([], [])],
    ['a column named twice', body(['number', 'number'], ['[1,1]'])],
    ['a short row', body(['number'], ['[1]', '[]'])],
    ['a long row', body(['number'], ['[1]', '[1,2]'])],
    ['a comma too many in a row', body(['number'], ['[1,]'])],
    ['a comma too many after the rows', body(['number'], ['[1]', ''])],
    ['a comma too many after a member', good.replace('"ok",', '"ok",,')],
    ['a remark', `${good}/* */`],
    ['a blank that JSON does not know', good.replace(':', ':\u00a0')],
    ['a tab that goes down', good.replace(':', ':\v')],
    ['a line feed of a page', good.replace(':', ':\f')],
  ])('%s', (_, text) => {
    expect(scanReply(allKinds, bytesOf(text), ['number'])).toBeUndefined()
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
    ['text', ['null', '1', '"a', '"\t"', '"\n"', '"\\x"', '"\\u12"', '"\\u12G4"']],
    ['label', ['"\\', '"\0"', '["a"]']],
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
  test.each(cases.flatMap(([name, cells]) => cells.map((cell): [string, string] => [name, cell])))(
    '%s: %s',
    (name, cell) => {
      expect(scanReply(allKinds, bytesOf(body([name], [`[${cell}]`])), [name])).toBeUndefined()
    },
  )

  test.each(['80', 'c0af', 'eda080', 'f4908080', 'e4b8', 'ff'])('bytes that are no UTF-8: %s', (hex) => {
    const bytes = Buffer.from(
      body(['text'], ['["@@"]']).replace('@@', Buffer.from(hex, 'hex').toString('latin1')),
      'latin1',
    )
    expect(scanReply(allKinds, bytes, ['text'])).toBeUndefined()
  })

  test('a dataset that answers with one record, and no columns expected', () => {
    const share = datasetOf('file_download')
    const names = Object.keys(share.columns)
    expect(scanReply(share, bytesOf(body(names, [])), names)).toBeUndefined()
    expect(scanReply(allKinds, bytesOf(body([], ['[]'])), [])).toBeUndefined()
  })

  test('every beginning of a body', () => {
    const text = bytesOf(
      body(['number', 'label', 'boolean', 'text'], ['[1.5e3,"a\\n",true,"x"]', ' [0,"b",false,""]'], '"total":2,'),
    )
    const names = ['number', 'label', 'boolean', 'text']
    expect(scanReply(allKinds, text, names)).toBeDefined()
    for (let end = 0; end < text.length; end++)
      expect(scanReply(allKinds, text.subarray(0, end), names), `${end} bytes`).toBeUndefined()
  })

  test('any bytes, and none that are left', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => scanReply(allKinds, bytes, ['number']) === undefined))
    const gone = bytesOf(good)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    expect(scanReply(allKinds, gone, ['number'])).toBeUndefined()
  })
})
