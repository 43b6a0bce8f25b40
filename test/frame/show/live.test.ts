import { afterEach, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { notebookProgress } from '../../../src/frame/show/notebook-output.js'
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

test('outside of a notebook there is no display', () => {
  expect(notebookProgress()).toBeUndefined()
})

test('one display per query, brought up to date in its place, with the last step shown', () => {
  const sent = kernel()
  const [one, two] = [notebookProgress(), notebookProgress()]
  for (let done = 1; done <= 60; done++) one?.({ done, of: 60, rows: done * 100, what: 'etf_minute' })
  two?.({ done: 1, of: 2, rows: 9, what: '<b>' })
  const [first] = sent
  expect(first?.update).toBe(false)
  expect(sent.slice(1, -1).every(({ update }) => update)).toBe(true)
  expect(sent.at(-2)?.data['text/plain']).toBe('etf_minute: 60 of 60 requests, 6000 rows')
  expect(sent.length).toBeLessThanOrEqual(52)
  expect(sent.at(-1)).toMatchObject({ update: false })
  expect(sent.at(-1)?.data['text/html']).toContain('&lt;b&gt;: 1 of 2 requests, 9 rows')
  expect(new Set(sent.map(({ transient }) => transient.display_id)).size).toBe(2)
})

test('a query of one request shows nothing', () => {
  const sent = kernel()
  notebookProgress()?.({ done: 1, of: 1, rows: 9, what: 'st' })
  expect(sent).toEqual([])
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
