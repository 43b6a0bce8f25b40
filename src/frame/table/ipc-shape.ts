import { sentence } from '../../contract/sentence.js'
import { FlatBuffer, type Shape, type Slot } from './flat-buffer.js'

/* The tables of Arrow's Message.fbs, Schema.fbs and File.fbs, as far as they hold offsets. */

const pair: Shape = [
  { field: 0, of: 'text' },
  { field: 1, of: 'text' },
]
const encoding: Shape = [{ field: 1, of: { table: () => [] } }]
const [timestamp, union] = [10, 14]

const fieldShape: Shape = [
  { field: 0, of: 'text' },
  { field: 3, of: { table: () => [] } },
  { field: 4, of: { table: () => encoding } },
  { field: 5, of: { list: () => fieldShape } },
  { field: 6, of: { list: () => pair } },
]
const schemaShape: Shape = [
  { field: 1, of: { list: () => fieldShape } },
  { field: 2, of: { list: () => pair } },
  { field: 3, of: { bytes: 8 } },
]
const batchShape: Shape = [
  { field: 1, of: { bytes: 16 } },
  { field: 2, of: { bytes: 16 } },
  { field: 3, of: { table: () => [] } },
  { field: 4, of: { bytes: 8 } },
]
const dictionaryShape: Shape = [{ field: 1, of: { table: () => batchShape } }]
const footerShape: Shape = [
  { field: 1, of: { table: () => schemaShape } },
  { field: 2, of: { bytes: 24 } },
  { field: 3, of: { bytes: 24 } },
  { field: 4, of: { list: () => pair } },
]
const headers: readonly (Shape | undefined)[] = [undefined, schemaShape, dictionaryShape, batchShape]

/** @throws RangeError for what Arrow would read in another byte order, or not at all */
function checkOrder(flat: FlatBuffer, schema: Slot): void {
  const order = schema(0)
  if (order !== undefined && flat.byte(order) !== 0)
    throw new RangeError(sentence`its numbers are big-endian; write it little-endian`)
}

function need(at: number | undefined, what: string): number {
  if (at === undefined) throw new RangeError(sentence`it has no ${what}`)
  return at
}

/** How many nodes each field of a schema, or of a parent, takes: its own and those of its children. */
function nodesOf(flat: FlatBuffer, slot: Slot, field: number): number[] {
  const place = slot(field)
  if (place === undefined) return []
  const { at, count } = flat.list(place, 4)
  return Array.from({ length: count }, (_, i) => {
    const child = flat.table(flat.follow(at + 4 * i))
    checkType(flat, child)
    return child(4) === undefined ? 1 + nodesOf(flat, child, 5).reduce((sum, nodes) => sum + nodes, 0) : 1
  })
}

/** The only types that hold offsets. */
function checkType(flat: FlatBuffer, field: Slot): void {
  const [kind, type] = [field(2), field(3)]
  if (kind === undefined || type === undefined) return
  const at = flat.follow(type)
  if (flat.byte(kind) === timestamp) flat.check(at, [{ field: 1, of: 'text' }])
  if (flat.byte(kind) === union) flat.check(at, [{ field: 1, of: { bytes: 4 } }])
}

/** Whether the buffers of a batch lie in its body and its columns are as long as it says. */
function checkBatch(flat: FlatBuffer, batch: Slot, body: number, nodes: readonly number[] | undefined): void {
  const [length, nodePlace, bufferPlace] = [batch(0), batch(1), batch(2)]
  const rows = length === undefined ? 0 : flat.long(length)
  const list = nodePlace === undefined ? { at: 0, count: 0 } : flat.list(nodePlace, 16)
  const buffers = bufferPlace === undefined ? { at: 0, count: 0 } : flat.list(bufferPlace, 16)
  for (let i = 0; i < buffers.count; i++) {
    const at = buffers.at + 16 * i
    if (flat.long(at) + flat.long(at + 8) > body) throw new RangeError(sentence`a buffer lies outside of its batch`)
  }
  if (batch(3) !== undefined) throw new RangeError(sentence`its batches are compressed; write it uncompressed`)
  let node = 0
  for (const count of nodes ?? []) {
    if (node >= list.count || flat.long(list.at + 16 * node) !== rows)
      throw new RangeError(sentence`columns differ in length`)
    node += count
  }
  if (nodes && node !== list.count) throw new RangeError(sentence`it has more columns than its schema`)
}

