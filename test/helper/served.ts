import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../src/data/archive/manifest-entries.js'
import { bundled } from './bundle.js'
import { sampleArchive } from './running-service.js'
import { madeOnce, tempDir } from './temp.js'

/** `quotebook serve`, `import` and `sync` on the sources as they stand, in one file. */
const programFile = madeOnce(() =>
  bundled(`
    import { Command } from 'commander'
    import { importCommand } from './src/cli/command/archive-commands.ts'
    import { serveCommand } from './src/cli/command/serve-command.ts'
    import { syncCommand } from './src/cli/command/sync-command.ts'
    await new Command('quotebook').addCommand(serveCommand()).addCommand(importCommand()).addCommand(syncCommand()).parseAsync()
  `),
)

/** A command in a process of its own. */
export interface Command {
  readonly child: ChildProcess
  out(): string
  err(): string
  /** Exit code and signal. */
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>
}

const running = new Set<ChildProcess>()

export async function command(...args: readonly string[]): Promise<Command> {
  const child = spawn(process.execPath, [await programFile(), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    return [code as number | null, signal as string | null] as const
  })
  return { child, out: () => out, err: () => err, ended }
}

/** Ends what a failed test has left. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

export interface Served extends Command {
  readonly url: string
  readonly port: number
}

/** `quotebook serve`, once it listens. */
export async function served(...args: readonly string[]): Promise<Served> {
  const one = await command('serve', ...args)
  const url = await new Promise<string>((resolve, reject) => {
    one.child.stderr?.on('data', () => {
      const said = /POST (http:\/\/\S+?)\/api/.exec(one.err())?.[1]
      if (said !== undefined) resolve(said)
    })
    void one.ended.then(() => reject(new Error(`serve has ended: ${one.err()}`)))
  })
  return { ...one, url, port: Number(new URL(url).port) }
}

/** The sample archive in a directory of its own. */
export function archiveCopy(): string {
  const dir = join(tempDir(), 'archive')
  cpSync(sampleArchive, dir, { recursive: true })
  return dir
}

/** Files whose bytes are not those that the manifest names; missing ones too. */
export function damaged(dir: string): string[] {
  const { datasets, ticks } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest
  const files = [...Object.values(datasets).flatMap(({ parts }) => parts), ...ticks]
  const isBegun = JSON.stringify(datasets).includes('"since"')
  if (files.length === 0 && !isBegun) throw new Error('the manifest names no file, and nothing that is wanted')
  return files.flatMap(({ file, sha256 }) => {
    try {
      const sum = createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex')
      return sum === sha256 ? [] : [file]
    } catch {
      return [file]
    }
  })
}
