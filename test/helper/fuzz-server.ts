import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from './bundle.js'

/** A service in a process of its own, on the sources as they stand, and what that process holds. */
export interface ServerProcess {
  readonly port: number
  /** Asks for something: see `program`. */
  ask<T>(what: 'memory' | 'sockets' | 'said' | 'shares'): Promise<T>
  close(): Promise<number | null>
  /** Ends it at once, if it has not ended. */
  kill(): void
}

export interface Memory {
  readonly heapUsed: number
  readonly external: number
}

const program = `
  import { Archive } from './src/data/archive/archive.ts'
  import { accessLine } from './src/server/service/access-log.ts'
  import { startService } from './src/server/service/server.ts'
  import { createShares } from './src/server/service/share/tick-shares.ts'
  const archive = new Archive('data/sample', 'sample', { cacheBytes: 2 ** 25 })
  const shares = createShares(archive, { patience: 60_000 })
  const faults = []
  let longest = 0
  const limits = { headersTime: 3000, requestTime: 3000, idleTime: 20_000 }
  const service = await startService({
    archive, shares, limits, cacheBytes: 2 ** 24,
    onAnswer: (entry) => { longest = Math.max(longest, accessLine(entry).length) },
    onFault: (error) => faults.push(String(error?.stack ?? error)),
  })
  const answers = {
    memory: async () => {
      for (let i = 0; i < 4; i++) {
        globalThis.gc()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { heapUsed, external } = process.memoryUsage()
      return { heapUsed, external }
    },
    sockets: () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    said: () => ({ faults, longest }),
    shares: () => shares.offer({ name: 'anyone', plan: 'flagship' }, 2026, service.url),
  }
  process.on('message', async (what) => {
    if (what !== 'close') return process.send({ what, answer: await answers[what]() })
    await service.close()
    process.disconnect()
  })
  process.send({ what: 'port', answer: Number(new URL(service.url).port) })
`

function answerTo(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const hear = (message: { what: string; answer: unknown }): void => {
      if (message.what !== what) return
      child.off('message', hear)
      child.off('exit', end)
      resolve(message.answer)
    }
    const end = (code: number | null): void => reject(new Error(`the service has ended with ${code}`))
    child.on('message', hear)
    child.once('exit', end)
  })
}

export async function serverProcess(): Promise<ServerProcess> {
  const child = fork(await bundled(program), { execArgv: ['--expose-gc'] })
  const port = (await answerTo(child, 'port')) as number
  return {
    port,
    ask: async <T>(what: string) => {
      const answer = answerTo(child, what)
      child.send(what)
      return (await answer) as T
    },
    close: async () => {
      const ended = once(child, 'exit')
      child.send('close')
      return (await ended)[0] as number | null
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
