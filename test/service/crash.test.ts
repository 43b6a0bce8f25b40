import { createHash } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { namesOf, rowsOf } from '../../src/frame/read-columns.js'
import { HttpSource } from '../../src/source/http-source.js'
import { runService } from '../helper/running-service.js'
import { archiveCopy, command, damaged, endAll, type Served, served } from '../helper/served.js'
import { freePort } from '../helper/server-process.js'
import { answerOf, questions, truthOf } from '../helper/soak.js'
import { tempDir } from '../helper/temp.js'

/** The command `serve` in processes of its own that are killed, ended, and written under. */
afterAll(endAll)

interface Got {
  readonly status: number
  readonly body: Buffer
}

function ask(port: number, body: object, agent?: Agent, path = '/api'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', ...(agent ? { agent } : {}) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
      response.on('close', () => reject(new Error('cut off')))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

interface Envelope {
  readonly code: number
  readonly data: { readonly fields: string[]; readonly items: unknown[][] } | null
}

const parsed = ({ body }: Got): Envelope => JSON.parse(body.toString()) as Envelope

test('serve is killed under load, three times: its clients finish with the right rows, the archive is whole', async () => {
  const dir = archiveCopy()
  const truth = await truthOf(new Archive(dir, 'truth'))
  const port = await freePort()
  let service: Served = await served('--archive', dir, '--port', String(port), '--no-log')
  const { url } = service
  const clients = Array.from({ length: 3 }, () => {
    const retry = { baseMs: 30, capMs: 300, budgetMs: 60_000, attempts: 500 }
    return new HttpSource({ nodes: [url], apikey: 'k', retry })
  })
  let [answers, isOver] = [0, false]
  const asking = clients.map(async (client, n) => {
    for (let at = n; !isOver; at++) {
      const which = at % questions.length
      const table = await answerOf(client, questions[which] as (typeof questions)[number])
      const digest = createHash('sha256')
        .update(JSON.stringify([namesOf(table), rowsOf(table)]))
        .digest('hex')
      expect(digest, questions[which]?.dataset).toBe(truth[which])
      answers++
    }
  })
  const all = Promise.all(asking)
  all.catch(() => undefined)
  for (let kill = 1; kill <= 3; kill++) {
    await expect.poll(() => answers, { timeout: 600_000 }).toBeGreaterThan(40 * kill)
    service.child.kill('SIGKILL')
    expect(await service.ended).toEqual([null, 'SIGKILL'])
    service = await served('--archive', dir, '--port', String(port), '--no-log')
  }
  const then = answers
  await expect.poll(() => answers, { timeout: 600_000 }).toBeGreaterThan(then + 40)
  isOver = true
  await all
  await Promise.all(clients.map((client) => client.close()))
  expect(damaged(dir)).toEqual([])
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual([0, null])
  if (process.env.FUZZ) console.info({ answers })
})

const days = ['20260601', '20260701', '20260803', '20260804']
const codes = Array.from({ length: 60 }, (_, i) => String(110_000 + i))
/** Every row of a state holds its number; each further state has one day more. */
function stateOf(version: number): string {
  const of = days.slice(0, Math.min(days.length, 2 + Math.floor(version / 4)))
  const rows = of.flatMap((day) => codes.map((code) => `${day},${code},${code}.SH,${version},${version / 2}`))
  return `tradedate,symbol,code,amount,close\n${rows.join('\n')}\n`
}

test('an archive that is imported into under load: every answer is of one state, and the latest day moves on', async () => {
  const dir = join(tempDir(), 'archive')
  const file = join(tempDir(), 'state.csv')
  const put = async (version: number): Promise<readonly [number | null, string | null]> => {
    writeFileSync(file, stateOf(version))
    return (await command('import', 'convertible_daily', file, '--archive', dir)).ended
  }
  expect(await put(0)).toEqual([0, null])
  const service = await served('--archive', dir, '--port', '0', '--no-log')
  const agent = new Agent({ keepAlive: true })
  const seen = new Set<number>()
  let [answers, isOver] = [0, false]
  const wrong: string[] = []
  const clients = [0, 1, 2, 3].map(async (n) => {
    let newest = 0
    const whole = { apikey: 'k', apiname: 'convertible_daily', params: { startdate: '20260101', enddate: '20261231' } }
    const forms = [
      whole,
      { ...whole, fields: 'amount,tradedate,close' },
      { ...whole, params: {} },
      { ...whole, params: { startdate: '20260601', symbols: codes.slice(0, 7) }, fields: 'close,amount,tradedate' },
    ]
    for (let at = n; !isOver; at++) {
      const got = await ask(service.port, forms[at % forms.length] as object, agent)
      const { code, data } = parsed(got)
      if (got.status !== 200 || code !== 200 || !data) {
        wrong.push(`HTTP ${got.status}, code ${code}`)
        continue
      }
      const column = (name: string): unknown[] => data.items.map((row) => row[data.fields.indexOf(name)])
      const versions = [...new Set(column('amount'))] as number[]
      const version = versions[0] as number
      const closes = [...new Set(column('close'))]
      const held = Math.min(days.length, 2 + Math.floor(version / 4))
      const params = forms[at % forms.length]?.params as { symbols?: string[]; startdate?: string }
      const rows = (params.startdate === undefined ? 1 : held) * (params.symbols?.length ?? codes.length)
      const latest = column('tradedate').reduce((a, b) => (String(a) > String(b) ? a : b))
      if (versions.length !== 1 || closes.length !== 1 || closes[0] !== version / 2)
        wrong.push(`a mixture: ${versions}`)
      if (data.items.length !== rows) wrong.push(`${data.items.length} rows instead of ${rows}`)
      if (latest !== days[held - 1]) wrong.push(`latest day ${latest} in state ${version}`)
      if (version < newest) wrong.push(`state ${version} after ${newest}`)
      newest = version
      seen.add(version)
      answers++
    }
  })
  const all = Promise.all(clients)
  all.catch(() => undefined)
  let landed = 0
  for (let version = 1; version <= 12; version++) {
    if (version % 4 === 3) {
      // Killed somewhere on its way: what it has done shows as a whole or not at all.
      writeFileSync(file, stateOf(version))
      const killed = await command('import', 'convertible_daily', file, '--archive', dir)
      await sleep(100 + 40 * version)
      killed.child.kill('SIGKILL')
      const [code] = await killed.ended
      if (code === 0) landed = version
      continue
    }
    // A lock that the killed one left counts as gone after a while.
    expect(await put(version)).toEqual([0, null])
    landed = version
    const before = answers
    await expect.poll(() => answers > before + 20 && seen.has(version), { timeout: 600_000 }).toBe(true)
  }
  isOver = true
  await all
  agent.destroy()
  expect(wrong.slice(0, 5)).toEqual([])
  expect([...seen].sort((a, b) => a - b).at(-1)).toBe(landed)
  expect(seen.size).toBeGreaterThanOrEqual(10)
  expect(damaged(dir)).toEqual([])
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual([0, null])
  if (process.env.FUZZ) console.info({ answers, states: seen.size })
})

const big = { apikey: 'secret-4711-key', apiname: 'convertible_daily', params: { startdate: '20260506' } }

test('SIGTERM: answers under way end whole, no further connection, exit code 0; no key in anything it said', async () => {
  const service = await served('--port', '0')
  const agent = new Agent({ keepAlive: true })
  const whole = await ask(service.port, big, agent)
  // Some whose body has not yet come to its end: they are under way.
  const body = JSON.stringify(big)
  const slow = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const sent = request({
        host: '127.0.0.1',
        port: service.port,
        path: '/api',
        method: 'POST',
        headers: { 'content-length': body.length },
      })
      const answer = new Promise<Got>((resolve, reject) => {
        sent.on('error', reject)
        sent.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
        })
      })
      answer.catch(() => undefined)
      await new Promise<void>((resolve) => sent.write(body.slice(0, 20), () => resolve()))
      return { sent, answer }
    }),
  )
  const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text()
  await ask(service.port, { ...big, apiname: big.apikey }, agent)
  await ask(service.port, { ...big, params: { [big.apikey]: 1 } }, agent)
  const counted = await metrics()
  expect(counted).toContain('quotebook_requests_total')
  const quick = Array.from({ length: 20 }, () => ask(service.port, big, agent))
  const done = await Promise.all(quick)
  service.child.kill('SIGTERM')
  await expect.poll(() => service.err(), { timeout: 600_000 }).toContain('ending')
  await expect.poll(() => refused(service.port), { timeout: 600_000 }).toBe(true)
  for (const { sent } of slow) sent.end(body.slice(20))
  for (const got of [...done, ...(await Promise.all(slow.map(({ answer }) => answer)))]) {
    expect([got.status, got.body.equals(whole.body)]).toEqual([200, true])
  }
  expect(await service.ended).toEqual([0, null])
  agent.destroy()
  const log = service.out().trim().split('\n')
  expect(log.length).toBe(29)
  for (const line of log) expect(JSON.parse(line)).toMatchObject({ id: expect.any(Number), status: 200 })
  for (const said of [service.out(), service.err(), counted]) expect(said).not.toContain('secret-4711')
})

