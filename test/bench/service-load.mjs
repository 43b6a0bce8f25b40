import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyOf, serve } from './service.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `two service processes under load: 64 clients that each ask an answer of some 8 MB while 200 others ask points, ranges and
  /healthz; connections that are lost, the 99th percentile of each, and what all processes took at most (VmHWM), against fixed bounds`

const setting = 256
/** MiB of the workers by the guide: 250 for each, and what `--memory` gives. */
const formula = setting + 2 * 250
const [symbols, days] = [symbolsOf(600), daysOf(40)]
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** One request: how it went, how long it took, how many bytes came. `slow`: takes 1 MB a second. */
function ask(port, { path, body, headers = {}, slow = false, agent = false }) {
  const start = performance.now()
  return new Promise((resolve) => {
    let [bytes, status, head] = [0, 0, '']
    const end = (how) => resolve({ how, status, bytes, head, time: performance.now() - start })
    const options = { port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', agent, headers }
    const sent = request(options, (reply) => {
      status = reply.statusCode
      reply.on('data', (chunk) => {
        if (bytes === 0) head = chunk.toString('latin1', 0, 80)
        bytes += chunk.length
        if (!slow) return
        reply.pause()
        setTimeout(() => reply.resume(), chunk.length / 1000)
      })
      reply.on('end', () => end(reply.complete ? 'whole' : 'cut')).on('error', () => end('cut'))
    })
    sent.on('error', ({ code }) => end(code ?? 'error')).end(body)
  })
}

const isBusy = ({ status, head }) => status === 503 || head.includes('"code":503')

/** Asks until it is not told "busy". */
async function untilAnswered(port, asked, counts) {
  for (;;) {
    const got = await ask(port, asked)
    if (got.how !== 'whole') counts.lost++
    else if (!isBusy(got)) return got
    else counts.busy++
    await pause(1000)
  }
}

const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? NaN

/** What the process and its workers took at most, MiB. */
function peakOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const all = [String(pid), ...children]
  return all.map((one) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))[1]) / 1024)
}

/** Questions of answers of 8 MB, each of other days. */
function huge(at, { format, gzip, slow }) {
  const headers = gzip ? { 'accept-encoding': 'gzip' } : {}
  if (format === 'api') {
    const body = JSON.stringify({ apikey: `k${at}`, apiname: 'st', params: {} })
    return { path: '/api', body, headers, slow }
  }
  const [from, to] = [days[at % 30], days[(at % 30) + 9]]
  return { path: `/query/etf_minute?period=15m&from=${from}&to=${to}&format=${format}`, headers, slow }
}

/** Others: points, ranges, and whether the service is well. */
const others = {
  point: (i) => ({
    path: '/api',
    body: `{"apikey":"p",${bodyOf([symbols[(i * 7) % 600]], days[(i * 31) % 40]).slice(1)}`,
  }),
  range: (i) => ({
    path: '/api',
    body: `{"apikey":"r",${bodyOf(symbols.slice(i % 200, (i % 200) + 100), days[i % 40]).slice(1)}`,
  }),
  healthz: () => ({ path: '/healthz' }),
}

/** 64 huge answers, and 200 who ask meanwhile, a little later each time. */
export async function underLoad(port, kind, { clients = 64, mixed = 200 } = {}) {
  const counts = { lost: 0, busy: 0 }
  const times = { point: [], range: [], healthz: [] }
  let isOver = false
  const names = ['point', 'point', 'range', 'point', 'healthz']
  const begun = performance.now()
  const meanwhile = Array.from({ length: mixed }, async (_, at) => {
    const name = names[at % names.length]
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await pause(at * 5)
    for (let i = at; !isOver; i += 211) {
      const got = await ask(port, { ...others[name](i), agent })
      if (got.how !== 'whole') counts.lost++
      else if (isBusy(got)) counts.busyOthers = (counts.busyOthers ?? 0) + 1
      else times[name].push(got.time)
      await pause(2000)
    }
    agent.destroy()
  })
  const all = Array.from({ length: clients }, (_, at) => untilAnswered(port, huge(at, kind), counts))
  const answers = await Promise.all(all)
  isOver = true
  const took = performance.now() - begun
  await Promise.all(meanwhile)
  const bytes = Math.max(...answers.map((one) => one.bytes))
  const p99 = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, percentile(list, 0.99)]))
  return { ...counts, bytes, took, p99, asked: Object.values(times).reduce((sum, list) => sum + list.length, 0) }
}

export const kinds = ['json', 'csv', 'arrow', 'api'].flatMap((format) =>
  [false, true].flatMap((gzip) => [false, true].map((slow) => ({ format, gzip, slow }))),
)

/** Runs the load against two fresh processes. */
export async function loaded(dist, archive, kind) {
  const service = await serve(dist, archive, ['--memory', String(setting), '--workers', '2', '--no-log'])
  try {
    await pause(1500)
    const got = await underLoad(service.said.port, kind)
    return { ...got, peaks: peakOf(service.pid) }
  } finally {
    service.close()
  }
}

export async function loadArchive(dir, load) {
  await makeArchive(dir, { symbols, days, withSt: true }, load)
  return dir
}

export async function measure({ dist, load }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  try {
    const archive = await loadArchive(join(dir, 'archive'), load)
    const out = []
    for (const kind of [kinds[0], kinds[6], kinds[12]]) {
      const name = `${kind.format}${kind.gzip ? ' gzip' : ''}${kind.slow ? ' slow' : ''}`
      const { lost, p99, peaks } = await loaded(dist, archive, kind)
      const [, ...workers] = peaks
      out.push({ what: `${name}, lost and one`, time: lost + 1, against: 1, goal: 1, unit: '' })
      for (const one of ['healthz', 'point'])
        out.push({ what: `${name}, p99 of ${one}`, time: p99[one], against: 500, goal: 2 })
      out.push({ what: `${name}, workers`, time: workers[0] + workers[1], against: formula, goal: 1, unit: 'MiB' })
    }
    return out
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
