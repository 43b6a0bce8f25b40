/** `npm run notebooks`: runs notebooks without Jupyter and makes a page of each. Fails when a cell does. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from './install.mjs'

const usage = `usage: npm run notebooks [-- [FILE.ipynb …] [--source S] [--out DIR] [--timeout SECONDS]]
  FILE.ipynb   notebooks to run; all of notebooks/ when none is named
  --source     what connect() opens: 'sample', the directory of an archive, or addresses of a service (https://…);
               QUOTEBOOK_SOURCE when absent. The key of a service is in QUOTEBOOK_APIKEY
  --out        folder for the pages; reports/notebooks when absent
  --timeout    seconds that a cell may take; 120 when absent`

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** A directory is meant from here, whatever the folder of a notebook. @throws Error when it is empty */
function sourceOf(text) {
  if (text.trim() === '') throw new Error('--source (or QUOTEBOOK_SOURCE) is empty')
  return text === 'sample' || /^(\w+=)?https?:\/\//i.test(text) ? text : resolve(text)
}

/** What was asked for. @throws Error saying what is wrong with it */
function asked() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      source: { type: 'string' },
      out: { type: 'string' },
      timeout: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const timeout = Number(values.timeout ?? 120)
  if (!(timeout > 0 && timeout < 86400)) throw new Error(`--timeout takes seconds above 0, not '${values.timeout}'`)
  const all = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ipynb'))
      .sort()
  const files =
    positionals.length > 0 ? positionals.map((file) => resolve(file)) : all().map((name) => join(folder, name))
  const out = resolve(values.out ?? join(folder, '../reports/notebooks'))
  const source = sourceOf(values.source ?? process.env.QUOTEBOOK_SOURCE ?? 'sample')
  return { files, out, timeout, source, help: values.help === true }
}

/** `03-bonds cell 4 line 2: what is wrong | the line` */
function failureLine(name, { cell, kind, name: error, message, more = [], at }) {
  const where =
    at === undefined ? '' : at.cell === cell ? ` line ${at.line}` : ` (from cell ${at.cell} line ${at.line})`
  const what = error === undefined ? kind : kind === 'error' ? error : `${kind}: ${error}`
  const text = [message, ...more].join(' ').replace(/\s+/g, ' ')
  return `! ${name}.ipynb cell ${cell}${where}: ${what}: ${text}${at === undefined ? '' : ` | ${at.text.trim()}`}`
}

async function main() {
  const { files, out, timeout, source, help } = asked()
  if (help) return console.log(usage)
  install(folder)
  const [{ readNotebook }, { execute }, { page }] = await Promise.all([
    import('./notebook.mjs'),
    import('./execute.mjs'),
    import('./page.mjs'),
  ])
  const notebooks = files.map((file) => ({ file, ...readNotebook(file) }))
  mkdirSync(out, { recursive: true })
  const started = []
  const run = async (notebook) => {
    const code = notebook.cells.filter(({ type }) => type === 'code')
    return { code: code.length, ...(await execute(notebook.file, code, timeout, source)) }
  }
  const width = Math.max(1, Math.min(4, availableParallelism()))
  for (const [index, notebook] of notebooks.entries()) {
    for (let next = index; next < Math.min(index + width, notebooks.length); next++)
      started[next] ??= run(notebooks[next])
    const result = await started[index]
    const path = join(out, `${notebook.name}.html`)
    writeFileSync(path, page(notebook, result))
    const near = relative(process.cwd(), path)
    const shown = near.startsWith('..') ? path : near
    console.log(`${shown}  ${result.failures.length === 0 ? `${result.code} cells` : 'FAILED'}`)
    for (const failure of result.failures) console.error(failureLine(notebook.name, failure))
    if (result.failures.length > 0) process.exitCode = 1
  }
}

try {
  await main()
} catch (error) {
  console.error(`! notebooks: ${error.message}`)
  if (error.code?.startsWith('ERR_PARSE_ARGS')) console.error(usage)
  process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
