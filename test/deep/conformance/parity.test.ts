import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectOptions, connect, sampleDir } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { manifestText } from '../../../src/data/archive/manifest.js'
import { changedNote, provenance } from '../../../src/frame/table/provenance.js'
import type { Market } from '../../../src/market.js'
import { report, reportInput } from '../../../src/research/report/load/market-report.js'
import type { Service } from '../../../src/server/service/server.js'
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

test('the report, with its warning, its state and its auction', async () => {
  const [one, other] = [await report(archive, { days: 12 }), await report(live, { days: 12 })]
  expect(other === one).toBe(true)
  expect(other).toContain('SYNTHETIC')
  expect(other).toContain(`<code>${await archive.archive?.state()}</code>`)
  expect(other).toContain('auction-chart-1')
})

test('a key without the plan: the report without its auction, and it says why', async () => {
  const free = { authenticate: () => ({ name: 'a student', plan: 'free' }) as const }
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
