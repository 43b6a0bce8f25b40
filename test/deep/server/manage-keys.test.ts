/* Deep: processes that change one file at once and are killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { formatKeys, parseKeys } from '../../../src/server/service/keys/key-file.js'
import { KeyRing } from '../../../src/server/service/keys/key-ring.js'
import { addKey, listKeys, updateKeyFile } from '../../../src/server/service/keys/manage-keys.js'
import { bundled } from '../../helper/bundle.js'
import { tempDir } from '../../helper/temp.js'

const grant = { plan: 'flagship', expiry: null, rate: null } as const
const newFile = (): string => join(tempDir(), 'keys.json')
const filesBeside = (file: string): string[] => readdirSync(dirname(file)).sort()

/** Adds keys NAME-0 … in turn, in a process of its own. With `die` it is killed as it is about to put the new file in place. */
let program: string
beforeAll(async () => {
  program = await bundled(`
    import promises from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    import { addKey } from './src/server/service/keys/manage-keys.ts'
    const [file, name, count, die] = process.argv.slice(2)
    if (die) {
      const { rename } = promises
      promises.rename = (from, to) => {
        if (!from.endsWith('.part')) return rename(from, to)
        process.kill(process.pid, 'SIGKILL')
        return new Promise(() => {})
      }
      syncBuiltinESMExports()
    }
    for (let i = 0; i < Number(count); i++) {
      const key = await addKey(file, name + '-' + i, { plan: 'free', expiry: null, rate: null })
      process.stdout.write(key + '\\n')
    }
  `)
})

async function ran(...args: string[]): Promise<{ code: number | null; signal: string | null; out: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, out }
}

test('a new file is its owner’s alone; one that is there keeps its mode; a link stays a link', async () => {
  const file = newFile()
  await addKey(file, 'alice', grant)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o640)
  const link = join(tempDir(), 'linked.json')
  symlinkSync(file, link)
  await addKey(link, 'bob', grant)
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(listKeys(file).map(({ name }) => name)).toEqual(['alice', 'bob'])
  expect([filesBeside(link), filesBeside(file)]).toEqual([['linked.json'], ['keys.json']])
})

test('processes and calls that add at once lose nothing', async () => {
  const file = newFile()
  const here = ['x', 'y', 'z'].map((name) => addKey(file, name, grant))
  const children = await Promise.all(['p', 'q', 'r'].map((name) => ran(file, name, '8')))
  const keys = [...(await Promise.all(here)), ...children.flatMap(({ out }) => out.trim().split('\n'))]
  expect(children.map(({ code }) => code)).toEqual([0, 0, 0])
  const eight = (name: string): string[] => Array.from({ length: 8 }, (_, i) => `${name}-${i}`)
  expect(listKeys(file).map(({ name }) => name)).toEqual([...eight('p'), ...eight('q'), ...eight('r'), 'x', 'y', 'z'])
  const ring = new KeyRing(file)
  for (const key of keys) expect(ring.authenticate(key)).toHaveProperty('plan')
  expect(filesBeside(file)).toEqual(['keys.json'])
})

test('a process that is killed while it adds leaves the old file; the next one goes on and clears up', async () => {
  const file = newFile()
  await addKey(file, 'alice', grant)
  const before = readFileSync(file, 'utf8')
  const killed = await ran(file, 'bob', '1', 'die')
  expect(killed).toEqual({ code: null, signal: 'SIGKILL', out: '' })
  expect(readFileSync(file, 'utf8')).toBe(before)
  const left = filesBeside(file)
  expect(left).toHaveLength(3)
  expect(left.slice(0, 1)).toEqual(['keys.json'])
  expect(new KeyRing(file).inForce().size).toBe(1)
  writeFileSync(`${file}.backup.part`, 'not ours')
  await addKey(file, 'carol', grant)
  expect(listKeys(file).map(({ name }) => name)).toEqual(['alice', 'carol'])
  expect(filesBeside(file)).toEqual(['keys.json', 'keys.json.backup.part'])
})

test('what somebody saves in an editor meanwhile stays, and the change is refused', async () => {
  const file = newFile()
  await addKey(file, 'alice', grant)
  const [alice] = parseKeys(readFileSync(file, 'utf8'), file)
  if (!alice) throw new Error('no key')
  const late = updateKeyFile(file, (keys = []) => {
    expect(existsSync(`${file}.lock`)).toBe(true)
    writeFileSync(file, formatKeys([alice, { ...alice, name: 'carol', sha256: 'c'.repeat(64) }]))
    return [...keys, { ...alice, name: 'bob', sha256: 'b'.repeat(64) }]
  })
  await expect(late).rejects.toThrow(/somebody else has changed it meanwhile; nothing was changed, try again/)
  expect(listKeys(file).map(({ name }) => name)).toEqual(['alice', 'carol'])
  expect(filesBeside(file)).toEqual(['keys.json'])
})
