/* Arrays of whatever the memory held, for who writes every cell: zeros first cost as much as the cells. */

export function freshFloats(length: number): Float64Array {
  return new Float64Array(Buffer.allocUnsafeSlow(length * 8).buffer)
}

export function freshInts(length: number): Int32Array {
  return new Int32Array(Buffer.allocUnsafeSlow(length * 4).buffer)
}
