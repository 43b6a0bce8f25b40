import type { Table } from 'apache-arrow'
import { checkOptions } from '../../contract/options.js'
import { say, shownLanguage } from '../../contract/shown-language.js'
import type { DataFrame, Series } from '../danfo-types.js'
import { escapeHtml, printable } from './cell-text.js'
import { cellsToShow } from './describe-data.js'
import { type Display, displayNow, makeDisplayable } from './displayable.js'
import { htmlFrame, htmlTable, htmlTableBody } from './html-table.js'
import { terminalWidth } from './terminal.js'
import { defaultWidth, textTable } from './text-table.js'
import { truncateText } from './text-width.js'
import { positiveOption, type ShowOptions, visibleData, type WriteNumbers } from './visible-data.js'

export type { ShowOptions } from './visible-data.js'

/** How text is shown to a person at a terminal. */
export interface TerminalReading {
  readonly write: WriteNumbers
  /** Rises red and falls green. */
  readonly tints: boolean
}

/**
 * How a table, a DataFrame or a Series is shown.
 * @param reading its text is for a person at a terminal (default: every digit, without colours)
 * @throws QuotebookError INVALID_VALUE for anything else
 */
export function displayOf(data: unknown, options: ShowOptions = {}, reading?: TerminalReading): Display {
  const cells = cellsToShow(data)
  const width = options.width ?? terminalWidth() ?? defaultWidth
  return {
    text: () => textTable(visibleData(cells, options, reading?.write), { ...options, width }, reading?.tints),
    html: () => htmlTable(visibleData(cells, options), options),
    word: () => `${cells.what} ${cells.rows} x ${cells.columns.length}`,
  }
}

/** Data prepared for display: an HTML table as the last expression of a notebook's cell, text elsewhere. */
export class Shown {
  readonly #data: unknown
  readonly #options: ShowOptions

  constructor(data: unknown, options: ShowOptions) {
    this.#data = data
    this.#options = checkOptions(options, { rows: 'any', columns: 'any', width: 'any', cell: 'any' }, 'show')
    for (const name of ['rows', 'columns', 'width', 'cell'] as const) positiveOption(name, options[name], 1)
    cellsToShow(data)
  }

  /** A table of HTML with a style of its own; every text in it is escaped. */
  html(): string {
    return displayOf(this.#data, this.#options).html()
  }

  /** Aligned text of at most `width` cells, 120 when it is not given. */
  text(width = this.#options.width ?? defaultWidth): string {
    return displayOf(this.#data, { ...this.#options, width }).text()
  }

  /** As aligned text. */
  toString(): string {
    return this.text()
  }

  /** Puts it into the output at once: in the middle of a notebook's cell, or on the terminal. */
  display(): void {
    displayNow(displayOf(this.#data, this.#options))
  }

  static {
    makeDisplayable(Shown.prototype, (shown) => displayOf(shown.#data, shown.#options))
  }
}

/**
 * Shows a table, a DataFrame or a Series in another way than its default: more rows, fewer columns, another width.
 * Numbers keep every digit in text, and are rounded to 8 decimals in HTML with every digit in the title; a missing cell
 * is `·`, and a credential (`password` of file_download, in frames a column of this name) is dots.
 * @throws QuotebookError INVALID_VALUE for other data, and for options that are not whole numbers of at least 1
 */
export function show(data: Table | DataFrame | Series, options: ShowOptions = {}): Shown {
  return new Shown(data, options)
}

/** What a check hands back, as far as it is shown. */
export interface ShownCheck {
  readonly name: string
  readonly rows: number
  readonly counts: Readonly<Record<string, number>>
  readonly ok: boolean
  readonly table: Table
  readonly worst: Table
}

/** What a check is shown by in the reader's language: its verdicts, and its rows. */
export interface CheckWords {
  readonly verdict: (verdict: string) => string
  readonly rows: (table: Table) => Table
}

function headline({ name, rows, counts, ok }: ShownCheck, { verdict: word }: CheckWords): string {
  const found = Object.entries(counts).flatMap(([verdict, count]) => (count > 0 ? [`${count} ${word(verdict)}`] : []))
  if (shownLanguage() === 'zh') {
    const verdict = ok ? '没有与规则矛盾之处' : '有行与规则矛盾'
    return printable(`${name}：${rows} 行，${[...found, verdict].join('，')}`)
  }
  const verdict = ok ? 'no row contradicts the rule' : 'some rows contradict the rule'
  return printable(`${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${[...found, verdict].join(', ')}`)
}

/** A line above a table, by which a result shows itself. @param mark stands before the line in HTML */
export function headedDisplay(head: string, table: Table, word: string, mark = ''): Display {
  const data = () => visibleData(cellsToShow(table))
  return {
    text: () => {
      const width = terminalWidth() ?? defaultWidth
      return `${truncateText(head, width)}\n${textTable(data(), { width })}`
    },
    html: () => htmlFrame(`<p>${mark && `<b>${mark}</b> `}${escapeHtml(head)}</p>\n${htmlTableBody(data())}`),
    word: () => word,
  }
}

/** The result of a check shows its verdict, its counts, and the worst rows where there are any, otherwise the first. */
export function displayCheck<F extends ShownCheck>(check: F, words: CheckWords): F {
  return makeDisplayable(check, (self) => {
    const [rows, caption] =
      self.worst.numRows > 0 ? [self.worst, say('worst rows first')] : [self.table, say('all rows')]
    const line = headline(self, words)
    return headedDisplay(`${line}${say('; ')}${caption}`, words.rows(rows), line, self.ok ? '✓' : '✗')
  })
}