type Nodes = readonly number[] | undefined

const [schemas, dictionaries, batches] = [1, 2, 3]

/** The kind of a message, the bytes of its body, and the columns of the schema that it may hold. */
function checkMessage(bytes: Uint8Array, nodes: Nodes): { kind: number; body: number; nodes: Nodes } {
  const flat = new FlatBuffer(bytes)
  const message = flat.check(flat.follow(0), [{ field: 4, of: { list: () => pair } }])
  const kind = flat.byte(need(message(1), 'kind'))
  const shape = headers[kind]
  if (!shape) throw new RangeError(sentence`it has a message of kind ${kind}`)
  const header = flat.check(flat.follow(need(message(2), 'header')), shape)
  const bodyPlace = message(3)
  const body = bodyPlace === undefined ? 0 : flat.long(bodyPlace)
  if (kind === schemas) checkOrder(flat, header)
  if (kind === batches) checkBatch(flat, header, body, nodes)
  else if (kind === dictionaries)
    checkBatch(flat, flat.table(flat.follow(need(header(1), 'dictionary'))), body, undefined)
  else return { kind, body, nodes: nodesOf(flat, header, 1) }
  return { kind, body, nodes }
}

/** Goes from message to message. Where those of each kind begin. */
function checkMessages(bytes: Uint8Array, from: number, to: number, columns?: Nodes): Map<number, number[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, to)
  const found = new Map<number, number[]>(headers.map((_, kind) => [kind, []]))
  let nodes = columns
  for (let at = from; at + 4 <= to; ) {
    const start = at + (view.getInt32(at, true) === -1 ? 8 : 4)
    if (start > to) break
    const length = view.getInt32(start - 4, true)
    if (length === 0) break
    if (length < 0 || start + length > to) throw new RangeError(sentence`a message is longer than the rest`)
    const message = checkMessage(bytes.subarray(start, start + length), nodes)
    nodes = columns ?? message.nodes
    found.get(message.kind)?.push(at)
    at = start + length + message.body
    if (at > to) throw new RangeError(sentence`the body of a message is longer than the rest`)
  }
  return found
}

/** Where the blocks of a footer begin. */
function blocksAt(flat: FlatBuffer, place: number | undefined): number[] {
  if (place === undefined) return []
  const { at, count } = flat.list(place, 24)
  return Array.from({ length: count }, (_, i) => flat.long(at + 24 * i))
}

function checkFile(bytes: Uint8Array): void {
  const end = bytes.length - 10
  const start = end - new DataView(bytes.buffer, bytes.byteOffset).getInt32(end, true)
  if (start < 8 || start > end) throw new RangeError(sentence`its footer is longer than the file`)
  const flat = new FlatBuffer(bytes.subarray(start, end))
  const footer = flat.check(flat.follow(0), footerShape)
  const schema = flat.table(flat.follow(need(footer(1), 'schema')))
  checkOrder(flat, schema)
  const nodes = nodesOf(flat, schema, 1)
  const found = checkMessages(bytes, 8, start, nodes)
  for (const [kind, place] of [
    [dictionaries, footer(2)],
    [batches, footer(3)],
  ] as const) {
    if (String(blocksAt(flat, place)) !== String(found.get(kind) ?? []))
      throw new RangeError(sentence`its footer names other batches than those that are there`)
  }
}

/**
 * Looks at the shape of an Arrow IPC file or stream before Arrow reads it, which takes a length of billions at its word
 * and looks without end for a batch that is not where it should be.
 * @throws RangeError for offsets that lead out, columns of different length, buffers outside of their batch
 */
export function checkShape(bytes: Uint8Array, isFile: boolean): void {
  if (isFile) checkFile(bytes)
  else checkMessages(bytes, 0, bytes.length)
}
