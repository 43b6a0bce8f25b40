// Deep: fuzz of whole conversations.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { QuotebookError } from '../../../../src/contract/error.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { reply } from '../../../helper/awkward-server.js'
import { about, ask, server, sourceOf, useAwkwardServer } from '../../../helper/awkward-source.js'
import { type Row, replyFor, truth } from '../../../helper/vendor.js'

useAwkwardServer()

/** One value of a reply is another one: the truth, fewer rows that say so, or an error of ours. Never a bare one. */
const answers: Row[] = Array.from({ length: 7 }, (_, i) => ({
  symbol: '000001',
  event_date: '20260706',
  qa_id: String(100 + i),
  question_time: '2026-07-01 10:00:00',
  question: `q${i}`,
  answer_time: '2026-07-06 10:00:00',
  answer: `a${i}`,
  revision_no: 1,
  version_ambiguous: false,
}))

const odd = [
  null,
  true,
  0,
  -1,
  1e300,
  2 ** 53,
  2 ** 53 - 1,
  1.5,
  '',
  'x',
  '__proto__',
  [],
  {},
  [[]],
  { length: 5 },
  [null],
]

/** The same with another value at the place that a number leads to. */
function mutated(value: unknown, path: readonly number[], other: unknown): unknown {
  const [at = 0, ...rest] = path
  if (path.length === 0 || typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value)
  if (entries.length === 0) return other
  const place = at % entries.length
  const made = entries.map(([name, part], i) => [name, i === place ? mutated(part, rest, other) : part] as const)
  return Array.isArray(value) ? made.map(([, part]) => part) : Object.fromEntries(made)
}

test('whatever stands at one place of a reply, nothing false comes of it', async () => {
  const expected = truth(answers, 'interactive_qa', {})
  const known = new Set(expected.map((row) => row.qa_id))
  const source = sourceOf({ retry: { attempts: 1 } })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...odd),
      fc.nat({ max: 2 }),
      async (path, other, nth) => {
        let n = 0
        server.always(({ body }) => {
          const value = replyFor(answers, body)
          return reply.raw(JSON.stringify(n++ === nth ? mutated(value, path, other) : value))
        })
        const outcome = await ask('interactive_qa', {}, {}, source).catch((error: unknown) => error)
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(QuotebookError)
          return
        }
        const table = outcome as Awaited<ReturnType<typeof ask>>
        if (about(table).complete && table.numRows > 0) expect(table.numRows).toBe(expected.length)
        for (const row of toObjects(table)) expect(known.has((row as Row).qa_id) || path[3] !== undefined).toBe(true)
      },
    ),
    { numRuns: 150 },
  )
})
