import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyOf, script, serve } from './service.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'
import { testServer } from './test-server.mjs'
import { turns } from './workers.mjs'

export const question = `the service over an archive in ClickHouse against the same archive in a directory, both warm, log on, 16 connections of wrk;
  seven turns of 3 s, medians`

const [symbols, days] = [symbolsOf(600), daysOf(30)]

export async function measure({ dist, load, copyArchive }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const engine = await (await testServer('clickhouse-server')).startClickHouse()
  const services = []
  try {
    const archive = join(dir, 'archive')
    await makeArchive(archive, { symbols, days, withBonds: false }, load)
    const address = engine.nodes[0].address('bench')
    await copyArchive(archive, address)
    for (const place of [address, archive]) services.push(await serve(dist, place))
    const points = Array.from({ length: 1000 }, (_, i) => bodyOf([symbols[(i * 7) % 600]], days[(i * 31) % 30]))
    const wide = days.map((day, i) => bodyOf(symbols.slice(i % 200, (i % 200) + 353), day))
    const out = []
    for (const [what, bodies, isNew] of [
      ['a point put again', points, false],
      ['a new point', points, true],
      ['6,000 rows of 353 codes', wide, true],
    ]) {
      const [stored, plain] = await turns(services, script(dir, what.replaceAll(/\W/g, '-'), bodies, isNew), 16)
      out.push({ what: `${what}, a request`, time: stored.time, against: plain.time, goal: 1.5, unit: 'µs' })
    }
    return out
  } finally {
    for (const one of services) one.close()
    await engine.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
