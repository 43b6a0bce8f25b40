// Deep: waits for processes that run until they are told to end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { main, quotebook, root } from '../../helper/cli.js'
import { tempDir } from '../../helper/temp.js'

/** Starts the command, and ends it with a signal when `when` has come. */
async function interrupted(
  args: readonly string[],
  signal: NodeJS.Signals,
  when: (err: string) => boolean,
): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env: { ...process.env, LC_ALL: 'C' } })
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  while (!when(err) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 25))
  child.kill(signal)
  const [code] = await once(child, 'close')
  return { code, err }
}

test('Ctrl-C undoes a sample that was begun, says so, and the same command works again', async () => {
  const dir = join(tempDir(), 'new')
  const entries = (): number => (existsSync(dir) ? readdirSync(dir, { recursive: true }).length : 0)
  const args = ['sample', '--archive', dir, '--days', '250', '--symbols', '50']
  const ended = await interrupted(args, 'SIGINT', () => entries() > 4)
  expect(ended).toEqual({ code: 130, err: 'quotebook: interrupted; nothing was changed\n' })
  expect(existsSync(dir)).toBe(false)
  expect(quotebook(['sample', '--archive', dir, '--days', '2', '--symbols', '1']).code).toBe(0)
})

const synced = (dir: string, ...more: string[]): string[] => [
  'sync',
  '--source',
  'sample',
  '--archive',
  dir,
  '--datasets',
  'theme_daily',
  '--from',
  '20260727',
  ...more,
]

test('sync --ticks fetches the files of the year too, once, and they are those of the source', () => {
  const dir = `${tempDir()}/own`
  expect(quotebook(synced(dir, '--ticks')).err).toMatch(/\n2026: 60 files, .*: 60 fetched; complete/)
  // What is synthetic says so wherever it goes.
  const [own, sample] = [dir, sampleDir].map((one) => JSON.parse(readFileSync(join(one, 'manifest.json'), 'utf8')))
  expect([own.about, own.about]).toEqual([sample.about, expect.stringContaining('SYNTHETIC')])
  expect(quotebook(synced(dir, '--ticks')).err).toMatch(/\n2026: 60 files, .*: 0 fetched, 60 .*; complete/)
  const days = (source: string) => quotebook(['ticks', 'read', '20260729', '--format', 'json', '--source', source]).out
  expect(days(dir)).toBe(days('sample'))
  for (const wrong of [
    ['--ticks', '--dry-run'],
    ['--metrics', '9100'],
    ['--follow', '--dry-run'],
  ])
    expect(quotebook(synced(dir, ...wrong)).code).toBe(2)
})
