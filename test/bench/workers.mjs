import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyOf, script, serve, wrk } from './service.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `two service processes against one, log on, 64 connections; wrk and whatever else runs take their part of the same cores,
  so that on two of them small answers, of which wrk costs as much as the service, can gain little; seven turns of 3 s, medians`

const rounds = 7
const [symbols, days] = [symbolsOf(600), daysOf(30)]

/** A server once its workers all listen: `serve` says so before it gives the address. */
const begin = (dist, archive, workers) => serve(dist, archive, ['--workers', String(workers)])
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1]

/** Medians of µs a request and of the 99th percentile in ms, of servers that take turns. */
export async function turns(servers, file, connections = 64) {
  const all = servers.map(() => [])
  for (let round = -1; round < rounds; round++)
    for (const [at, { said }] of servers.entries()) {
      const got = await wrk(file, said.port, connections, round < 0 ? 6 : 3)
      if (round >= 0) all[at].push(got)
    }
  return all.map((got) => ({
    time: median(got.map(({ rate }) => 1e6 / rate)),
    p99: median(got.map(({ p99 }) => p99)),
  }))
}

export async function measure({ dist, load }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const servers = []
  try {
    const archive = join(dir, 'archive')
    await makeArchive(archive, { symbols, days, withBonds: false }, load)
    for (const workers of [1, 2]) servers.push(await begin(dist, archive, workers))
    const points = Array.from({ length: 1000 }, (_, i) => bodyOf([symbols[(i * 7) % 600]], days[(i * 31) % 30]))
    const wide = days.map((day, i) => bodyOf(symbols.slice(i % 200, (i % 200) + 353), day))
    const out = []
    for (const [what, bodies, isNew, goal] of [
      ['the same points', points, false, 1.1],
      ['6,000 rows of 353 codes', wide, true, 0.8],
    ]) {
      const [one, two] = await turns(servers, script(dir, what.replaceAll(/\W/g, '-'), bodies, isNew))
      out.push({ what: `${what}, a request`, time: two.time, against: one.time, goal, unit: 'µs' })
      out.push({ what: `${what}, p99`, time: two.p99, against: one.p99, goal: goal + 0.4 })
    }
    return out
  } finally {
    for (const one of servers) one.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
