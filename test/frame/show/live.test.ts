import { afterEach, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { type ProgressStep, queryProgress, toldAsWhole } from '../../../src/frame/show/notebook-output.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { Market } from '../../../src/market.js'

interface Sent {
  readonly data: Readonly<Record<string, string>>
  readonly transient: { readonly display_id: string }
  readonly update: boolean
}

function kernel(): Sent[] {
  const sent: Sent[] = []
  const exports = {
    lastWriteDisplayData: (message: Omit<Sent, 'update'>, update: boolean) => sent.push({ ...message, update }),
  }
  const require = Object.assign(() => ({}), { cache: { a: { filename: '/x/tslab/dist/jupyter.js', exports } } })
  Object.assign(globalThis, { __tslab__: { require } })
  return sent
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, '__tslab__')
})

test('outside of a front end nothing is told', () => {
  expect(queryProgress()).toBeUndefined()
  kernel()
  expect(queryProgress()).toBeUndefined()
})

test('work that tells of itself is not overwritten by what it asks for', async () => {
  const told: ProgressStep[] = []
  const { signal } = new AbortController()
  Object.assign(globalThis, { __tslab__: { signal: () => signal, progress: (step: ProgressStep) => told.push(step) } })
  queryProgress()?.({ done: 1, of: 3, rows: 9, what: 'st' })
  await toldAsWhole(async (tell) => {
    expect(queryProgress()).toBeUndefined()
    tell?.({ done: 1, of: 2, text: 'whole' })
  })
  await expect(toldAsWhole(() => Promise.reject(new Error('ended')))).rejects.toThrow('ended')
  queryProgress()?.({ done: 2, of: 3, rows: 9, what: 'st' })
  expect(told.map(({ text }) => text)).toEqual(['st: 1 of 3, 9 rows', 'whole', 'st: 2 of 3, 9 rows'])
})

test('the states of a watch take one place, escaped, with a line on what changed', async () => {
  const sent = kernel()
  let close = 1
  const name = '<b>'
  const query = async () =>
    fromRows([{ tradedate: '20260729', code: '123124.SZ', name, close: close++ }], {
      dataset: datasetOf('convertible_daily'),
    })
  const market = new Market({ name: 'live', query })
  const watch = market.watch('convertible_daily', {}, { every: 0.01 })
  for (let state = 0; state < 3; state++) (await watch.next()).value?.display()
  await watch.return(undefined)
  expect(sent.map(({ update }) => update)).toEqual([false, true, true])
  expect(new Set(sent.map(({ transient }) => transient.display_id)).size).toBe(1)
  expect(sent[0]?.data['text/plain']).toMatch(/^\S+\+08:00: 1 rows, data of 2026-07-29\n/)
  expect(sent[2]?.data['text/plain']).toMatch(/: 0 new, 1 changed \(close\), 0 gone, data of/)
  expect(sent[2]?.data['text/html']).toContain('&lt;b&gt;')
  expect(sent[2]?.data['text/html']).not.toContain('<b>')
})
