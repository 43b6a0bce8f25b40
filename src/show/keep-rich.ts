/** What console.log asks for, and with it the last expression of a cell in tslab. */
export const inspect = Symbol.for('nodejs.util.inspect.custom')

/** What kernels that ask for several forms ask for: Deno's, and runners without a screen. */
export const jupyter = Symbol.for('Jupyter.display')

/** What makes a value rich, on another of its kind: what was made of a rich value is rich. */
export function keepRich<T extends object>(from: object, to: T): T {
  for (const key of Reflect.ownKeys(from)) {
    const own = Object.getOwnPropertyDescriptor(from, key)
    if (own && !own.enumerable && !Object.hasOwn(to, key)) Object.defineProperty(to, key, own)
  }
  return to
}
