/** The text of a CommonJS module with these exports, which is loaded by an expression when one of them is used first. */
export function lateModule(names, load) {
  return `let own
const load = () => (own ??= ${load})
for (const name of ${JSON.stringify([...names])})
  Object.defineProperty(exports, name, { configurable: true, enumerable: true, get: () => load()[name] })
`
}
