/* Arrays for who writes every cell. Fresh ones hold whatever the memory held: zeros first cost as much as the cells. */

/** Below it zeros are cheaper than memory without them. */
const worthwhile = 16_384

let isKept = false

/**
 * Memory as it is. glibc hands every large array back to the system when it is freed, and takes a fault a page for the
 * next, which cost ten times what is written into them. The largest block that it does so with, once freed, makes it keep
 * smaller ones for the next; nobody touches the block, so it takes no memory.
 */
function freshBytes(size: number): ArrayBuffer {
  if (!isKept) Buffer.allocUnsafeSlow(2 ** 25 - 2 ** 16)
  isKept = true
  return Buffer.allocUnsafeSlow(size).buffer as ArrayBuffer
}

export function freshFloats(length: number): Float64Array {
  return length < worthwhile ? new Float64Array(length) : new Float64Array(freshBytes(length * 8))
}

/** Numbers made row by row, written into an array. `from` of typed arrays goes through an iterator, which takes ten times as long. */
export function fillArray<A extends Float64Array | Int32Array | Uint32Array | Int8Array | Uint8Array>(
  out: A,
  of: (row: number) => number,
): A {
  for (let row = 0; row < out.length; row++) out[row] = of(row)
  return out
}

/** The same of any cells. */
export function mapRows<T>(length: number, of: (row: number) => T): T[] {
  const out = new Array<T>(length)
  for (let row = 0; row < length; row++) out[row] = of(row)
  return out
}

export function freshInts(length: number): Int32Array {
  return length < worthwhile ? new Int32Array(length) : new Int32Array(freshBytes(length * 4))
}
