import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { connect } from '../connect.js'
import { received } from '../contract/sentence.js'
import { writeFileAtomically } from '../data/archive/file-access.js'
import type { PageMaker } from '../research/report/load/verify-page.js'
import type { PageManifest } from '../research/report/verify/page-manifest.js'
import { say } from './chosen-language.js'
import { inLanguage } from './error-text.js'
import { failureName } from './notebook/failure-text.js'
import type { CellFailure } from './notebook/kernel-event.js'
import { notebookPage } from './notebook/notebook-page.js'
import { type Notebook, readNotebook } from './notebook/read-notebook.js'
import { type NotebookRun, runNotebook } from './notebook/run-notebook.js'
import { log, out, tell } from './output.js'
import { bar } from './progress-bar.js'
import { wrongUse } from './wrong-use.js'

interface Runs {
  /** Folder of the pages. */
  readonly dir: string
  /** Seconds that a cell may take. */
  readonly timeout: number
  readonly source: string
  /** Folder of the tslab that runs a file. */
  readonly kernelOf: (file: string) => string
  readonly signal: AbortSignal
  /** Charts of the pages answer. */
  readonly interactive: boolean
}

type Planned = Notebook & { readonly file: string; readonly kernel: string }

/** `03-bonds.ipynb cell 4 line 2: what is wrong | the line` */
function failureLine(file: string, failure: CellFailure): string {
  const { cell, message, more = [], at } = failure
  const place =
    at === undefined
      ? say('cell {cell}', { cell })
      : at.cell === cell
        ? say('cell {cell} line {line}', { cell, line: at.line })
        : say('cell {cell} (from cell {from} line {line})', { cell, from: at.cell ?? cell, line: at.line })
  const text = [inLanguage(received(message)), ...more].join(' ').replace(/\s+/g, ' ')
  const what = `${failureName(failure)}: ${text}${at === undefined ? '' : ` | ${at.text.trim()}`}`
  return say('quotebook: {file} {place}: {what}', { file, place, what })
}

const codeOf = ({ cells }: Notebook): Notebook['cells'] => cells.filter(({ type }) => type === 'code')

/** As many at a time as there is room for, begun in their order. */
function inTurn<T, R>(all: readonly T[], width: number, start: (one: T) => Promise<R>): readonly (() => Promise<R>)[] {
  const begun: Promise<R>[] = []
  return all.map((_, index) => () => {
    while (begun.length < Math.min(index + width, all.length)) {
      const promise = start(all[begun.length] as T)
      // It is asked for in its turn.
      promise.catch(() => undefined)
      begun.push(promise)
    }
    return begun[index] as Promise<R>
  })
}

/** The notebooks that tslab can run; of the others it is said what they want. */
function planned(files: readonly string[], { kernelOf, dir }: Runs): readonly Planned[] {
  if (dir.trim() === '') throw wrongUse('--out is empty; give the name of a folder')
  const stat = statSync(dir, { throwIfNoEntry: false })
  if (stat && !stat.isDirectory()) throw wrongUse('--out {dir} is a file; give the name of a folder', { dir })
  return files.flatMap((file) => {
    const notebook = readNotebook(file)
    if (notebook.otherCode === undefined) return [{ ...notebook, file, kernel: kernelOf(file) }]
    tell('{file}: skipped, it is for {code} and not TypeScript; open it in Jupyter', { file, code: notebook.otherCode })
    return []
  })
}

function runCells(
  notebook: Planned,
  { timeout, source, signal }: Runs,
  onCell: (cell: number) => void,
): Promise<NotebookRun> {
  const code = codeOf(notebook).map((cell) => ({
    source: cell.source,
    raises: cell.tags.includes('raises-exception'),
  }))
  const { kernel, file, language } = notebook
  const [node, env] = [process.execPath, process.env]
  return runNotebook(file, code, { kernel, node, env, source, language, timeout, onCell, signal })
}

/** What the page of a notebook says of its source: a directory tells its state. */
async function notebookSource(source: string): Promise<NonNullable<PageManifest['source']>> {
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) return { name: source }
  const market = await connect({ archive: source })
  try {
    const found = await market.source.identity?.()
    return { name: String(market.source.name), about: found?.about, state: found?.state }
  } finally {
    await market.close()
  }
}

/** Runs a notebook and gives its page; as from a source of another name and state where one is given. */
export async function notebookMaker(file: string, runs: Omit<Runs, 'dir'>): Promise<PageMaker> {
  const read = readNotebook(file)
  if (read.otherCode !== undefined)
    throw wrongUse('{file}: skipped, it is for {code} and not TypeScript; open it in Jupyter', {
      file,
      code: read.otherCode,
    })
  const notebook = { ...read, file, kernel: runs.kernelOf(file) }
  const progress = bar(say('notebooks'))
  const of = codeOf(notebook).length
  try {
    const onCell = (cell: number): void => progress.update(cell - 1, of, `${notebook.name} ${cell}`)
    const result = await runCells(notebook, { ...runs, dir: '' }, onCell)
    const source = await notebookSource(runs.source)
    return (as) => notebookPage(notebook, result, as ? { ...as, about: source.about } : source, runs.interactive)
  } finally {
    progress.stop()
  }
}

/** Runs notebooks, writes a page of each and prints its name; says what went wrong. Whether something did. */
export async function runNotebooks(files: readonly string[], runs: Runs): Promise<boolean> {
  const notebooks = planned(files, runs)
  const cells = notebooks.flatMap(codeOf).length
  const progress = bar(say('notebooks'))
  let done = 0
  const source = await notebookSource(runs.source)
  const start = (notebook: Planned): Promise<NotebookRun> => {
    const onCell = (cell: number): void => progress.update(done++, cells, `${notebook.name} ${cell}`)
    return runCells(notebook, runs, onCell)
  }
  const failed: string[] = []
  const pages: string[] = []
  try {
    const turns = inTurn(notebooks, Math.max(1, Math.min(4, availableParallelism())), start)
    for (const [index, notebook] of notebooks.entries()) {
      const result = (await turns[index]?.()) as NotebookRun
      const page = join(runs.dir, `${notebook.name}.html`)
      await writeFileAtomically(page, await notebookPage(notebook, result, source, runs.interactive))
      failed.push(...result.failures.map((failure) => failureLine(notebook.file, failure)))
      pages.push(page)
    }
  } finally {
    // A bar in a terminal would wipe them out.
    progress.stop()
    for (const page of pages) out(`${page}\n`)
  }
  for (const line of failed) log(line)
  return failed.length > 0
}
