import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import root from '#root'
import { QuotebookError } from '../../contract/error.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { help, language, say } from '../chosen-language.js'
import { ratio } from '../command-options.js'
import { untilInterrupted } from '../interrupt.js'
import { findKernel, kernelFor, noKernel } from '../notebook/find-kernel.js'
import { kernelSpec, kernelSpecFile } from '../notebook/kernel-spec.js'
import { createResearchFolder } from '../notebook/research-folder.js'
import { log, out } from '../output.js'
import { runNotebooks } from '../run-notebooks.js'
import { sourceElsewhere } from '../source-option.js'

interface RunOptions {
  readonly out: string
  readonly timeout: number
  readonly source?: string
}

async function init(dir: string): Promise<void> {
  const { written, left, install } = await createResearchFolder(dir, language)
  out(`${dir}\n`)
  if (left.length > 0) log(say('left alone', { files: left.join(', ') }))
  log(say('is created', { dir, files: written.length }))
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
  if (!found) throw new QuotebookError('USAGE', say('no notebooks', { dir: given }))
  return found
}

/** Two notebooks of one name would be one page. */
function checkNames(files: readonly string[]): void {
  const names = files.map((file) => basename(file, '.ipynb'))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuotebookError('USAGE', say('two of a name', { name: twice }))
}

async function run(given: readonly string[], { out: dir, timeout, source }: RunOptions): Promise<void> {
  const files = (given.length > 0 ? given : ['.']).flatMap(filesOf)
  checkNames(files)
  const hasFailed = await runNotebooks(files, {
    dir,
    timeout,
    source: sourceElsewhere(source),
    // The folder of the notebook first; in a checkout the package has one too.
    kernelOf: (file) => kernelFor(file, [process.cwd(), join(root, 'notebooks')]),
    signal: untilInterrupted(say('runs interrupted')),
  })
  if (hasFailed) process.exitCode = 1
}

async function kernel({ install }: { readonly install?: true }): Promise<void> {
  const found = findKernel([process.cwd(), join(root, 'notebooks')])
  if (found === undefined) throw noKernel(process.cwd())
  const file = kernelSpecFile(process.env, process.platform, homedir())
  // node_modules/tslab stands in the folder that is wanted.
  const text = `${JSON.stringify(kernelSpec(process.execPath, dirname(dirname(found))), null, 2)}\n`
  if (!install) {
    out(text)
    return log(say('kernel would be', { file }))
  }
  await writeFileAtomically(file, text)
  out(`${file}\n`)
  log(say('kernel is installed'))
}

export function notebookCommand(): Command {
  const initialize = new Command('init')
    .description(help('notebook init'))
    .argument('<dir>', help('notebook init dir'))
    .action(init)
  const running = new Command('run')
    .description(help('notebook run'))
    .argument('[files...]', help('notebook run files'))
    .option('--out <dir>', help('notebook run --out'), 'reports/notebooks')
    .addOption(new Option('--source <source>', help('--source')).env('QUOTEBOOK_SOURCE'))
    .option('--timeout <seconds>', help('notebook run --timeout'), ratio, 120)
    .action(run)
  const kernels = new Command('kernel')
    .description(help('notebook kernel'))
    .option('--install', help('notebook kernel --install'))
    .action(kernel)
  return new Command('notebook')
    .description(help('notebook'))
    .addCommand(initialize)
    .addCommand(running)
    .addCommand(kernels)
}
