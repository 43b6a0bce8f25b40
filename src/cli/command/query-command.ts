import { resolve } from 'node:path'
import type { Command } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import { suspectLines } from '../../contract/row-laws.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { requestPath } from '../../data/archive/import/saved-request.js'
import { missingCodes } from '../../data/names/missing-codes.js'
import { nameRequests } from '../../data/names/name-list.js'
import { printable } from '../../frame/show/cell-text.js'
import { type MissingBars, type Provenance, provenance } from '../../frame/table/provenance.js'
import type { LoadOptions } from '../../market.js'
import { language, say } from '../chosen-language.js'
import { date, daysWord, outputWords, sourceWords } from '../command-options.js'
import { type CommandWords, declare, example, type OptionsOf } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { emit, formatFor, log, out, tell } from '../output.js'
import { paramsOfWords, paramWords } from '../param-words.js'
import { queryOn, withBar } from '../progress-bar.js'
import { withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type Options = OptionsOf<typeof queryWords>

function daysOf({ from, to, days }: Options): LoadOptions['days'] {
  if (from === undefined && to === undefined) return days
  if (from !== undefined && days === undefined) return { from, to }
  throw wrongUse('--to needs --from, and --days stands alone')
}

function loadOptions(options: Options): LoadOptions {
  const days = daysOf(options)
  const fields = options.fields?.split(',').map((field) => field.trim())
  return { allowTruncated: options.allowTruncated, ...(fields ? { fields } : {}), ...(days ? { days } : {}) }
}

/** What a reader of the rows should know, to stderr. */
function logProvenance(about: Provenance, missing: readonly string[]): void {
  for (const line of suspectLines(about.suspect, language)) log(printable(line))
  if (about.rows === 0) tell('no matching rows')
  if (!about.complete)
    log(
      about.note === undefined
        ? say('not shown to be complete')
        : say('not shown to be complete: {why}', { why: inLanguage(about.note) }),
    )
  else if (about.note) log(inLanguage(about.note))
  const { symbols = missing, days, bars = [] } = about.without ?? {}
  if (about.rows > 0 && symbols.length > 0)
    tell('no rows of {names}', { names: listed(symbols, '{count} symbols: {some} …') })
  if (about.rows > 0 && days) tell('no rows on {days}', { days: listed(days, '{count} days: {some} …') })
  if (bars.length > 0) tell('asked for by themselves and not there: {bars}', { bars: listedBars(bars) })
}

/** `113021.SH 20260728 1000 1030`, a few of them. */
function listedBars(bars: readonly MissingBars[]): string {
  const some = bars.slice(0, 3).map(({ symbol, day, closes = [] }) => [symbol, day, ...closes].join(' '))
  return `${some.join(', ')}${bars.length > 3 ? `, … (${bars.length})` : ''}`
}

function listed(values: readonly string[], many: string): string {
  if (values.length <= 5) return values.join(', ')
  return say(many, { count: values.length, some: values.slice(0, 5).join(', ') })
}

/** The request of the rows, beside them: `bars.request.json` of `bars.csv`, with when it was sent and why its answer is whole. */
async function keepRequest({ dataset, request, call, proof }: Provenance, out: string): Promise<void> {
  const { params, fields } = request
  const file = requestPath(out)
  const about = { ...(call?.at ? { asked: call.at } : {}), ...(proof === undefined ? {} : { proof }) }
  const body = { apiname: dataset, params, fields: fields.join(','), ...about }
  await writeFileAtomically(resolve(file), `${JSON.stringify(body)}\n`)
  tell('wrote {file}, by which import knows what was asked', { file })
}

async function query(name: string, words: readonly string[], options: Options): Promise<void> {
  datasetOf(name)
  const params = paramsOfWords(name, words, options.params)
  formatFor(options)
  if (options.withRequest && options.out === undefined)
    throw wrongUse('--with-request needs --out FILE: the request is kept beside it')
  await withMarket(options, async (market) => {
    if (options.explain) {
      const plan = await market.explain(name, params, loadOptions(options))
      return out(options.format === 'json' ? `${JSON.stringify(plan)}\n` : `${plan.lines.map(inLanguage).join('\n')}\n`)
    }
    const names = market.archive ? undefined : nameRequests(datasetOf(name), params)
    if (names) tell('the names are looked up in {names}', { names: names.datasets.join(', ') })
    const table = await withBar(name, (progress) =>
      market.query(name, params, {
        ...loadOptions(options),
        onProgress: ({ rows, ...at }) => at.of > 1 && queryOn(progress)({ ...at, what: say('{rows} rows', { rows }) }),
        signal: untilInterrupted(),
      }),
    )
    await emit(table, options)
    const about = provenance(table)
    if (about && options.withRequest && options.out !== undefined) await keepRequest(about, options.out)
    if (about) logProvenance(about, missingCodes(name, about.request.params, table))
  })
}

// biome-ignore format: a table, one word a line
const queryWords = {
  query: ['query a dataset: complete rows, or an error'],
  '<name>': ['dataset, as the vendor spells it'],
  ...paramWords,
  '--fields <names>': ['columns wanted, separated by commas'],
  '--from <date>': ["first day, for any dataset: 20260727, 2026-07-27 or 2026/7/27; the vendor's own parameters, for example startdate=, work too", date],
  '--to <date>': ['last day (default: the latest of the source)', date],
  '--days <days>': ['the last n trading days, for example 5; or days: 20260701..20260729, 20260727,20260729', daysWord],
  '--allow-truncated': ['accept an incomplete result if the missing rows cannot be requested'],
  '--explain': ['print the requests of the query without sending them'],
  '--with-request': ['store the request next to --out FILE, so that import needs no --set'],
  ...outputWords,
  ...sourceWords,
} as const satisfies CommandWords

export const queryCommand = (): Command =>
  declare(queryWords)
    .addHelpText('after', example('quotebook query etf_minute symbols=510300.SH,510500.SH period=15m'))
    .action(query)
