/* Deep: ends the command under load, and waits for clients that stand still. */
import { renameSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { runService } from '../../helper/running-service.js'
import { archiveCopy, endAll, served } from '../../helper/served.js'

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
