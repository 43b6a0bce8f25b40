import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { sampleDir } from '../../../../src/connect.js'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import {
  type ArchiveIdentity,
  answerHeader,
  archiveHeader,
  readArchiveHeader,
} from '../../../../src/data/source/reply/archive-identity.js'
import { concatTables } from '../../../../src/frame/table/concat-tables.js'
import { changedNote, provenance } from '../../../../src/frame/table/provenance.js'
import { type Request, type Service, serve } from '../../../helper/service.js'
import { tempDir } from '../../../helper/temp.js'

const [one, other] = ['a'.repeat(64), 'b'.repeat(64)]
const archive = new Archive(sampleDir, 'sample')
const etf = datasetOf('etf_minute')
const bond = datasetOf('convertible_daily')
const days = { from: '20260727', to: '20260729' }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A service that tells of its archive what `tell` says; without it, as the vendor, nothing. */
async function sourceOf(tell: (request: Request) => ArchiveIdentity | undefined): Promise<HttpSource> {
  const before = (request: Request, response: ServerResponse): boolean => {
    const identity = tell(request)
    if (identity) response.setHeader('quotebook-archive', archiveHeader(identity))
    return false
  }
  const service: Service = await serve(archive, before)
  const source = new HttpSource({ nodes: [service.url], apikey: 'origin-key' })
  closers.push(
    () => source.close(),
    () => service.close(),
  )
  return source
}

test('a table of two states passes as neither, and says so; so does what is made of tables of both', async () => {
  const stateOn = (day: unknown) => (day === '20260728' ? other : one)
  const source = await sourceOf(({ params }) => ({ name: 'mine', state: stateOn(params?.tradedate) }))
  const mixed = await source.query(etf, { trademin: '1000' }, { whole: true, days })
  expect(provenance(mixed)).toMatchObject({ complete: true, note: changedNote })
  expect(provenance(mixed)?.state).toBeUndefined()
  expect((await source.identity())?.state).toBeUndefined()
  expect((await source.identity())?.name).toBe('mine')
  const dated = (tradedate: string) => source.query(etf, { trademin: '1000', tradedate }, { whole: true })
  const [a, b] = [await dated('20260727'), await dated('20260728')]
  expect([provenance(a)?.state, provenance(b)?.state]).toEqual([one, other])
  expect(provenance(concatTables(etf, [a, a]))).toMatchObject({ state: one })
  for (const parts of [
    [a, b],
    [b, a],
  ]) {
    const about = provenance(concatTables(etf, parts))
    expect([about?.state, about?.note]).toEqual([undefined, changedNote])
  }
})

test('rows that are missing in the archive are missing over HTTP: not complete, with the same words', async () => {
  const source = await sourceOf(() => ({ name: 'mine', state: one, partial: ['convertible_daily'] }))
  const about = provenance(await source.query(bond, {}, { whole: true }))
  expect(about).toMatchObject({
    complete: false,
    note: 'some of its rows were imported from replies that had been cut',
    state: one,
  })
  expect(about?.proof).toBeUndefined()
  expect(provenance(await source.query(etf, {}, { whole: true }))).toMatchObject({ complete: true })
})

test('a cache passes on name and warning, and no state', async () => {
  const inner = await sourceOf(() => ({ name: 'mine', state: one, about: 'SYNTHETIC: not real' }))
  const source = new CachedSource(inner, `${tempDir()}/kept`)
  await source.query(bond, { startdate: '20260720', enddate: '20260729' }, { whole: true })
  expect(await source.identity()).toEqual({ name: 'mine', about: 'SYNTHETIC: not real' })
})

test.each([{}, { tradedate: '20260729' }, { tradedate: '20260728' }, { tradedate: '20260730' }])(
  'candidates of %j: the same note over HTTP as from the archive',
  async (params) => {
    const source = await sourceOf(() => ({ name: 'mine', state: one }))
    const dataset = datasetOf('anomaly_forecast')
    for (const fields of [undefined, 'name,rule']) {
      const options = { whole: true, fields }
      const own = provenance(await archive.query(dataset, params, options))
      expect(provenance(await source.query(dataset, params, options))?.note).toEqual(own?.note)
      if (!('tradedate' in params)) expect(`${own?.note}`).toBe('20260729 and the forecast for the next trading day')
    }
  },
)

test('an answer that an archive does not know to be all is not known to be all over HTTP, with the same words', async () => {
  const note = 'no row of 20260702 to 20260728'
  const header = answerHeader(archiveHeader({ name: 'mine', state: one }), { total: 1, unproven: note })
  expect(readArchiveHeader(header)).toEqual({ name: 'mine', state: one, total: 1, unproven: note })
  const service = await serve(archive, (_, response) => {
    response.setHeader('quotebook-archive', header)
    return false
  })
  const source = new HttpSource({ nodes: [service.url], apikey: 'origin-key' })
  closers.push(
    () => source.close(),
    () => service.close(),
  )
  const about = provenance(await source.query(bond, { symbols: '123124' }, { whole: true }))
  expect([about?.complete, about?.proof, about?.note]).toEqual([false, undefined, note])
})

test('rows that match are told within the header that servers take, whatever there is to say', () => {
  const long = { name: '名'.repeat(300), state: one, about: '关'.repeat(5000) }
  const header = answerHeader(archiveHeader(long), { total: 123, unproven: '缺'.repeat(3000) })
  expect(header.length).toBeLessThanOrEqual(4096)
  expect(readArchiveHeader(header)).toMatchObject({ total: 123, unproven: expect.stringMatching(/^缺+…$/) })
})
