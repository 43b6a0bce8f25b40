import type { Command } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import type { WatchWait } from '../../data/watch/poll-interval.js'
import { parseCondition } from '../../frame/verb/parse-condition.js'
import type { WatchQueryOptions } from '../../market.js'
import { say } from '../chosen-language.js'
import { ratio, sourceWords } from '../command-options.js'
import { type CommandWords, declare, example, type OptionsOf } from '../declare-command.js'
import { whyOf } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { paramsOfWords, paramWords } from '../param-words.js'
import { openSource } from '../source-option.js'
import { alertView, blockView, lineView, screenView, type WatchView } from '../watch-views.js'

type Options = OptionsOf<typeof words>

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
    ? say('the exchanges are closed; asking again {until} (--hours always asks on)', { until: at })
    : say('{why}; asking again {until}', { why: whyOf(error), until: at })
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

// biome-ignore format: a table, one word a line
const words = {
  watch: ['repeat a query and show its changes: a table in a terminal, JSON lines in a pipe'],
  '<name>': ['dataset, as the vendor spells it'],
  ...paramWords,
  '--fields <names>': ['columns wanted, separated by commas'],
  '--every <seconds>': ['seconds from one request to the next (default: 3 for minute bars, else 60); fewer requests while nothing changes', ratio],
  '--hours <when>': ['when to ask (default: session for minute bars, else always)', { choices: ['session', 'always'] }],
  '--when <condition>': ["show the rows that begin to match a condition, each once: 'cb_over_rate < 0 and close < 110'"],
  '--once': ['stop at the first rows that match; without --when, at the first change'],
  ...sourceWords,
} as const satisfies CommandWords

export const watchCommand = (): Command =>
  declare(words)
    .addHelpText('after', example("quotebook watch convertible_daily --every 3 --when 'cb_over_rate < 0'"))
    .action(watch)
