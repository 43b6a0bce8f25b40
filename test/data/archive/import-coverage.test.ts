import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { dateOf, dayNumber } from '../../../src/contract/date.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { daysOfScope, extendCoverage } from '../../../src/data/archive/coverage/coverage.js'
import { datesIn, rangesOfDays } from '../../../src/data/archive/coverage/day-ranges.js'
import { type ImportOptions, importFiles } from '../../../src/data/archive/import/import-files.js'
import type { Covered } from '../../../src/data/archive/manifest-entries.js'
import '../../helper/seed.js'
import { tempDir, tempFile } from '../../helper/temp.js'

const asked = '2026-07-08T20:00:00+08:00'

/** A saved reply, as the service sends it. */
const reply = (fields: readonly string[], items: readonly unknown[], more: object = {}) => ({
  code: items.length > 0 ? 200 : 1002,
  message: 'success',
  data: items.length > 0 ? { fields, items, ...more } : null,
})
const bonds = (...days: string[]) =>
  reply(
    ['tradedate', 'symbol', 'code'],
    days.map((day) => [day, '110059', '110059.SH']),
  )

async function imported(
  name: DatasetName,
  body: object,
  request: object | undefined,
  options: ImportOptions = {},
  dir = join(tempDir(), 'archive'),
): Promise<Archive> {
  const path = tempFile('rows.json', JSON.stringify(body))
  if (request) writeFileSync(path.replace('.json', '.request.json'), JSON.stringify({ apiname: name, ...request }))
  await importFiles(dir, datasetOf(name), [path], options)
  return new Archive(dir, 'test')
}

const coveredIn = async (archive: Archive, name: DatasetName) => (await archive.manifest()).datasets[name]?.covered

test.each<[string, DatasetName, object, object | undefined, ImportOptions]>([
  ['without a request', 'convertible_daily', bonds('20260701'), undefined, {}],
  [
    'rows that are no reply',
    'convertible_daily',
    [{ tradedate: '20260701', symbol: '110059', code: '110059.SH' }],
    { params: {} },
    {},
  ],
  ['a reply of the latest day', 'convertible_daily', bonds('20260701'), { params: {}, asked }, {}],
  [
    'cut replies',
    'convertible_daily',
    bonds('20260701'),
    { params: { tradedate: '20260701' }, asked },
    { partial: true },
  ],
  ['an unknown param', 'convertible_daily', bonds('20260701'), { params: { tradedat: '20260701' }, asked }, {}],
  [
    'a misspelt code',
    'convertible_daily',
    bonds('20260701'),
    { params: { tradedate: '20260701', symbols: '110058' }, asked },
    {},
  ],
])('%s says nothing of coverage', async (_, name, body, request, options) => {
  expect(await coveredIn(await imported(name, body, request, options), name)).toBeUndefined()
})

test('codes are covered by themselves; a trading day that quotes lack is not, a weekend is', async () => {
  const params = { startdate: '20260701', enddate: '20260706' }
  const some = await imported('convertible_daily', bonds('20260701'), {
    params: { ...params, symbols: '110059,110060' },
    asked,
  })
  expect(await coveredIn(some, 'convertible_daily')).toEqual([
    { scope: '', symbols: ['110059'], days: [['20260701', '20260706']], asked, proof: 'cap' },
  ])
  const all = await imported(
    'theme_daily',
    reply(
      ['tradedate', 'symbol', 'type'],
      [
        ['20260701', '880001', 'tj'],
        ['20260703', '880001', 'tj'],
      ],
    ),
    {
      params: { type: 'tj', ...params },
      asked,
    },
  )
  expect(await coveredIn(all, 'theme_daily')).toMatchObject([
    {
      days: [
        ['20260701', '20260701'],
        ['20260703', '20260705'],
      ],
    },
  ])
})

test('coverage with and without grounds: the days are those of a brute force, and each rests on the last that said on what', () => {
  const day = fc.integer({ min: dayNumber('20260101'), max: dayNumber('20260120') }).map(dateOf)
  const item = fc.record({
    scope: fc.constantFrom('', '15m'),
    symbols: fc.oneof(fc.constant('all' as const), fc.subarray(['a', 'b', 'c'], { minLength: 1 })),
    days: fc.array(day, { minLength: 1, maxLength: 6 }).map(rangesOfDays),
    ground: fc.constantFrom({}, { proof: 'cap' }, { asked, proof: 'cap' }, { asked, proof: 'stated' }),
  })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), (items) => {
      const told = new Map<string, string>()
      let covered: readonly Covered[] = []
      for (const { scope, symbols, days, ground } of items) {
        covered = extendCoverage(covered, { scope, symbols, days, ...ground })
        for (const code of symbols === 'all' ? ['all'] : symbols)
          for (const date of datesIn(days)) {
            const key = `${scope} ${code} ${date}`
            if (!told.has(key) || JSON.stringify(ground) !== '{}') told.set(key, JSON.stringify(ground))
          }
      }
      const found = new Map<string, string>()
      for (const { scope, symbols, days, ...ground } of covered)
        for (const code of symbols === 'all' ? ['all'] : symbols)
          for (const date of datesIn(days)) {
            const key = `${scope} ${code} ${date}`
            expect(found.has(key), 'each day once').toBe(false)
            found.set(key, JSON.stringify(ground))
          }
      expect(new Map([...found].sort())).toEqual(new Map([...told].sort()))
      for (const scope of ['', '15m']) {
        const all = datesIn(daysOfScope(covered, scope).all)
        expect(all).toEqual(
          [...found.keys()]
            .filter((key) => key.startsWith(`${scope} all`))
            .map((key) => key.slice(-8))
            .sort(),
        )
      }
    }),
    { numRuns: 200 },
  )
})
