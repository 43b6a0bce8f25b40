import type { Command } from 'commander'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import {
  type ComparedRow,
  comparedFigures,
  comparisonPage,
  differencesOf,
  mostCompared,
} from '../../research/report/comparison-page.js'
import { language, say } from '../chosen-language.js'
import { interactiveWord } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { out, tell, textGrid } from '../output.js'
import { savedRun } from '../saved-run.js'
import { wrongUse } from '../wrong-use.js'

type Options = OptionsOf<typeof words>

async function run(dirs: readonly string[], own: Options, command: Command): Promise<void> {
  // The command above has options of the same names, and takes them first.
  const options = { ...own, ...command.optsWithGlobals<Options>() }
  if (dirs.length < 2 || dirs.length > mostCompared)
    throw wrongUse('compare takes from 2 to {most} folders', { most: mostCompared })
  const runs = await Promise.all(dirs.map((dir) => savedRun(dir, options.page)))
  const different = differencesOf(runs)
  const heads = ['', ...runs.map(({ name }) => name)]
  const lines = (rows: readonly ComparedRow[]): string[][] => rows.map(({ name, texts }) => [name, ...texts])
  const days: ComparedRow = {
    name: say('days'),
    texts: runs.map(({ days }) => say('{from} to {to}', { from: days[0] ?? '', to: days.at(-1) ?? '' })),
  }
  out(`${textGrid(heads, lines([days, ...comparedFigures(runs, language), ...different]))}\n`)
  if (different.length === 0) tell('nothing that they were made with differs')
  if (options.page === undefined) return
  await writeFileAtomically(options.page, await comparisonPage(runs, language, options.interactive))
  tell('wrote {file}', { file: options.page })
}

// biome-ignore format: a table, one word a line
const words = {
  compare: ['compare saved runs: figures side by side, and differences in parameters, data and code'],
  '<dirs...>': ['folders written by quotebook backtest --out'],
  '--page <file>': ['also write a page (HTML) with the curves over each other'],
  ...interactiveWord,
} as const satisfies CommandWords

export const compareBelow = (): Command => declare(words).action(run)
