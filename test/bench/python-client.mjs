import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './interleave.mjs'
import { pandasPeer } from './pandas-peer.mjs'
import { cpuOf, serve } from './service.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `a million rows by 11 columns as a DataFrame: the Python client, from a service on this machine that has answered before, against
  pandas.read_csv of a file of them; in turns, medians of seven of the time, and of the processor's time of client and service together`

const rounds = 7

export async function measure({ dist, load }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const days = daysOf(60)
  const archive = join(dir, 'archive')
  await makeArchive(archive, { symbols: symbolsOf(1000), days }, load)
  const server = await serve(dist, archive)
  writeFileSync(join(dir, 'about.json'), '{}')
  writeFileSync(join(dir, 'url'), `http://127.0.0.1:${server.said.port}`)
  writeFileSync(join(dir, 'days'), `${days[0]} ${days.at(-1)}`)
  try {
    const peer = await pandasPeer('python-client.py', dir)
    if (!peer) return []
    const all = { client: [], read_csv: [] }
    for (let round = -1; round < rounds; round++)
      for (const name of round % 2 ? ['client', 'read_csv'] : ['read_csv', 'client']) {
        const before = cpuOf(server.pid)
        const { time, cpu } = await peer.ask(name)
        if (round >= 0) all[name].push({ time, cpu: cpu + (cpuOf(server.pid) - before) / 1000 })
      }
    peer.close()
    const of = (name, what) => median(all[name].map((got) => got[what]))
    return ['time', 'cpu'].map((what) => ({
      what: what === 'time' ? 'the client' : 'processor, client and service',
      time: of('client', what),
      against: of('read_csv', what),
      goal: 1.3,
    }))
  } finally {
    server.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
