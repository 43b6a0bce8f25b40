import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { NotebookJson } from './read-notebook.js'

/** Texts of cells by their ids: `<!-- id -->` on a line of its own, and below it the text. */
export function cellTexts(markdown: string): ReadonlyMap<string, string> {
  const parts = markdown.split(/^<!-- ([a-z0-9-]+) -->\n/m).slice(1)
  return new Map(parts.flatMap((id, i) => (i % 2 === 0 ? [[id, parts[i + 1]?.trim() ?? ''] as const] : [])))
}

const lines = (text: string): readonly string[] => text.split(/(?<=\n)/)

/**
 * A notebook with its words in Chinese; its code is the same.
 * @param texts of its cells of words (see `cellTexts`)
 * @throws QuotebookError FILE when a cell of words has no text
 */
export function inChineseWords(notebook: NotebookJson, texts: ReadonlyMap<string, string>): NotebookJson {
  const cells = notebook.cells.map((cell) => {
    if (cell.cell_type !== 'markdown') return cell
    const text = texts.get(cell.id ?? '')
    if (!text) throw new QuotebookError('FILE', sentence`no Chinese text of cell ${cell.id}`)
    return { ...cell, source: lines(text) }
  })
  return { ...notebook, cells, metadata: { ...notebook.metadata, language: 'zh' } }
}
