import type { Compiler, SyntaxNode } from './tslab.js'

/** Names of values that a statement declares; none if it is a type. */
function valueNames(compiler: Compiler, statement: SyntaxNode): readonly string[] {
  const { VariableStatement, FunctionDeclaration, ClassDeclaration } = compiler.SyntaxKind
  if (statement.kind === VariableStatement)
    return (statement.declarationList?.declarations ?? []).flatMap(({ name }) => name?.text ?? [])
  const isNamed = statement.kind === FunctionDeclaration || statement.kind === ClassDeclaration
  return isNamed ? [statement.name?.text ?? ''] : []
}

/**
 * What stays declared after a cell that failed: what it had given a value, and what cells before it declared.
 * @param before declarations of the cells before
 * @param after those with the cell
 * @param isSet whether the cell gave a name its value
 */
export function keptDeclarations(
  compiler: Compiler,
  before: string,
  after: string,
  isSet: (name: string) => boolean,
): string {
  const es2022 = 9
  const kept = (text: string, wants: (values: readonly string[]) => boolean): string[] =>
    compiler
      .createSourceFile('cell.d.ts', text, es2022)
      .statements.filter((statement) => wants(valueNames(compiler, statement)))
      .map((statement) => text.slice(statement.pos, statement.end))
  const earlier = kept(before, (values) => values.length > 0 && !values.some(isSet))
  return [...kept(after, (values) => values.every(isSet)), ...earlier].join('\n')
}
