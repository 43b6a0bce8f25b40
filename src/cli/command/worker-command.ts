import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import type { Market } from '../../market.js'
import type { WorkerEvent } from '../../research/backtest/queue/sweep-worker.js'
import { defaultThreads } from '../../threads/worker-pool.js'
import { help, say } from '../chosen-language.js'
import { wholeAtLeast } from '../command-options.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { log } from '../output.js'
import { redisUrl } from '../prompt.js'
import { userLibrary } from '../run-strategy.js'
import { type SourceOptions, withMarket, withSource } from '../source-option.js'
import { planOf, type StrategyParams } from '../strategy-plan.js'

interface Options extends SourceOptions {
  readonly queue: string
  readonly strategies: string
  readonly threads: number
}

/** A line for whoever watches a worker. */
function eventLine(event: WorkerEvent, { strategies, threads }: Options): string {
  if (event.is === 'connected') return say('worker waits', { url: event.url, dir: strategies, threads })
  if (event.is === 'trouble') return inLanguage(event.why)
  if (event.is === 'refused') return say('worker refuses', { sweep: event.sweep, why: inLanguage(event.why) })
  const { sweep, file } = event
  return event.is === 'ready' ? say('worker begins', { sweep, file }) : say('worker ends', { sweep, sets: event.sets })
}

async function work(options: Options): Promise<void> {
  const { strategies, threads } = options
  if (!statSync(strategies, { throwIfNoEntry: false })?.isDirectory())
    throw new QuotebookError('USAGE', say('no strategies', { dir: strategies }))
  const queue = redisUrl(options.queue)
  const { serveSweeps } = await import('../../research/backtest/queue/sweep-worker.js')
  const signal = untilInterrupted()
  const library = await userLibrary()
  const name = `${hostname()}-${process.pid}`
  const serve = (market: Market): Promise<void> => {
    const panelOf = async (file: string, params: StrategyParams) => (await planOf(file, { market, params })).panel
    const onEvent = (event: WorkerEvent): void => log(eventLine(event, options))
    return serveSweeps({ queue, name, strategies: resolve(strategies), threads, signal, panelOf, onEvent })
  }
  await withMarket(options, serve, library.connect)
  log(say('worker has ended'))
}

export function workerCommand(): Command {
  const command = new Command('worker')
    .description(help('worker'))
    .requiredOption('--queue <url>', help('--queue'))
    .requiredOption('--strategies <dir>', help('worker --strategies'))
    .option('--threads <n>', help('worker --threads'), wholeAtLeast(1), defaultThreads())
  return withSource(command).action(work)
}
