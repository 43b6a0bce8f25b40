import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = process.cwd()

/** What an installed `quotebook` runs. */
export const main = join(root, JSON.parse(readFileSync('package.json', 'utf8')).bin.quotebook)

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
    env: { ...env, LC_ALL: 'C', QUOTEBOOK_SOURCE: 'sample', ...options.env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

/** Runs the built command beside this process, which may serve it. */
export function quotebookBeside(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd: string = root,
): Promise<Ran> {
  const { QUOTEBOOK_SOURCE: _, QUOTEBOOK_APIKEY: __, QUOTEBOOK_CACHE: ___, ...own } = process.env
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env: { ...own, LC_ALL: 'C', QUOTEBOOK_SOURCE: 'sample', ...env },
    })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.end()
    child.on('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    )
  })
}
