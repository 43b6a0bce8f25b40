import { describe, expect, test } from 'vitest'
import type { Dataset } from '../../src/contract/dataset.js'
import { type ScannedReply, scanReply } from '../../src/table/scan-reply.js'
import { Chance } from '../source/reply/random.js'
import { allKinds, pools, rowDatasets } from '../source/reply/reply-bodies.js'
import { body, bytesOf } from '../source/reply/reply-text.js'
import { hardNumbers } from '../source/reply/spelling.js'
import { difference, parsedReply } from './parsed-reply.js'

/** What the scanner gives, having seen that it is what JSON.parse and `decode` give. */
function scanned(text: string, expected: readonly string[], dataset: Dataset = allKinds): ScannedReply {
  const bytes = bytesOf(text)
  const found = scanReply(dataset, bytes, expected)
  const reference = parsedReply(dataset, bytes, expected)
  if (!found || !reference) throw new Error(`${found ? 'JSON.parse or decode' : 'the scanner'} did not take it`)
  expect(difference(found, reference)).toBeUndefined()
  return found
}

describe('what it takes', () => {
  test.each(rowDatasets.map((dataset) => [dataset.name, dataset] as const))('a plain reply of %s', (name, dataset) => {
    const pool = pools(3).find((one) => one.dataset.name === name)
    const all = Object.entries(dataset.columns)
    const fields = all.flatMap(([field, { kind }]) => (kind === 'json' || kind === 'texts' ? [] : field))
    const places = fields.map((field) => all.findIndex(([one]) => one === field))
    const items = pool?.rows.map((row) => places.map((place) => row[place])) ?? []
    const beside = dataset.limit.kind === 'page' ? { limit: 100, offset: 0, total: items.length } : {}
    const text = JSON.stringify({ code: 200, message: 'success', data: { ...beside, fields, items } })
    expect(scanned(text, fields, dataset)).toMatchObject({ beside, columns: { length: items.length } })
  })

  test.each<[string, string]>([
    ['an envelope with __proto__', body(['number'], ['[1]'], '', '"__proto__":1,')],
    ['data with __proto__', body(['number'], ['[1]'], '"__proto__":{},')],
    ['__proto__ escaped', body(['number'], ['[1]'], '"__pr\\u006fto__":{},')],
    ['__proto__ deeper', body(['number'], ['[1]'], '"meta":{"a":[{"__proto__":1}]},')],
    ['half a pair beside the rows', body(['number'], ['[1]'], '"meta":"\\ud800",')],
    ['blanks, which may hide the rows', body(['number'], ['[1]'], '"meta":"       ",')],
    ['groups beside the rows', body(['number'], ['[1]'], '"groups":[1],')],
  ])('%s', (_, text) => {
    scanned(text, ['number'])
  })

  test.each(['"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\ud83d\\ud83d"'])(
    'half a pair in a text: %s',
    (cell) => {
      scanned(body(['text', 'label'], [`[${cell},${cell}]`]), ['text', 'label'])
    },
  )

  test('an answer without rows', () => {
    expect(scanned(body(['number', 'text'], []), ['text', 'number']).columns.length).toBe(0)
    expect(scanned('{"code":200,"message":"","data":{"fields":["id"],"items":[ ]}}', ['id']).columns.length).toBe(0)
  })

  test('words under every spelling, in the order in which they first stand', () => {
    const cells = [
      '"中文"',
      '"a/b"',
      '"\\u4e2d\\u6587"',
      'null',
      '"a\\/b"',
      '"\\u0061/b"',
      '"😀"',
      '"\\ud83d\\uDE00"',
      '""',
      '"a/b"',
    ]
    const { columns } = scanned(
      body(
        ['label_or_null'],
        cells.map((cell) => `[${cell}]`),
      ),
      ['label_or_null'],
    )
    expect(columns.columns.get('label_or_null')).toEqual({
      type: 'dictionary',
      data: Int32Array.of(0, 1, 0, -1, 1, 1, 2, 2, 3, 1),
      dictionary: ['中文', 'a/b', '😀', ''],
    })
  })

  test('every letter, as it stands and escaped, alone and beside another', () => {
    const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(
      (point) => (point < 0xd800 || point > 0xdfff) && (point < 0x10000 || point % 257 === 0),
    )
    const rows = points.map((point) => {
      const letter = String.fromCodePoint(point)
      const units = Array.from({ length: letter.length }, (_, i) => letter.charCodeAt(i).toString(16).padStart(4, '0'))
      const escaped = units.map((unit) => `\\u${unit}`).join('')
      return `[${JSON.stringify(letter)},"${escaped}",${JSON.stringify(`é${letter}`)}]`
    })
    const names = ['text', 'label', 'id']
    scanned(body(names, rows), names)
  })

  test('every short escape', () => {
    const cells = ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'].flatMap((short) => [short, `中${short}é`])
    const names = ['text', 'label', 'id']
    const rows = cells.map((cell) => `["${cell}","${cell}","${cell}"]`)
    scanned(body(names, rows), names)
  })

  test('a mark of byte order within a text, not before the body', () => {
    const { columns } = scanned(body(['text'], ['["\uFEFFa"]']), ['text'])
    expect(columns.columns.get('text')).toEqual({ type: 'string', data: ['\uFEFFa'] })
    expect(scanReply(allKinds, bytesOf(`\uFEFF${body(['text'], ['["a"]'])}`), ['text'])).toBeUndefined()
  })

  test('bytes that lie within others', () => {
    const text = bytesOf(body(['number'], ['[1.5]']))
    const wide = new Uint8Array(text.length + 14).fill(0x39)
    wide.set(text, 7)
    const shared = new Uint8Array(new SharedArrayBuffer(text.length))
    shared.set(text)
    for (const bytes of [wide.subarray(7, 7 + text.length), Buffer.from(text), shared])
      expect(scanReply(allKinds, bytes, ['number'])?.columns.columns.get('number')).toMatchObject({
        data: Float64Array.of(1.5),
      })
  })
})

