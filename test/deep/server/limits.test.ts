/* Deep: waits for timers of connections, of which hundreds are opened. */
import { EventEmitter, once } from 'node:events'
import { BlockList, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { decode } from '../../../src/frame/table/decode.js'
import { encodeAnswer } from '../../../src/server/service/encode/encode-answer.js'
import { EncodedCache } from '../../../src/server/service/encode/encoded-cache.js'
import { defaultLimits, networkOf, ServiceLoad } from '../../../src/server/service/http/service-load.js'
import { yieldTurn } from '../../../src/threads/yield.js'
import { type Running, runService } from '../../helper/running-service.js'
import { tempDir } from '../../helper/temp.js'

const st = datasetOf('st')
const large = { apikey: 'k', apiname: 'st', params: {} }
const small = { apikey: 'k', apiname: 'st', params: { symbols: '600000' } }

const text = (body: object): string => {
  const json = JSON.stringify(body)
  return `POST /api HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${json.length}\r\n\r\n${json}`
}

/** A connection from an address of this machine, and what it was sent. */
function open(service: Running, from = '127.0.0.1') {
  const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: from })
  const heard = { text: '', bytes: 0, isClosed: false }
  socket.on('error', () => undefined)
  socket.on('close', () => {
    heard.isClosed = true
  })
  const listen = (): Socket =>
    socket.on('data', (chunk) => {
      heard.bytes += chunk.length
      heard.text += chunk.toString('latin1').replace(/n{20,}/g, '')
    })
  return { socket, heard, listen }
}

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(5)
}

/** An archive of which `st` answers 20 MB. */
async function largeArchive(): Promise<string> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  const rows = Array.from({ length: 20_000 }, (_, i) => ['20260701', String(600_000 + i), 'n'.repeat(1000), 'ST', null])
  await writer.put(st, decode(st, Object.keys(st.columns), rows), 'test')
  await writer.commit()
  return dir
}

async function codeFrom(service: Running, from: string, body: object): Promise<number> {
  const { socket, heard, listen } = open(service, from)
  listen()
  socket.write(text(body))
  await until(() => heard.text.includes('"code":'))
  socket.destroy()
  return Number(/"code":(\d+)/.exec(heard.text)?.[1])
}

test('silent connections make room: whoever asks is answered, and who has asked before stays', async () => {
  const service = await runService({ limits: { connections: 6, networkConnections: 4 } })
  const asked = open(service)
  asked.listen()
  asked.socket.write(text(small))
  await until(() => asked.heard.text.includes('"code":'))
  const silent = Array.from({ length: 12 }, () => open(service, '127.0.0.2'))
  await until(() => silent.filter(({ heard }) => heard.isClosed).length === 8)
  const others = Array.from({ length: 12 }, () => open(service, '127.0.0.3'))
  expect(await codeFrom(service, '127.0.0.4', small)).toBe(1002)
  await until(() => [...silent, ...others].filter(({ heard }) => !heard.isClosed).length <= 5)
  asked.heard.text = ''
  asked.socket.write(text(small))
  await until(() => asked.heard.text.includes('"code":'))
  expect(asked.heard.isClosed).toBe(false)
  for (const { socket } of [asked, ...silent, ...others]) socket.destroy()
  await service.close()
})

test('connections of a proxy that is named are of many clients, those of others of one network', async () => {
  const proxies = new BlockList()
  proxies.addAddress('127.0.0.2')
  const service = await runService({ limits: { networkConnections: 4 }, proxies })
  const [named, other] = ['127.0.0.2', '127.0.0.3'].map((from) => Array.from({ length: 8 }, () => open(service, from)))
  const stay = (all = named): number => all?.filter(({ heard }) => !heard.isClosed).length ?? 0
  await until(() => stay(other) === 4)
  expect(stay()).toBe(8)
  for (const { socket } of [...(named ?? []), ...(other ?? [])]) socket.destroy()
  await service.close()
})

test('bytes that a proxy has not yet handed on count for the client that it names', () => {
  const proxies = new BlockList()
  proxies.addAddress('127.0.0.2')
  const load = new ServiceLoad({ ...defaultLimits, networkUnsentBytes: 10 }, proxies)
  const asked = (client: string) =>
    ({ socket: { remoteAddress: '127.0.0.2' }, headers: { 'x-forwarded-for': client } }) as never
  const response = Object.assign(new EventEmitter(), { closed: false }) as never
  load.addUnsent({ request: asked('203.0.113.7'), response }, 11)
  expect([load.isBusy(asked('8.8.8.8, 203.0.113.7')), load.isBusy(asked('203.0.113.8'))]).toEqual([true, false])
})

test('a connection on which nothing comes is closed, without a word; one that asked is not', async () => {
  const service = await runService({ limits: { silentTime: 50 } })
  const asked = open(service)
  asked.listen()
  asked.socket.write(text(small))
  await until(() => asked.heard.text.includes('"code":'))
  const silent = open(service)
  silent.listen()
  await once(silent.socket, 'close')
  expect([silent.heard.text, asked.heard.isClosed]).toEqual(['', false])
  asked.socket.destroy()
  await service.close()
})

/** A thread that connects, asks a little later, and tells what it hears; all of it while this one is at work. */
const asker = `
const { parentPort, workerData: { port, body } } = require('node:worker_threads')
const socket = require('node:net').connect(port, '127.0.0.1', () => {
  parentPort.postMessage('connected')
  setTimeout(() => socket.write(body), 50)
})
socket.on('data', (chunk) => parentPort.postMessage(String(chunk).slice(0, 15))).on('close', () => parentPort.postMessage('closed')).on('error', () => {})
`

