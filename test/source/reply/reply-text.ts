export const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A reply of `allKinds` as text: members of `data` and of the envelope may be put beside or in place. */
export function body(fields: readonly string[], rows: readonly string[], data = '', envelope = ''): string {
  const names = JSON.stringify(fields)
  return `{"code":200,"message":"ok",${envelope}"data":{${data}"fields":${names},"items":[${rows.join(',')}]}}`
}
