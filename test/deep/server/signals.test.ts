/* Deep: processes that are told to reload and to end at every moment of their lives. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { figure, send, until, withWorkers, workersOf } from '../../helper/many.js'
import { type Command, command, endAll, type Served, served } from '../../helper/served.js'
import { freePort } from '../../helper/server-process.js'
import { tempDir } from '../../helper/temp.js'

afterAll(endAll)

/** Processes, of whatever parent, whose arguments have these words. */
const processesWith = (words: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(words) && !line.includes('ps -eo'))

const workers = async (count = 2): Promise<Served> =>
  withWorkers(await served('--port', String(await freePort()), '--workers', String(count), '--no-log'))

/** Ends by itself, and nothing of it is left. */
async function endsWhole({ child, ended }: Command, words: string): Promise<void> {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 40_000)
  expect(await ended).toEqual([0, null])
  clearTimeout(late)
  // Node ends a process whose starter is gone.
  await until(() => processesWith(words).length === 0)
}

test.each([0, 150, 400, 900, 2000])('told to end %i ms after a restart has begun, the service ends', async (delay) => {
  const one = await workers()
  one.child.kill('SIGUSR2')
  await sleep(delay)
  if (delay % 400 === 0) one.child.kill('SIGUSR2')
  await endsWhole(one, `--port ${one.port} `)
  expect(one.err()).not.toContain('a new worker did not begin')
})

test('a restart that fails while the service ends starts nobody', async () => {
  const one = await workers()
  const old = workersOf(one)
  one.child.kill('SIGUSR2')
  await until(() => workersOf(one).length > old.length)
  for (const pid of workersOf(one)) if (pid !== old[1]) process.kill(pid, 'SIGKILL')
  await endsWhole(one, `--port ${one.port} `)
})

test('a worker that begins after a pause does not begin once the service ends', async () => {
  const one = await workers(1)
  for (const round of [1, 2, 3, 4]) {
    await until(() => processesWith(`--port ${one.port} `).length === 2)
    process.kill(workersOf(one)[0] ?? 0, 'SIGKILL')
    await until(() => (one.err().match(/has ended/g) ?? []).length === round)
  }
  const before = performance.now()
  await endsWhole(one, `--port ${one.port} `)
  expect(one.err()).toContain('another begins in 4 s')
  expect(performance.now() - before).toBeLessThan(3500)
})

test.each([50, 350, 700, 1000])('told to end %i ms after its start, it leaves nobody', async (delay) => {
  const port = await freePort()
  const one = await command('serve', '--port', String(port), '--workers', '3')
  await sleep(delay)
  one.child.kill('SIGTERM')
  // Before it can hear, a signal ends any process.
  expect([
    [0, null],
    [null, 'SIGTERM'],
  ]).toContainEqual(await one.ended)
  await until(() => processesWith(`--port ${port} `).length === 0)
})

test('SIGHUP replaces workers; a single process, and one that syncs, say that they go on', async () => {
  const many = await workers()
  const before = workersOf(many)
  many.child.kill('SIGHUP')
  await until(() => many.err().includes('2 new workers answer'))
  await until(() => workersOf(many).length === 2)
  expect(workersOf(many).filter((pid) => before.includes(pid))).toEqual([])
  expect(await figure(many.url, 'quotebook_worker_restarts_total')).toBe(0)
  process.kill(workersOf(many)[0] ?? 0, 'SIGHUP')
  await until(() => many.err().includes('SIGHUP: nothing to reload; this process goes on'))
  const single = await served('--port', '0')
  const archive = join(tempDir(), 'kept')
  const words = ['--source', single.url, '--archive', archive, '--datasets', 'st', '--from', '20260727']
  const follower = await command('sync', ...words, '--follow')
  await until(() => follower.err().includes('; next '))
  for (const one of [single, follower]) {
    for (const signal of ['SIGHUP', 'SIGUSR2'] as const) {
      one.child.kill(signal)
      await until(() => one.err().includes(`${signal}: nothing to reload; this process goes on`))
    }
  }
  expect((await send(`${single.url}/healthz`)).status).toBe(200)
  await endsWhole(follower, archive)
  await endsWhole(single, `--port ${single.port} `)
  await endsWhole(many, `--port ${many.port} `)
})

test('a process of a terminal ends when that is closed', async () => {
  const port = await freePort()
  const one = await command('serve', '--port', String(port))
  const file = one.child.spawnargs[1]
  one.child.kill('SIGKILL')
  const line = `'${process.execPath}' '${file}' serve --port ${port} --no-log`
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  terminal.stdout.on('data', (piece) => {
    said += piece
  })
  await until(() => said.includes('Ctrl-C ends it'))
  terminal.kill('SIGKILL')
  await once(terminal, 'exit')
  await until(() => processesWith(`--port ${port} `).length === 0)
})
