import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const root = process.cwd()
const main = join(root, 'dist/esm/cli/main.js')

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the built command as a user would. */
export function quotebook(args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Ran {
  const { QUOTEBOOK_SOURCE: _, ...env } = process.env
  const ran = spawnSync(process.execPath, [main, ...args], {
    cwd: options.cwd ?? root,
    env: { ...env, ...options.env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}