describe('numbers', () => {
  const column = (cells: readonly string[], name = 'number') =>
    scanned(
      body(
        [name],
        cells.map((cell) => `[${cell}]`),
      ),
      [name],
    ).columns.columns.get(name)

  test.each([...hardNumbers])('%s is read as JSON.parse reads it', (text) => {
    const [plain, negative] = (column(text.startsWith('-') ? [text] : [text, `-${text}`])?.data ?? []) as Float64Array
    expect(plain).toBe(JSON.parse(text))
    if (negative !== undefined) expect(negative).toBe(-JSON.parse(text))
  })

  test('decimals of any length, with any point and power, are read as JSON.parse reads them', () => {
    const chance = new Chance(11)
    const digits = (count: number) => Array.from({ length: count }, () => chance.below(10)).join('')
    const whole = (count: number) => (count === 0 ? '0' : `${1 + chance.below(9)}${digits(count - 1)}`)
    const cells = Array.from({ length: 60_000 }, () => {
      const fraction = chance.once(4) ? '' : `.${digits(1 + chance.below(chance.once(5) ? 24 : 6))}`
      const power = chance.once(4) ? `${chance.of('eE')}${chance.of(['', '+', '-'])}${chance.below(30)}` : ''
      return `${chance.once(4) ? '-' : ''}${whole(chance.below(chance.once(5) ? 20 : 9))}${fraction}${power}`
    })
    column(cells)
  })

  test('halves between two doubles, and their neighbours, go where JSON.parse sends them', () => {
    const chance = new Chance(12)
    const cells = Array.from({ length: 4_000 }, () => {
      const odd = BigInt(chance.below(2 ** 30)) * 8_388_608n + 9_007_199_254_740_993n
      return [
        `${odd * 2n - 1n}`,
        `${odd * 2n}.0`,
        `${odd * 2n}.${'0'.repeat(20)}1`,
        `${odd}.5`,
        `${odd}e-3`,
        `${odd}e3`,
      ]
    }).flat()
    column(cells)
  })

  test('whole numbers may be spelled as decimals, and end at the edge of their kind', () => {
    expect(column(['1.0', '1e2', '-0', '2147483647', '-2147483648', '20E-1'], 'integer')).toEqual({
      type: 'int',
      data: Int32Array.of(1, 100, 0, 2147483647, -2147483648, 2),
      valid: null,
    })
    column(['9007199254740991', '-9007199254740991', '-0', '9.007199254740991e15'], 'long')
  })
})

