import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetNames } from '../../../src/contract/catalogue.js'
import { type AccessEntry, type Route, routes } from '../../../src/server/service/access-log.js'
import { createMetrics } from '../../../src/server/service/metrics.js'
import { bundled } from '../../helper/bundle.js'

const entry: AccessEntry = {
  time: '2026-07-01T09:30:00.000+08:00',
  id: 1,
  method: 'POST',
  route: 'api',
  apiname: 'etf_minute',
  status: 200,
  code: 200,
  rows: 9,
  bytes: 1000,
  milliseconds: 3,
  caller: 'research',
}

/** The samples of a text in the format of Prometheus, by name and labels; every line must be one that the format has. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  const typed = new Set<string>()
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '') continue
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line)
    if (type?.[1]) typed.add(type[1])
    if (type || /^# HELP [a-zA-Z_:][\w:]* .+$/.test(line)) continue
    const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/.exec(line)
    expect(sample, line).not.toBe(null)
    const [, name = '', labels = '', value] = sample ?? []
    expect(
      [name, name.replace(/_(bucket|sum|count)$/, '')].some((known) => typed.has(known)),
      line,
    ).toBe(true)
    expect(samples.has(name + labels), line).toBe(false)
    samples.set(name + labels, Number(value))
  }
  return samples
}

test('asking twice counts nothing twice', async () => {
  const metrics = await createMetrics()
  metrics.observe(entry)
  const own = (text: string) => text.split('\n').filter((line) => line.includes('quotebook_'))
  const first = own(await metrics.text())
  const both = await Promise.all([metrics.text(), metrics.text()])
  expect(both.map(own)).toEqual([first, first])
  metrics.observe(entry)
  const name = 'quotebook_requests_total{route="api",apiname="etf_minute",status="200",code="200"}'
  expect(samplesOf(await metrics.text()).get(name)).toBe(2)
})

test('what the server counts is read when the metrics are', async () => {
  const state = { flying: 1, held: 10, changes: 0 }
  const metrics = await createMetrics({
    inFlight: () => state.flying,
    heldBytes: () => state.held,
    archiveChanges: () => state.changes,
  })
  const read = async (): Promise<unknown[]> => {
    const samples = samplesOf(await metrics.text())
    const names = ['quotebook_requests_in_flight', 'quotebook_held_bytes', 'quotebook_archive_changes_total']
    return names.map((name) => samples.get(name))
  }
  expect(await read()).toEqual([1, 10, 0])
  Object.assign(state, { flying: 0, held: 5, changes: 3 })
  expect(await read()).toEqual([0, 5, 3])
  expect(await read()).toEqual([0, 5, 3])
})

test('nothing from outside becomes a label: no key, no name, and no more series than the contract has', async () => {
  const metrics = await createMetrics()
  const secret = 'k3y-that-nobody-may-read'
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', '"} 1\nforged 1', secret),
    fc.constant(secret.repeat(4200)),
  )
  const any = fc.record({
    apiname: fc.oneof(hostile, fc.constantFrom(...datasetNames), fc.constant(undefined)),
    route: fc.oneof(fc.constantFrom(...routes), hostile as fc.Arbitrary<Route>),
    status: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(200, 404)),
    code: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(200, 1002, 422)),
    caller: fc.constant(secret),
    method: hostile,
    error: fc.constant(secret),
    rows: fc.oneof(fc.integer(), fc.double()),
    bytes: fc.oneof(fc.integer(), fc.double()),
    milliseconds: fc.double(),
  })
  fc.assert(
    fc.property(any, (more) => metrics.observe({ ...entry, ...more })),
    { numRuns: 5000 },
  )
  const text = await metrics.text()
  expect(text).not.toContain('k3y')
  expect(text).not.toContain('forged')
  const own = [...samplesOf(text).keys()].filter((name) => name.startsWith('quotebook_'))
  const labels = (label: string) => new Set(own.map((name) => new RegExp(`[{,]${label}="([^"]*)"`).exec(name)?.[1]))
  for (const name of labels('apiname')) expect([...datasetNames, 'other', '', undefined]).toContain(name)
  for (const name of labels('route')) expect([...routes, undefined]).toContain(name)
  for (const code of [...labels('code'), ...labels('status')]) {
    expect(code === undefined || /^([1-5]\d\d|1002|other|)$/.test(code), code).toBe(true)
  }
})

test('a process that has metrics ends by itself', async () => {
  const program = await bundled(
    "import { createMetrics } from './src/server/service/metrics.ts'; console.log((await (await createMetrics()).text()).includes('nodejs_eventloop_lag'))",
  )
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 600_000 })).toBe('true\n')
})
