// Deep: a quarter of a minute of a bad line.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDir } from '../../../../src/connect.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { type Service, serve } from '../../../helper/service.js'
import { type Report, soak, soakSource, truthOf } from '../../../helper/soak.js'
import { type SoakServer, soakServer } from '../../../helper/soak-server.js'

/** A quarter of a minute in the suite; `QUOTEBOOK_SOAK_MINUTES=30` for the long one. */
const seconds = process.env.QUOTEBOOK_SOAK_MINUTES ? 60 * Number(process.env.QUOTEBOOK_SOAK_MINUTES) : 15
const mebibyte = 2 ** 20

let service: Service
let servers: SoakServer[]
let truth: string[]

beforeAll(async () => {
  const archive = new Archive(sampleDir, 'sample')
  service = await serve(archive, undefined, await archive.state())
  servers = [await soakServer(service.url, 1), await soakServer(service.url, 2)]
  truth = await truthOf(archive)
})

afterAll(() => Promise.all([...servers.map((server) => server.close()), service.close()]))

const nodes = (): string[] => servers.map(({ url }) => url)
const sockets = (): number => servers.reduce((sum, server) => sum + server.sockets, 0)
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are still held after a collection. */
function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function settles(what: string, is: () => boolean): Promise<void> {
  for (let n = 0; !is(); n++) {
    if (n === 30_000) throw new Error(`${what}: not within five minutes`)
    await sleep(10)
  }
}

/** The most that was held in each quarter of a soak. */
function quarters(): { readonly most: number[]; readonly sample: () => void } {
  const began = performance.now()
  const most = [0, 0, 0, 0]
  let next = 0
  const sample = (): void => {
    const passed = (performance.now() - began) / 1000
    if (passed < next) return
    next = passed + seconds / 24
    const quarter = Math.min(3, Math.floor((4 * passed) / seconds))
    most[quarter] = Math.max(most[quarter] as number, held())
  }
  return { most, sample }
}

function told(report: Report, most: readonly number[]): string {
  const played = servers.flatMap((server) => [...server.played]).sort(([a], [b]) => (a < b ? -1 : 1))
  const counts = played.map(([name, count]) => `${name} ${count}`).join(', ')
  const memory = most.map((bytes) => Math.round(bytes / mebibyte)).join(', ')
  const { right, retries, errors } = report
  const rss = Math.round(process.memoryUsage.rss() / mebibyte)
  return `${right} right, ${retries} retries, errors ${JSON.stringify(errors)}; MiB held by quarter ${memory}, of the process ${rss}; played ${counts}`
}

test(
  'a line that breaks, stalls and lies: every answer is the truth or a due error, and nothing is left behind',
  async () => {
    const before = { timers: timers(), connections: connections() }
    const source = soakSource(nodes())
    const memory = quarters()
    let crowd = 0
    const report = await soak(source, {
      truth,
      seconds,
      seed: 7,
      onQuery: () => {
        crowd = Math.max(crowd, sockets())
        memory.sample()
      },
    })
    if (process.env.QUOTEBOOK_SOAK_MINUTES) console.log(told(report, memory.most))
    expect(report.wrong).toEqual([])
    expect(report.right).toBeGreaterThan(seconds)
    expect(report.retries).toBeGreaterThan(0)
    expect(Object.keys(report.errors).length).toBeGreaterThan(1)
    // Two nodes, six connections each, and those that the client has let go of and the server not yet.
    expect(crowd).toBeLessThan(40)
    const [first, , , last] = memory.most as [number, number, number, number]
    expect(last).toBeLessThan(first + 24 * mebibyte)

    // What was given up, or silent for too long, is not left hanging.
    await settles('requests', () => servers.every(({ waiting }) => waiting === 0))
    await source.close()
    await settles('connections', () => sockets() === 0 && connections() <= before.connections)
    await settles('timers', () => timers() <= before.timers)
  },
  (seconds + 60) * 1000,
)
