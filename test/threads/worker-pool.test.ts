import { afterEach, expect, test } from 'vitest'
import { QuotebookError } from '../../src/contract/error.js'
import { WorkerPool } from '../../src/threads/worker-pool.js'
import { tempFile } from '../helper/temp.js'

/** A worker that does as it is told. */
const code = `
const { parentPort, threadId } = require('node:worker_threads')
let count = 0
parentPort.on('message', async ({ act, bytes }) => {
  count++
  const say = (said) => parentPort.postMessage(said)
  if (act === 'who') say({ result: { threadId, count, env: Object.keys(process.env).length }, replace: false })
  if (act === 'last') say({ result: { threadId, count }, replace: true })
  if (act === 'give') parentPort.postMessage({ result: bytes, replace: false }, [bytes.buffer])
  if (act === 'fail') say({ failed: 'it is cut', replace: false })
  if (act === 'fail with a code') say({ failed: 'no column price', code: 'MISSING_COLUMN', replace: false })
  if (act === 'poison') say({ failed: 'its decoder broke down', replace: true })
  if (act === 'throw') throw new TypeError('not foreseen')
  if (act === 'trap') {
    const bytes = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,5,1,3,0,0,11]
    new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports.f()
  }
  if (act === 'exit') process.exit(3)
  if (act === 'loop') for (;;);
  if (act === 'heap') { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) }
  if (act === 'tell') {
    for (let i = 0; i < 6; i++) { await new Promise((r) => setTimeout(r, 400)); say({ progress: i }) }
    say({ result: 'told', replace: false })
  }
})
`
interface Task {
  readonly act: string
  readonly bytes?: Uint8Array
}
interface Who {
  readonly threadId: number
  readonly count: number
  readonly env: number
}

const pools: WorkerPool<Task, never>[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

function pool<Result>(size = 1, file = tempFile('worker.cjs', code)): WorkerPool<Task, Result> {
  const made = new WorkerPool<Task, Result>({ size, file, heapMb: 64 })
  pools.push(made as WorkerPool<Task, never>)
  return made
}

const name = 'the file of 20260506'
const failure = async (work: Promise<unknown>): Promise<QuotebookError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(QuotebookError)
  return error as QuotebookError
}

test('tasks are done by as many workers as asked, each one after another, without the environment', async () => {
  const own = pool<Who>(2)
  const all = await Promise.all(Array.from({ length: 20 }, () => own.run({ act: 'who' }, [], { name })))
  expect(new Set(all.map(({ threadId }) => threadId)).size).toBe(2)
  expect(Math.max(...all.map(({ count }) => count))).toBeGreaterThan(1)
  expect(all.every(({ env }) => env === 0)).toBe(true)
})

test.each([
  ['fail', 'FILE', `${name} can not be read: it is cut`],
  ['fail with a code', 'MISSING_COLUMN', 'no column price'],
  ['poison', 'FILE', `${name} can not be read: its decoder broke down`],
  ['throw', 'FILE', `${name} can not be read: not foreseen`],
  ['trap', 'FILE', `${name} can not be read: its decoder broke down (unreachable)`],
  ['exit', 'FILE', `${name} can not be read: its reader ended with code 3`],
  ['loop', 'FILE', `${name} can not be read: its reader was silent for 0.5 s`],
])('%s: the task fails with a typed error and the next one is done', async (act, errorCode, message) => {
  const own = pool<Who>()
  const options = { name, ...(act === 'loop' && { timeoutMs: 500 }) }
  const [bad, good] = [own.run({ act }, [], options), own.run({ act: 'who' }, [], { name })]
  const error = await failure(bad)
  expect([error.code, error.message]).toEqual([errorCode, message])
  // Only one that failed in an orderly way goes on.
  expect((await good).count).toBe(act.startsWith('fail') ? 2 : 1)
})

test('a worker that is out of memory ends alone', async () => {
  const own = pool<Who>()
  expect((await failure(own.run({ act: 'heap' }, [], { name }))).message).toMatch(/memory/)
  expect((await own.run({ act: 'who' }, [], { name })).count).toBe(1)
})

test('a spent worker gives its result and gives way', async () => {
  const own = pool<Who>()
  const first = await own.run({ act: 'last' }, [], { name })
  const second = await own.run({ act: 'who' }, [], { name })
  expect(second.threadId).not.toBe(first.threadId)
  expect(second.count).toBe(1)
})

test('a worker that tells how it goes is not silent', async () => {
  const told: unknown[] = []
  const own = pool<string>()
  const result = own.run({ act: 'tell' }, [], { name, timeoutMs: 2000, onProgress: (word) => told.push(word) })
  expect([await result, told]).toEqual(['told', [0, 1, 2, 3, 4, 5]])
})

test('an abort ends a task under way and one that waits, with its reason, and no other', async () => {
  const own = pool<Who>()
  const [one, two] = [new AbortController(), new AbortController()]
  const running = own.run({ act: 'loop' }, [], { name, signal: one.signal })
  const waiting = own.run({ act: 'loop' }, [], { name, signal: two.signal })
  const last = own.run({ act: 'who' }, [], { name })
  const [first, second] = [new Error('first'), new Error('second')]
  two.abort(second)
  await expect(waiting).rejects.toBe(second)
  one.abort(first)
  await expect(running).rejects.toBe(first)
  expect((await last).count).toBe(1)
  await expect(own.run({ act: 'who' }, [], { name, signal: one.signal })).rejects.toBe(first)
})

test('a pool that is closed does nothing any more', async () => {
  const own = pool<Who>()
  const tasks = [own.run({ act: 'loop' }, [], { name }), own.run({ act: 'who' }, [], { name })].map(failure)
  await own.close()
  for (const error of await Promise.all(tasks)) expect(error.message).toMatch(/sent away/)
  expect((await failure(own.run({ act: 'who' }, [], { name }))).message).toMatch(/sent away/)
})
