import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import root from '#root'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { language, say } from '../chosen-language.js'
import { ratio, sourceWord } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { untilInterrupted } from '../interrupt.js'
import { findKernel, kernelFor, noKernel } from '../notebook/find-kernel.js'
import { kernelSpec, kernelSpecFile } from '../notebook/kernel-spec.js'
import { createResearchFolder } from '../notebook/research-folder.js'
import { log, out, tell } from '../output.js'
import { runNotebooks } from '../run-notebooks.js'
import { sourceElsewhere } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type RunOptions = OptionsOf<typeof runWords>

async function init(dir: string): Promise<void> {
  const { written, left, install } = await createResearchFolder(dir, language)
  out(`${dir}\n`)
  if (left.length > 0) tell('left as they were: {files}', { files: left.join(', ') })
  tell('{dir}: {files} files. Next:', { dir, files: written.length })
  const near = relative(process.cwd(), resolve(dir))
  const place = near.startsWith('..') ? resolve(dir) : near
  log(`  ${near === '' ? '' : `cd ${/\s/.test(place) ? `'${place}'` : place} && `}${install}`)
  log('  npx quotebook notebook run')
}

const notebooksIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ipynb'))
    .sort()
    .map((name) => join(folder, name))

/** The notebooks of a folder, or of its folder `notebooks`; a file as it is. */
function filesOf(given: string): readonly string[] {
  if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) return [given]
  const below = join(given, 'notebooks')
  const found = [given, ...(existsSync(below) ? [below] : [])].map(notebooksIn).find(({ length }) => length > 0)
  if (!found) throw wrongUse('{dir}: there are no notebooks', { dir: given })
  return found
}

/** Two notebooks of one name would be one page. */
function checkNames(files: readonly string[]): void {
  const names = files.map((file) => basename(file, '.ipynb'))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined)
    throw wrongUse(
      "two notebooks are called '{name}': their pages would have one name; run them with different --out",
      { name: twice },
    )
}

async function run(given: readonly string[], { out: dir, timeout, source, interactive }: RunOptions): Promise<void> {
  const files = (given.length > 0 ? given : ['.']).flatMap(filesOf)
  checkNames(files)
  const hasFailed = await runNotebooks(files, {
    dir,
    timeout,
    interactive,
    source: sourceElsewhere(source),
    // The folder of the notebook first; in a checkout the package has one too.
    kernelOf: (file) => kernelFor(file, [process.cwd(), join(root, 'notebooks')]),
    signal: untilInterrupted(say('interrupted; pages that were finished stay')),
  })
  if (hasFailed) process.exitCode = 1
}

async function kernel({ install }: { readonly install?: true }): Promise<void> {
  const found = findKernel([process.cwd(), join(root, 'notebooks')])
  if (found === undefined) throw noKernel(process.cwd())
  const file = kernelSpecFile(process.env, process.platform, homedir())
  // node_modules/tslab stands in the folder that is wanted.
  const text = `${JSON.stringify(kernelSpec(process.execPath, dirname(dirname(found)), language), null, 2)}\n`
  if (!install) {
    out(text)
    return tell('nothing was written; --install puts it into {file}', { file })
  }
  await writeFileAtomically(file, text)
  out(`${file}\n`)
  tell("choose 'TypeScript (Quotebook)' in Jupyter or VS Code")
}

// biome-ignore format: a table, one word a line
const initCommand = (): Command => declare({
  init: ['create a research folder with notebooks, strategies and what they need, and print the next steps'],
  '<dir>': ['new or empty folder; files of npm and git stay unchanged'],
}).action(init)

// biome-ignore format: a table, one word a line
const runWords = {
  run: ['run notebooks without Jupyter, and write an HTML page of each; exit code 1 if a cell fails'],
  '[files...]': ['notebooks, or folders of them (default: those of this folder, or of its folder notebooks)'],
  '--out <dir>': ['folder for the pages', { usual: 'reports/notebooks' }],
  '--no-interactive': ['write pages without scripts: their charts are still images'],
  ...sourceWord,
  '--timeout <seconds>': ['time limit of a cell in seconds', { parse: ratio, usual: 120 }],
} as const satisfies CommandWords

const runCommand = (): Command => declare(runWords).action(run)

// biome-ignore format: a table, one word a line
const kernelCommand = (): Command => declare({
  kernel: ['print the specification of the kernel for Jupyter and VS Code'],
  '--install': ["install it where both look for a user's kernels, and print the file"],
}).action(kernel)

// biome-ignore format: a table, one word a line
export const notebookCommand = (): Command => declare({
  notebook: ['start a folder of notebooks, run them to pages, and install the kernel for Jupyter'],
}, initCommand(), runCommand(), kernelCommand())
