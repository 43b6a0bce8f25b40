import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accepts, freePort, pause, placeOf, watchOver } from './server-process.js'

const jar = '/usr/share/java/zookeeper.jar'

/** Whether ZooKeeper is here, and Java to run it. In CI a missing one is an error. */
export function hasZookeeper(): boolean {
  const found = placeOf('java') !== undefined && existsSync(jar)
  if (!found && process.env.CI) {
    throw new Error('no zookeeper found; Debian: apt-get install openjdk-17-jre-headless libzookeeper-java')
  }
  return found
}

/** A ZooKeeper of this machine on loopback, with a folder of its own. */
export interface Zookeeper {
  readonly port: number
  kill(): Promise<void>
  /** Starts it again with what it had on its disk. */
  restart(): Promise<void>
  /** Ends it and removes what it wrote. */
  stop(): Promise<void>
}

/** Starts a ZooKeeper at a free port. */
export async function startZookeeper(): Promise<Zookeeper> {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-zookeeper-'))
  const port = await freePort()
  const config = join(dir, 'zoo.cfg')
  writeFileSync(
    config,
    `tickTime=500\ndataDir=${dir}/data\nclientPort=${port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n`,
  )
  let child: ChildProcess | undefined
  let watch: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const args = ['-Xmx128m', '-cp', jar, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', config]
    child = spawn(placeOf('java') ?? 'java', args, { cwd: dir, stdio: 'ignore' })
    watch = watchOver(child)
    for (let tries = 0; tries < 1500; tries++) {
      if (child.exitCode !== null || child.signalCode !== null) break
      if (await accepts(port)) return
      await pause(20)
    }
    throw new Error('ZooKeeper does not start')
  }
  const kill = async (): Promise<void> => {
    watch?.kill('SIGKILL')
    const own = child
    if (!own || own.exitCode !== null || own.signalCode !== null) return
    const ended = new Promise((resolve) => own.on('exit', resolve))
    own.kill('SIGKILL')
    await ended
  }
  const stop = async (): Promise<void> => {
    await kill()
    rmSync(dir, { recursive: true, force: true })
  }
  await start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { port, kill, restart: start, stop }
}
