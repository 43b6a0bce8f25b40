import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { options } from './backtest.mjs'
import { interleave } from './interleave.mjs'
import makePlan from './queue-strategy.mjs'
import { testServer } from './test-server.mjs'

export const question = `10,000 sets of params on 500 bonds x 1,000 days by a queue: two workers of a thread each against one; who asks, and Redis,
  take their part of the same cores`

const command = fileURLToPath(new URL('../../dist/cli/quotebook.cjs', import.meta.url))
const folder = fileURLToPath(new URL('.', import.meta.url))
const module = join(folder, 'queue-strategy.mjs')
const grid = {
  w: Array.from({ length: 500 }, (_, at) => at / 250),
  n: [5, 10, 15, 20, 30],
  keep: [1, 2, 3, 4],
}

/** Redis with workers that wait. */
async function room({ redisServer }, count) {
  const { url, stop } = await redisServer()
  const args = [command, 'worker', '--queue', url, '--strategies', folder, '--threads', '1', '--source', 'sample']
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }),
  )
  await Promise.all(workers.map(({ stderr }) => once(stderr, 'data')))
  for (const { stderr } of workers) stderr.resume()
  return {
    url,
    async stop() {
      for (const worker of workers) worker.kill('SIGKILL')
      await stop()
    },
  }
}

export async function measure(parts) {
  const { panel } = await makePlan()
  const servers = await testServer('redis-server')
  const rooms = [await room(servers, 1), await room(servers, 2)]
  const best = []
  const sweep = (url, some) =>
    parts.sweepInThreads(panel, some, { module }, { ...options, scoreParams: ['w'], queue: url })
  const whole =
    ({ url }) =>
    async () => {
      const found = await sweep(url, grid)
      best.push(JSON.stringify([found.best.params, found.best.performance]))
      if (found.trials.length !== 10_000 || best[0] !== best.at(-1)) throw new Error('the sweeps differ')
      return found
    }
  try {
    // Each worker makes its panel.
    for (const { url } of rooms) await sweep(url, { ...grid, w: [0, 1, 2] })
    const times = await interleave({ one: whole(rooms[0]), two: whole(rooms[1]) }, { rounds: 3, warmUp: 0 })
    return [{ what: '10,000 sets, two workers / one', time: times.two, against: times.one, goal: 0.7 }]
  } finally {
    for (const one of rooms) await one.stop()
  }
}
