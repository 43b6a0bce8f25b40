import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The built command: `npm run build` makes it. */
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

/** Runs the command beside this process, which may serve it. */
export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Ran> {
  return new Promise((resolve) => {
    const child = started(args, { env, ...(cwd === undefined ? {} : { cwd }) })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    )
  })
}
