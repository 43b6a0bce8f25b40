// Deep: bundles a program and runs it as a process of its own.
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Awkward, awkward, nowhere, reply } from '../../../helper/awkward-server.js'
import { bundled } from '../../../helper/bundle.js'

let server: Awkward
let bundle: string

/** A program of its own: what it is told to do, and nothing that would end it. */
const program = `
  import { HttpClient } from './src/data/source/transport/http-client.ts'
  const [url, dead] = process.argv.slice(2)
  const http = new HttpClient({ deadlines: { headers: 200 } })
  const said = []
  process.on('unhandledRejection', () => said.push('UNHANDLED'))
  const ask = (node, signal) => http.post(node, '{}', { signal }).then(({ status }) => said.push(status), (error) => said.push(typeof error.code === 'string' ? error.code : error.name))
  await Promise.all([ask(url), ask(url), ask(url)])
  await ask(url)
  await ask(url)
  await ask(dead)
  await ask(url.replace('http:', 'https:'), AbortSignal.timeout(100))
  await ask(url)
  console.log(said.join(' '))
`

beforeAll(async () => {
  bundle = await bundled(program)
  server = await awkward()
})

afterAll(() => server.close())

test('a process that keeps idle connections ends by itself', async () => {
  const [ok, status] = [reply.json({ code: 200 }), 200]
  server.next(
    ok,
    ok,
    ok,
    reply.halfBody({ a: 1 }, 'close'),
    reply.silence(),
    reply.json({ code: 200 }, { headers: { 'keep-alive': 'timeout=600' } }),
  )
  server.always(() => reply.json({ code: 200 }, { headers: { 'keep-alive': 'timeout=600' } }))
  const child = spawn(process.execPath, [bundle, server.url, await nowhere()], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  const code = await new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 300_000)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
  expect(out.trim()).toBe(`${status} ${status} ${status} CUT_OFF TIMEOUT UNREACHABLE TimeoutError ${status}`)
  // undici itself would keep an idle connection for ten minutes when it is told so, and the process with it.
  expect(code).toBe(0)
})
