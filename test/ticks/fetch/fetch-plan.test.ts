import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TickEntry } from '../../../src/archive/manifest-entries.js'
import { isSameFile, planFetch } from '../../../src/ticks/fetch/fetch-plan.js'
import type { ListedFile } from '../../../src/ticks/share/file-share.js'

const sum = (n: number): string => n.toString(16).padStart(64, '0')
const day = fc.integer({ min: 1, max: 28 }).map((n) => `202602${String(n).padStart(2, '0')}`)
const size = fc.integer({ min: 1, max: 3 })
const etag = fc.constantFrom('"a"', 'W/"a"', '"b"', `"${sum(1)}"`, `"${sum(2)}"`)
const modified = fc.constantFrom('Mon, 02 Feb 2026 10:00:00 GMT', 'Tue, 03 Feb 2026 10:00:00 GMT')
const told = fc.record({ size, etag, modified }, { requiredKeys: [] })

const listings = fc.uniqueArray(
  fc.tuple(day, told).map(([day, of]): ListedFile => ({ day, ...of })),
  { selector: ({ day }) => day },
)
const entries = fc.uniqueArray(
  fc.tuple(day, size, fc.integer({ min: 1, max: 2 }), fc.record({ etag, modified }, { requiredKeys: [] })).map(
    ([day, bytes, n, of]): TickEntry => ({
      day,
      file: `ticks/${day}_aucde.parquet`,
      rows: 1,
      bytes,
      sha256: sum(n),
      ...of,
    }),
  ),
  { selector: ({ day }) => day },
)

const days = (files: readonly { readonly day: string }[]): string[] => files.map(({ day }) => day)

test('every day is in one place, by what is known of it', () => {
  fc.assert(
    fc.property(listings, entries, (listing, entries) => {
      const { missing, changed, complete, unsure, gone } = planFetch(listing, entries)
      const known = new Set(days(entries))
      const listed = new Set(days(listing))
      expect(days([...missing, ...changed, ...complete, ...unsure]).sort()).toEqual([...listed].sort())
      expect(days(missing).filter((day) => known.has(day))).toEqual([])
      expect(days(missing)).toHaveLength([...listed].filter((day) => !known.has(day)).length)
      expect(new Set(days(gone))).toEqual(new Set([...known].filter((day) => !listed.has(day))))
      for (const list of [missing, changed, complete, unsure]) expect(days(list)).toEqual(days(list).sort())
    }),
  )
})

test('the order of a listing does not count', () => {
  fc.assert(
    fc.property(listings, entries, fc.infiniteStream(fc.nat()), (listing, entries, random) => {
      const shuffled = listing.map((file) => ({ file, at: random.next().value as number })).sort((a, b) => a.at - b.at)
      expect(
        planFetch(
          shuffled.map(({ file }) => file),
          entries,
        ),
      ).toEqual(planFetch(listing, entries))
    }),
  )
})

test('what was fetched as it is listed is complete; another size, tag or sum is a change', () => {
  fc.assert(
    fc.property(listings, fc.integer({ min: 1, max: 2 }), (listing, n) => {
      const fetched = listing.map(({ day, size = 7, etag, modified }): TickEntry => {
        const named = /[0-9a-f]{64}/.exec(etag ?? '')?.[0]
        const of = { ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) }
        return { day, file: '', rows: 1, bytes: size, sha256: named ?? sum(n), ...of }
      })
      const { missing, changed, unsure } = planFetch(listing, fetched)
      expect([missing, changed]).toEqual([[], []])
      for (const file of unsure) expect(Object.keys(file)).toEqual(['day'])
      const larger = listing.map((file) => (file.size === undefined ? file : { ...file, size: file.size + 1 }))
      const isNamed = ({ etag }: ListedFile): boolean => /[0-9a-f]{64}/.test(etag ?? '')
      const seen = larger.filter((file) => file.size !== undefined && !isNamed(file))
      expect(days(planFetch(larger, fetched).changed)).toEqual(days(seen).sort())
    }),
  )
})

const entry: TickEntry = { day: '20260105', file: 'f', rows: 1, bytes: 10, sha256: sum(1) }

test.each<[string, Parameters<typeof isSameFile>[0], Partial<TickEntry>, boolean | undefined]>([
  ['the sum itself', { etag: `"${sum(1)}"` }, {}, true],
  ['another sum, of the same size', { etag: `"${sum(2)}"`, size: 10 }, {}, false],
  ['the sum, whatever the entry was fetched as', { etag: `"${sum(1)}"`, size: 10 }, { etag: '"old"' }, true],
  ['a weak tag with the sum in it is no sum', { etag: `W/"${sum(2)}"`, size: 10 }, {}, true],
  ['the same tag', { etag: '"a"', size: 10 }, { etag: '"a"' }, true],
  ['the same tag, weak', { etag: 'W/"a"' }, { etag: '"a"' }, true],
  [
    'another tag, of the same size and date',
    { etag: '"b"', size: 10, modified: 'x' },
    { etag: '"a"', modified: 'x' },
    false,
  ],
  ['another size, with the same tag', { etag: '"a"', size: 11 }, { etag: '"a"' }, false],
  ['the same date where there is no tag', { size: 10, modified: 'x' }, { modified: 'x' }, true],
  ['another date where there is no tag', { size: 10, modified: 'y' }, { modified: 'x' }, false],
  ['a tag that the entry has not', { size: 10, etag: '"a"' }, {}, true],
  ['nothing but the day', {}, { etag: '"a"' }, undefined],
  ['a tag that nothing stands against', { etag: '"a"' }, {}, undefined],
])('%s', (_, told, more, same) => {
  expect(isSameFile(told, { ...entry, ...more })).toBe(same)
})
