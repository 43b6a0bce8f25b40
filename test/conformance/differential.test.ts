import fc from 'fast-check'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { defaultFields } from '../../src/contract/check-fields.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { ParamsError, QuotebookError } from '../../src/contract/error.js'
import type { Param } from '../../src/contract/param.js'
import { bucketCloses } from '../../src/contract/session.js'
import { namesOf, rowsOf } from '../../src/frame/read-columns.js'
import { provenance } from '../../src/table/provenance.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { type Running, runService } from '../helper/running-service.js'

/** Random requests: what comes over the socket is what `Archive.query` finds, rows, order, errors and all. */
const runs = Number(process.env.DIFFERENTIAL ?? 250)
const names = datasetNames.filter((name) => name !== 'file_download')
let service: Running
const agent = new Agent()

beforeAll(async () => {
  service = await runService({ dir: await hostileArchive() })
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

/** Texts that stand in a column of the archive, at most so many. */
async function found(dataset: Dataset, columns: readonly string[]): Promise<string[]> {
  const about = {
    version: 'all',
    ...(dataset.example as object),
    ...('startdate' in dataset.params ? { startdate: '20250101', enddate: '20261231' } : {}),
  }
  const params = Object.fromEntries(
    Object.entries(about).filter(
      ([name]) =>
        Object.hasOwn(dataset.params, name) &&
        !['symbols', 'date', 'tradedate', 'theme_symbols', 'recentdays'].includes(name),
    ),
  )
  const table = await service.archive.query(dataset, params, { whole: true })
  const all = namesOf(table)
  const rows = rowsOf(table)
  const cells = columns.flatMap((column) => rows.flatMap((row) => row[all.indexOf(column)]))
  return [...new Set(cells.filter((cell): cell is string => typeof cell === 'string'))].slice(0, 300)
}

const someOf = <T>(values: readonly T[], most = 4): fc.Arbitrary<T[]> =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: most })

function listOf(values: readonly string[]): fc.Arbitrary<unknown> {
  return fc.tuple(someOf(values), fc.boolean()).map(([list, joined]) => (joined ? list.join(',') : list))
}

const days = fc.oneof(
  fc.constantFrom(
    '20260506',
    '20260630',
    '20260701',
    '20260715',
    '20260728',
    '20260729',
    '20260730',
    '20250820',
    '20250821',
  ),
  fc.constantFrom('20260704', '20240229', '20991231'),
)
const moments = ['20260630', '2026-07-01', '2026-07-10T04:00:00Z', '2026-07-10T12:00:00.5+08:00', '2026-07-10 09:30']

function anyOf(param: Param, known: readonly string[]): fc.Arbitrary<unknown> {
  switch (param.kind) {
    case 'integer':
      return fc.oneof(
        fc.integer({ min: param.min ?? 0, max: Math.min(param.max ?? 500, 3000) }),
        fc.constantFrom(0, -1, 1, 7, 100_000),
      )
    case 'date':
      return days
    case 'minute':
      return fc.constantFrom(...bucketCloses['15m'], '1301')
    case 'moment':
      return fc.constantFrom(...moments)
    case 'choice':
      return fc.constantFrom(...(param.values ?? []))
    case 'choices':
      return listOf(param.values ?? [])
    case 'text':
      return fc.constantFrom('a', '<', '回购', '的', 'none', ...known.map((text) => text.slice(0, 4)))
    case 'codes':
      return listOf([
        ...known,
        ...known.map((code) => code.slice(0, 6)),
        ...known.map((code) => `${code.slice(0, 6)}.SZ`),
        '999999',
      ])
    default:
      return listOf([...known, '1'])
  }
}

