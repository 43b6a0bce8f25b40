/** Bytes of a file, both ends included. */
export interface Range {
  readonly start: number
  readonly end: number
}

const header = /^bytes\s*=(.*)$/i
const spec = /^\s*(?:(\d+)\s*-\s*(\d*)|-\s*(\d+))\s*$/
const most = 32

/** Ranges that touch or overlap become one, in ascending order. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (!last || range.start > last.end + 1) all.push(range)
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
  }
  return all
}

/**
 * The one range that a Range header asks for of so many bytes (RFC 9110, section 14.2); ranges that touch count as one.
 * Undefined when the whole file is to be sent: other units, bad syntax, ranges apart from each other.
 */
export function rangeOf(text: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const specs = header.exec(text ?? '')?.[1]?.split(',')
  if (!specs || specs.length > most) return undefined
  const ranges: Range[] = []
  for (const part of specs) {
    const match = spec.exec(part)
    if (!match) return undefined
    const [, first, last, suffix] = match
    if (first !== undefined && last && Number(last) < Number(first)) return undefined
    const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first)
    const end = first === undefined || !last ? size - 1 : Math.min(Number(last), size - 1)
    if (start <= end) ranges.push({ start, end })
  }
  if (ranges.length === 0) return 'unsatisfiable'
  const [only, ...more] = joined(ranges)
  return more.length === 0 ? only : undefined
}
