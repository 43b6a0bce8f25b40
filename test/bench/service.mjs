import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { child } from './http-child.mjs'
import { daysOf, makeArchive, symbolsOf } from './service-archive.mjs'

export const question = `the service, log on, against a bare Node server that parses, validates and answers fixed bytes, and against
  DuckDB over the same files a request; wrk, one symbol and day or 353 symbols of a day at random out of 18,000, put for the
  first time or again; seven turns of 2 s, medians`

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

/** Requests a second and the 99th percentile in ms. */
export async function wrk(file, port, connections, seconds = 2) {
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', file, `http://127.0.0.1:${port}`]
  const { stdout } = await run('wrk', words)
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1])
  const [, number, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout)
  if (/Non-2xx/.test(stdout)) throw new Error(stdout)
  return { rate, p99: Number(number) * { us: 1e-3, ms: 1, s: 1e3 }[unit] }
}

export async function serve(dist, dir, ...words) {
  const main = join(dist, '../cli/quotebook.cjs')
  const server = spawn(process.execPath, [main, 'serve', '--archive', dir, '--port', '0', ...words], {
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

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1]

/** Medians of servers that take turns. */
async function turns(servers, file, connections) {
  const names = Object.keys(servers)
  const all = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + 1 + turn) % names.length]
      const got = await wrk(file, servers[name].said.port, connections, round < 0 ? 8 : 2)
      if (round >= 0) all[name].push(got)
    }
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      { rate: median(all[name].map(({ rate }) => rate)), p99: median(all[name].map(({ p99 }) => p99)) },
    ]),
  )
}

async function sizeOf(port, body) {
  const text = JSON.stringify({ apikey: 'bench', ...JSON.parse(body) })
  const reply = await fetch(`http://127.0.0.1:${port}/api`, { method: 'POST', body: text })
  return (await reply.arrayBuffer()).byteLength
}

export async function measure({ dist, load }) {
  await run('wrk', ['-v']).catch(({ code }) => {
    if (code === 'ENOENT') throw new Error('this measure needs wrk: apt-get install wrk')
  })
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const open = []
  try {
    await makeArchive(join(dir, 'archive'), { symbols, days, withBonds: true }, load)
    const points = Array.from({ length: 18_000 }, (_, i) => bodyOf([symbols[(i * 7) % 600]], days[(i * 31) % 30]))
    const wide = days.map((day, i) => bodyOf(symbols.slice(i % 200, (i % 200) + 353), day))
    const months = days.map((day) =>
      JSON.stringify({ apiname: 'convertible_daily', params: { startdate: day < '20260123' ? day : '20260105' } }),
    )
    const range = script(dir, 'range', months, true)
    const again = script(dir, 'again', points, false)
    const [point, codes] = [script(dir, 'point', points, true), script(dir, 'large', wide, true)]
    const ours = await serve(dist, join(dir, 'archive'))
    open.push(ours)
    const [bytes, monthly] = [await sizeOf(ours.said.port, wide[0]), await sizeOf(ours.said.port, months[0])]
    const rival = async (...words) => {
      const one = await child('service-rival.mjs', words.map(String))
      open.push(one)
      return one
    }
    const small = { ours, fixed: await rival('fixed', 50) }
    const large = {
      '6,000 rows of a range': [range, { ours, fixed: await rival('fixed', monthly) }],
      '6,000 rows of 353 codes': [codes, { ours, fixed: await rival('fixed', bytes) }],
    }
    const duck = { ours, duckdb: await rival('duckdb', 0, join(dir, 'archive')) }
    const out = []
    const row = (what, ours, theirs, goal) =>
      out.push({ what, time: 1e6 / ours.rate, against: 1e6 / theirs.rate, goal, unit: 'µs' })
    for (const connections of [16, 64]) {
      for (const [name, file] of Object.entries({ 'new point': point, 'same point': again })) {
        const got = await turns(small, file, connections)
        row(`${name}, ${connections} at once`, got.ours, got.fixed, 1 / 0.75)
        if (connections === 64)
          out.push({ what: `${name}, p99 of 64`, time: got.ours.p99, against: got.fixed.p99, goal: 3 })
      }
    }
    for (const [name, [file, servers]] of Object.entries(large)) {
      const got = await turns(servers, file, 64)
      row(`${name}, 64 at once`, got.ours, got.fixed, 1 / 0.6)
      out.push({ what: `${name}, p99`, time: got.ours.p99, against: got.fixed.p99, goal: 3 })
    }
    const points20 = await turns(duck, point, 16)
    row('new point, against DuckDB', points20.ours, points20.duckdb, 1 / 20)
    const rows20 = await turns(duck, codes, 16)
    row('6,000 rows of 353 codes, against DuckDB', rows20.ours, rows20.duckdb, 1 / 20)
    return out
  } finally {
    for (const one of open) one.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
