import { expect, test } from 'vitest'
import { reply } from '../helper/awkward-server.js'
import {
  about,
  ask,
  errorOf,
  expectTruth,
  honest,
  server,
  useAwkwardServer,
  withData,
} from '../helper/awkward-source.js'
import { type Asked, type Data, type Row, replyFor, truth } from '../helper/vendor.js'

useAwkwardServer()

/** Pages that do not fit together: whole, or refused, or said. */
const answers = Array.from({ length: 4700 }, (_, i) => ({
  symbol: '000001',
  event_date: '20260706',
  qa_id: String(10000 + i),
  question_time: '2026-07-01 10:00:00',
  question: `q${i}`,
  answer_time: '2026-07-06 10:00:00',
  answer: `a${i}`,
  revision_no: 1,
  version_ambiguous: false,
}))

test('pages are read to the end', async () => {
  honest(answers)
  const table = await ask('interactive_qa', {})
  expectTruth(table, truth(answers, 'interactive_qa', {}))
  expect(about(table)).toMatchObject({ complete: true, proof: 'total', total: 4700, call: { requests: 4 } })
  expect((server.requests.at(-1)?.body as Asked | undefined)?.params).toMatchObject({ offset: 4699 })
})

test.each<[what: string, change: (data: Data, n: number) => unknown, outcome: Record<string, unknown> | 'truth']>([
  [
    'duplicate rows over pages, once',
    (data, n) => (n === 1 ? { ...data, items: [...data.items.slice(0, 1), ...data.items.slice(0, -1)] } : data),
    'truth',
  ],
  [
    'duplicate rows in the last page',
    (data, n) => (n === 2 ? { ...data, items: [...data.items.slice(0, 1), ...data.items.slice(0, -1)] } : data),
    'truth',
  ],
  ['a row skipped between pages', (data, n) => (n === 1 ? { ...data, items: data.items.slice(1) } : data), 'truth'],
  [
    'rows skipped between pages, all the time',
    (data, n) => (n % 3 === 1 ? { ...data, items: data.items.slice(1) } : data),
    { code: 'UNSTABLE' },
  ],
  ['a total that grows once and comes back', (data, n) => (n === 1 ? { ...data, total: 4701 } : data), 'truth'],
  ['a total that shrinks once', (data, n) => (n === 0 ? { ...data, total: 4701 } : data), 'truth'],
  ['a total that shrinks all the time', (data, n) => ({ ...data, total: 4700 - n }), { code: 'UNSTABLE' }],
  [
    'a total that is never reached',
    (data) => ({ ...data, total: 5000 }),
    { code: 'TRUNCATED', name: 'TruncatedError' },
  ],
  ['a total below the rows', (data) => ({ ...data, total: 100 }), { code: 'UNSTABLE' }],
  ['no total', (data) => ({ ...data, total: undefined }), { code: 'ENVELOPE', message: /no count `total`/ }],
  ['an offset that is ignored', (data) => ({ ...data, items: [] as unknown[][], offset: 0 }), { code: 'TRUNCATED' }],
  ['pages shorter than asked for', (data) => ({ ...data, items: data.items.slice(0, 700) }), 'truth'],
])('%s', async (_, change, outcome) => {
  let n = 0
  honest(answers, (same) => withData(same, (data) => change(data, n++)))
  const asked = ask('interactive_qa', {})
  if (outcome === 'truth') expectTruth(await asked, truth(answers, 'interactive_qa', {}))
  else {
    const { message = /interactive_qa: /, ...rest } = outcome
    expect(await errorOf(asked)).toMatchObject({ ...rest, message: expect.stringMatching(message as RegExp) })
  }
})

test('an offset that the service ignores is never taken for the next page', async () => {
  for (const told of [true, false]) {
    honest(answers, (_, request) => {
      const body = request.body as Asked
      const first = replyFor(answers, { ...body, params: { ...body.params, offset: 0 } })
      return withData(first, (data) => ({ ...data, ...(told ? {} : { offset: undefined }) }))
    })
    expect(await errorOf(ask('interactive_qa', {}))).toMatchObject({ code: told ? 'ENVELOPE' : 'UNSTABLE' })
  }
})

