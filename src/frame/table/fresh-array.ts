/* Arrays of whatever the memory held, for who writes every cell: zeros first cost as much as the cells. */

/** Below it zeros are cheaper than memory without them. */
const worthwhile = 4096

export function freshFloats(length: number): Float64Array {
  return length < worthwhile ? new Float64Array(length) : new Float64Array(Buffer.allocUnsafeSlow(length * 8).buffer)
}

export function freshInts(length: number): Int32Array {
  return length < worthwhile ? new Int32Array(length) : new Int32Array(Buffer.allocUnsafeSlow(length * 4).buffer)
}
