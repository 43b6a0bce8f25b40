// Deep: waits for processes that run until they are told to end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { main, quotebook, quotebookBeside, root } from '../../helper/cli.js'
import { listen } from '../../helper/listen.js'
import { tempDir } from '../../helper/temp.js'

/** Starts the command, and ends it with a signal when `when` has come. */
async function interrupted(
  args: readonly string[],
  signal: NodeJS.Signals,
  when: (err: string) => boolean,
  cwd = root,
): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, LC_ALL: 'C' } })
  const closed = once(child, 'close')
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  while (!when(err) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 25))
  child.kill(signal)
  const [code] = await closed
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

/** A CSV of as many days of 400 bonds; a megabyte is ten of them. */
function bondsFile(dir: string, days: number, close: number): string {
  const file = join(dir, 'bonds.csv')
  const to = openSync(file, 'w')
  writeSync(to, 'tradedate,symbol,name,code,close,vol,amount\n')
  for (let at = 0, day = Date.UTC(2010, 0, 4); at < days; day += 86_400_000) {
    if (new Date(day).getUTCDay() % 6 === 0) continue
    at++
    const date = new Date(day).toISOString().slice(0, 10).replaceAll('-', '')
    const row = (code: number): string => `${date},${code},转债${code},${code}.SH,${close},1000,1015000\n`
    writeSync(to, Array.from({ length: 400 }, (_, i) => row(110_000 + i)).join(''))
  }
  closeSync(to)
  return file
}

test('Ctrl-C ends an import wherever it is: at once, with a line, and the archive is as it was', async () => {
  const dir = tempDir()
  const archive = join(dir, 'own')
  const imported = (days: number, close: number): string[] => [
    'import',
    'convertible_daily',
    bondsFile(dir, days, close),
    '--archive',
    archive,
  ]
  expect(quotebook(imported(20, 101)).code).toBe(0)
  const before = readdirSync(archive, { recursive: true }).map(String).sort()
  const manifest = readFileSync(join(archive, 'manifest.json'), 'utf8')
  const args = imported(2000, 102)
  const lock = join(archive, '.lock')
  // While it reads, and while it writes parts that no manifest names yet.
  const reading = (): boolean => existsSync(lock)
  const writing = (): boolean => readdirSync(join(archive, 'convertible_daily')).length > 10
  for (const when of [reading, writing]) {
    expect(await interrupted(args, 'SIGINT', when)).toEqual({
      code: 130,
      err: 'quotebook: interrupted; nothing was changed\n',
    })
    expect(readdirSync(archive, { recursive: true }).map(String).sort()).toEqual(before)
    expect(readFileSync(join(archive, 'manifest.json'), 'utf8')).toBe(manifest)
  }
  expect(quotebook(args)).toMatchObject({ code: 0, err: expect.stringContaining('800000 rows of 1 files') })
})

test('Ctrl-C ends a sweep that holds the loop, and says what is kept; the next one goes on from there', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(root, join(dir, 'node_modules/quotebook'))
  const strategy = `import { loadPanel } from 'quotebook'
    export default async ({ market, from, to }) => ({
      panel: (await loadPanel(market, { dataset: 'convertible_daily' }, { from, to })).panel,
      make: ({ w = 1 }) => ({ score: (bond) => bond.close + w * bond.cb_over_rate, pick: { n: 3, side: 'lowest' } }),
    })`
  writeFileSync(join(dir, 'inner.mjs'), strategy)
  const kept = (): number =>
    (existsSync(join(dir, 'runs.jsonl')) ? readFileSync(join(dir, 'runs.jsonl'), 'utf8') : '').split('\n').length - 1
  const values = (count: number): string => `w=${Array.from({ length: count }, (_, i) => i / 100).join()}`
  const args = ['backtest', 'inner.mjs', '--source', 'sample', '--sweep', values(5000)]
  const halfway = (): boolean => kept() > 20
  const ended = await interrupted([...args, '--checkpoint', 'runs.jsonl'], 'SIGINT', halfway, dir)
  expect(ended.code).toBe(130)
  expect(ended.err).toContain(
    'quotebook: interrupted; what was run is kept in runs.jsonl, and the next run goes on from there',
  )
  expect(kept()).toBeLessThan(5000)
  const [first] = readFileSync(join(dir, 'runs.jsonl'), 'utf8').split('\n')
  const again = ['backtest', 'inner.mjs', '--source', 'sample', '--sweep', values(30), '--checkpoint', 'runs.jsonl']
  expect(quotebook(again, { cwd: dir })).toMatchObject({ code: 0, err: expect.stringContaining('best of 30 trials') })
  expect(readFileSync(join(dir, 'runs.jsonl'), 'utf8').split('\n')[0]).toBe(first)
})

