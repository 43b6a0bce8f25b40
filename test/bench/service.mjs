import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { child } from './http-child.mjs'
import { median } from './interleave.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `the service, log on, against a bare Node server that takes the same requests in and sends one of the same
  replies; wrk, one symbol and day out of 18,000 put for the first time, or out of 1,000 put again, 353 symbols of a day, a range of days; with 1,000 keys against one; seven turns of 2 s, medians of the time
  and of the server's CPU a request`

const run = promisify(execFile)
const rounds = 7
const [symbols, days] = [symbolsOf(600), daysOf(30)]

/**
 * Requests for wrk, one after the other. `isNew`: no two are alike, since each has a key of its own, so that no answer can be
 * remembered.
 */
export function script(dir, name, bodies, isNew) {
  const file = join(dir, `${name}.lua`)
  const list = bodies.map((body) => `[==[${body.slice(1)}]==]`).join(',\n')
  const key = isNew ? '"k" .. count' : '"bench"'
  writeFileSync(
    file,
    `local bodies = {${list}}
local count = os.time() % 100000 * 10000000
request = function()
  count = count + 1
  local body = '{"apikey":"' .. ${key} .. '",' .. bodies[count % #bodies + 1]
  return wrk.format("POST", "/api", {["Content-Type"] = "application/json"}, body)
end
`,
  )
  return file
}

export const bodyOf = (wanted, tradedate) =>
  JSON.stringify({ apiname: 'etf_minute', params: { symbols: wanted, tradedate, period: '15m' } })

/** Requests a second, their number, and the 99th percentile in ms. */
export async function wrk(file, port, connections, seconds = 2) {
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', file, `http://127.0.0.1:${port}`]
  const { stdout } = await run('wrk', words)
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1])
  const [, number, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout)
  if (/Non-2xx/.test(stdout)) throw new Error(stdout)
  const requests = Number(/(\d+) requests in/.exec(stdout)[1])
  return { rate, requests, p99: Number(number) * { us: 1e-3, ms: 1, s: 1e3 }[unit] }
}

export async function serve(dist, dir, words = []) {
  const main = join(dist, '../cli/quotebook.cjs')
  const server = spawn(process.execPath, [main, 'serve', '--source', dir, '--port', '0', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  const port = await new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (found) resolve(Number(found[1]))
    })
    server.on('exit', () => reject(new Error(`serve ended: ${said}`)))
  })
  return { said: { port }, pid: server.pid, close: () => server.kill() }
}

/** CPU time that a process has had, in µs: what else the machine does hardly moves it. */
export function cpuOf(pid) {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13)
  return (Number(ticks[0]) + Number(ticks[1])) * 1e4
}

/** Medians of servers that take turns: requests a second, p99 in ms, µs of the server's CPU a request. */
export async function turns(servers, file, connections) {
  const names = Object.keys(servers)
  const all = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + 1 + turn) % names.length]
      const { said, pid } = servers[name]
      const before = cpuOf(pid)
      const got = await wrk(file, said.port, connections, round < 0 ? 8 : 2)
      if (round >= 0) all[name].push({ ...got, cpu: (cpuOf(pid) - before) / got.requests })
    }
  }
  const of = (name, what) => median(all[name].map((got) => got[what]))
  return Object.fromEntries(
    names.map((name) => [name, { rate: of(name, 'rate'), p99: of(name, 'p99'), cpu: of(name, 'cpu') }]),
  )
}

/** A reply of the service as `service-rival.mjs` sends it: written into a file. */
async function replyFile(dir, port, body, at) {
  const text = JSON.stringify({ apikey: 'bench', ...JSON.parse(body) })
  const reply = await fetch(`http://127.0.0.1:${port}/api`, {
    method: 'POST',
    body: text,
    headers: { 'accept-encoding': 'identity' },
  })
  const own = [...reply.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)).flat()
  const bytes = Buffer.from(await reply.arrayBuffer())
  const file = join(dir, `reply-${at}.json`)
  writeFileSync(file, JSON.stringify({ headers: own, body: bytes.toString('base64') }))
  return file
}

