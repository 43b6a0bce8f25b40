import { afterEach, expect, test } from 'vitest'
import { notebookProgress } from '../../src/show/notebook-output.js'

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
