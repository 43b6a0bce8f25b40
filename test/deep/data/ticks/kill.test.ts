// Deep: processes are killed at random moments, and their locks grow old.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled } from '../../../helper/bundle.js'
import { sameDays, sumsOf, ticksOf, wrongIn } from '../../../helper/fetched.js'
import { listen } from '../../../helper/listen.js'
import { sumOf } from '../../../helper/memory-share.js'
import { tempDir } from '../../../helper/temp.js'
import { nameOf, tickDays, tickFiles, year } from '../../../helper/tick-year.js'

const kills = Number(process.env.RUNS ?? 6)
const days = tickDays.slice(0, 40)
let files: Map<string, Uint8Array>
let program: string
let server: Server
let link: string
/** Bodies that were sent from their beginning, and from somewhere else. */
const sent = { whole: 0, part: 0 }

/** A web server that is slow: a file takes about 50 ms. */
function slowServer(): Server {
  return createServer((request, response) => {
    if (request.method === 'PROPFIND') return void response.writeHead(405).end()
    const day = /\/(\d{8})_aucde\.parquet$/.exec(request.url ?? '')?.[1]
    if (day === undefined) return void response.end(days.map((one) => `<a href="${nameOf(one)}">x</a>`).join('\n'))
    const bytes = files.get(day) as Uint8Array
    const etag = `"${sumOf(bytes).slice(0, 12)}"`
    const from =
      request.headers['if-range'] === etag ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]) : 0
    if (from > 0) sent.part++
    else sent.whole++
    const range = from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}
    response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': bytes.length - from, ...range })
    const step = Math.ceil(bytes.length / 5)
    let at = from
    const timer = setInterval(() => {
      response.write(bytes.subarray(at, at + step))
      at += step
      if (at < bytes.length) return
      clearInterval(timer)
      response.end()
    }, 10)
    response.on('close', () => clearInterval(timer))
  })
}

beforeAll(async () => {
  files = await tickFiles(days)
  program = await bundled(`
    import { Command } from 'commander'
    import { ticksCommand } from './src/cli/command/ticks-command.ts'
    await new Command('quotebook').addCommand(ticksCommand()).parseAsync().catch((error) => {
      console.error(String(error?.message))
      process.exit(1)
    })
  `)
  server = slowServer()
  link = `${(await listen(server)).url}/`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function start(dest: string): { readonly child: ChildProcess; err(): string; ended: Promise<number | null> } {
  const args = ['ticks', 'fetch', '--year', String(year), '--share', link, '--archive', dest]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr?.on('data', (piece) => {
    err += piece
  })
  return { child, err: () => err, ended: once(child, 'close').then(([code]) => code as number | null) }
}

/** Ten seconds after a process was killed its locks count no more, nor those that it was about to take (`.lock.TOKEN`). */
function letLocksGrowOld(dest: string): void {
  const past = new Date(Date.now() - 60_000)
  const names = existsSync(dest) ? readdirSync(dest) : []
  for (const name of names.filter((one) => /^\.(fetch\.)?lock/.test(one))) utimesSync(join(dest, name), past, past)
}

async function until(holds: () => boolean, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!holds() && !isOver) await new Promise((resolve) => setTimeout(resolve, 2))
}

test(`killed at ${kills} random moments: never a wrong file, the next run goes on, the one after has nothing to do`, async () => {
  const known = sumsOf(files)
  let [state, killed, dest] = [17, 0, '']
  const left: number[] = []
  while (killed < kills) {
    if (dest === '' || ticksOf(dest).length === days.length) dest = join(tempDir(), 'archive')
    const before = sent.whole + sent.part
    const run = start(dest)
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    // So many files after it has begun, somewhere in the middle of those on their way.
    const goal = before + 1 + ((state >>> 8) % 30)
    await until(() => sent.whole + sent.part >= goal, run.ended)
    await new Promise((resolve) => setTimeout(resolve, (state >>> 16) % 40))
    if (run.child.exitCode === null) killed++
    run.child.kill('SIGKILL')
    await run.ended
    letLocksGrowOld(dest)
    expect(wrongIn(dest, known)).toEqual([])
    left.push(
      existsSync(join(dest, '.fetch'))
        ? readdirSync(join(dest, '.fetch')).filter((name) => name.endsWith('.part')).length
        : 0,
    )
  }
  expect(left.some((parts) => parts > 0)).toBe(true)
  const last = start(dest)
  expect([await last.ended, last.err()]).toEqual([0, expect.stringMatching(/2025: 40 files, .* fetched/)])
  expect(sameDays(dest, files)).toEqual(days)
  expect(wrongIn(dest, known)).toEqual([])
  expect(readdirSync(dest).sort()).toEqual(['manifest.json', 'ticks'])
  const bodies = sent.whole
  const third = start(dest)
  expect(await third.ended).toBe(0)
  expect(third.err()).toMatch(/2025: 40 files, .*: 0 fetched, 40 were there; /)
  // The page tells no sizes: each file was asked for its last byte.
  expect(sent.whole).toBe(bodies)
})