function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

test('a second SIGTERM ends it at once, whoever is still being served', async () => {
  const service = await served('--port', '0')
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) =>
    socket.write('POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{', () => resolve()),
  )
  await ask(service.port, big)
  service.child.kill('SIGTERM')
  await expect.poll(() => service.err(), { timeout: 600_000 }).toContain('ending')
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual([null, 'SIGTERM'])
  socket.destroy()
})

function closed(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.on('close', () => resolve(text)))
}

test('clients that send slowly or do not read hold nobody up, and are let go', async () => {
  const limits = { headersTime: 1000, requestTime: 1000, idleTime: 2500, concurrentRequests: 8 }
  const service = await runService({ limits })
  const expected = await ask(service.port, big)
  const open = (text: string): Socket => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(text)
    return socket
  }
  const head = 'POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  const body = JSON.stringify(big)
  const inHeaders = Array.from({ length: 20 }, () => closed(open(head)))
  // More of them than are answered at once: a body that is still arriving is no answer under way.
  const inBody = Array.from({ length: 20 }, () =>
    closed(open(`${head}Content-Length: 1000\r\n\r\n${body.slice(0, 10)}`)),
  )
  const deaf = Array.from({ length: 4 }, () => {
    const one = `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    return open(one.repeat(200))
  })
  const heard = deaf.map(() => 0)
  const gone = deaf.map((socket, at) => {
    socket.on('error', () => undefined)
    socket.on('data', ({ length }) => {
      heard[at] = (heard[at] ?? 0) + length
    })
    socket.pause()
    return new Promise<void>((resolve) => socket.on('close', () => resolve()))
  })
  await sleep(200)
  for (let i = 0; i < 30; i++) {
    const got = await ask(service.port, big)
    expect([got.status, got.body.equals(expected.body)]).toEqual([200, true])
  }
  for (const text of [...(await Promise.all(inHeaders)), ...(await Promise.all(inBody))]) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      code: 408,
      message: expect.any(String),
      data: null,
    })
  }
  // Whoever is not let go by then gets all that it asked for when it reads on.
  await sleep(3 * limits.idleTime)
  for (const socket of deaf) socket.resume()
  await Promise.all(gone)
  for (const length of heard) expect(length).toBeLessThan(100 * expected.body.length)
  expect(service.faults).toEqual([])
  await service.close()
})

test('an archive that is gone, and comes back: unavailable in between, HTTP 200, then right again', async () => {
  const dir = archiveCopy()
  const service = await runService({ dir })
  const before = await ask(service.port, big)
  renameSync(join(dir, 'manifest.json'), join(dir, 'manifest.away'))
  const during = await ask(service.port, big)
  expect([during.status, JSON.parse(during.body.toString())]).toEqual([
    200,
    { code: 503, message: 'temporarily unavailable', data: null },
  ])
  expect(service.faults.length).toBeGreaterThan(0)
  renameSync(join(dir, 'manifest.away'), join(dir, 'manifest.json'))
  const after = await ask(service.port, big)
  expect(after.body.equals(before.body)).toBe(true)
  await service.close()
})
