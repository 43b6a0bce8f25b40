import type { Table } from 'apache-arrow'
import type { DataFrame, Series } from '../frame/danfo-types.js'
import { markupOf } from './markup.js'
import { displayNow, type Look, makeRich } from './rich.js'
import { sightOf } from './sight.js'
import { terminalWidth } from './terminal.js'
import { textOf, usualWidth } from './text.js'
import { atLeastOne, type ShowOptions, viewOf } from './view.js'

export type { ShowOptions } from './view.js'

/** Data made ready to be looked at: a table of HTML as the last expression of a notebook's cell, text elsewhere. */
export class Shown {
  readonly #data: unknown
  readonly #options: ShowOptions

  constructor(data: unknown, options: ShowOptions) {
    this.#data = data
    this.#options = options
    for (const name of ['rows', 'columns', 'width', 'cell'] as const) atLeastOne(name, options[name], 1)
    sightOf(data)
  }

  /** A table of HTML with a style of its own; every text in it is escaped. */
  html(): string {
    return markupOf(viewOf(sightOf(this.#data), this.#options), this.#options)
  }

  /** Aligned text of at most `width` cells, 120 when it is not given. */
  text(width?: number): string {
    const options = width === undefined ? this.#options : { ...this.#options, width }
    return textOf(viewOf(sightOf(this.#data), options), options)
  }

  toString(): string {
    return this.text()
  }

  /** Puts it into the output at once: in the middle of a notebook's cell, or on the terminal. */
  display(): void {
    displayNow(lookOf(this.#data, this.#options))
  }

  static {
    makeRich(Shown.prototype, (shown) => lookOf(shown.#data, shown.#options))
  }
}

/** How a table, a DataFrame or a Series looks. */
export function lookOf(data: unknown, options: ShowOptions = {}): Look {
  const sight = sightOf(data)
  const width = options.width ?? terminalWidth() ?? usualWidth
  return {
    text: () => textOf(viewOf(sight, options), { ...options, width }),
    html: () => markupOf(viewOf(sight, options), options),
    word: () => `${sight.what} ${sight.rows} x ${sight.columns.length}`,
  }
}

/**
 * Shows a table, a DataFrame or a Series otherwise than it shows itself: more rows, fewer columns, another width.
 * Numbers keep every digit in text, and are rounded to 8 decimals in HTML with every digit in the title; a missing cell is `·`, and a
 * credential (`password` of file_download, in frames a column of this name) is dots.
 * @throws QuotebookError INVALID_VALUE for other data, and for options that are not whole numbers of at least 1
 */
export function show(data: Table | DataFrame | Series, options: ShowOptions = {}): Shown {
  return new Shown(data, options)
}
