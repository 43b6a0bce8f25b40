import { expect, test } from 'vitest'
import type { TickEntry } from '../../../../src/data/archive/manifest-entries.js'
import { isSameFile, planFetch } from '../../../../src/data/ticks/fetch/fetch-plan.js'

const sum = (n: number): string => n.toString(16).padStart(64, '0')
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

test('every listed day has its state, ascending', () => {
  const named = (day: string, bytes = 10): TickEntry => ({ ...entry, day, bytes })
  const listing = ['06', '02', '04', '03'].map((day) => ({
    day: `202601${day}`,
    ...(day === '04' ? {} : { size: 10 }),
  }))
  const entries = [named('20260102'), named('20260103', 9), named('20260104'), named('20260109')]
  const plan = planFetch(listing, entries).map(({ listed, state }) => `${listed.day.slice(6)} ${state}`)
  expect(plan).toEqual(['02 complete', '03 changed', '04 unsure', '06 missing'])
})
