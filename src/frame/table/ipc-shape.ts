import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { FlatBuffer, type Shape, type Slot } from './flat-buffer.js'

/* The tables of Arrow's Message.fbs, Schema.fbs and File.fbs, as far as they hold offsets. */

const pair: Shape = [
  { field: 0, of: 'text' },
  { field: 1, of: 'text' },
]
const encoding: Shape = [{ field: 1, of: { table: () => [] } }]
const [decimal, date, time, timestamp, union, duration] = [7, 8, 9, 10, 14, 18]
const [units, widestDecimal] = [3, 76]

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
    throw worded(RangeError, sentence`its numbers are big-endian; write it little-endian`)
}

function need(at: number | undefined, what: string): number {
  if (at === undefined) throw worded(RangeError, sentence`it has no ${what}`)
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

/** Types that hold offsets, and those whose numbers make a cell as long as they say. */
function checkType(flat: FlatBuffer, field: Slot): void {
  const [kind, type] = [field(2), field(3)]
  if (kind === undefined || type === undefined) return
  const at = flat.follow(type)
  const parts = flat.table(at)
  const number = (place: number | undefined): number =>
    place === undefined ? 0 : flat.byte(place) + 256 * flat.byte(place + 1)
  const isTime = [date, time, timestamp, duration].includes(flat.byte(kind))
  if (isTime && number(parts(0)) > units)
    throw worded(RangeError, sentence`a column has a unit of time that there is not`)
  const scale = flat.byte(kind) === decimal ? number(parts(1)) : 0
  if (scale > widestDecimal && scale < 65_536 - widestDecimal)
    throw worded(RangeError, sentence`a column has decimals of ${scale} digits`)
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
    if (flat.long(at) + flat.long(at + 8) > body) throw worded(RangeError, sentence`a buffer lies outside of its batch`)
  }
  if (batch(3) !== undefined) throw worded(RangeError, sentence`its batches are compressed; write it uncompressed`)
  let node = 0
  for (const count of nodes ?? []) {
    if (node >= list.count || flat.long(list.at + 16 * node) !== rows)
      throw worded(RangeError, sentence`columns differ in length`)
    node += count
  }
  if (nodes && node !== list.count) throw worded(RangeError, sentence`it has more columns than its schema`)
}

type Nodes = readonly number[] | undefined

const [schemas, dictionaries, batches] = [1, 2, 3]

/** The kind of a message, the bytes of its body, and the columns of the schema that it may hold. */
function checkMessage(bytes: Uint8Array, nodes: Nodes): { kind: number; body: number; nodes: Nodes } {
  const flat = new FlatBuffer(bytes)
  const message = flat.check(flat.follow(0), [{ field: 4, of: { list: () => pair } }])
  const kind = flat.byte(need(message(1), 'kind'))
  const shape = headers[kind]
  if (!shape) throw worded(RangeError, sentence`it has a message of kind ${kind}`)
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

/** The message that begins at a place, and where the next one does; undefined where the messages end. */
function messageAt(bytes: Uint8Array, at: number, to: number, nodes: Nodes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, to)
  const start = at + (at + 4 <= to && view.getInt32(at, true) === -1 ? 8 : 4)
  if (start > to) return undefined
  const length = view.getInt32(start - 4, true)
  if (length === 0) return undefined
  if (length < 0 || start + length > to) throw worded(RangeError, sentence`a message is longer than the rest`)
  const message = checkMessage(bytes.subarray(start, start + length), nodes)
  const next = start + length + message.body
  if (next > to) throw worded(RangeError, sentence`the body of a message is longer than the rest`)
  return { ...message, next }
}

function checkStream(bytes: Uint8Array): void {
  let nodes: Nodes
  for (let at = 0; at < bytes.length; ) {
    const message = messageAt(bytes, at, bytes.length, nodes)
    if (!message) return
    nodes = message.nodes
    at = message.next
  }
}

/** Where the blocks of a footer begin. */
function blocksAt(flat: FlatBuffer, place: number | undefined, kind: number): { at: number; kind: number }[] {
  if (place === undefined) return []
  const { at, count } = flat.list(place, 24)
  return Array.from({ length: count }, (_, i) => ({ at: flat.long(at + 24 * i), kind }))
}

/** Whether a batch stands behind the last one that a footer names, where nothing but a schema or the end may be. */
function hasMore(bytes: Uint8Array, from: number, to: number, nodes: Nodes): boolean {
  try {
    const message = messageAt(bytes, from, to, nodes)
    return message !== undefined && (message.kind !== schemas || hasMore(bytes, message.next, to, nodes))
  } catch {
    return false
  }
}

/** A file is read by its footer: what stands between its batches, such as a schema without its frame, is nobody's matter. */
function checkFile(bytes: Uint8Array): void {
  const end = bytes.length - 10
  const start = end - new DataView(bytes.buffer, bytes.byteOffset).getInt32(end, true)
  if (start < 8 || start > end) throw worded(RangeError, sentence`its footer is longer than the file`)
  const flat = new FlatBuffer(bytes.subarray(start, end))
  const footer = flat.check(flat.follow(0), footerShape)
  const schema = flat.table(flat.follow(need(footer(1), 'schema')))
  checkOrder(flat, schema)
  const nodes = nodesOf(flat, schema, 1)
  const blocks = [...blocksAt(flat, footer(2), dictionaries), ...blocksAt(flat, footer(3), batches)]
  const others = (): RangeError =>
    worded(RangeError, sentence`its footer names other batches than those that are there`)
  let free = 8
  for (const { at, kind } of blocks.sort((a, b) => a.at - b.at)) {
    const message = at < free ? undefined : messageAt(bytes, at, start, nodes)
    if (message?.kind !== kind) throw others()
    free = message.next
  }
  if (hasMore(bytes, free, start, nodes)) throw others()
}

/**
 * Looks at the shape of an Arrow IPC file or stream before Arrow reads it, which takes a length of billions at its word
 * and looks without end for a batch that is not where it should be.
 * @throws RangeError for offsets that lead out, columns of different length, buffers outside of their batch
 */
export function checkShape(bytes: Uint8Array, isFile: boolean): void {
  if (isFile) checkFile(bytes)
  else checkStream(bytes)
}
