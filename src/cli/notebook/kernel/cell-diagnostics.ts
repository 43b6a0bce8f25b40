import { nearest } from '../../../contract/nearest.js'
import { say } from '../../../contract/shown-language.js'
import type { CompiledProgram, Compiler, ContextualType, Diagnostic, SyntaxNode } from './tslab.js'

/** With this option the compiler names a column in brackets that there is none of; what else it asks for is left out. */
export const columnOptions = { noImplicitAny: true }

const elementIsAny = 7053
/** An argument of another type than is asked for, and a value; the last where the compiler has found another. */
const wrongTypes = [2345, 2322, 2820]
/** That there is no such name, property or export; the last two where the compiler has found another. */
const unknownNames = [2304, 2305, 2339, 2551, 2552]

const textOf = ({ messageText: text }: Diagnostic): string => (typeof text === 'string' ? text : text.messageText)

/** Whether a diagnostic is told: of those of `noImplicitAny` only a name in brackets of a type that has names of its own. */
function isTold(diagnostic: Diagnostic): boolean {
  if (diagnostic.code < 7000 || diagnostic.code >= 8000) return true
  const isName = /expression of type '"/.test(textOf(diagnostic)) && !textOf(diagnostic).endsWith("type '{}'.")
  return diagnostic.code === elementIsAny && isName
}

/** The node that a diagnostic is about; of a property or a declaration its value. */
function nodeOf(compiler: Compiler, { file, start = 0, length = 0 }: Diagnostic): SyntaxNode | undefined {
  let found: SyntaxNode | undefined
  const visit = (node: SyntaxNode): void => {
    if (node.pos > start || node.end < start + length) return
    found = node
    compiler.forEachChild(node, visit)
  }
  if (file) visit(file)
  return found?.parent?.initializer ?? found
}

function wordsOf({ types, value }: ContextualType): readonly string[] {
  return types ? types.flatMap(wordsOf) : typeof value === 'string' ? [value] : []
}

/** What to say of a name where one of many is asked for: the compiler lists them all, and not the nearest. */
function nearestName(compiler: Compiler, program: CompiledProgram, diagnostic: Diagnostic): string | undefined {
  const [, word, rest] = /^(?:Argument of type|Type) '"(.*?)"' is not(.*)/.exec(textOf(diagnostic)) ?? []
  if (word === undefined || !wrongTypes.includes(diagnostic.code)) return undefined
  const node = nodeOf(compiler, diagnostic)
  const type = node && program.getTypeChecker().getContextualType(node)
  const named = [...(rest ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  // In an order `-close` is another name than `close`.
  const names = [...(type ? wordsOf(type) : []), ...named].filter((name) => (name[0] === '-') === (word[0] === '-'))
  const near = nearest(word, names)
  return near === undefined ? undefined : say`there is no '${word}' here; did you mean '${near}'?`
}

/** What is told of a diagnostic. */
function toldText(compiler: Compiler, program: CompiledProgram, diagnostic: Diagnostic): string {
  const text = textOf(diagnostic)
  const near = nearestName(compiler, program, diagnostic)
  if (near !== undefined) return near
  if (!unknownNames.includes(diagnostic.code) || !/ '(head|tail)'/.test(text)) return text
  return `${text} ${say('Write table.slice(0, 5) or table.slice(-5), of a DataFrame frame.head(5) or frame.tail(5).')}`
}

/** What the compiler finds in cells, as far as it is told. */
export function cellDiagnostics(compiler: Compiler): Compiler['getPreEmitDiagnosticsOfFiles'] {
  const all = compiler.getPreEmitDiagnosticsOfFiles
  return (program, files) =>
    all(program, files)
      .filter(isTold)
      .map((one) => {
        const text = toldText(compiler, program, one)
        return text === textOf(one) ? one : { ...one, messageText: text }
      })
}
