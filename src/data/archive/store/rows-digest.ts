import { createHash, type Hash } from 'node:crypto'
import { type ColumnData, type RecordColumns, textIn } from '../../../frame/table/values.js'

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** What lies under a null says nothing, and a column without nulls may carry a mask or none. */
function addNumbers(hash: Hash, { data, valid }: Extract<ColumnData, { readonly valid: Uint8Array | null }>): void {
  if (!valid?.includes(0)) {
    hash.update('all').update(bytesOf(data))
    return
  }
  const cells = data.slice()
  for (let row = 0; row < cells.length; row++) if (valid[row] === 0) cells[row] = 0
  hash.update('some').update(valid).update(bytesOf(cells))
}

/** Words in the order in which rows first have them, and the codes of the rows into these. */
function addTexts(hash: Hash, values: ColumnData): void {
  const text = textIn(values)
  if (!text) {
    hash.update(JSON.stringify(values.data))
    return
  }
  const codes = new Int32Array(text.data.length)
  const places = new Int32Array(text.dictionary.length).fill(-1)
  const words: string[] = []
  for (let row = 0; row < codes.length; row++) {
    const code = text.data[row] as number
    if (code >= 0 && places[code] === -1) places[code] = words.push(text.dictionary[code] as string) - 1
    codes[row] = code < 0 ? -1 : (places[code] as number)
  }
  hash.update(JSON.stringify(words)).update(bytesOf(codes))
}

/** sha256 over the cells of rows, column after column by name; the same however the cells lie in memory. */
export function rowsDigest({ length, columns }: RecordColumns): string {
  const hash = createHash('sha256').update(`${length}`)
  for (const name of [...columns.keys()].sort()) {
    const values = columns.get(name) as ColumnData
    hash.update(`\n${name}\n`)
    if (values.type === 'float' || values.type === 'int' || values.type === 'boolean') addNumbers(hash, values)
    else addTexts(hash, values)
  }
  return hash.digest('hex')
}
