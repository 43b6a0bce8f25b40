/** Levels of structs and lists: a Parquet footer has eight. */
const deepest = 32
/** Values in a footer: a row group of a hundred columns has about 4,000. */
const mostValues = 4_000_000

interface Walker {
  readonly bytes: Uint8Array
  at: number
  values: number
}

function byte(walker: Walker): number {
  const value = walker.bytes[walker.at++]
  if (value === undefined) throw new RangeError('it ends too early')
  return value
}

function skip(walker: Walker, count: number): void {
  if (count > walker.bytes.length - walker.at) throw new RangeError('it ends too early')
  walker.at += count
}

/** A number of at most 64 bits, seven at a time. */
function skipNumber(walker: Walker): void {
  for (let length = 1; byte(walker) & 0x80; length++) if (length === 10) throw new RangeError('a number has no end')
}

/** A count: at most 31 bits. */
function count(walker: Walker): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const next = byte(walker)
    value += (next & 0x7f) * factor
    if (value > 0x7fffffff) throw new RangeError('a length is too large')
    if (next < 0x80) return value
    if (factor >= 128 ** 4) throw new RangeError('a number has no end')
  }
}

function list(walker: Walker, depth: number): void {
  const head = byte(walker)
  const type = head & 0x0f
  const size = head >> 4 === 15 ? count(walker) : head >> 4
  // An element takes a byte at least; who believes the size would make room for it first.
  if (size > walker.bytes.length - walker.at) throw new RangeError('a list is longer than the rest')
  for (let at = 0; at < size; at++) {
    if (type === 1 || type === 2) skip(walker, 1)
    else element(walker, type, depth)
  }
}

function element(walker: Walker, type: number, depth: number): void {
  if (++walker.values > mostValues) throw new RangeError('it has too many values')
  if (type === 1 || type === 2) return
  if (type === 3) skip(walker, 1)
  else if (type >= 4 && type <= 6) skipNumber(walker)
  else if (type === 7) skip(walker, 8)
  else if (type === 8) skip(walker, count(walker))
  else if (type === 9) list(walker, depth + 1)
  else if (type === 12) struct(walker, depth + 1)
  else throw new RangeError(`it has a value of type ${type}`)
}

function struct(walker: Walker, depth: number): void {
  if (depth > deepest) throw new RangeError('it is nested too deeply')
  for (;;) {
    const head = byte(walker)
    if ((head & 0x0f) === 0) return
    if (head >> 4 === 0) skipNumber(walker)
    element(walker, head & 0x0f, depth)
  }
}

/**
 * Walks one struct of Thrift's compact protocol, as which a Parquet footer is written, and holds every length that it
 * claims against the bytes that there are: a reader may then believe them.
 * @throws RangeError for anything else
 */
export function walkFooter(bytes: Uint8Array): void {
  const walker = { bytes, at: 0, values: 0 }
  struct(walker, 0)
  if (walker.at !== bytes.length) throw new RangeError(`${bytes.length - walker.at} bytes follow its end`)
}
