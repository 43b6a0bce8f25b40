import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { realClock } from '../../data/source/transport/clock.js'
import type { Market } from '../../market.js'
import type { RunDays } from '../../research/backtest/load/load-panel.js'
import type { WorkerEvent } from '../../research/backtest/queue/sweep-worker.js'
import { defaultThreads } from '../../threads/worker-pool.js'
import { say } from '../chosen-language.js'
import { sourceWords, wholeAtLeast } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { onReload, untilInterrupted } from '../interrupt.js'
import { log, tell } from '../output.js'
import { redisUrl } from '../prompt.js'
import { userLibrary } from '../run-strategy.js'
import { withMarket } from '../source-option.js'
import { panelOfFile, type StrategyParams } from '../strategy-plan.js'
import { wrongUse } from '../wrong-use.js'

/** Milliseconds between two lines on how many sets were run. */
const silence = 30_000

type Options = OptionsOf<typeof words>

/** A line for whoever watches a worker. */
function eventLine(event: WorkerEvent, { strategies, threads }: Options): string {
  if (event.is === 'connected')
    return say(
      'waits for sweeps at {url}, with strategies of {dir} and {threads} threads; Ctrl-C ends it after what is under way',
      { url: event.url, dir: strategies, threads },
    )
  if (event.is === 'trouble') return inLanguage(event.why)
  if (event.is === 'refused')
    return say('sweep {sweep}: takes no part: this worker {why}', { sweep: event.sweep, why: inLanguage(event.why) })
  if (event.is === 'ran') return say('sweep {sweep}: {sets} sets were run here', event)
  const { sweep, file } = event
  return event.is === 'ready'
    ? say('sweep {sweep}: takes part, {file}', { sweep, file })
    : say('sweep {sweep}: over; {sets} sets were run here', { sweep, sets: event.sets })
}

async function work(options: Options): Promise<void> {
  const { strategies, threads } = options
  if (!statSync(strategies, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUse('{dir}: no folder of strategies', { dir: strategies })
  const queue = redisUrl(options.queue)
  const { serveSweeps } = await import('../../research/backtest/queue/sweep-worker.js')
  onReload()
  const signal = untilInterrupted()
  const library = await userLibrary()
  const name = `${hostname()}-${process.pid}`
  const serve = (market: Market): Promise<void> => {
    const panelOf = (file: string, params: StrategyParams, run: RunDays) =>
      panelOfFile(file, { library, market, params, run })
    let told = realClock.now()
    const onEvent = (event: WorkerEvent): void => {
      const now = realClock.now()
      if (event.is === 'ran' && now - told < silence) return
      told = now
      log(eventLine(event, options))
    }
    signal.addEventListener('abort', () => tell('ending: finishing what is under way'), { once: true })
    return serveSweeps({ queue, name, strategies: resolve(strategies), threads, signal, panelOf, onEvent })
  }
  await withMarket(options, serve, library.connect)
  tell('ended; what was run here has been handed back')
}

// biome-ignore format: a table, one word a line
const words = {
  worker: ['run sweep tasks from a queue, with a source and strategies of this machine'],
  '--queue <url>': ['Redis, redis://HOST:PORT or rediss://HOST:PORT; its password comes from QUOTEBOOK_REDIS_PASSWORD', { required: true }],
  '--strategies <dir>': ['folder of the modules that it may run, found by their sha256; it runs nothing else', { required: true }],
  '--threads <n>': ['runs at the same time', { parse: wholeAtLeast(1), usual: defaultThreads() }],
  ...sourceWords,
} as const satisfies CommandWords

export const workerCommand = (): Command => declare(words).action(work)
