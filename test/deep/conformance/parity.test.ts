import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Schema, Table } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectOptions, connect, sampleDir } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { manifestText } from '../../../src/data/archive/manifest.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { changedNote, provenance } from '../../../src/frame/table/provenance.js'
import { columnsOf } from '../../../src/frame/table/unwrap.js'
import type { ColumnData } from '../../../src/frame/table/values.js'
import { toIpc } from '../../../src/frame/write-data.js'
import type { Market } from '../../../src/market.js'
import { report, reportInput } from '../../../src/research/report/load/market-report.js'
import type { Service } from '../../../src/server/service/server.js'
import { quotebookBeside } from '../../helper/cli.js'
import { hostileArchive } from '../../helper/hostile-archive.js'
import { serviceOver } from '../../helper/own-service.js'
import { tempDir } from '../../helper/temp.js'

// Deep: reads every tick file twice, makes several reports and runs the command beside a service.
/** The same bytes from the embedded archive and from our own service over it. */
let service: Service
let archive: Market
let live: Market

/** A day within the data: a range without an end reaches up to today. */
const time = (): number => Date.UTC(2026, 6, 31)
const optionsFor = ({ url }: Service): ConnectOptions => ({ nodes: [url], apikey: 'parity-key', time })

beforeAll(async () => {
  const dir = await hostileArchive()
  service = await serviceOver(new Archive(dir, 'archive sample'))
  archive = await connect({ archive: dir })
  live = await connect(optionsFor(service))
})
afterAll(async () => {
  await live.close()
  await service.close()
})

/**
 * Words in the order in which rows first have them, and nothing under a null: neither the order of a dictionary nor what
 * lies under a null says anything, and each source has its own.
 */
function plain(values: ColumnData): ColumnData {
  if (values.type === 'int')
    return { ...values, data: values.data.map((cell, row) => (values.valid?.[row] === 0 ? 0 : cell)) }
  if (values.type !== 'dictionary') return values
  const place = new Map<number, number>()
  for (const code of values.data) if (code >= 0 && !place.has(code)) place.set(code, place.size)
  const words = [...place.keys()].map((code) => values.dictionary[code] as string)
  return { type: 'dictionary', data: values.data.map((code) => place.get(code) ?? -1), dictionary: words }
}

/** A table as Arrow IPC, without where it came from. */
function bytesOf(table: Table): Buffer {
  const { length, columns: of } = columnsOf(table)
  const columns = { length, columns: new Map([...of].map(([name, values]) => [name, plain(values)])) }
  const { schema, batches } = toTable(columns, {}, new Map())
  const fields = schema.fields.map((field, i) => field.clone({ metadata: table.schema.fields[i]?.metadata ?? null }))
  expect(schema.fields.map(({ type }) => `${type}`)).toEqual(table.schema.fields.map(({ type }) => `${type}`))
  return Buffer.from(toIpc(new Table(new Schema(fields, new Map()), batches)))
}

test('auction ticks: every day, byte for byte', async () => {
  const days = await archive.ticks.days()
  expect(await live.ticks.days()).toEqual(days)
  const same = await Promise.all(
    days.map(async (day) => {
      const [one, other] = await Promise.all([archive.ticks.read(day), live.ticks.read(day)])
      return bytesOf(one).equals(bytesOf(other))
    }),
  )
  expect(same).toEqual(days.map(() => true))
})

test('the report, with its warning, its state and its auction', async () => {
  const [one, other] = [await report(archive, { days: 12 }), await report(live, { days: 12 })]
  expect(other === one).toBe(true)
  expect(other).toContain('SYNTHETIC')
  expect(other).toContain(`<code>${await archive.archive?.state()}</code>`)
  expect(other).toContain('auction-chart-1')
})

