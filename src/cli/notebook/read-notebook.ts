import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { QuotebookError } from '../../contract/error.js'
import { type Language, languages } from '../../contract/language.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { withoutMark } from '../../contract/without-mark.js'

/** A cell; code cells are numbered from 1. */
export interface NotebookCell {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly tags: readonly string[]
  readonly number?: number
}

/** A notebook file of format 4. */
export interface Notebook {
  /** Name of the file without its ending. */
  readonly name: string
  readonly title: string
  /** Of its words. */
  readonly language: Language
  /** What its cells of code are in, where that is not TypeScript. */
  readonly otherCode?: string
  readonly cells: readonly NotebookCell[]
}

/** What is read of the JSON of a notebook. */
export interface NotebookJson {
  readonly nbformat?: number
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly cells: readonly {
    readonly cell_type: string
    readonly id?: string
    readonly source: string | readonly string[]
    readonly metadata?: { readonly tags?: readonly string[] }
  }[]
}

/** A text that stands in a notebook as one string or as its lines. */
function joined(source: string | readonly string[]): string {
  return typeof source === 'string' ? source : source.join('')
}

/** @throws QuotebookError USAGE naming the file when it is not a notebook of format 4 */
export function readNotebook(path: string): Notebook {
  const file = parsed(path)
  let number = 0
  const cells = file.cells.map((cell, i) => ({
    id: cell.id ?? `cell-${i + 1}`,
    type: cell.cell_type,
    source: joined(cell.source),
    tags: cell.metadata?.tags ?? [],
    ...(cell.cell_type === 'code' ? { number: ++number } : {}),
  }))
  const heading = cells.find(({ type, source }) => type === 'markdown' && /^# /m.test(source))
  const name = basename(path, '.ipynb')
  const language = languages.find((one) => one === file.metadata?.['language']) ?? 'en'
  const title = /^# +(.*)$/m.exec(heading?.source ?? '')?.[1] ?? name
  return { name, title, language, cells, ...otherCode(file) }
}

/** The language of a kernel that is not one for TypeScript; a notebook that names none is taken for TypeScript. */
function otherCode({ metadata }: NotebookJson): { readonly otherCode?: string } {
  const { display_name, language } = (metadata?.['kernelspec'] ?? {}) as { display_name?: unknown; language?: unknown }
  if (typeof language !== 'string' || /^(type|java)script$/i.test(language)) return {}
  return { otherCode: typeof display_name === 'string' ? display_name : language }
}

function parsed(path: string): NotebookJson {
  const wrong = (why: Words, cause?: unknown): QuotebookError =>
    new QuotebookError('USAGE', sentence`${path}: ${why}`, { cause })
  let file: NotebookJson | null
  try {
    file = JSON.parse(withoutMark(readFileSync(path, 'utf8')))
  } catch (cause) {
    if (cause instanceof SyntaxError) throw wrong(sentence`not a notebook: not JSON`, cause)
    const { code } = cause as NodeJS.ErrnoException
    throw wrong(code === 'ENOENT' ? sentence`no such file` : sentence`can not be read: ${code}`, cause)
  }
  if (file?.nbformat !== 4 || !Array.isArray(file.cells)) throw wrong(sentence`not a notebook of format 4`)
  return file
}