test('answers that come in front while pages are read are all there, each once', async () => {
  let rows: Row[] = answers
  let n = 0
  server.always((request) => {
    if (n++ > 0 && n < 4)
      rows = [{ ...answers[0], event_date: '20260707', answer_time: '2026-07-07 10:00:00', qa_id: `new${n}` }, ...rows]
    return reply.json(replyFor(rows, request.body))
  })
  const table = await ask('interactive_qa', {})
  expectTruth(table, truth(rows, 'interactive_qa', {}))
  expect(about(table)).toMatchObject({ complete: true, total: 4702 })
})

test('pages that end early are handed over when that is allowed', async () => {
  honest(answers, (same) => withData(same, (data) => ({ ...data, total: 5000 })))
  const table = await ask('interactive_qa', {}, { allowTruncated: true })
  expect(about(table)).toMatchObject({
    complete: false,
    rows: 4700,
    total: 5000,
    note: 'the pages end at row 4700 of 5000',
  })
})

/** A service that gives and counts only so many rows, or only as many as it gives. */
const counts: [what: string, most: number, params: Asked['params']][] = [1, 2, 37, 99, 777, 1234, 2000].flatMap(
  (most) => [
    [`${most} rows of all pages`, most, {}],
    [`${most} rows of one page`, most, { limit: Math.min(2000, most + 1) }],
    [`${most} rows of a page as long`, most, { limit: most }],
  ],
)
test.each(counts)('a total that counts no more than came is not believed: %s', async (_, most, params) => {
  honest(answers, (same, { body }) =>
    withData(same, (data) => {
      const { offset = 0 } = (body as Asked).params as { offset?: number }
      const items = data.items.slice(0, most)
      return { ...data, items, total: offset + items.length }
    }),
  )
  const outcome = await errorOf(ask('interactive_qa', params))
  expect(outcome).toMatchObject({ name: 'SourceError', code: expect.stringMatching(/ENVELOPE|UNSTABLE/) })
})

test('the end of the pages must be the row that it was', async () => {
  honest(answers.slice(0, 37), (same, { body }) => {
    const { offset = 0 } = (body as Asked).params as { offset?: number }
    return offset === 0
      ? same
      : withData(same, (data) => ({ ...data, items: data.items.map((row) => [...row].fill('x')) }))
  })
  expect(await errorOf(ask('interactive_qa', {}, { fields: ['qa_id', 'question'] }))).toBeInstanceOf(Error)
  honest(answers.slice(0, 37), (same, { body }) =>
    Number((body as Asked).params.offset ?? 0) === 0 ? same : { code: 1002, message: 'no data', data: null },
  )
  expect(await errorOf(ask('interactive_qa', {}))).toMatchObject({ code: 'UNSTABLE' })
})

test('one more request shows the end of a single page; a page that is not the whole takes none', async () => {
  honest(answers.slice(0, 37))
  expect(about(await ask('interactive_qa', { limit: 50 }))).toMatchObject({ complete: true, call: { requests: 2 } })
  expect(about(await ask('interactive_qa', { limit: 37 }))).toMatchObject({ complete: true, call: { requests: 2 } })
  expect(about(await ask('interactive_qa', { limit: 36 }))).toMatchObject({ complete: false, call: { requests: 1 } })
})

test('a single page is held against its counts', async () => {
  const change = {
    shorter: (data: Data) => ({ ...data, items: data.items.slice(1) }),
    more: (data: Data) => ({ ...data, total: 5 }),
    elsewhere: (data: Data) => ({ ...data, offset: 3 }),
  }
  const asked = { limit: 50 }
  honest(answers, (same) => withData(same, change.shorter))
  expect(await errorOf(ask('interactive_qa', asked))).toMatchObject({ name: 'TruncatedError', code: 'TRUNCATED' })
  expect(about(await ask('interactive_qa', asked, { allowTruncated: true }))).toMatchObject({
    complete: false,
    note: 'rows 1 to 49 of 4700',
  })
  honest(answers, (same) => withData(same, change.more))
  expect(await errorOf(ask('interactive_qa', asked))).toMatchObject({
    code: 'ENVELOPE',
    message: expect.stringContaining('counts 5 rows'),
  })
  honest(answers, (same) => withData(same, change.elsewhere))
  expect(await errorOf(ask('interactive_qa', asked))).toMatchObject({
    code: 'ENVELOPE',
    message: expect.stringContaining('answers from row 4'),
  })
  honest(answers)
  expect(about(await ask('interactive_qa', asked))).toMatchObject({
    complete: false,
    note: 'rows 1 to 50 of 4700',
    total: 4700,
  })
})
