import type { Compiler, Diagnostic } from './tslab.js'

/** With this option the compiler names a column in brackets that there is none of; what else it asks for is left out. */
export const columnOptions = { noImplicitAny: true }

const elementIsAny = 7053

const textOf = ({ messageText: text }: Diagnostic): string => (typeof text === 'string' ? text : text.messageText)

/** Whether a diagnostic is told: of those of `noImplicitAny` only a name in brackets of a type that has names of its own. */
function isTold(diagnostic: Diagnostic): boolean {
  if (diagnostic.code < 7000 || diagnostic.code >= 8000) return true
  const isName = /expression of type '"/.test(textOf(diagnostic)) && !textOf(diagnostic).endsWith("type '{}'.")
  return diagnostic.code === elementIsAny && isName
}

/** What the compiler finds in cells, as far as it is told. */
export function cellDiagnostics(compiler: Compiler): Compiler['getPreEmitDiagnosticsOfFiles'] {
  const all = compiler.getPreEmitDiagnosticsOfFiles
  return (program, files) => all(program, files).filter(isTold)
}
