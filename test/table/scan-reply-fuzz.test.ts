import { expect, test } from 'vitest'
import { scanReply } from '../../src/table/scan-reply.js'
import { mutated } from '../source/reply/mutation.js'
import { Chance } from '../source/reply/random.js'
import { type Body, pools, wellFormed } from '../source/reply/reply-bodies.js'
import { difference, parsedReply } from './parsed-reply.js'

/** How many bodies are tried, and from which seed; a nightly run may ask for a million. */
const count = Number(process.env.QUOTEBOOK_FUZZ ?? 20_000)
const seed = Number(process.env.QUOTEBOOK_FUZZ_SEED ?? 1)
const timeout = 60_000 + count
const woundsOfEach = 4

/** Whether a well-formed body has a spelling and columns that the scanner takes. */
function isPlain({ pool, expected, text }: Body): boolean {
  const kinds = expected.map((name) => pool.columns[name]?.kind)
  return text.includes('"items"') && !kinds.includes('json') && !kinds.includes('texts')
}

test('a reply scanned from its bytes is what JSON.parse and decode make of it, or is left to them', { timeout }, () => {
  const all = pools(seed)
  const seen = { whole: 0, plain: 0, wounded: 0, taken: 0, left: 0, refused: 0 }
  for (let round = 0; seen.whole + seen.wounded < count; round++) {
    const chance = new Chance(seed * 1_000_003 + round)
    const good = wellFormed(chance, all)
    const { pool, expected } = good
    const whole = Buffer.from(good.text)
    for (let wound = 0; wound <= woundsOfEach; wound++) {
      const body = wound === 0 ? whole : mutated(chance, whole)
      const scanned = scanReply(pool.dataset, body, expected)
      const reference = parsedReply(pool.dataset, body, expected)
      const about = () => `seed ${seed}, round ${round}, wound ${wound}: ${body.toString('latin1')}`
      if (wound === 0) {
        seen.whole++
        if (scanned) seen.plain++
        if (!reference) expect.unreachable(`no good body: ${about()}`)
        if (!scanned && isPlain(good)) expect.unreachable(`not taken: ${about()}`)
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
  expect(seen.plain, 'whole bodies that are taken').toBeGreaterThan(count / 20)
  expect(seen.taken, 'wounded bodies that are still right').toBeGreaterThan(count / 100)
  expect(seen.refused, 'wounded bodies that are wrong').toBeGreaterThan(count / 4)
})
