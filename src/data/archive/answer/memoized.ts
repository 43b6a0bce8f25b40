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
