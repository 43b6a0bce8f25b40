/*
 * Assigning to a frame: `df['new'] = df['amount'].div(10000)`.
 *
 * Stock danfo knows only the columns that a frame has. Any other name becomes a property of the object that no column
 * stands behind, without a word; `df['count'] = …` hides the method of that name as well, and `df.columns = …` is ignored
 * by scripts that are not in strict mode.
 *
 * Now a new name adds a column, as addColumn does, and the name of a member is refused. What is assigned is an array or a
 * Series with a cell for each row.
 */
import { reserved } from './columns.js'
import { DataFrame, type Frame, NDframe, refuse } from './danfo.js'

interface Growing extends Frame {
  addColumn(name: string, values: unknown, options: { readonly inplace: true }): void
}

/** At the end of the chain of prototypes, where only names arrive that nothing else has. */
const unknownNames: ProxyHandler<object> = {
  set(_, name, value, receiver): boolean {
    if (typeof name === 'string' && !reserved.has(name) && receiver instanceof DataFrame) {
      const frame = receiver as Growing
      frame.addColumn(name, value, { inplace: true })
      return true
    }
    return Reflect.defineProperty(receiver, name, { value, writable: true, enumerable: true, configurable: true })
  },
}

Object.setPrototypeOf(NDframe.prototype, new Proxy(Object.create(Object.prototype), unknownNames))

/** A member that can be read as before; a frame's own column of the name comes before it. */
function guarded(prototype: object, name: string): void {
  const found = Object.getOwnPropertyDescriptor(prototype, name)
  if (!found || found.set) return
  const { value } = found
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: false,
    get: found.get ?? (() => value),
    set(this: object, given: unknown): void {
      if (!(this instanceof DataFrame)) {
        Object.defineProperty(this, name, { value: given, writable: true, enumerable: true, configurable: true })
        return
      }
      refuse(
        `'${name}' is a member of every frame; give the column another name, or use rename, setIndex and addColumn`,
      )
    },
  })
}

for (const prototype of [DataFrame.prototype, NDframe.prototype]) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== 'constructor' && !name.startsWith('$')) guarded(prototype, name)
  }
}
