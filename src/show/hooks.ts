import { Table, type TypeMap } from 'apache-arrow'
import { onTableMade } from '../table/on-table-made.js'
import { makeRich } from './rich.js'
import { lookOf } from './show.js'
import { sightOf } from './sight.js'
import { terminalWidth, write } from './terminal.js'
import { textOf, usualWidth } from './text.js'
import { viewOf } from './view.js'

/** Methods of a table that make another, which then shows itself too. */
const derived = ['slice', 'select', 'selectAt', 'concat', 'assign'] as const

function deriving(name: (typeof derived)[number]): PropertyDescriptor {
  const value = function (this: Table, ...parts: unknown[]): Table {
    return richTable(Reflect.apply(Table.prototype[name], this, parts) as Table)
  }
  return { configurable: true, enumerable: false, writable: true, value }
}

const methods = Object.fromEntries(derived.map((name) => [name, deriving(name)]))

/** Arrow's own toString spells every row, credentials too. */
const spelled: PropertyDescriptor = {
  configurable: true,
  enumerable: false,
  writable: true,
  value: function (this: Table): string {
    return textOf(viewOf(sightOf(this)), { width: usualWidth })
  },
}

/** A table of ours shows itself, and so do its slices. Arrow's own classes are not ours and stay as they are. */
export function richTable<C extends TypeMap>(table: Table<C>): Table<C> {
  return Object.defineProperties(
    makeRich(table, (self) => lookOf(self)),
    { ...methods, toString: spelled },
  )
}

onTableMade(richTable)

/** danfo's classes of our copy show themselves; `toString` and `print` give the same text. */
export function richFrames(prototypes: readonly object[]): void {
  for (const prototype of prototypes) {
    makeRich(prototype, (self) => lookOf(self))
    const text = (self: object, width: number): string => textOf(viewOf(sightOf(self)), { width })
    const method = (value: (this: object) => unknown): PropertyDescriptor => ({
      configurable: true,
      writable: true,
      value,
    })
    Object.defineProperties(prototype, {
      toString: method(function (this: object) {
        return text(this, usualWidth)
      }),
      print: method(function (this: object) {
        write(`${text(this, terminalWidth() ?? usualWidth)}\n`)
      }),
    })
  }
}
