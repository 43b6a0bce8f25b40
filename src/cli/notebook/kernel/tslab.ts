import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { DisplayData } from '../kernel-event.js'

/** What is used of tslab 1.0.22, which declares no types. */
export interface Converted {
  readonly output?: string
  readonly hasToplevelAwait?: boolean
  /** Export that has the value of the last expression. */
  readonly lastExpressionVar?: string
  /** What the cell and those before it declare, as declarations. */
  readonly declOutput?: string
}

interface Completions {
  readonly start: number
  readonly end: number
  readonly candidates: readonly string[]
}

/** `before` is what earlier cells declare. */
export interface Converter {
  convert(before: string, source: string): Converted
  inspect(before: string, source: string, position: number): unknown
  complete(before: string, source: string, position: number): Completions
  close(): void
}

export interface Executor {
  execute(source: string): Promise<boolean>
  inspect(source: string, position: number): unknown
  complete(source: string, position: number): Completions
  interrupt(): void
  close(): void
  /** Values that cells have declared, by name. */
  readonly locals: Readonly<Record<string, unknown>>
}

/** What tslab's executor prints its errors with. */
export interface ExecutorConsole {
  log(...values: readonly unknown[]): void
  error(...values: readonly unknown[]): void
}

export interface DisplayContent {
  readonly data: DisplayData
  readonly metadata?: object
  readonly transient?: { readonly display_id?: string }
}

/** A node of TypeScript's syntax tree. */
export interface SyntaxNode {
  readonly kind: number
  readonly pos: number
  readonly end: number
  readonly expression?: SyntaxNode
  readonly parent?: SyntaxNode
  readonly initializer?: SyntaxNode
  readonly name?: { readonly text?: string }
  readonly declarationList?: { readonly declarations: readonly SyntaxNode[] }
}

/** What the compiler finds. */
export interface Diagnostic {
  readonly code: number
  readonly file?: SyntaxNode
  readonly start?: number
  readonly length?: number
  readonly messageText: string | { readonly messageText: string }
}

/** A type that a place asks for: one of some, or a literal. */
export interface ContextualType {
  readonly types?: readonly ContextualType[]
  readonly value?: unknown
}

/** A program that was checked. */
export interface CompiledProgram {
  getTypeChecker(): { getContextualType(node: SyntaxNode): ContextualType | undefined }
}

/** What the compiler asks for modules. */
export interface CompilerHost {
  resolveModuleNames(names: readonly string[], from: string): readonly (ResolvedModule | undefined)[]
}

interface ResolvedModule {
  readonly resolvedFileName: string
  readonly extension: string
  readonly isExternalLibraryImport: boolean
}

/** The part of TypeScript's compiler that kernels use. */
export interface Compiler {
  readonly createWatchCompilerHost: (files: unknown, options: object, ...rest: readonly unknown[]) => object
  readonly resolveModuleName: (
    name: string,
    from: string,
    options: object,
    host: object,
    cache: object | undefined,
  ) => { readonly resolvedModule?: ResolvedModule }
  readonly createModuleResolutionCache: (folder: string, canonical: (name: string) => string, options: object) => object
  readonly getPreEmitDiagnosticsOfFiles: (program: CompiledProgram, files: unknown) => readonly Diagnostic[]
  readonly transpileModule: (text: string, how: object) => { readonly outputText: string }
  readonly sys: CompilerSystem
  readonly SyntaxKind: Readonly<
    Record<'AwaitExpression' | 'VariableStatement' | 'FunctionDeclaration' | 'ClassDeclaration', number>
  >
  createSourceFile(
    name: string,
    text: string,
    target: number,
  ): SyntaxNode & { readonly statements: readonly SyntaxNode[] }
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void
}

export interface Tslab {
  readonly createConverter: (options: { readonly isJS: boolean; readonly isBrowser: boolean }) => Converter
  readonly isCompleteCode: (code: string) => { readonly completed: boolean; readonly indent?: string }
  readonly printQuickInfo: (info: unknown) => string
  readonly createExecutor: (
    folder: string,
    converters: { readonly node: Converter; readonly browser: Converter; readonly close: () => void },
    console: ExecutorConsole,
  ) => Executor
  /** The display functions look into it. */
  readonly jupyter: { lastWriteDisplayData: (content: DisplayContent, update: boolean) => void }
  readonly compiler: Compiler
  /** Gives tslab another compiler, as far as `changed` says; before a converter is made. */
  readonly replaceCompiler: (changed: PropertyDescriptorMap) => void
  /** Path of a package that tslab needs. */
  readonly resolve: (name: string) => string
}

/** How tslab's compiler asks for files. */
export interface CompilerSystem {
  fileExists(path: string): boolean
  directoryExists(path: string): boolean
  readFile(path: string, encoding?: string): string | undefined
  realpath(path: string): string
}

/** tslab of a folder. What is heavy is loaded when it is read. */
export function tslabOf(folder: string): Tslab {
  const load = createRequire(join(folder, 'package.json'))
  const own = (name: string): Tslab => load(`./dist/${name}.js`)
  return {
    get createConverter() {
      return own('converter').createConverter
    },
    get isCompleteCode() {
      return own('converter').isCompleteCode
    },
    get printQuickInfo() {
      return own('inspect').printQuickInfo
    },
    get createExecutor() {
      return own('executor').createExecutor
    },
    get jupyter() {
      return load('./dist/jupyter.js')
    },
    get compiler() {
      return load('@tslab/typescript-for-tslab')
    },
    replaceCompiler(changed) {
      const path = load.resolve('@tslab/typescript-for-tslab')
      const [before, cached] = [load(path), load.cache[path]]
      const after = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(before), ...changed })
      if (cached) cached.exports = after
    },
    resolve: load.resolve,
  }
}
