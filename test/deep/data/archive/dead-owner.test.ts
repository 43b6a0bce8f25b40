// Deep: writers in processes of their own are killed and stopped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasEnded, ownerText, takeLock } from '../../../../src/data/archive/directory-lock.js'
import { bundled } from '../../../helper/bundle.js'
import { tempDir } from '../../../helper/temp.js'

/** A process that holds a lock and says so. */
async function holder(path: string) {
  const program = await bundled(`
    import { takeLock } from './src/data/archive/directory-lock.ts'
    await takeLock(process.argv[2], 0)
    console.log('held')
    setInterval(() => {}, 1000)
  `)
  const child = spawn('node', [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const hasProc = existsSync('/proc/self/ns/pid')

test.runIf(hasProc)(
  'the lock of a process that was killed is free at once, and that of a living one is not',
  async () => {
    const path = join(tempDir(), '.lock')
    const child = await holder(path)
    expect(await takeLock(path, 0)).toBeUndefined()
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lock = await takeLock(path, 0)
    expect(lock?.lost).toBe(false)
    expect(await takeLock(path, 0)).toBeUndefined()
    await lock?.release()
    expect(existsSync(path)).toBe(false)
  },
)

test.runIf(hasProc)('a process that stands still is not gone', async () => {
  const path = join(tempDir(), '.lock')
  const child = await holder(path)
  child.kill('SIGSTOP')
  expect(await takeLock(path, 0)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test.runIf(hasProc)('an id that another process has by now is that of one that has gone', async () => {
  const own = JSON.parse(await ownerText()) as Record<string, string>
  const { pid = 0 } = process
  expect(own.pid).toBe(String(pid))
  expect(await hasEnded(JSON.stringify(own))).toBe(false)
  expect(await hasEnded(JSON.stringify({ ...own, start: '1' }))).toBe(true)
})

test('of what is no line of a process nothing is sure', async () => {
  for (const text of ['', '{', '{}', '{"space":1}', '[]', 'null']) expect(await hasEnded(text), text).toBe(false)
})

test.runIf(hasProc)('of a process of another machine, container or run of the kernel nothing is sure', async () => {
  const own = JSON.parse(await ownerText()) as Record<string, string>
  const path = join(tempDir(), '.lock')
  for (const space of [own.space?.replace(/^./, 'x'), own.space?.replace(/\d+\]/, '1]'), undefined]) {
    const gone = JSON.stringify({ ...own, space, start: '1' })
    expect(await hasEnded(gone)).toBe(false)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, '0123456789ab'), `.${gone}`)
    expect(await takeLock(path, 0)).toBeUndefined()
    expect(readdirSync(path)).toEqual(['0123456789ab'])
    expect(readFileSync(join(path, '0123456789ab'), 'utf8')).toBe(`.${gone}`)
  }
})
