import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main, quotebook, root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

/** How many files and folders are below a directory. Their names alone are read: files in it come and go. */
function entriesIn(dir: string): number {
  return existsSync(dir) ? readdirSync(dir, { recursive: true }).length : 0
}

async function interrupted(dir: string): Promise<{ code: number | null; err: string }> {
  const args = [main, 'sample', '--archive', dir, '--days', '250', '--symbols', '50']
  const child = spawn(process.execPath, args, { cwd: root })
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  for (let i = 0; i < 40_000 && entriesIn(dir) < 5; i++) await new Promise((resolve) => setTimeout(resolve, 25))
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  return { code, err }
}

test('Ctrl-C undoes a sample that was begun, says so, and the same command works again', async () => {
  const dir = join(tempDir(), 'new')
  const { code, err } = await interrupted(dir)
  expect([code, err]).toEqual([130, 'quotebook: interrupted; nothing was changed\n'])
  expect(existsSync(dir)).toBe(false)
  expect(quotebook(['sample', '--archive', dir, '--days', '2', '--symbols', '1']).code).toBe(0)
})