test('Ctrl-C ends the study of a factor that holds the loop, with a line', async () => {
  const dir = tempDir()
  const slow = `import { writeFileSync } from 'node:fs'
    const wait = new Int32Array(new SharedArrayBuffer(4))
    export default {
      data: { dataset: 'convertible_daily' },
      score: (bond) => {
        writeFileSync('began', '')
        Atomics.wait(wait, 0, 0, 20)
        return bond.close
      },
      pick: { n: 3, side: 'lowest' },
    }`
  writeFileSync(join(dir, 'slow.mjs'), slow)
  const args = ['factor', 'slow.mjs', '--source', 'sample']
  const ended = await interrupted(args, 'SIGINT', () => existsSync(join(dir, 'began')), dir)
  expect(ended.code).toBe(130)
  expect(ended.err).toMatch(/quotebook: interrupted; nothing was changed\n$/)
})

test('Ctrl-C ends a fetch of ticks at once; files that have come are whole, and the next one asks for the rest of those half come', async () => {
  const folder = join(sampleDir, 'ticks')
  const files = new Map(readdirSync(folder).map((name) => [name.slice(0, 8), readFileSync(join(folder, name))]))
  const asked: { readonly from: number }[] = []
  const isSlow = { now: true }
  const server = createServer((request, response) => {
    if (request.method === 'PROPFIND') return void response.writeHead(405).end()
    const bytes = files.get(/(\d{8})_aucde/.exec(request.url ?? '')?.[1] ?? '')
    if (!bytes)
      return void response.end([...files.keys()].map((day) => `<a href="${day}_aucde.parquet">x</a>`).join('\n'))
    const day = /\d{8}/.exec(request.url ?? '')?.[0] as string
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    if (request.method === 'GET') asked.push({ from })
    const range = from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}
    response.writeHead(from > 0 ? 206 : 200, { etag: `"${day}"`, 'content-length': bytes.length - from, ...range })
    response.write(bytes.subarray(from, from + 5000))
    setTimeout(() => response.end(bytes.subarray(from + 5000)), isSlow.now ? 300 : 0)
  })
  const { url, close } = await listen(server)
  const archive = join(tempDir(), 'own')
  const args = ['ticks', 'fetch', '--year', '2026', '--share', `${url}/`, '--archive', archive]
  try {
    const ended = await interrupted(args, 'SIGINT', () => asked.length > 9)
    expect(ended.code).toBe(130)
    expect(ended.err).toContain('quotebook: interrupted; what has come stays, and the next run goes on from there\n')
    asked.splice(0)
    isSlow.now = false
    const again = await quotebookBeside(args)
    expect(again.code).toBe(0)
    const there = Number(/ fetched, (\d+) were there; /.exec(again.err)?.[1])
    expect(there).toBeGreaterThan(3)
    expect(asked.some(({ from }) => from > 0)).toBe(true)
    expect(quotebook(['ticks', 'verify', '--source', archive]).code).toBe(0)
  } finally {
    await close()
  }
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
