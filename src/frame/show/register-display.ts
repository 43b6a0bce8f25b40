import { Table, Vector } from 'apache-arrow'
import { DataFrame, Series } from '../danfo-classes.js'
import { fromRows } from '../table/from-rows.js'
import { onTableMade } from '../table/on-table-made.js'
import { makeDisplayable, mimeBundle } from './displayable.js'
import { displayOf } from './show-data.js'
import { terminalWidth, writeTerminal } from './terminal.js'
import { defaultWidth } from './text-table.js'

/*
 * Makes tables and frames show themselves; imported for its effect by the public door. Arrow's own classes are not ours and
 * stay as they are: every table that is made here gets its display. danfo's classes are our copy's.
 */

function hidden(value: (this: object, ...rest: never[]) => unknown): PropertyDescriptor {
  return { configurable: true, enumerable: false, writable: true, value }
}

function textAt(data: object, width: number): string {
  return displayOf(data, { width }).text()
}

/** In the place of Arrow's own toString, which spells every row, credentials too. */
const textMethod = hidden(function (this: object): string {
  return textAt(this, defaultWidth)
})

/** Methods of a table that make another, which then shows itself too. */
const tableMakers = Object.fromEntries(
  (['slice', 'select', 'selectAt', 'concat', 'assign'] as const).map((name) => [
    name,
    hidden(function (this: object, ...parts: unknown[]): Table {
      return displayTable(Reflect.apply(Table.prototype[name], this, parts) as Table)
    }),
  ]),
)

function displayTable(table: Table): Table {
  return Object.defineProperties(makeDisplayable(table, displayOf), { ...tableMakers, toString: textMethod })
}

onTableMade(displayTable)

for (const prototype of [DataFrame.prototype, Series.prototype] as const) {
  Object.defineProperties(makeDisplayable<object>(prototype, displayOf), {
    toString: textMethod,
    print: hidden(function (this: object): void {
      writeTerminal(`${textAt(this, terminalWidth() ?? defaultWidth)}\n`)
    }),
  })
}

const isRow = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Rows as objects, and a column of a table, as tables; undefined for what is neither. */
function tableOfValue(value: unknown): Table | undefined {
  if (value instanceof Vector) return new Table({ value })
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return undefined
  try {
    return fromRows(value)
  } catch {
    return undefined
  }
}

/** For a kernel whose cell ends with a value that does not show itself. */
Object.defineProperty(globalThis, Symbol.for('quotebook.show'), {
  configurable: true,
  value: (value: unknown) => {
    const table = tableOfValue(value)
    return table && mimeBundle(displayOf(table))
  },
})
