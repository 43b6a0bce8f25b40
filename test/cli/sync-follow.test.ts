import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleDir } from '../../src/connect.js'
import { main, quotebook, root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a follower says a line a run, status shows it, and %s ends it with 0',
  async (name) => {
    const dir = `${tempDir()}/own`
    const args = [
      'sync',
      '--source',
      'sample',
      '--archive',
      dir,
      '--datasets',
      'theme_daily',
      '--from',
      '20260727',
      '--follow',
    ]
    const child = spawn(process.execPath, [main, ...args], { cwd: root, env: { ...process.env, LC_ALL: 'C' } })
    let err = ''
    const hasRun = new Promise<void>((resolve) => {
      child.stderr.on('data', (data) => {
        err += data
        if (err.includes('; next ')) resolve()
      })
    })
    await hasRun
    const on = quotebook(['status', '--source', dir])
    expect(on.err).toMatch(/\nfollowed since [-\d]+ [:\d]+; last run [-\d]+ [:\d]+; next [-\d]+ [:\d]+/)
    child.kill(name)
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    const [first, line, last] = err.split('\n')
    expect(first).toBe(`${dir} follows sample; Ctrl-C ends it`)
    expect(line).toMatch(/^[-\d]+ [:\d]+ theme_daily: 144 rows by 0 requests;.* next [-\d]+ [:\d]+ theme_daily$/)
    expect(last).toBe(`${dir} is followed no longer`)
    expect(quotebook(['status', '--source', dir]).err).toMatch(/\nnot followed now; last run [-\d]+ [:\d]+/)
  },
)

test('what does not go together is wrong usage', () => {
  const asked = (...more: string[]) => quotebook(['sync', '--archive', `${tempDir()}/own`, ...more])
  expect(asked('--metrics', '9100')).toMatchObject({ code: 2, err: 'quotebook: --metrics goes with --follow\n' })
  expect(asked('--follow', '--dry-run').code).toBe(2)
  expect(asked('--follow', '--metrics', 'x').code).toBe(2)
})

test('--ticks brings the files of the year too, once, and they are those of the source', async () => {
  const dir = `${tempDir()}/own`
  const args = ['sync', '--source', 'sample', '--archive', dir, '--datasets', 'theme_daily', '--from', '20260727']
  const once = quotebook([...args, '--ticks'])
  expect(once.code).toBe(0)
  // What is synthetic says so wherever it is brought.
  const [own, sample] = [dir, sampleDir].map((one) => JSON.parse(readFileSync(join(one, 'manifest.json'), 'utf8')))
  expect([own.about, own.about]).toEqual([sample.about, expect.stringContaining('SYNTHETIC')])
  expect(once.err).toMatch(/\n2026: 60 files, .*: 60 fetched; complete/)
  expect(quotebook([...args, '--ticks']).err).toMatch(/\n2026: 60 files, .*: 0 fetched, 60 .*; complete/)
  const days = (source: string) => quotebook(['ticks', 'read', '20260729', '--format', 'json', '--source', source]).out
  expect(days(dir)).toBe(days('sample'))
  expect(quotebook([...args, '--ticks', '--dry-run']).code).toBe(2)
})
