import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import root from '#root'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { cellText } from '../../frame/show/cell-text.js'
import type { Market } from '../../market.js'
import { type PageMaker, verifyMade, verifyPage, verifyReport } from '../../research/report/load/verify-page.js'
import { inputIn } from '../../research/report/report-words.js'
import type { RunCommand } from '../../research/report/tear-sheet/sheet-input.js'
import type { DifferenceReason, ManifestChange, Verification } from '../../research/report/verify/compare-pages.js'
import { type ReadPage, readPage } from '../../research/report/verify/read-page.js'
import { language, say } from '../chosen-language.js'
import { sourceWords } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { unlessInterrupted, untilInterrupted } from '../interrupt.js'
import { kernelFor } from '../notebook/find-kernel.js'
import { out, plainGrid, shortSum } from '../output.js'
import { stepsOn, withBar } from '../progress-bar.js'
import { notebookMaker } from '../run-notebooks.js'
import { runStrategy, sheetSource, tearSheetOf, userLibrary } from '../run-strategy.js'
import { sourceElsewhere, withMarket } from '../source-option.js'
import { studyFactor } from '../study-factor.js'
import { wrongUse } from '../wrong-use.js'
import { factorWordsOf } from './factor-command.js'

type Options = OptionsOf<typeof words>

function pageText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new QuotebookError('USAGE', sentence`${file}: ${messageOf(error)}`, { cause: error })
  }
}

async function remakeReport(page: ReadPage, options: Options): Promise<Verification> {
  return withMarket(options, (market) =>
    withBar(say('verify'), (progress) => unlessInterrupted(verifyReport(page, market, stepsOn(progress)))),
  )
}

/** The params of the command as a page states them: texts by name, and two lengths. */
function commandIn({ manifest }: ReadPage): Partial<RunCommand> {
  const { param, sweep, walkForward, run } = (manifest.options.command ?? {}) as Partial<RunCommand>
  const texts = (given: RunCommand['param']): Record<string, string> | undefined =>
    given && Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const lengths = Array.isArray(walkForward) ? walkForward.map(Number) : []
  return {
    param: texts(param),
    sweep: texts(sweep),
    ...(run && { run: texts({ ...run } as Record<string, string>) ?? {} }),
    ...(lengths.length === 2 && { walkForward: [lengths[0] as number, lengths[1] as number] }),
  }
}

/** In which language a page is, and whether its charts answer. */
function shownAs({ manifest: { options } }: ReadPage): { readonly lang: Language; readonly interactive: boolean } {
  return { lang: options.lang === 'zh' ? 'zh' : 'en', interactive: options.interactive === true }
}

/** A source under the name and state that a page states, where it does. */
const calledAs = (own: Awaited<ReturnType<typeof sheetSource>>, as: Parameters<PageMaker>[0]) =>
  as ? { ...own, name: as.name, state: as.state } : own

async function verifySheet(page: ReadPage, file: string, options: Options): Promise<Verification> {
  const library = await userLibrary()
  const remake = async (market: Market): Promise<Verification> => {
    const run = await runStrategy(library, market, file, commandIn(page))
    run.plan.panel.recognize(page.manifest.inputs.find(({ name }) => name === 'panel')?.sha256)
    const own = await sheetSource(market)
    return verifyMade(page, (as) => tearSheetOf(library, market, run, { ...shownAs(page), source: calledAs(own, as) }))
  }
  return withMarket(options, remake, library.connect)
}

async function verifyFactor(page: ReadPage, file: string | undefined, options: Options): Promise<Verification> {
  const library = await userLibrary()
  const { command = {} } = page.manifest.options
  const { what, param } = command as { readonly what?: string; readonly param?: Record<string, string> }
  const remake = async (market: Market): Promise<Verification> => {
    const { study, page: about } = await studyFactor(
      library,
      market,
      file ?? String(what),
      factorWordsOf(command as object as Record<string, unknown>, param),
    )
    const own = await sheetSource(market)
    const shown = { ...about, ...shownAs(page) }
    return verifyMade(page, (as) => library.factorPage(study, { ...shown, source: calledAs(own, as) }))
  }
  return withMarket(options, remake, library.connect)
}

async function verifyNotebook(page: ReadPage, file: string, { source }: Options): Promise<Verification> {
  const kernelOf = (path: string): string => kernelFor(path, [process.cwd(), join(root, 'notebooks')])
  const signal = untilInterrupted(say('interrupted; pages that were finished stay'))
  const make = await notebookMaker(file, {
    timeout: 600,
    interactive: shownAs(page).interactive,
    source: sourceElsewhere(source),
    kernelOf,
    signal,
  })
  return verifyMade(page, make)
}

async function verification(page: ReadPage, options: Options): Promise<Verification> {
  const { against, code } = options
  if (against !== undefined) {
    if (code !== undefined) throw wrongUse('--against takes the place of --source and --code')
    return verifyPage(page.markup, pageText(against))
  }
  const { kind } = page.manifest
  if (kind === 'report') return remakeReport(page, options)
  if (kind === 'comparison')
    throw wrongUse('a comparison is made again from its runs: quotebook backtest compare; or give --against PAGE')
  if (kind === 'factor' && (code !== undefined || !page.manifest.code)) return verifyFactor(page, code, options)
  if (kind === 'plan') throw wrongUse('a plan is held against the page of another run: give --against PAGE')
  if (code === undefined) {
    const what = kind === 'notebook' ? say('its notebook') : say('its strategy')
    throw wrongUse('{kind}: made again from {what}; give --code FILE, or --against PAGE', {
      kind: say(kindWords[kind]),
      what,
    })
  }
  return kind === 'notebook' ? verifyNotebook(page, code, options) : verifySheet(page, code, options)
}

