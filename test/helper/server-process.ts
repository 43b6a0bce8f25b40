import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Served {
  readonly user?: string | undefined
  /** Asked for by Basic authentication; nobody is asked without it. */
  readonly password?: string | undefined
}

/** A web server of this machine that serves a directory on loopback. */
export interface FileServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  /** Ends it at once, connections and all. */
  stop(): Promise<void>
  /** Ends it and starts it again at the same port; with another user or password, where they are given. */
  restart(changed?: Served): Promise<void>
}

export const isRoot = process.getuid?.() === 0

/** Where a program is installed. */
export function placeOf(name: string): string | undefined {
  return ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((dir) => join(dir, name))
    .find((path) => existsSync(path))
}

/** Whether a server is installed: `nginx`, `apache2`. In CI a missing one is an error. */
export function has(name: string): boolean {
  const found = placeOf(name) !== undefined
  if (!found && process.env.CI) throw new Error(`no ${name} found; Debian: apt-get install ${name}`)
  return found
}

/** A line of a password file that nginx and Apache both read. */
export function passwordLine({ user = 'quotebook', password = '' }: Served): string {
  return `${user}:{SHA}${createHash('sha1').update(password).digest('base64')}\n`
}

/** Below the ports that systems give to outgoing connections: such a one can take the port of a server that is started anew. */
const [lowest, ports] = [10_000, 22_000]
let tried = (process.pid * 97) % ports

/** A port of loopback that nobody listens at now. */
export async function freePort(): Promise<number> {
  for (;;) {
    tried = (tried + 1) % ports
    const port = lowest + tried
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().on('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** Whether somebody listens at a port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (found: boolean): void => {
      socket.destroy()
      resolve(found)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

/** Waits. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

function add(path: string, mode: number): void {
  const had = statSync(path).mode & 0o777
  if ((had & mode) !== mode) chmodSync(path, had | mode)
}

/** Lets another user read a directory below the temporary one, as far as it is ours to say. */
export function openUp(dir: string): void {
  add(dir, 0o555)
  for (const entry of readdirSync(dir, { withFileTypes: true })) if (entry.isFile()) add(join(dir, entry.name), 0o444)
  for (let up = dirname(dir); up.startsWith(`${tmpdir()}/`); up = dirname(up)) add(up, 0o111)
}

export interface ServerKind {
  readonly binary: string
  /** The configuration, complete. `own`: a directory for whatever the server writes. */
  config(port: number, own: string, passwordFile: string | undefined): string
  args(config: string): readonly string[]
}

/** Ends the server when this process is gone, in whatever way: the pipe between them closes then. */
export function watchOver({ pid }: ChildProcess): ChildProcess {
  const script = 'read -r nothing; kill "$0"'
  return spawn('/bin/sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
}

class Running {
  #child: ChildProcess | undefined
  #watch: ChildProcess | undefined
  readonly #binary: string
  readonly #kind: ServerKind
  readonly #own: string

  constructor(kind: ServerKind) {
    const binary = placeOf(kind.binary)
    if (binary === undefined) throw new Error(`no ${kind.binary} found; Debian: apt-get install ${kind.binary}`)
    this.#binary = binary
    this.#kind = kind
    this.#own = mkdtempSync(join(tmpdir(), `quotebook-${kind.binary}-`))
    if (isRoot) chmodSync(this.#own, 0o777)
  }

  async start(port: number, served: Served): Promise<void> {
    const passwords = join(this.#own, 'passwords')
    const hasPassword = served.password !== undefined
    if (hasPassword) writeFileSync(passwords, passwordLine(served))
    const config = join(this.#own, 'server.conf')
    writeFileSync(config, this.#kind.config(port, this.#own, hasPassword ? passwords : undefined))
    const said = join(this.#own, 'said')
    const child = spawn(this.#binary, this.#kind.args(config), { stdio: ['ignore', 'ignore', 'pipe'] })
    let words = ''
    child.stderr?.on('data', (piece: Buffer) => {
      words += piece
    })
    this.#child = child
    this.#watch = watchOver(child)
    for (let tries = 0; tries < 1000; tries++) {
      if (child.exitCode !== null || child.signalCode !== null) {
        const log = existsSync(said) ? readFileSync(said, 'utf8') : ''
        throw new Error(`${this.#kind.binary} does not start: ${words}${log}`)
      }
      if (await accepts(port)) return
      await pause(10)
    }
    throw new Error(`${this.#kind.binary} does not listen at ${port}: ${words}`)
  }

  async end(): Promise<void> {
    this.#watch?.kill('SIGKILL')
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.on('exit', resolve))
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(hard)
  }

  remove(): void {
    rmSync(this.#own, { recursive: true, force: true })
  }
}

/** Starts a server at a free port. */
export async function startServer(kind: ServerKind, first: Served): Promise<FileServer> {
  const running = new Running(kind)
  let served = first
  let port = 0
  for (let tries = 0; ; tries++) {
    port = await freePort()
    try {
      await running.start(port, served)
      break
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (tries < 2) continue
      running.remove()
      throw error
    }
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      await running.end()
      running.remove()
    },
    async restart(changed = {}) {
      served = { ...served, ...changed }
      await running.end()
      await running.start(port, served)
    },
  }
}