describe('many rows', () => {
  test.each([1, 63, 64, 65, 1023, 1024, 1025, 4000])(
    '%i rows, the missing ones late, in no more memory than they need',
    (count) => {
      const rows = Array.from({ length: count }, (_, row) => {
        const late = row > count * 0.9
        const cells = [row / 7, row, row % 2 === 0, `w${row % 1500}`, `text ${row % 5}`]
        return JSON.stringify(cells.map((cell, i) => (late && (row + i) % 3 === 0 ? null : cell)))
      })
      const names = ['number', 'integer', 'boolean', 'label', 'text'].map((kind) => `${kind}_or_null`)
      expect(scanned(body(names, rows), names).columns.length).toBe(count)
    },
  )

  test('rows that are long at last, and rows that are long at first', () => {
    const rows = Array.from({ length: 600 }, (_, row) => `[${row},"${'x'.repeat(row % 2 === 0 ? 1 : row)}"]`)
    const other = ['number', 'text']
    scanned(body(other, rows), other)
    scanned(body(other, rows.toReversed()), other)
  })

  test.each([10, 1_000, 40_000, 65_000, 70_000, 200_000])('texts of %i letters, escaped or not', (length) => {
    const texts = ['a', 'é', '中', '😀', 'a中'].map((letter) => letter.repeat(length / letter.length))
    const ascii = (text: string) =>
      text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const cells = texts.flatMap((text) => [`"${text}"`, `"${ascii(text)}"`, `"\\n${text}"`, `"${text}\\"\\u00e9"`])
    const rows = cells.map((cell) => `[${cell},${cell}]`)
    scanned(body(['text', 'label'], rows), ['text', 'label'])
  })

  test('many words that begin alike, escaped or not, take no time that grows with their square', () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `["\\u4e2d${row}","中${row}"]`)
    const start = performance.now()
    expect(scanReply(allKinds, bytesOf(body(['label', 'code'], rows)), ['label', 'code'])?.columns.length).toBe(60_000)
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

test('any byte at any place of a body leaves it to JSON.parse, or is what JSON.parse and decode make of it', () => {
  const names = ['number', 'label', 'text', 'boolean_or_null']
  const rows = [`[-1.05e+2,"a\\n中","x",true]`, ' [0 ,"é", "",null]']
  const text = Buffer.from(body(names, rows, '"n":{"b":-0.5},'))
  let taken = 0
  const judge = (bytes: Buffer) => {
    const found = scanReply(allKinds, bytes, names)
    if (!found) return
    taken++
    const reference = parsedReply(allKinds, bytes, names)
    const wrong = reference ? difference(found, reference) : 'JSON.parse or decode refuse it'
    if (wrong) expect.unreachable(`${wrong}: ${bytes.toString('latin1')}`)
  }
  for (let at = 0; at < text.length; at++)
    for (let byte = 0; byte < 256; byte++) {
      judge(Buffer.concat([text.subarray(0, at), Buffer.of(byte), text.subarray(at)]))
      judge(Buffer.concat([text.subarray(0, at), Buffer.of(byte), text.subarray(at + 1)]))
    }
  expect(taken).toBeGreaterThan(1_000)
})
