import { expect, test } from 'vitest'
import { asReply, contentOf } from '../../../src/contract/envelope.js'
import { decode } from '../../../src/table/decode.js'
import { mutated } from './mutation.js'
import { Chance } from './random.js'
import { readBody } from './read-body.js'
import { type Body, pools, wellFormed } from './reply-bodies.js'

/** How many bodies are tried, and from which seed; a nightly run may ask for a million. */
const count = Number(process.env.QUOTEBOOK_FUZZ ?? 5_000)
const seed = Number(process.env.QUOTEBOOK_FUZZ_SEED ?? 1)
const woundsOfEach = 4

/** What JSON.parse and `decode` make of a body; undefined where they refuse it. */
function decoded(bytes: Uint8Array, { pool, expected }: Body) {
  try {
    const reply = asReply(JSON.parse(Buffer.from(bytes).toString()))
    const content = contentOf(reply, 'rows')
    return content && { columns: decode(pool.dataset, content.fields, content.items, expected), beside: content.beside }
  } catch {
    return undefined
  }
}

function read(bytes: Uint8Array, { pool, expected }: Body) {
  try {
    const { columns, beside } = readBody(pool.dataset, bytes, expected)
    return { columns, beside }
  } catch {
    return undefined
  }
}

test('a whole reply is read as JSON.parse and decode have it, a wounded one so or not at all', {
  timeout: 60_000 + count,
}, () => {
  const all = pools(seed)
  let [whole, refused] = [0, 0]
  for (let round = 0; round * (woundsOfEach + 1) < count; round++) {
    const chance = new Chance(seed * 1_000_003 + round)
    const good = wellFormed(chance, all)
    const bytes = Buffer.from(good.text.replace(/"a \\"b\\"\\\\n"|"成功"/u, '"ok"'))
    for (let wound = 0; wound <= woundsOfEach; wound++) {
      const body = wound === 0 ? bytes : mutated(chance, bytes)
      const found = read(body, good)
      const about = `seed ${seed}, round ${round}, wound ${wound}: ${body.toString('latin1')}`
      if (found) expect(found, about).toEqual(decoded(body, good))
      else refused++
      if (found && wound === 0) whole++
    }
  }
  expect(whole).toBeGreaterThan(count / 20)
  expect(refused).toBeGreaterThan(count / 20)
})
