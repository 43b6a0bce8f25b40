import type { Table } from 'apache-arrow'
import { escapeHtml, printable } from '../../frame/show/cell-text.js'
import { cellsToShow } from '../../frame/show/describe-data.js'
import { type Display, displayNow, makeDisplayable, mimeBundle } from '../../frame/show/displayable.js'
import { htmlFrame, htmlTableBody } from '../../frame/show/html-table.js'
import type { OutputPlace } from '../../frame/show/notebook-output.js'
import { terminalWidth } from '../../frame/show/terminal.js'
import { defaultWidth, textTable } from '../../frame/show/text-table.js'
import { truncateText } from '../../frame/show/text-width.js'
import { visibleData } from '../../frame/show/visible-data.js'
import type { AnyTable, RowChanges } from './row-changes.js'

/** What is known of a state beside its rows. */
export interface StateOf<T extends AnyTable> {
  /** All rows of the state, with their provenance: whether they are proven to be complete, too. */
  readonly rows: T
  /** The first state: every row is in `added`. */
  readonly isFirst: boolean
  /** When it was seen, that is when the answer came, Beijing time, ISO 8601 with its offset. */
  readonly at: string
  /** The moment of its newest row, Beijing time: its own where rows carry one, the close of its bar, else its day; undefined where no row tells. */
  readonly newest: string | undefined
  /** sha256 of the state of the archive that answered, where the source tells it: of an archive and of one's own service. */
  readonly state: string | undefined
}

/**
 * A state of a watched query, and the changes of its rows since the previous state. In a notebook it shows itself, and
 * `display` shows one state after the other in the same place.
 */
export class Change<T extends AnyTable = Table> implements RowChanges<T>, StateOf<T> {
  declare readonly rows: T
  declare readonly isFirst: boolean
  declare readonly at: string
  declare readonly newest: string | undefined
  declare readonly state: string | undefined
  declare readonly added: T
  declare readonly changed: T
  declare readonly before: T
  declare readonly columns: readonly (readonly string[])[]
  declare readonly gone: T
  readonly #place: OutputPlace

  constructor(of: StateOf<T>, changes: RowChanges<T>, place: OutputPlace) {
    Object.assign(this, of, changes)
    this.#place = place
  }

  /** The rows of the state with a line on what changed: in a notebook in the place of the state before, else on the terminal below it. */
  display(): void {
    const display = changeDisplay(this)
    if (!this.#place(mimeBundle(display))) displayNow(display)
  }

  static {
    makeDisplayable(Change.prototype, (change) => changeDisplay(change))
  }
}

function headline({ at, newest, isFirst, rows, added, changed, columns, gone }: Change<AnyTable>): string {
  const data = newest === undefined ? '' : `, data of ${newest}`
  const which = changed.numRows === 0 ? '' : ` (${[...new Set(columns.flat())].join(', ')})`
  const what = isFirst
    ? `${rows.numRows} rows`
    : `${added.numRows} new, ${changed.numRows} changed${which}, ${gone.numRows} gone`
  return printable(`${at}: ${what}${data}`)
}

function changeDisplay(change: Change<AnyTable>): Display {
  const data = () => visibleData(cellsToShow(change.rows))
  return {
    text: () => {
      const width = terminalWidth() ?? defaultWidth
      return `${truncateText(headline(change), width)}\n${textTable(data(), { width })}`
    },
    html: () => htmlFrame(`<p>${escapeHtml(headline(change))}</p>\n${htmlTableBody(data())}`),
    word: () => headline(change),
  }
}
