import type { Command } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import { messageOf } from '../../contract/error.js'
import type { WatchWait } from '../../data/watch/poll-interval.js'
import { parseCondition } from '../../frame/verb/parse-condition.js'
import type { WatchQueryOptions } from '../../market.js'
import { say } from '../chosen-language.js'
import { ratio, sourceWords } from '../command-options.js'
import { declare, example } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { paramsOfWords, paramWords } from '../param-words.js'
import { openSource, type SourceOptions } from '../source-option.js'
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

// biome-ignore format: a table, one word a line
export const watchCommand = (): Command => declare({
  watch: ['ask again and again and show what changes: a table in a terminal, JSON lines in a pipe', '反复查询并显示变化：终端中为表格，管道中为 JSON 行'],
  '<name>': ['dataset, as the vendor spells it', '数据集，按数据商的写法'],
  ...paramWords,
  '--fields <names>': ['columns wanted, separated by commas', '所需字段，用逗号分隔'],
  '--every <seconds>': ['seconds from one request to the next (default: 3 for minute bars, else 60); fewer requests while nothing changes', '相邻两次请求的间隔秒数（默认：分钟线 3，其他 60）；没有变化时逐渐放慢', ratio],
  '--hours <when>': ['when to ask (default: session for minute bars, else always)', '何时查询（默认：分钟线只在交易时段 session，其他全天 always）', { choices: ['session', 'always'] }],
  '--when <condition>': ["show the rows that begin to match a condition, each once: 'cb_over_rate < 0 and close < 110'", "只显示开始满足条件的行，每行一次：'cb_over_rate < 0 and close < 110'"],
  '--once': ['end with the first rows that match; without --when, with the first change', '有行满足条件即结束；未用 --when 时，一有变化即结束'],
  ...sourceWords,
}).addHelpText('after', example("quotebook watch convertible_daily --every 3 --when 'cb_over_rate < 0'"))
  .action(watch)
