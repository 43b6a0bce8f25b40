import type { Command } from 'commander'
import { wordsIn } from '../../contract/say.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import type { Market } from '../../market.js'
import type { FactorStudy, SignalHorizon } from '../../research/analysis/performance/factor-study.js'
import { accountWords, runDayWords } from '../account-words.js'
import { language } from '../chosen-language.js'
import { interactiveWord, nameValuePair, sourceWords, wholeAtLeast } from '../command-options.js'
import { declare } from '../declare-command.js'
import { out, plainGrid, tell } from '../output.js'
import { headIn } from '../readable-heads.js'
import { sheetSource, userLibrary } from '../run-strategy.js'
import { type SourceOptions, withMarket } from '../source-option.js'
import { type FactorWords, factorWordNames, studyFactor } from '../study-factor.js'

type Options = SourceOptions &
  FactorWords & { readonly out?: string; readonly interactive?: true; readonly format: 'table' | 'json' | 'csv' }

/** The words among the options of the command. */
export function factorWordsOf(given: Readonly<Record<string, unknown>>, param?: Record<string, string>): FactorWords {
  const words = factorWordNames.flatMap((name) => (given[name] === undefined ? [] : [[name, String(given[name])]]))
  return { ...(param && { param }), ...Object.fromEntries(words) }
}

/** All figures of a horizon by name. */
function figuresOf(study: FactorStudy, of: SignalHorizon): Record<string, number> {
  const own = { turnoverTop: study.meanTurnover.at(-1), rankAutocorrelation: study.meanRankAutocorrelation }
  const neutral = study.neutral?.find(({ horizon }) => horizon === of.horizon)
  const all = Object.entries({ ...of, ...own, neutralIc: neutral?.meanIc ?? Number.NaN })
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(all.flatMap(([name, one]) => (typeof one === 'number' ? [[snake(name), one]] : [])))
}

/** Horizons beside each other: four digits are what a figure of a factor bears. */
function factorTable(rows: readonly Readonly<Record<string, number>>[]): string {
  const [first = {}] = rows
  const names = Object.keys(first).filter((name) => rows.some((row) => !Number.isNaN(row[name])))
  const text = (value = Number.NaN): string => (Number.isNaN(value) ? '-' : String(Number(value.toPrecision(4))))
  const lines = names.map((name) => [headIn(name), ...rows.map((row) => text(row[name]))])
  return plainGrid(lines)
}

async function run(what: string, options: Options): Promise<void> {
  const library = await userLibrary()
  const work = async (market: Market): Promise<void> => {
    const words = factorWordsOf({ ...options }, options.param)
    const { study, page } = await studyFactor(library, market, what, words)
    for (const note of page.notes ?? []) tell('warning: {what}', { what: wordsIn(note, language) })
    const shown = study.horizons.filter(({ horizon }) => page.horizons?.includes(horizon))
    const rows = shown.map((one) => figuresOf(study, one))
    const table = library.fromRows(rows)
    if (options.format === 'table') out(factorTable(rows))
    else out(options.format === 'csv' ? library.toCsv(table) : `${library.toJson(table)}\n`)
    if (options.out === undefined) return
    const source = await sheetSource(market)
    await writeFileAtomically(
      options.out,
      await library.factorPage(study, { ...page, lang: language, interactive: options.interactive === true, source }),
    )
    tell('wrote {file}', { file: options.out })
  }
  await withMarket(options, work, library.connect)
}

const { '--slippage <n>': slippage, '--commission <rate>': commission } = accountWords

// biome-ignore format: a table, one word a line
export const factorCommand = (): Command => declare({
  factor: ['what a score says of the returns that follow: rank correlations, quantiles after costs, groups; and a page of it'],
  '<what>': ['a strategy file, or a column of prices, for example convertible_daily.cb_over_rate'],
  '--dataset <name>': ['dataset of the column, if you name it alone'],
  '--param <NAME=VALUE>': ['a parameter of the strategy, or of the dataset (repeatable)', nameValuePair],
  ...runDayWords,
  '--horizons <days>': ['horizons of returns in days (or bars), separated by commas (default: 1,5,20)'],
  '--quantiles <n>': ['number of quantiles (default: 5)', wholeAtLeast(2)],
  '--by <what>': ['groups: thirds by a column, or class (board) of the trading rules'],
  '--exposure <columns>': ['columns to compare the score with and to neutralise it by, separated by commas'],
  '--tried <n>': ['number of factors tried, including this one', wholeAtLeast(1)],
  '--slippage <n>': slippage as NonNullable<typeof slippage>,
  '--commission <rate>': commission as NonNullable<typeof commission>,
  '--out <file>': ['write the page, in HTML'],
  ...interactiveWord,
  '--format <format>': ['format of the figures on stdout', { choices: ['table', 'json', 'csv'], usual: 'table' }],
  ...sourceWords,
}).action(run)
