import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Progress } from '../../../src/data/source/source.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { reply } from '../../helper/awkward-server.js'
import { server, sourceOf, useAwkwardServer } from '../../helper/awkward-source.js'
import { type Asked, bars, type Row, replyFor, truth } from '../../helper/vendor.js'

useAwkwardServer()

/** Requests that are shared, given up, counted and shown. */
const day = '20260701'
const symbols = Array.from({ length: 800 }, (_, i) => `${510000 + i}.SH`)
const params = { symbols, tradedate: day, period: '15m' }
const rows = bars(symbols, day)

function honest(all: readonly Row[] = rows, cap = 6000): void {
  server.always((request) => reply.json(replyFor(all, request.body, { cap })))
}

const ofDataset = datasetOf('etf_minute')

test('the first error ends it all: what is still under way is given up', async () => {
  server.always((request) => {
    const { symbols: asked } = (request.body as Asked).params as { symbols: string[] }
    return asked.includes('510000.SH') ? reply.json({ code: 403, message: 'no', data: null }) : reply.silence()
  })
  const source = sourceOf()
  await expect(source.query(ofDataset, params, { whole: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await source.close()
  await server.settled(0)
  expect(server.requests.length).toBeLessThanOrEqual(3)
})

/** Never backwards, never more done than there is to do, and done at the end. */
function checkProgress(steps: readonly Progress[]): void {
  expect(steps.length).toBeGreaterThan(0)
  steps.forEach((step, i) => {
    const before = steps[i - 1]
    expect(step.done).toBeLessThanOrEqual(step.of)
    if (before) expect(step.done).toBeGreaterThanOrEqual(before.done)
    if (before) expect(step.rows).toBeGreaterThanOrEqual(before.rows)
    if (i < steps.length - 1) expect(step.done < step.of, `step ${i} of ${steps.length} looks like the last`).toBe(true)
  })
  const last = steps.at(-1)
  expect(last?.done).toBe(last?.of)
}

test('progress goes forward to its end when replies are split', async () => {
  const marks = Array.from({ length: 31 }, (_, d) => `202607${String(d + 1).padStart(2, '0')}`).flatMap((tradedate) =>
    Array.from({ length: 300 }, (_, i) => ({
      tradedate,
      symbol: String(600000 + i),
      name: null,
      type: 'ST',
      type_name: null,
    })),
  )
  honest(marks, 5000)
  const steps: Progress[] = []
  await sourceOf().query(
    datasetOf('st'),
    { startdate: '20260701', enddate: '20260731' },
    {
      whole: true,
      onProgress: (step) => void steps.push(step),
    },
  )
  expect(steps.at(-1)?.done).toBe(server.requests.length)
  expect(steps.map(({ done }) => done)).toEqual(steps.map((_, i) => i + 1))
})

test('progress goes forward to its end over pages', async () => {
  const answers = Array.from({ length: 7001 }, (_, i) => ({
    symbol: '000001',
    event_date: '20260706',
    qa_id: String(10000 + i),
    question_time: '2026-07-01 10:00:00',
    question: 'q',
    answer_time: '2026-07-06 10:00:00',
    answer: 'a',
    revision_no: 1,
    version_ambiguous: false,
  }))
  honest(answers)
  const steps: Progress[] = []
  await sourceOf().query(datasetOf('interactive_qa'), {}, { whole: true, onProgress: (step) => void steps.push(step) })
  checkProgress(steps)
  expect(steps.map(({ done, of }) => `${done}/${of}`)).toEqual(['1/4', '2/4', '3/4', '4/4'])
})

test('what is planned is what is asked', async () => {
  honest()
  const source = sourceOf()
  for (const [given, days] of [
    [params, undefined],
    [{ symbols, trademin: '1030', period: '15m' }, undefined],
    [{ symbols: symbols.slice(0, 400), period: '15m' }, ['20260630', '20260701']],
  ] as const) {
    const before = server.requests.length
    const { requests, lines } = await source.explain(ofDataset, given, { whole: true, days })
    expect(server.requests.length).toBe(before)
    expect(lines[0]).toContain(`${requests} request`)
    await source.query(ofDataset, given, { whole: true, days })
    expect(server.requests.length - before).toBe(requests)
  }
})

test('codes in two spellings are asked once and answered once', async () => {
  honest()
  const given = { symbols: ['510001', '510001.SH', '510002.sh', '510001.SH'], tradedate: day, period: '15m' }
  const table = await sourceOf().query(ofDataset, given, { whole: true })
  expect(toObjects(table)).toEqual(truth(rows, 'etf_minute', { ...given, symbols: ['510001.SH', '510002.SH'] }))
})
