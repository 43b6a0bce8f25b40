import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyOf, script, serve, wrk } from './service.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `memory of the service: an archive of more than ten times --memory asked at random for half a minute; the most that
  it took (VmHWM), against the setting and 300 MiB for everything else`

const setting = 64
const beside = 300
const [symbols, days] = [symbolsOf(1000), daysOf(480)]
/** Bytes of a bar in memory: seven numbers, and the codes of five texts. */
const bar = 7 * 8 + 5 * 4 + 10

export async function measure({ dist, load }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  let service
  try {
    const rows = symbols.length * days.length * 17
    if (rows * bar < 10 * setting * 2 ** 20) throw new Error('the archive is too small')
    await makeArchive(join(dir, 'archive'), { symbols, days }, load)
    const bodies = Array.from({ length: 20_000 }, (_, i) => {
      const day = days[(i * 7919) % days.length]
      return bodyOf(i % 10 === 0 ? symbols.slice(0, 353) : [symbols[(i * 31) % symbols.length]], day)
    })
    service = await serve(dist, join(dir, 'archive'), ['--memory', String(setting)])
    await wrk(script(dir, 'random', bodies, true), service.said.port, 16, 30)
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))
    return [{ what: 'resident at most', time: Number(peak) / 1024, against: setting + beside, goal: 1, unit: 'MiB' }]
  } finally {
    service?.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
