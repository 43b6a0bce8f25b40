// Deep: evenings of syncs, replayed and asked as of each.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { daysBetween } from '../../../../src/contract/day-list.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { asOfMoment } from '../../../../src/data/archive/revision/as-of.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { Growing } from '../../../data/archive/coverage/growing.js'
import { type Mend, mended } from '../../../data/sync/mended.js'
import { tempDir } from '../../../helper/temp.js'

const questions: readonly (readonly [string, Record<string, unknown>])[] = [
  ['theme_daily', { type: 'tj', startdate: '20260706' }],
  ['theme_daily', { type: 'tj' }],
  ['convertible_daily', { startdate: '20260706', enddate: '20260810' }],
  ['southbound_top10', { startdate: '20260706' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260714' }],
  ['hotstock', { type: 'ths&normal' }],
  ['finance_announcement', { version: 'all', ann_startdate: '20260706' }],
  ['interactive_qa', { version: 'all', startdate: '20260706' }],
  ['interactive_qa', {}],
  ['thememembers_jx', {}],
  ['theme_lib_detail_kp', { theme_id: '1001' }],
  ['news', { view: 'time' }],
]
const names = [...new Set(questions.map(([name]) => name))]

const beijing = (day: string, hour: number): number =>
  Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T00:00:00+08:00`) + hour * 3_600_000
const momentOf = (time: number): string => asOfMoment(new Date(time).toISOString().replace(/\.000Z$/, 'Z'))

async function answers(archive: Archive, names: readonly string[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (const [name, params] of questions.filter(([name]) => names.includes(name))) {
    const table = await archive.query(datasetOf(name), params, { whole: true })
    all.push([name, table.numRows, digest(table), provenance(table)?.complete])
  }
  return all
}

const trading = [...daysBetween('20260708', '20260716'), ...daysBetween('20260729', '20260803')]
const mend = fc.record({
  name: fc.constant(''),
  day: fc.constantFrom('20260708', '20260709', '20260710', '20260713', '20260715', '20260729', '20260730'),
  at: fc.nat(30),
  how: fc.constantFrom('change' as const, 'drop' as const, 'swap' as const),
})
/** Evenings on which it is synced: so many trading days later, at an hour, and what was mended before. */
const evening = fc.record({
  days: fc.integer({ min: 0, max: 6 }),
  hour: fc.integer({ min: 10, max: 23 }),
  mends: fc.array(mend, { maxLength: 6 }),
})

const some = fc.subarray(names, { minLength: 2, maxLength: 3 })

class Replay {
  readonly growing = new Growing('20260710')
  readonly mends: Mend[] = []
  readonly dir = `${tempDir()}/own`
  time = 0
  constructor() {
    this.growing.mend = (dataset, columns) =>
      this.mends.filter(({ name }) => name === dataset.name).reduce((rows, one) => mended(dataset, rows, one), columns)
  }
  async sync(datasets: readonly string[] = names) {
    return syncArchive(this.growing, {
      archive: this.dir,
      datasets,
      from: '20260706',
      themes: ['1001', '1002'],
      time: () => this.time,
    })
  }
}

test('as of each sync the archive answers as it did then, whatever the source mended since', async () => {
  let revisions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(evening, { minLength: 2, maxLength: 4 }), some, async (evenings, datasets) => {
      const replay = new Replay()
      const left: { moment: string; answers: unknown[] }[] = []
      let at = 2
      for (const { days, hour, mends } of evenings) {
        at = Math.min(at + days, trading.length - 1)
        const day = trading[at] as string
        replay.growing.until = day
        replay.growing.tick = hour
        replay.mends.push(...mends.map((one) => ({ ...one, name: datasets[one.at % datasets.length] as string })))
        replay.time = Math.max(beijing(day, hour), replay.time + 60_000)
        const result = await replay.sync(datasets)
        revisions += result.revisions
        left.push({ moment: momentOf(replay.time), answers: await answers(new Archive(replay.dir, 'own'), datasets) })
      }
      for (const { moment, answers: then } of left) {
        expect(await answers(new Archive(replay.dir, 'own', { asOf: moment }), datasets)).toEqual(then)
      }
      const later = momentOf(replay.time + 86_400_000)
      expect(await answers(new Archive(replay.dir, 'own', { asOf: later }), datasets)).toEqual(left.at(-1)?.answers)
    }),
    { numRuns: Number(process.env.RUNS ?? 5), endOnFailure: true },
  )
  expect(revisions).toBeGreaterThan(0)
})
