import type { Table } from 'apache-arrow'
import { afterEach, beforeEach, expect } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { HttpSource, type HttpSourceOptions } from '../../src/data/source/http-source.js'
import type { QueryOptions } from '../../src/data/source/source.js'
import { toObjects } from '../../src/frame/read-columns.js'
import { type Provenance, provenance } from '../../src/frame/table/provenance.js'
import { type Awkward, awkward, type Request, reply, type Script } from './awkward-server.js'
import { type Asked, bars, type Data, type Envelope, type Row, replyFor, truth, type VendorOptions } from './vendor.js'

/** A server that plays tricks, and sources that ask it. */
export let server: Awkward
const open: HttpSource[] = []

/** Makes them anew for each test of the file that calls this. */
export function useAwkwardServer(): void {
  beforeEach(async () => {
    server = await awkward()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((source) => source.close()))
    await server.close()
  })
}

const patience = 8000
/** Deadlines for manners that take long. */
export const impatient = { connect: 500, headers: 300, body: 300, call: 900 }
const deadlines = { connect: 2000, headers: 5000, body: 5000, call: 7000 }
const retry = { budgetMs: 3000, baseMs: 1, capMs: 5, attempts: 3 }

/** A source that is closed after the test. */
export function sourceOf(options: Partial<HttpSourceOptions> = {}): HttpSource {
  const source = new HttpSource({ nodes: [server.url], apikey: 'awkward-key-123', deadlines, retry, ...options })
  open.push(source)
  return source
}

/** A promise that is late is a failure of its own. */
function within<T>(promise: Promise<T>, milliseconds = patience): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

type Params = Asked['params']

/** Asks for all of it, under a limit of time of its own. */
export function ask(name: string, params: Params, options: QueryOptions = {}, source = sourceOf()): Promise<Table> {
  return within(source.query(datasetOf(name), params, { whole: true, ...options }))
}

/** What a promise was refused with; what it gave is no error, and short to print. */
export async function errorOf(promise: Promise<Table>): Promise<unknown> {
  return promise.then(
    (table) => ({ rows: table.numRows, about: provenance(table) }),
    (error: unknown) => error,
  )
}

/** Where a table came from. */
export function about(table: Table): Provenance {
  return provenance(table) as Provenance
}

/** Answers honestly from rows, after `change` has had its way with each reply. */
export function honest(
  rows: readonly Row[],
  change: (reply: Envelope, request: Request) => Envelope | Script = (same) => same,
  options: VendorOptions = {},
) {
  server.always((request) => {
    const changed = change(replyFor(rows, request.body, options), request)
    return typeof changed === 'function' ? changed : reply.json(changed)
  })
}

/** A reply with other data. */
export function withData({ code, message, data }: Envelope, change: (data: Data) => unknown): Envelope {
  return { code, message, data: data === null ? null : change(data as Data) }
}

export const day = '20260701'
export const symbols = ['510050.SH', '510300.SH', '159915.SZ']
export const ofDay = bars(symbols, day)
export const params = { symbols, tradedate: day, period: '15m' }
export const expected = truth(ofDay, 'etf_minute', params)
export const value = replyFor(ofDay, { apiname: 'etf_minute', params })

/** The rows, all of them, in order and no others. */
export function expectTruth(table: Table, rows: readonly Row[] = expected): void {
  expect(toObjects(table)).toEqual(rows)
}
