import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What is used of tslab 1.0.22, which declares no types. */
interface Converted {
  readonly output?: string
}

export interface Converter {
  convert(before: string, source: string): Converted
  close(): void
}

export interface Executor {
  execute(source: string): Promise<boolean>
  interrupt(): void
  close(): void
}

/** What tslab's executor prints its errors with. */
export interface ExecutorConsole {
  log(...values: readonly unknown[]): void
  error(...values: readonly unknown[]): void
}

interface DisplayContent {
  readonly data: Readonly<Record<string, string>>
  readonly transient?: { readonly display_id?: string }
}

export interface Tslab {
  readonly createConverter: (options: { readonly isJS: boolean; readonly isBrowser: boolean }) => Converter
  readonly createExecutor: (
    folder: string,
    converters: { readonly node: Converter; readonly browser: Converter; readonly close: () => void },
    console: ExecutorConsole,
  ) => Executor
  /** The display functions look into it. */
  readonly jupyter: { lastWriteDisplayData: (content: DisplayContent, update: boolean) => void }
  readonly startKernel: (options: { readonly configPath: string; readonly enableFindLocal: boolean }) => void
  readonly compiler: { readonly sys: CompilerSystem }
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
    get createExecutor() {
      return own('executor').createExecutor
    },
    get jupyter() {
      return load('./dist/jupyter.js')
    },
    get startKernel() {
      return own('main').startKernel
    },
    get compiler() {
      return load('@tslab/typescript-for-tslab')
    },
  }
}
