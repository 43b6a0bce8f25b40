import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A pandas in a process of its own, which answers with the milliseconds of each operation; undefined where there is none. */
export async function pandasPeer(script, folder) {
  const python = ['python3', '/usr/bin/python3'].find((path) => spawnSync(path, ['-c', 'import pandas']).status === 0)
  if (!python) {
    console.log('  no python3 with pandas here: nothing is compared with pandas')
    return undefined
  }
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(python, ['-B', path, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const reply = async () => JSON.parse((await lines.next()).value)
  const { pandas: version, names } = await reply()
  const ask = (name) => {
    child.stdin.write(`${name}\n`)
    return reply()
  }
  return { version, has: (name) => names.includes(name), ask, close: () => child.stdin.end() }
}