async function requests(dataset: Dataset): Promise<fc.Arbitrary<{ params: object; fields: string | undefined }>> {
  const entries = await Promise.all(
    Object.entries(dataset.params).map(async ([name, param]) => {
      const known =
        param.columns && ['codes', 'ids', 'texts', 'text'].includes(param.kind)
          ? await found(dataset, param.columns)
          : []
      return [
        name,
        anyOf(
          param,
          known.filter((text) => text.trim() !== '' && !text.includes(',')),
        ),
      ] as const
    }),
  )
  const required = Object.keys(dataset.params).filter((name) => dataset.params[name]?.required)
  const params = fc.record(Object.fromEntries(entries), { requiredKeys: required, noNullPrototype: true })
  const names = defaultFields(dataset, {})
  const fields = dataset.noFields
    ? fc.constant(undefined)
    : fc.option(someOf(names, 12).map(String), { nil: undefined })
  // Few conditions meet more rows than many.
  const few = fc.tuple(params, fc.nat(3)).map(([all, most]) => {
    const optional = Object.keys(all)
      .filter((name) => !required.includes(name))
      .slice(0, most)
    return Object.fromEntries(
      Object.entries(all).filter(([name]) => required.includes(name) || optional.includes(name)),
    )
  })
  return fc.record({ params: fc.oneof(few, few, params), fields }, { noNullPrototype: true })
}

interface Envelope {
  readonly code: number
  readonly message: string
  readonly data: { fields: string[]; items: unknown[][]; groups?: unknown } | null
}

async function overSocket(body: object): Promise<Envelope> {
  const reply = await request(`${service.url}/api`, { method: 'POST', body: JSON.stringify(body), dispatcher: agent })
  expect(reply.statusCode).toBe(200)
  return (await reply.body.json()) as Envelope
}

/** What the archive finds, as an envelope without groups. */
async function fromArchive(dataset: Dataset, params: object, fields: string | undefined): Promise<unknown> {
  try {
    const table = await service.archive.query(dataset, params, fields === undefined ? {} : { fields })
    if (table.numRows === 0) return { code: 1002, message: 'no data', data: null }
    const named = namesOf(table)
    const isJson = named.map((name) => dataset.columns[name]?.kind === 'json')
    const items = rowsOf(table).map((row) =>
      row.map((cell, at) => (isJson[at] && typeof cell === 'string' ? JSON.parse(cell) : cell)),
    )
    if (dataset.shape === 'object') {
      return {
        code: 200,
        message: 'success',
        data: Object.fromEntries(named.map((name, at) => [name, items[0]?.[at]])),
      }
    }
    return { code: 200, message: 'success', data: { fields: named, items, ...provenance(table)?.beside } }
  } catch (error) {
    if (error instanceof ParamsError) return { code: 422, message: error.message, data: null }
    if (error instanceof QuotebookError && error.code === 'UNSUPPORTED_MARKET') {
      return { code: 503, message: 'UNSUPPORTED_MARKET', data: null }
    }
    throw error
  }
}

test.each(names)('%s', { timeout: 600_000 }, async (name) => {
  const dataset = datasetOf(name)
  const codes = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(await requests(dataset), async ({ params, fields }) => {
      const reply = await overSocket({
        apikey: 'k',
        apiname: name,
        params,
        ...(fields === undefined ? {} : { fields }),
      })
      codes.set(reply.code, (codes.get(reply.code) ?? 0) + 1)
      const expected = await fromArchive(dataset, params, fields)
      const { groups: _, ...data } = reply.data ?? {}
      const got = { ...reply, data: reply.data && data }
      // Texts first: a difference of thousands of rows would take minutes to print.
      if (JSON.stringify(got) === JSON.stringify(expected)) return
      expect(JSON.stringify(got).slice(0, 2000)).toBe(JSON.stringify(expected).slice(0, 2000))
      throw new Error('answers differ further on')
    }),
    { numRuns: runs },
  )
  if (process.env.DIFFERENTIAL) console.info(name, Object.fromEntries(codes))
  expect(codes.get(200) ?? 0).toBeGreaterThan(runs / 10)
})
