/** `node notebooks/clean.mjs`: takes out of the notebooks what running them in Jupyter left behind, before a commit. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('.', import.meta.url)
const metadata = {
  kernelspec: { display_name: 'TypeScript (Quotebook)', language: 'typescript', name: 'quotebook' },
  language_info: { file_extension: '.ts', mimetype: 'text/typescript', name: 'typescript' },
}
const python = {
  kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
  language_info: { file_extension: '.py', mimetype: 'text/x-python', name: 'python' },
}

/** The text of a notebook without outputs, counts and times; a cell's id and tags stay. */
function cleaned(text) {
  const file = JSON.parse(text)
  const cells = file.cells.map(({ cell_type, id, metadata: { tags } = {}, source }, index) => ({
    cell_type,
    ...(cell_type === 'code' ? { execution_count: null } : {}),
    id: id ?? `cell-${index + 1}`,
    metadata: tags ? { tags } : {},
    ...(cell_type === 'code' ? { outputs: [] } : {}),
    source: [source]
      .flat()
      .join('')
      .split(/(?<=\n)/),
  }))
  const own = file.metadata?.kernelspec?.language === 'python' ? python : metadata
  return `${JSON.stringify({ cells, metadata: own, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`
}

for (const name of readdirSync(folder).filter((name) => name.endsWith('.ipynb'))) {
  const path = new URL(name, folder)
  const before = readFileSync(path, 'utf8')
  const after = cleaned(before)
  if (after === before) continue
  writeFileSync(path, after)
  console.log(`${fileURLToPath(path)} cleaned`)
}