const shownFigures = 20

/** What a page says of an input, `145 rows, complete, sha256 …`. */
const rowsIn = (text: string): string =>
  text.replace(/^(\d+) rows(, complete)?, sha256/, (_, rows: string, complete?: string) =>
    complete ? say`${rows} rows, complete, sha256` : say`${rows} rows, sha256`,
  )

function changeText({ page, here }: { page: string | undefined; here: string | undefined }): string {
  const shown = (text: string | undefined): string =>
    text === undefined ? say('nothing') : rowsIn(shortSum(cellText(text)))
  return say('{page} in the page, {here} here', { page: shown(page), here: shown(here) })
}

type Row = readonly [what: string, text: string]

const kindWords = {
  report: sentence`report`,
  'tear-sheet': sentence`tear sheet`,
  comparison: sentence`comparison of runs`,
  factor: sentence`factor page`,
  notebook: sentence`notebook page`,
  plan: sentence`plan`,
}

const fieldWords = {
  options: sentence`option`,
  inputs: sentence`input`,
  code: sentence`code`,
  source: sentence`source`,
}

const reasonWords: Readonly<Record<DifferenceReason, Words>> = {
  altered: sentence`the page was changed after it was made`,
  unexplained: sentence`changed and given a new checksum, or made by another build of this version`,
  version: sentence`another version`,
  options: sentence`other options`,
  inputs: sentence`other inputs`,
  code: sentence`other code`,
  source: sentence`what the source says of itself`,
}

const changeRows = (field: 'options' | 'inputs' | 'code' | 'source', list: readonly ManifestChange[]): Row[] =>
  list.map((change) => [`${say(fieldWords[field])} ${inputIn(cellText(change.name), language)}`, changeText(change)])

function figureRows({ figures }: Verification): Row[] {
  const rows = figures.slice(0, shownFigures).map((change): Row => {
    const by = change.by === undefined ? '' : ` ${say('({by})', { by: `${change.by > 0 ? '+' : ''}${change.by}` })}`
    return [cellText([change.section, change.label].filter(Boolean).join(' | ')), `${changeText(change)}${by}`]
  })
  const more = figures.length - rows.length
  return more > 0 ? [...rows, ['', say('… and {n} more; --format json lists all', { n: more })]] : rows
}

function verdictText({ same, reasons, source }: Verification): string {
  if (same)
    return say(source.length > 0 ? 'byte-identical, but for the name or the state of the source' : 'byte-identical')
  const words = reasons.map((reason: DifferenceReason) => say(reasonWords[reason]))
  return say('NOT the same: {reasons}', { reasons: words.join(say('; ')) })
}

/** The answer for a reader. What comes from the page is shown as one line without marks that steer a terminal. */
function answerText(file: string, found: Verification, figures: number): string {
  const { version, options, inputs, code, source, firstDifference: first, manifest } = found
  const rows: Row[] = [
    [say('checksum of the page'), say(found.sealed ? 'valid' : 'INVALID')],
    [say('version'), version.page === version.here ? say('as here') : changeText(version)],
    ...changeRows('options', options),
    ...changeRows('source', source),
    ...changeRows('code', code),
    ...(inputs.length > 0
      ? changeRows('inputs', inputs)
      : [[say('input'), say('{n}, all the same', { n: manifest.inputs.length })] as const]),
    [
      say('figures'),
      found.figures.length > 0
        ? say('{n} of {of} are not the same', { n: found.figures.length, of: figures })
        : say('{n}, all the same', { n: figures }),
    ],
    ...figureRows(found),
    ...(first && found.figures.length === 0
      ? [[say('first difference, line {line}', { line: first.line }), changeText(first)] as const]
      : []),
  ]
  const title = say('{file}: {kind}, made by Quotebook {version}', {
    file,
    kind: say(kindWords[found.kind]),
    version: cellText(version.page),
  })
  return `${title}\n${plainGrid(rows)}${verdictText(found)}\n`
}

async function run(file: string, options: Options): Promise<void> {
  const page = await readPage(pageText(file))
  const found = await verification(page, options)
  if (options.format === 'json') out(`${JSON.stringify(found, null, 2)}\n`)
  else out(answerText(file, found, page.figures.length))
  if (!found.same) process.exitCode = 1
}

// biome-ignore format: a table, one word a line
const words = {
  verify: ['rebuild a report, a tear sheet, a factor page or a notebook page, and report whether it is byte-identical'],
  '<file>': ['the page; none of its code is run'],
  '--code <file>': ['module of the strategy, or notebook, of the page'],
  '--against <file>': ['another page to compare with, instead of a source'],
  '--format <format>': ['format of the result', { choices: ['text', 'json'], usual: 'text' }],
  ...sourceWords,
} as const satisfies CommandWords

export const verifyCommand = (): Command => declare(words).action(run)
