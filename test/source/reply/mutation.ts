import type { Chance } from './random.js'
import { hardNumbers } from './spelling.js'

const tokens = [
  ...['null', 'true', 'nul', 'NaN', 'Infinity', '-', '+1', '01', '-01', '00', '1.', '.5', '-.5', '1e', '1e+', '1E400'],
  ...['-1e999', '0x10', '1_0', '2147483648', '-2147483649', '9007199254740992', '1.5', '"', '""', '"x"', '\\', '\\u'],
  ...[
    '\\u00',
    '\\ud800',
    '\\udc00',
    '\\ud83d\\ude00',
    '\\x',
    '\\"',
    '\\/',
    '\\u0041',
    '\u0000',
    '\t',
    '\n',
    ' ',
    '\uFEFF',
  ],
  ...[',', ',,', ':', '[', ']', '{', '}', '[]', '{}', '[1]', '["a"]', '"__proto__":1,', '"code":200,', '"fields":[],'],
  ...['"items":[],', '"data":{},', '"message":"",', '"\\u0063ode":1,', '\u2028', '中', '😀', '//', '/**/', '20240230'],
  ...['"20240230"', '"2400"', '"25:00:00"', '" 600000.SH"', 'é', ...hardNumbers],
]
const bytesOfNote = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d, 0x30, 0x31, 0x39, 0x2d, 0x2b, 0x2e, 0x65, 0x45]
const oddBytes = [
  0x00, 0x09, 0x0a, 0x0b, 0x0c, 0x1f, 0x20, 0x2f, 0x6e, 0x75, 0x7f, 0x80, 0xa0, 0xbf, 0xc0, 0xe4, 0xed, 0xf0, 0xff,
]

type Mutation = (chance: Chance, body: Buffer) => Buffer

function span(chance: Chance, body: Buffer): [number, number] {
  const start = chance.below(body.length + 1)
  return [start, Math.min(body.length, start + chance.below(chance.once(3) ? 40 : 4))]
}

function spliced(body: Buffer, start: number, end: number, insert: Uint8Array): Buffer {
  return Buffer.concat([body.subarray(0, start), insert, body.subarray(end)])
}

/** Puts a token in the place of one of the matches of a pattern. */
function replaced(chance: Chance, body: Buffer, pattern: RegExp): Buffer {
  const text = body.toString('latin1')
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return body
  const { index, 0: found } = chance.of(matches)
  return spliced(body, index, index + found.length, Buffer.from(chance.of(tokens)))
}

const mutations: readonly Mutation[] = [
  (chance, body) => {
    const out = Buffer.from(body)
    const at = chance.below(out.length)
    out[at] = (out[at] as number) ^ (1 << chance.below(8))
    return out
  },
  (chance, body) => {
    const out = Buffer.from(body)
    out[chance.below(out.length)] = chance.once(2) ? chance.of(bytesOfNote) : chance.of(oddBytes)
    return out
  },
  (chance, body) => spliced(body, ...span(chance, body), Buffer.alloc(0)),
  (chance, body) => {
    const at = chance.below(body.length + 1)
    return spliced(body, at, at, Buffer.from(chance.of(tokens)))
  },
  (chance, body) => spliced(body, ...span(chance, body), Buffer.from(chance.of(tokens))),
  (chance, body) => body.subarray(0, chance.below(body.length)),
  (chance, body) => {
    const [start, end] = span(chance, body)
    const to = chance.below(body.length + 1)
    return spliced(body, to, to, body.subarray(start, end))
  },
  (chance, body) => {
    const [a, b, c] = [0, 1, 2].map(() => chance.below(body.length + 1)).sort((x, y) => x - y) as [
      number,
      number,
      number,
    ]
    return Buffer.concat([body.subarray(0, a), body.subarray(b, c), body.subarray(a, b), body.subarray(c)])
  },
  (chance, body) => replaced(chance, body, /-?\d+(\.\d+)?([eE][+-]?\d+)?/g),
  (chance, body) => replaced(chance, body, /"[^"\\]*"|null|true|false/g),
  (chance, body) => replaced(chance, body, /[[\]{},:]/g),
  (chance, body) => replaced(chance, body, /\\./g),
  (chance, body) => {
    const text = body.toString('latin1')
    const open = [...text.matchAll(/\{/g)]
    if (open.length === 0) return body
    const at = chance.of(open).index + 1
    const key = chance.of([...text.matchAll(/"[^"\\]*"\s*:/g)].map((match) => match[0]).concat('"x":'))
    return spliced(body, at, at, Buffer.from(`${key}${chance.of(['1', 'null', '"a"', '[]', '{}'])},`, 'latin1'))
  },
]

/** A body with one to three wounds; now and then it still says the same, or something else that is well formed. */
export function mutated(chance: Chance, body: Buffer): Buffer {
  let out = body
  for (let times = chance.once(2) ? 1 : 1 + chance.below(3); times > 0 && out.length > 0; times--)
    out = chance.of(mutations)(chance, out)
  return out
}
