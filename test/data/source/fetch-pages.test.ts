import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { type PageReplies, type PageRequest, readPages } from '../../../src/data/source/fetch-pages.js'
import type { ReplyChunk } from '../../../src/data/source/reply/reply-chunk.js'
import type { SourceError } from '../../../src/data/source/source-error.js'

const keyed = datasetOf('interactive_qa')
const unkeyed = datasetOf('finance_announcement')

function chunkOf(rows: readonly string[], beside: ReplyChunk['beside']): ReplyChunk {
  return {
    columns: { length: rows.length, columns: new Map([['id', { type: 'string', data: rows }]]) },
    beside,
    node: 'node',
  }
}

function rowsOf({ chunks }: PageReplies): string[] {
  return chunks.flatMap(({ columns }) => {
    const values = columns.columns.get('id')
    return values?.type === 'string' ? values.data.map(String) : []
  })
}

function pagingOver(send: PageRequest['send'], more: Partial<PageRequest> = {}): PageRequest {
  return { dataset: keyed, query: {}, limit: 20, offset: 0, allowTruncated: false, send, onPage: () => {}, ...more }
}

/** What happens to the list between two requests. */
interface Change {
  readonly what: 'insert' | 'delete'
  /** From the front, 0 to 1. */
  readonly where: number
}

/** A list of which one or several things happen after some of the requests. */
function living(size: number, history: readonly (readonly Change[])[], serverLimit: number, echo: boolean) {
  let list = Array.from({ length: size }, (_, i) => `row ${i}`)
  let made = 0
  const ever = new Set(list)
  const always = new Set(list)
  let last = list.length
  let requests = 0
  const ask = async (offset: number, limit: number): Promise<ReplyChunk> => {
    for (const { what, where } of requests === 0 ? [] : (history[requests - 1] ?? [])) {
      const at = Math.min(list.length, Math.floor(where * (list.length + 1)))
      if (what === 'insert') {
        const row = `new ${made++}`
        list = [...list.slice(0, at), row, ...list.slice(at)]
        ever.add(row)
      } else {
        const [gone] = list.slice(at, at + 1)
        list = list.filter((row) => row !== gone)
        if (gone !== undefined) always.delete(gone)
      }
    }
    requests++
    last = list.length
    const rows = list.slice(offset, offset + Math.min(limit, serverLimit))
    return chunkOf(rows, { total: list.length, ...(echo ? { offset } : {}) })
  }
  return { ask, ever, always, lastTotal: () => last, requests: () => requests }
}

const change = fc.record({
  what: fc.constantFrom('insert' as const, 'insert' as const, 'delete' as const),
  where: fc.oneof(fc.constant(0), fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)),
})
const history = fc.array(fc.oneof(fc.constant([]), fc.constant([]), fc.array(change, { maxLength: 3 })), {
  maxLength: 60,
})

async function check(
  dataset: typeof keyed,
  size: number,
  past: readonly (readonly Change[])[],
  limit: number,
  own: number,
  echo: boolean,
) {
  const list = living(size, past, own, echo)
  let pages: PageReplies
  try {
    pages = await readPages(pagingOver(list.ask, { dataset, limit }))
  } catch (error) {
    expect((error as SourceError).code).toBeOneOf(['UNSTABLE', 'TRUNCATED'])
    return { ended: 'refused', changes: past.flat().length }
  }
  const rows = rowsOf(pages)
  expect(new Set(rows).size, 'a row is there twice').toBe(rows.length)
  for (const row of rows) expect(list.ever.has(row), `${row} never was`).toBe(true)
  const there = new Set(rows)
  // `always` shrinks also by what happened after the last request of the reader: nothing does.
  for (const row of list.always) expect(there.has(row), `${row} was there all the time and is lost`).toBe(true)
  expect(pages.total).toBe(rows.length)
  return { ended: 'read', changes: past.flat().length }
}

test.each([
  ['rows with a key', keyed],
  ['rows without a key', unkeyed],
] as const)('of a living list no row is lost, none doubled, none made up: %s', async (_, dataset) => {
  const ends = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 130 }),
      history,
      fc.integer({ min: 6, max: 40 }),
      fc.integer({ min: 5, max: 50 }),
      fc.boolean(),
      async (size, past, limit, own, echo) => {
        const { ended } = await check(dataset, size, past, limit, own, echo)
        ends.set(ended, (ends.get(ended) ?? 0) + 1)
      },
    ),
    { numRuns: 400 },
  )
  expect(ends.get('read') ?? 0).toBeGreaterThan(200)
})

test('rows without a key may be alike, and are still all there', async () => {
  const rows = Array.from({ length: 95 }, (_, i) => `same ${Math.floor(i / 3)}`)
  const ask = async (offset: number, limit: number) =>
    chunkOf(rows.slice(offset, offset + limit), { total: rows.length })
  expect(rowsOf(await readPages(pagingOver(ask, { dataset: unkeyed })))).toEqual(rows)
})