test('a key without the plan: the report without its auction, and it says why', async () => {
  const free = { authenticate: () => ({ caller: { name: 'a student', plan: 'free' } as const }) }
  const own = await serviceOver(new Archive(await hostileArchive(), 'archive sample'), { authenticator: free })
  const market = await connect(optionsFor(own))
  try {
    const page = await report(market, { days: 2 })
    expect(page).toMatch(/Left out: (<bdi[^>]*>)?the plan of the key does not include the auction-tick files/)
    expect(page).toMatch(/Not loaded: [^<]*file_download/)
    expect(page).not.toContain('auction-chart-1')
    expect(page).toContain(`<code>${await archive.archive?.state()}</code>`)
  } finally {
    await market.close()
    await own.close()
  }
})

describe('an archive that changes while a report of it is made', () => {
  /** A copy of the sample, and a change of its state that leaves its rows alone: the hardest to see. */
  function growing(): { readonly dir: string; change(): void } {
    const dir = join(tempDir(), 'growing')
    cpSync(sampleDir, dir, { recursive: true })
    const manifest = join(dir, 'manifest.json')
    let changes = 0
    const change = (): void => {
      const about = `SYNTHETIC, change ${++changes}`
      writeFileSync(`${manifest}.new`, manifestText({ ...JSON.parse(readFileSync(manifest, 'utf8')), about }))
      renameSync(`${manifest}.new`, manifest)
    }
    return { dir, change }
  }

  test.each(['an archive', 'a service'])(
    '%s: no state passes as that of all tables, and the page says why',
    async (what) => {
      const { dir, change } = growing()
      const own = new Archive(dir, 'growing')
      const first = await own.state()
      const over = await serviceOver(own)
      const market = await connect(what === 'a service' ? optionsFor(over) : { archive: dir })
      try {
        const still = await reportInput(market, { days: 2 })
        expect([still.source.state, still.source.changed]).toEqual([first, undefined])
        const steps: string[] = []
        const onStep = (_: number, __: number, step: string): void => {
          steps.push(step)
          if (steps.length === 7) change()
        }
        const page = await report(market, { days: 2, onStep })
        expect(steps.length).toBeGreaterThan(10)
        expect(page).toContain('none: the source changed while it was read')
        expect(page).not.toContain(first)
        expect(page).not.toContain(await own.state())
        const after = await reportInput(market, { days: 2 })
        expect([after.source.state, after.source.changed]).toEqual([await own.state(), undefined])
      } finally {
        await market.close()
        await over.close()
      }
    },
  )

  test('one query of several requests: no state, and a note', async () => {
    const { dir, change } = growing()
    let answers = 0
    const over = await serviceOver(new Archive(dir, 'growing'), { onAnswer: () => ++answers === 3 && change() })
    const market = await connect(optionsFor(over))
    try {
      const table = await market.table.etfMinute({ trademin: '1000' }, { days: { from: '20260701', to: '20260729' } })
      expect(provenance(table)).toMatchObject({ complete: true, note: changedNote })
      expect(provenance(table)?.state).toBeUndefined()
    } finally {
      await market.close()
      await over.close()
    }
  })
})

test('the command line: rows, and a report', async () => {
  const key = { QUOTEBOOK_APIKEY: 'parity-key' }
  for (const rest of [
    ['etf_minute', '--params', '{"trademin":"1000"}', '--from', '20260727', '--to', '20260729', '--format', 'csv'],
    ['anomaly_forecast', '--format', 'json'],
    ['southbound_top10', '--params', '{"startdate":"20260727","enddate":"20260729"}', '--format', 'table'],
  ]) {
    const args = ['query', ...rest]
    const [one, other] = await Promise.all([
      quotebookBeside([...args, '--source', await hostileArchive()]),
      quotebookBeside([...args, '--source', service.url], key),
    ])
    expect(one.code).toBe(0)
    expect(other).toEqual(one)
  }
  const dir = tempDir()
  const [own, asked] = [join(dir, 'own.html'), join(dir, 'asked.html')]
  const report = ['report', '--days', '3', '--title', 'Parity', '--out']
  expect((await quotebookBeside([...report, own, '--source', await hostileArchive()])).code).toBe(0)
  expect((await quotebookBeside([...report, asked, '--source', service.url], key)).code).toBe(0)
  expect(readFileSync(own).equals(readFileSync(asked))).toBe(true)
})
