import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The built command: `npm run build:cli` makes it. */
export const main = join(process.cwd(), 'dist/cli/quotebook.cjs')

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

function environment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('QUOTEBOOK_'))
  return { ...Object.fromEntries(own), LC_ALL: 'C', QUOTEBOOK_SOURCE: 'sample', ...env }
}

/** Runs the command as a user does. */
export function quotebook(args: readonly string[], { cwd, env }: RunOptions = {}): Ran {
  const ran = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env: environment(env),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

/** Starts the command, for what runs until it is told to end. */
export function started(args: readonly string[], { cwd, env }: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [main, ...args], { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A new folder, removed when the tests of a file are over. */
export function folders(): { readonly make: () => string; readonly removeAll: () => void } {
  const made: string[] = []
  return {
    make: () => {
      const dir = mkdtempSync(join(tmpdir(), 'quotebook-promise-'))
      made.push(dir)
      return dir
    },
    removeAll: () => {
      for (const dir of made) rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Every file below a folder, by its path. */
export function filesOf(dir: string): Record<string, string> {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
  const files = paths.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(files.sort().map((path) => [path.slice(dir.length), readFileSync(path, 'base64')]))
}
