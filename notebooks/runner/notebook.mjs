import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * The cells of a notebook file: `{ name, title, cells: [{ id, type, source, tags, number }] }`. Code cells are numbered from 1.
 * @throws Error naming the file when it is not a notebook of format 4
 */
export function readNotebook(path) {
  let file
  try {
    file = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${basename(path)}: ${error.code === 'ENOENT' ? 'no such file' : 'not a notebook: not JSON'}`)
  }
  if (file?.nbformat !== 4 || !Array.isArray(file.cells))
    throw new Error(`${basename(path)}: not a notebook of format 4`)
  let number = 0
  const cells = file.cells.map((cell, i) => ({
    id: cell.id ?? `cell-${i + 1}`,
    type: cell.cell_type,
    source: [cell.source].flat().join(''),
    tags: cell.metadata?.tags ?? [],
    ...(cell.cell_type === 'code' ? { number: ++number } : {}),
  }))
  const heading = cells.find(({ type, source }) => type === 'markdown' && /^# /m.test(source))
  const name = basename(path, '.ipynb')
  return { name, title: /^# +(.*)$/m.exec(heading?.source ?? '')?.[1] ?? name, cells }
}
