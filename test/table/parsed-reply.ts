import { isDeepStrictEqual } from 'node:util'
import type { Dataset } from '../../src/contract/dataset.js'
import { asReply, contentOf } from '../../src/contract/envelope.js'
import { decode } from '../../src/table/decode.js'
import type { ScannedReply } from '../../src/table/scan-reply.js'
import type { ColumnData } from '../../src/table/values.js'

/** What JSON.parse and `decode` make of a body; undefined where they refuse it. */
export function parsedReply(
  dataset: Dataset,
  bytes: Uint8Array,
  expected: readonly string[],
): ScannedReply | undefined {
  try {
    const reply = asReply(JSON.parse(Buffer.from(bytes).toString()))
    const content = contentOf(reply, 'rows')
    if (!content) return undefined
    const { fields, items, beside } = content
    return { message: reply.message, beside, columns: decode(dataset, fields, items, expected) }
  } catch {
    return undefined
  }
}

function cellsDiffer(one: ArrayLike<unknown>, other: ArrayLike<unknown>): string | undefined {
  if (one.length !== other.length) return `${one.length} and ${other.length} cells`
  for (let row = 0; row < one.length; row++) {
    const [a, b] = [one[row], other[row]]
    if (!Object.is(a, b) && !(Array.isArray(a) && isDeepStrictEqual(a, b))) return `row ${row}: ${a} and ${b}`
  }
  return undefined
}

function arraysDiffer(one: ArrayLike<unknown>, other: ArrayLike<unknown>): string | undefined {
  if (one.constructor !== other.constructor) return `${one.constructor.name} and ${other.constructor.name}`
  if (ArrayBuffer.isView(one) && one.buffer.byteLength !== one.byteLength) return 'more memory than it needs'
  return cellsDiffer(one, other)
}

function valuesDiffer(one: ColumnData, other: ColumnData): string | undefined {
  if (!isDeepStrictEqual(Object.keys(one).sort(), Object.keys(other).sort())) return 'other parts'
  if (one.type !== other.type) return `${one.type} and ${other.type}`
  if (one.type === 'dictionary' && other.type === 'dictionary' && !isDeepStrictEqual(one.dictionary, other.dictionary))
    return 'words'
  if ('valid' in one && 'valid' in other && one.valid !== other.valid) {
    if (one.valid === null || other.valid === null) return 'valid'
    const wrong = arraysDiffer(one.valid, other.valid)
    if (wrong) return `valid: ${wrong}`
  }
  return arraysDiffer(one.data, other.data)
}

/** Where a scanned reply is not what was parsed, cell for cell, order and sign of zero too; undefined for the same. */
export function difference(scanned: ScannedReply, reference: ScannedReply): string | undefined {
  if (scanned.message !== reference.message) return `message: ${scanned.message} and ${reference.message}`
  if (!isDeepStrictEqual(scanned.beside, reference.beside)) return 'beside'
  if (JSON.stringify(scanned.beside) !== JSON.stringify(reference.beside)) return 'order of beside'
  if (scanned.columns.length !== reference.columns.length)
    return `${scanned.columns.length} and ${reference.columns.length} rows`
  const names = [...reference.columns.columns.keys()]
  if (!isDeepStrictEqual([...scanned.columns.columns.keys()], names)) return 'order of columns'
  for (const name of names) {
    const wrong = valuesDiffer(
      scanned.columns.columns.get(name) as ColumnData,
      reference.columns.columns.get(name) as ColumnData,
    )
    if (wrong) return `${name}: ${wrong}`
  }
  return undefined
}
