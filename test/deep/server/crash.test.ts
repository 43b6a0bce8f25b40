/* Deep: kills the command under load, and waits for clients that stand still. */
import { createHash } from 'node:crypto'
import { renameSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { columnNames, rowsOf } from '../../../src/frame/read-columns.js'
import { runService } from '../../helper/running-service.js'
import { archiveCopy, damaged, endAll, type Served, served } from '../../helper/served.js'
import { freePort } from '../../helper/server-process.js'
import { answerOf, questions, truthOf } from '../../helper/soak.js'

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
        .update(JSON.stringify([columnNames(table), rowsOf(table)]))
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

const big = { apikey: 'secret-4711-key', apiname: 'convertible_daily', params: { startdate: '20260506' } }

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
