import { expect, test } from 'vitest'
import { scanReply } from '../../../src/table/scan/scan-reply.js'
import { pools, wellFormed } from './bodies.js'
import { mutated } from './mutation.js'
import { Chance } from './random.js'
import { difference, parsed } from './reference.js'

/** How many bodies are tried, and from which seed; a nightly run may ask for a million. */
const count = Number(process.env.QUOTEBOOK_FUZZ ?? 20_000)
const seed = Number(process.env.QUOTEBOOK_FUZZ_SEED ?? 1)
const timeout = 60_000 + count
const woundsOfEach = 4

test('a reply scanned from its bytes is what JSON.parse and decode make of it, or is left to them', { timeout }, () => {
  const all = pools(seed)
  const seen = { whole: 0, wounded: 0, taken: 0, left: 0, refused: 0 }
  for (let round = 0; seen.whole + seen.wounded < count; round++) {
    const chance = new Chance(seed * 1_000_003 + round)
    const { pool, expected, text } = wellFormed(chance, all)
    const whole = Buffer.from(text)
    for (let wound = 0; wound <= woundsOfEach; wound++) {
      const body = wound === 0 ? whole : mutated(chance, whole)
      const scanned = scanReply(pool.dataset, body, expected)
      const reference = parsed(pool.dataset, body, expected)
      const about = () => `seed ${seed}, round ${round}, wound ${wound}: ${body.toString('latin1')}`
      if (wound === 0) {
        seen.whole++
        if (!scanned || !reference) expect.unreachable(`${reference ? 'not taken' : 'no good body'}: ${about()}`)
      } else {
        seen.wounded++
        if (scanned) seen.taken++
        else if (reference) seen.left++
        else seen.refused++
      }
      if (!scanned) continue
      if (!reference) expect.unreachable(`taken though wrong: ${about()}`)
      const wrong = difference(scanned, reference)
      if (wrong) expect.unreachable(`${wrong}: ${about()}`)
    }
  }
  if (process.env.QUOTEBOOK_FUZZ) console.info(`bodies ${JSON.stringify(seen)}`)
  expect(seen.whole).toBeGreaterThan(count / 6)
  expect(seen.taken, 'wounded bodies that are still right').toBeGreaterThan(count / 50)
  expect(seen.refused, 'wounded bodies that are wrong').toBeGreaterThan(count / 4)
})
