/** A function that remembers its value for an object as long as the object lives; a promise that fails is forgotten. */
export function memoized<K extends object, A extends readonly unknown[], V>(
  compute: (key: K, ...more: A) => V,
): (key: K, ...more: A) => V {
  const values = new WeakMap<K, { readonly value: V }>()
  return (key, ...more) => {
    const before = values.get(key)
    if (before) return before.value
    const value = compute(key, ...more)
    values.set(key, { value })
    if (value instanceof Promise) value.catch(() => values.delete(key))
    return value
  }
}

/** A promise that is kept for an object until another key is asked for, or it fails. */
export class LastAsked<K extends object, V> {
  readonly #last = new WeakMap<K, { readonly key: string; readonly value: Promise<V> }>()

  get(of: K, key: string, ask: () => Promise<V>): Promise<V> {
    const last = this.#last.get(of)
    if (last?.key === key) return last.value
    const value = ask()
    this.#last.set(of, { key, value })
    value.catch(() => this.drop(of, value))
    return value
  }

  drop(of: K, value: Promise<V>): void {
    if (this.#last.get(of)?.value === value) this.#last.delete(of)
  }
}