/** A key file of so many keys, `bench` among them. */
function keyFile(dir, count) {
  const keys = Array.from({ length: count }, (_, i) => ({
    name: `key ${i}`,
    sha256: createHash('sha256')
      .update(i === 0 ? 'bench' : `other ${i}`)
      .digest('hex'),
    plan: 'flagship',
    expiry: null,
    rate: null,
    added: null,
  }))
  const file = join(dir, `keys-${count}.json`)
  writeFileSync(file, JSON.stringify({ format: 1, keys }))
  return file
}

/** The questions of the measure, as scripts for wrk, and the share of the bare server's throughput that is wanted. */
function questions(dir) {
  const points = Array.from({ length: 18_000 }, (_, i) => bodyOf([symbols[(i * 7) % 600]], days[(i * 31) % 30]))
  const wide = days.map((day, i) => bodyOf(symbols.slice(i % 200, (i % 200) + 353), day))
  const months = days.map((day) =>
    JSON.stringify({ apiname: 'convertible_daily', params: { startdate: day < '20260123' ? day : '20260105' } }),
  )
  return [
    { name: 'same point', bodies: points.slice(0, 1000), isNew: false, share: 0.73 },
    { name: 'new point', bodies: points, isNew: true, share: 0.43 },
    { name: '6,000 rows of a range', bodies: months, isNew: true, share: 0.54 },
    { name: '6,000 rows of 353 codes', bodies: wide, isNew: true, share: 0.3 },
  ].map((one, at) => ({ ...one, file: script(dir, `question-${at}`, one.bodies, one.isNew) }))
}

/** What a measure prints of two servers: time a request, CPU a request, and p99. */
function rowsOf(what, ours, theirs, goal, slowest) {
  const row = (kind, time, against, own, unit) => ({ what: `${what}, ${kind}`, time, against, goal: own, unit })
  return [
    row('a request', 1e6 / ours.rate, 1e6 / theirs.rate, goal, 'µs'),
    row('CPU', ours.cpu, theirs.cpu, goal, 'µs'),
    ...(slowest ? [row('p99', ours.p99, theirs.p99, slowest, 'ms')] : []),
  ]
}

/** An archive in a folder of its own, whose servers end with what is measured of them. `opened`: takes a server that begins. */
export async function withArchive(load, work) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const open = []
  const opened = async (server) => {
    open.push(await server)
    return open.at(-1)
  }
  try {
    const archive = join(dir, 'archive')
    await makeArchive(archive, { symbols, days, withBonds: true }, load)
    return await work({ dir, archive, opened, asked: questions(dir) })
  } finally {
    for (const one of open) one.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

export async function measure({ dist, load }) {
  await run('wrk', ['-v']).catch(({ code }) => {
    if (code === 'ENOENT') throw new Error('this measure needs Linux and wrk: apt-get install wrk')
  })
  return withArchive(load, async ({ dir, archive, opened, asked }) => {
    const ours = await opened(serve(dist, archive))
    const out = []
    for (const [at, { name, bodies, file, share }] of asked.entries()) {
      const bare = await opened(child('service-rival.mjs', [await replyFile(dir, ours.said.port, bodies[0], at)]))
      for (const connections of [16, 64]) {
        const got = await turns({ ours, bare }, file, connections)
        out.push(...rowsOf(`${name}, ${connections} at once`, got.ours, got.bare, 1 / share, 3))
      }
    }
    const few = await opened(serve(dist, archive, ['--keys', keyFile(dir, 1)]))
    const many = await opened(serve(dist, archive, ['--keys', keyFile(dir, 1000)]))
    const keys = await turns({ few, many }, asked[0].file, 16)
    out.push(...rowsOf('1,000 keys against one', keys.many, keys.few, 1.1))
    return out
  })
}