test('a connection whose request came while the process was at work is not silent', async () => {
  const service = await runService({ limits: { silentTime: 1000 } })
  const thread = new Worker(asker, { eval: true, workerData: { port: service.port, body: text(small) } })
  await once(thread, 'message')
  await fetch(`${service.url}/healthz`)
  const end = performance.now() + 2500
  while (performance.now() < end);
  expect((await once(thread, 'message'))[0]).toBe('HTTP/1.1 200 OK')
  await thread.terminate()
  await service.close()
})

test('long answers wait for those before them, and small ones do not; who has waited too long is told "busy"', async () => {
  const service = await runService({
    dir: await largeArchive(),
    limits: { unsentBytes: 2 ** 21, networkUnsentBytes: 2 ** 20, roomTime: 4000 },
  })
  const ask = `GET /query/st?format=csv HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
  const greedy = open(service)
  greedy.socket.pause().write(ask)
  await until(() => service.archive.cachedBytes > 0)
  await sleep(300)
  const [late, patient] = [open(service), open(service)]
  late.listen()
  late.socket.write(ask)
  expect(await codeFrom(service, '127.0.0.1', small)).toBe(200)
  await until(() => late.heard.isClosed)
  expect(late.heard.text).toMatch(/^HTTP\/1.1 503[\s\S]*retry-after: 1[\s\S]*busy/i)
  patient.listen()
  patient.socket.write(ask)
  await sleep(50)
  greedy.listen().resume()
  await until(() => greedy.heard.isClosed && patient.heard.isClosed)
  expect(Math.min(greedy.heard.bytes, patient.heard.bytes)).toBeGreaterThan(20e6)
  await service.close()
})

test('who pipelines and does not read holds one answer, and nobody else hears of it', async () => {
  const service = await runService({
    dir: await largeArchive(),
    limits: { unsentBytes: 2 ** 25 },
  })
  expect(await codeFrom(service, '127.0.0.1', small)).toBe(200)
  const count = 4
  const greedy = open(service, '127.0.0.2')
  greedy.socket.pause()
  const before = service.entries.length
  greedy.socket.write(text(small) + text({ ...small, params: { symbols: '600001' } }) + text(large).repeat(count))
  await until(() => service.entries.length >= before + 2)
  await sleep(300)
  for (let i = 0; i < 10; i++) expect(await codeFrom(service, '127.0.0.1', small)).toBe(200)
  expect(service.entries.filter(({ rows }) => rows === 20_000)).toHaveLength(0)
  greedy.listen().resume()
  await until(() => greedy.heard.text.split('"code":').length === count + 3)
  expect(greedy.heard.text.match(/"code":\d+/g)).toEqual(new Array(count + 2).fill('"code":200'))
  await until(() => greedy.heard.bytes > count * 20e6)
  greedy.socket.destroy()
  await service.close()
})

test.each([
  ['networkUnsentBytes', 200],
  ['unsentBytes', 503],
] as const)(
  'who holds as many bytes as %s is told "busy" until they are taken; others hear %i',
  async (bound, code) => {
    const service = await runService({ dir: await largeArchive(), limits: { [bound]: 2 ** 20 } })
    const greedy = [0, 1].map(() => open(service, '127.0.0.2'))
    for (const { socket } of greedy) socket.pause().write(text(large))
    await until(async () => (await codeFrom(service, '127.0.0.2', small)) === 503)
    expect(await codeFrom(service, '127.0.0.1', small)).toBe(code)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    for (const { socket } of greedy) socket.destroy()
    await until(async () => (await codeFrom(service, '127.0.0.2', small)) === 200)
    await service.close()
  },
)

test('connections that come while others ask are answered before those have had many answers', async () => {
  const service = await runService()
  const count = 48
  const all = Array.from({ length: count }, () => open(service))
  const answers = new Map<(typeof all)[number], number>()
  for (const one of all) {
    one.listen().on('data', () => {
      answers.set(one, one.heard.text.split('"code":').length - 1)
      // Each asks again as soon as it has its answer.
      if (answers.size < count) one.socket.write(text(small))
    })
    one.socket.write(text(small))
  }
  await until(() => answers.size === count)
  expect([...answers.values()].reduce((sum, one) => sum + one, 0)).toBeLessThan(4 * count)
  for (const { socket } of all) socket.destroy()
  await service.close()
})

test('a long answer lets others have their turn between its rows, and is the same bytes', async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => ['20260701', String(100_000 + i), `n${i}`, 'ST', null])
  const fields = Object.keys(st.columns)
  const columns = decode(st, fields, rows)
  for (const cache of [new EncodedCache(0), new EncodedCache(2 ** 28)]) {
    for (let time = 0; time < 3; time++) {
      let [turns, isOver] = [0, false]
      const turn = (): void => {
        turns++
        if (!isOver) setImmediate(turn)
      }
      setImmediate(turn)
      const slices = [{ columns, rows: { from: 0, to: rows.length } }]
      const chunks: Uint8Array[] = []
      for (const piece of encodeAnswer(cache, st, { query: {}, fields, slices } as never)) {
        chunks.push(piece)
        await yieldTurn()
      }
      isOver = true
      expect(turns).toBeGreaterThanOrEqual(8)
      const expected = JSON.stringify({ code: 200, message: 'success', data: { fields, items: rows } })
      expect(Buffer.concat(chunks).toString() === expected).toBe(true)
    }
  }
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
