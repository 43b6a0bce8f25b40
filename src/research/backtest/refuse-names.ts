/** What JavaScript and its tools ask of any object. */
const askedOfAll = new Set(['toJSON', 'then', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof'])

/**
 * The end of a chain of prototypes: a name that nothing before it has, and that `rest` has not, is an error. Reads that are found
 * never come here, so that it costs them nothing, and V8 still inlines getters before it.
 */
export function refuseNames(rest: object, missing: (name: string) => Error): object {
  return new Proxy(rest, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || name in target || askedOfAll.has(name)) return Reflect.get(target, name, receiver)
      throw missing(name)
    },
  })
}

/** A view that tells which columns are read of it; slow, for a run that failed. */
export function watchReads<T extends object>(view: T, seen: (name: string) => void): T {
  return new Proxy(view, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof name === 'string') seen(name)
      if (typeof value !== 'function') return value
      return (column: string, ...rest: unknown[]) => {
        seen(column)
        return value.call(target, column, ...rest)
      }
    },
  })
}
