import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { manifestName } from './page-manifest.js'
import { readPageManifest, type StatedManifest } from './read-page-manifest.js'

/** A number or a word of a page, and where it stands. */
export interface PageFigure {
  /** Id of its section; empty before the first. */
  readonly section: string
  /** Its table, row and column, or what it stands beside. */
  readonly label: string
  readonly text: string
  /** The exact value, where the page gives it beside what is shown. */
  readonly value?: string | undefined
}

/** A page as far as two of them are compared. */
export interface ReadPage {
  readonly markup: string
  readonly manifest: StatedManifest
  readonly figures: readonly PageFigure[]
}

/** Longer pages are not read. */
const mostCharacters = 200_000_000

/** Elements whose text is no figure. */
const drawn = ['svg', 'style', 'script']

const blank = (text: string): string => text.replace(/\s+/g, ' ').trim()

interface Cell {
  readonly isKey: boolean
  readonly column: string
  text: string
  value?: string | undefined
}

/** Follows the elements of a page, and gathers its figures: cells of tables, and `data` elsewhere. */
class FigureReader {
  readonly figures: PageFigure[] = []
  readonly manifests: string[] = []
  #section = ''
  #table = ''
  #heads: string[] = []
  #row: Cell[] | undefined
  #cell: Cell | undefined
  #data: { text: string; value: string; of: string } | undefined
  #isHead = false
  /** The last text before a figure that is in no table. */
  #before = ''
  #drawings = 0

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'meta' && attributes.name === manifestName) this.manifests.push(attributes.content ?? '')
    else if (drawn.includes(name)) this.#drawings++
    else if (name === 'section') [this.#section, this.#table] = [attributes.id ?? '', '']
    else if (attributes.class === 'wide') this.#table = attributes['aria-label'] ?? ''
    else if (name === 'table') this.#heads = []
    else if (name === 'thead') this.#isHead = true
    else if (name === 'tr') this.#row = []
    else if (name === 'th' || name === 'td') this.#beginCell(name, attributes)
    else if (name === 'data') this.#data = { text: '', value: attributes.value ?? '', of: attributes.class ?? '' }
  }

  #beginCell(name: string, { class: kind = '' }: Readonly<Record<string, string>>): void {
    const column = this.#heads[this.#row?.length ?? 0] ?? ''
    const isKey = name === 'th' || /\b(text|name|hash)\b/.test(kind)
    this.#cell = { isKey, column, text: '' }
    this.#row?.push(this.#cell)
  }

  text(text: string): void {
    if (this.#drawings > 0) return
    if (this.#data) this.#data.text += text
    if (this.#cell) this.#cell.text += `${text} `
    else if (!this.#data && text.trim() !== '') this.#before = blank(text)
  }

  close(name: string): void {
    if (drawn.includes(name)) this.#drawings = Math.max(0, this.#drawings - 1)
    else if (name === 'thead') this.#isHead = false
    else if (name === 'th' || name === 'td') this.#cell = undefined
    else if (name === 'tr') this.#endRow()
    else if (name === 'data') this.#endData()
  }

  #endData(): void {
    if (!this.#data) return
    const { text, value, of } = this.#data
    this.#data = undefined
    if (this.#cell) this.#cell.value = value
    else this.#add([this.#before, of].filter(Boolean).join(', '), text, value)
  }

  #endRow(): void {
    const row = this.#row ?? []
    this.#row = undefined
    if (this.#isHead) {
      this.#heads = row.map(({ text }) => blank(text))
      return
    }
    const key = row.filter(({ isKey }) => isKey).map(({ text }) => blank(text))
    const placeOf = (words: readonly string[]): string => [this.#table, ...words].filter(Boolean).join(' | ')
    if (key.length > 0 && key.length === row.length) {
      this.#add(placeOf(key.slice(0, 1)), key.slice(1).join(' | '), undefined)
      return
    }
    const place = placeOf(key)
    for (const { isKey, column, text, value } of row) {
      if (!isKey) this.#add([place, column].filter(Boolean).join(' | '), text, value)
    }
  }

  #add(label: string, text: string, value: string | undefined): void {
    this.figures.push({ section: this.#section, label, text: blank(text), value })
  }
}

/**
 * The manifest and the figures of a page. Nothing in it is run.
 * @throws QuotebookError INVALID_VALUE for a file that is no page of Quotebook
 */
export async function readPage(markup: string): Promise<ReadPage> {
  if (markup.length > mostCharacters)
    throw new QuotebookError('INVALID_VALUE', sentence`the page is too large to be one of Quotebook`)
  const { Parser } = await import('#html-parser')
  const reader = new FigureReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  })
  parser.end(markup)
  const [manifest, ...more] = reader.manifests
  if (manifest === undefined)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`the page holds no manifest: it is not from Quotebook, or from before pages had one`,
    )
  if (more.length > 0)
    throw new QuotebookError('INVALID_VALUE', sentence`the page holds several manifests: Quotebook writes one`)
  return { markup, manifest: readPageManifest(manifest), figures: reader.figures }
}

/** The text of markup. */
export async function textOfMarkup(markup: string): Promise<string> {
  const { Parser } = await import('#html-parser')
  let all = ''
  const parser = new Parser({
    ontext: (text) => {
      all += text
    },
  })
  parser.end(markup)
  return blank(all)
}
