// Deep: starts nginx, and processes that fetch files.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Archive } from '../../../src/data/archive/archive.js'
import type { Service } from '../../../src/server/service/server.js'
import { quotebookBeside, type Ran } from '../../helper/cli.js'
import { sameDays } from '../../helper/fetched.js'
import { nginx } from '../../helper/nginx.js'
import { serviceOver } from '../../helper/own-service.js'
import { has } from '../../helper/server-process.js'
import { putTicks } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'
import { folderOf, tickDays, tickFiles } from '../../helper/tick-year.js'

const days = tickDays.slice(0, 25)
let files: Map<string, Uint8Array>
let service: Service

beforeAll(async () => {
  files = await tickFiles(days)
  const dir = join(tempDir(), 'archive')
  await putTicks(dir, Object.fromEntries(files))
  service = await serviceOver(new Archive(dir, 'test'))
})

afterAll(() => service.close())

/** Without `--source` there is none. */
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  quotebookBeside(['ticks', 'fetch', ...args], { QUOTEBOOK_SOURCE: undefined, ...env }, tempDir())

test('a year from a service, in plain lines; again, with nothing to do', async () => {
  const dest = join(tempDir(), 'auction_ticks')
  const first = await run(['--year', '2025', '--source', service.url, '--archive', dest])
  expect([first.code, first.out]).toEqual([0, ''])
  const lines = first.err.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^2025: 25 files, \d+ kB, to fetch into \/.*auction_ticks$/)
  expect(lines.at(-1)).toMatch(/^2025: 25 files, \d+ kB: 25 fetched; complete from 20250102 to 20250213$/)
  expect(lines.length).toBeLessThan(14)
  expect(sameDays(dest, files)).toEqual(days)
  const second = await run(['--year', '2025', '--source', service.url, '--archive', dest])
  expect([second.code, second.err]).toEqual([
    0,
    expect.stringMatching(/^2025: 25 files, \d+ kB: 0 fetched, 25 were there; complete from 20250102 to 20250213\n$/),
  ])
})

test.skipIf(!has('nginx'))(
  'a link with its password from the environment; a wrong one is said, and never shown',
  async () => {
    const some = new Map([...files].filter(([day]) => day !== days[4]))
    const server = await nginx(folderOf(some), { user: 'me', password: 'pass-of-the-share' })
    try {
      const dest = join(tempDir(), 'ticks')
      const args = ['--year', '2025', '--share', server.url, '--user', 'me', '--archive', dest]
      const ran = await run(args, { QUOTEBOOK_SHARE_PASSWORD: 'pass-of-the-share' })
      expect([ran.code, ran.err.trimEnd().split('\n').at(-1)]).toEqual([
        0,
        expect.stringMatching(
          new RegExp(
            `^2025: 24 files, .*: 24 fetched; from 20250102 to 20250213, where these trading days have no file: ${days[4]}$`,
          ),
        ),
      ])
      const wrong = await run(args, { QUOTEBOOK_SHARE_PASSWORD: 'wrong-pass-of-it' })
      expect(wrong.code).toBe(1)
      expect(wrong.err).toMatch(/^quotebook: the share of auction ticks at http:\/\/127\.0\.0\.1:\d+ answers 401/)
      expect(wrong.err).not.toContain('wrong-pass')
    } finally {
      await server.stop()
    }
  },
)

test('wrong usage is exit code 2; what fails is 1, in one line', async () => {
  const codes = async (...args: string[]): Promise<[number | null, string]> => {
    const { code, err } = await run(args)
    return [code, err]
  }
  expect(await codes()).toEqual([2, expect.stringContaining("required option '--year <year>'")])
  expect(await codes('--year', '2021')).toEqual([2, expect.stringContaining('begin with 2022')])
  expect(await codes('--year', '2025', '--parallel', '17', '--share', 'x')).toEqual([
    2,
    expect.stringContaining('from 1 to 16'),
  ])
  expect(await codes('--year', '2025', '--kind', 'ftp')).toEqual([
    2,
    expect.stringContaining('webdav, nextcloud, index, folder'),
  ])
  const dir = tempDir()
  expect(await codes('--year', '2025', '--share', dir)).toEqual([
    1,
    expect.stringMatching(/^quotebook: .* can not be listed: .*\n$/),
  ])
  const gone = await run(['--year', '2024', '--share', folderOf(files), '--archive', join(dir, 'ticks')])
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('has no auction ticks of 2024')])
  expect(readdirSync(dir)).toEqual([])
})
