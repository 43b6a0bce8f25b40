/**
 * The line of a cell that a line of its compiled form came from, from 1. tslab gives no source map: the compiled text is compared
 * with the cell's lines, without what compiling adds and takes away. Undefined when no line is like it.
 */
export function sourceLineOf(
  source: string,
  compiled: string | undefined,
  compiledLine: number,
): { readonly line: number; readonly text: string } | undefined {
  const wanted = pairsOf(compiled?.split('\n')[compiledLine - 1] ?? '')
  let best: { readonly alike: number; readonly line: number; readonly text: string } | undefined
  for (const [index, text] of source.split('\n').entries()) {
    const alike = likeness(wanted, pairsOf(text))
    if (alike > (best?.alike ?? 0.5)) best = { alike, line: index + 1, text }
  }
  return best && { line: best.line, text: best.text }
}

/** Pairs of neighbouring characters, of the words alone: `exports.a = (0, quotebook_1.b)(c)` reads as `a=b(c)`. */
function pairsOf(text: string): ReadonlySet<string> {
  const bare = text
    .replace(/\(0, ([\w.$]+)\)/g, '$1')
    .replace(/\b(exports|\w+_1)\./g, '')
    .replace(/\b(export|const|let|var)\b|[\s;"'`]/g, '')
  return new Set(Array.from({ length: Math.max(0, bare.length - 1) }, (_, i) => bare.slice(i, i + 2)))
}

/** Dice's coefficient: 1 for equal sets, 0 for sets with nothing in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((pair) => b.has(pair)).length
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size)
}
