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

/** A promise is kept for an object until another key is asked for, it fails, or what it brings is not to be kept. */
export function memoizedLast<K extends object, V>(
  isKept: (value: V) => boolean = () => true,
): (of: K, key: string, ask: () => Promise<V>) => Promise<V> {
  const last = new WeakMap<K, { readonly key: string; readonly value: Promise<V> }>()
  return (of, key, ask) => {
    const before = last.get(of)
    if (before?.key === key) return before.value
    const value = ask()
    last.set(of, { key, value })
    const forget = (): void => {
      if (last.get(of)?.value === value) last.delete(of)
    }
    value.then((found) => isKept(found) || forget(), forget)
    return value
  }
}
