import type { Compiler, SyntaxNode } from './tslab.js'

/**
 * The compiled text of a cell, in which `alive` holds each value that is awaited: a cell that was interrupted goes no further
 * than its next await. Lines stay as they are.
 */
export function withLiveAwaits(compiler: Compiler, text: string): string {
  if (!text.includes('await')) return text
  const head = 'async () => {'
  const edits: { readonly at: number; readonly add: string }[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.kind === compiler.SyntaxKind.AwaitExpression && node.expression) {
      const { pos, end } = node.expression
      edits.push({ at: pos - head.length, add: ' __tslab__.alive(' }, { at: end - head.length, add: ')' })
    }
    compiler.forEachChild(node, visit)
  }
  const es2022 = 9
  visit(compiler.createSourceFile('cell.js', `${head}${text}\n}`, es2022))
  const parts: string[] = []
  let from = 0
  for (const { at, add } of edits.sort((a, b) => a.at - b.at)) {
    parts.push(text.slice(from, at), add)
    from = at
  }
  return parts.join('') + text.slice(from)
}
