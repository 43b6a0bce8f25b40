import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { followArchive } from '../../../src/data/sync/follow.js'
import { syncArchive } from '../../../src/data/sync/sync.js'
import { syncable } from '../../../src/data/sync/sync-series.js'
import { digest } from '../../../src/frame/table/digest.js'
import { envelopeOf, type Request, type Service, serve } from '../../helper/service.js'
import { tempDir } from '../../helper/temp.js'
import { at, SleptTime, TimedSource } from './timed-source.js'

interface Rows {
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
}

/** The sample of an evening behind HTTP, which answers awkwardly, and a client of it whose waits take no time. */
async function vendorOf(awkward: (request: Request, n: number) => number | ((data: Rows) => Rows) | undefined) {
  const clock = new SleptTime('2026-07-29T22:30:00')
  const truth = new TimedSource(clock)
  let n = 0
  const service: Service = await serve(truth, (request, response) => {
    const how = awkward(request, n++)
    if (typeof how === 'number') response.writeHead(how).end()
    else if (how) {
      void envelopeOf(truth, { ...request, fields: undefined as never }).then(({ data, ...told }) => {
        const sent = data && Object.hasOwn(data, 'items') ? { ...data, ...how(data as Rows) } : data
        response.end(JSON.stringify({ code: told.code, message: told.message, data: sent }))
      })
    }
    return how !== undefined
  })
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', clock, time: clock.now })
  const archive = `${tempDir()}/own`
  const close = async (): Promise<void> => {
    await source.close()
    await service.close()
  }
  return { truth, clock, source, archive, service, close, time: clock.now }
}

test.each([
  [500, 'sync'],
  [524, 'follow'],
] as const)(
  'one answer in seven that is %i: %s brings every dataset, the question for the latest day among them',
  async (status, how) => {
    const { source, archive, time, clock, close } = await vendorOf((_, n) => (n % 7 === 0 ? status : undefined))
    const options = {
      archive,
      datasets: syncable.filter((name) => !['etf_minute', 'theme_lib_detail_kp'].includes(name)),
      from: '20260728',
      time,
    }
    const result =
      how === 'sync'
        ? await syncArchive(source, options)
        : (await followArchive(source, { ...options, clock }).next()).value?.result
    expect(result?.datasets.flatMap(({ failed }) => failed ?? [])).toEqual([])
    expect(result?.datasets.length).toBe(options.datasets.length)
    await close()
  },
)

test('a dataset that answers with an error for ever hides no other, and not the latest day', async () => {
  const { source, archive, time, close } = await vendorOf(({ apiname }) =>
    apiname === 'theme_daily' ? 500 : undefined,
  )
  const { datasets, latest } = await syncArchive(source, {
    archive,
    datasets: ['theme_daily', 'convertible_daily', 'st'],
    from: '20260728',
    time,
  })
  expect([latest, datasets.map(({ failed }) => failed === undefined)]).toEqual(['20260729', [false, true, true]])
  await close()
})

const more = (data: Rows) => ({
  fields: ['iopv', 'legs', ...data.fields],
  items: data.items.map((row) => [7, { a: 1 }, ...row]),
})

test('every column is sent, whatever was asked, and two that are new: sync stores what query answers', async () => {
  const { truth, source, archive, time, close } = await vendorOf(() => more)
  const names = ['theme_daily', 'convertible_daily', 'st', 'hotstock', 'convertible_minute', 'anomaly_forecast']
  const days = { startdate: '20260727', enddate: '20260728' }
  const asked = await source.query(datasetOf('theme_daily'), { type: 'tj', ...days }, { whole: true })
  expect(asked.schema.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['iopv', 'legs']))
  const result = await syncArchive(source, { archive, datasets: names, from: '20260727', time })
  expect(result.datasets.map(({ dataset, failed, missing }) => [dataset, failed, missing])).toEqual(
    names.map((name) => [name, undefined, []]),
  )
  const own = new Archive(archive, 'own')
  for (const [name, params] of [
    ['theme_daily', { type: 'tj', ...days }],
    ['theme_daily', { type: 'tj' }],
    ['convertible_daily', { ...days }],
    ['st', { ...days }],
    ['convertible_minute', { tradedate: '20260727', trademin: '1500' }],
  ] as const)
    expect(digest(await own.query(datasetOf(name), params))).toBe(digest(await truth.query(datasetOf(name), params)))
  // What is settled is there for good.
  const again = await syncArchive(source, { archive, datasets: names, time: () => at('2026-07-29T22:31:00') })
  const due = again.datasets.filter(({ dataset }) => /daily|minute/.test(dataset)).map((one) => one.due)
  expect(due).toEqual([['20260729'], ['20260729'], ['20260729']])
  await close()
})
