import { Command, Option } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import { messageOf } from '../../contract/error.js'
import type { WatchWait } from '../../data/watch/poll-interval.js'
import { parseCondition } from '../../frame/verb/parse-condition.js'
import type { WatchQueryOptions } from '../../market.js'
import { help, say } from '../chosen-language.js'
import { ratio } from '../command-options.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { paramsOfWords, withParams } from '../param-words.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'
import { alertView, blockView, lineView, screenView, type WatchView } from '../watch-views.js'

interface Options extends SourceOptions {
  readonly params?: Record<string, unknown>
  readonly fields?: string
  readonly every?: number
  readonly hours?: 'session' | 'always'
  readonly when?: string
  readonly once?: true
}

/** What is shown, and which columns it takes beside those that are asked for. */
function viewFor(
  name: string,
  { when, verbose }: Options,
): { readonly view: WatchView; readonly columns: readonly string[] } {
  const dataset = datasetOf(name)
  const isTerminal = process.stdout.isTTY === true
  if (when !== undefined) {
    const condition = parseCondition(when, name, dataset.columns)
    return { view: alertView(dataset, condition, when, isTerminal), columns: condition.columns }
  }
  const isScreen = isTerminal && !verbose && process.env.TERM !== 'dumb'
  return { view: isScreen ? screenView(dataset) : isTerminal ? blockView(dataset) : lineView(), columns: [] }
}

function waitNote({ why, until, error }: WatchWait): string {
  const at = until.slice(0, 19).replace('T', ' ')
  return why === 'session'
    ? say('asks in session', { until: at })
    : say('source is away', { why: inLanguage(messageOf(error)), until: at })
}

async function watch(name: string, words: readonly string[], options: Options): Promise<void> {
  const { view, columns } = viewFor(name, options)
  const params = paramsOfWords(name, words, options.params)
  const fields = options.fields?.split(',').map((field) => field.trim())
  const signal = untilInterrupted()
  const { every, hours } = options
  const onWait = (wait: WatchWait): void => view.note(waitNote(wait))
  const onAnswer = (at: string): void => view.answer?.(at)
  const wanted = fields && [...fields, ...columns]
  const asked: WatchQueryOptions = { fields: wanted, every, hours, signal, onWait, onAnswer }
  const market = await openSource(options)
  try {
    for await (const change of market.watch(name, params, asked)) if (view.change(change) && options.once) return
    // Whoever waits for the first alert must not take the end for one.
    if (options.once) throw signal.reason
  } finally {
    view.end()
    await market.close()
  }
}

export function watchCommand(): Command {
  const named = new Command('watch').description(help('watch')).argument('<name>', help('query name'))
  const command = withParams(named)
    .option('--fields <names>', help('query --fields'))
    .option('--every <seconds>', help('watch --every'), ratio)
    .addOption(new Option('--hours <when>', help('watch --hours')).choices(['session', 'always']))
    .option('--when <condition>', help('watch --when'))
    .option('--once', help('watch --once'))
  return withSource(command)
    .addHelpText(
      'after',
      `\n${help('Example')}\n  quotebook watch convertible_daily --every 3 --when 'cb_over_rate < 0'`,
    )
    .action(watch)
}
