import { existsSync, readFileSync, statSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cellDiagnostics, columnOptions } from './cell-diagnostics.js'
import type { Compiler, CompilerHost, Tslab } from './tslab.js'

/** A program of TypeScript as tslab gets it. */
interface Builder {
  getAllDependencies(file: unknown): readonly string[]
}

const isRelative = (name: string): boolean => /^\.{1,2}\//.test(name)

/** A module of a user that a relative name stands for, with or without its ending; as in TypeScript, `x.js` may be that of `x.ts`. */
function fileOf(name: string, folder: string): string | undefined {
  const path = resolve(folder, name)
  const endings = ['', '.ts', '.mts', '.mjs', '.js', '/index.ts', '/index.js']
  const typed = `${path.slice(0, -2)}ts`
  const candidates = [...endings.map((ending) => path + ending), ...(path.endsWith('js') ? [typed] : [])]
  return candidates.find((file) => /\.m?[jt]s$/.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile())
}

/**
 * Lets cells import modules beside the notebook and in other folders of the project, as files of their own package:
 * tslab's compiler takes none from outside the folder of the notebook, and none with the ending `.ts`.
 */
export function typeFolderModules(tslab: Tslab, folder: string): void {
  const { compiler } = tslab
  const cell = join(folder, '__tslab__.ts')
  const project = new Set([cell])
  const create = compiler.createWatchCompilerHost
  const withModules: Compiler['createWatchCompilerHost'] = (files, options, ...rest) => {
    const own = { ...options, ...columnOptions, maxNodeModuleJsDepth: 1 }
    const host = create(files, own, ...rest)
    const cache = compiler.createModuleResolutionCache(process.cwd(), (name) => name, own)
    const resolveModuleNames: CompilerHost['resolveModuleNames'] = (names, from) =>
      names.map((name) => {
        const isOurs = project.has(from)
        const file = isRelative(name) && isOurs ? fileOf(name, dirname(from)) : undefined
        if (file === undefined)
          return compiler.resolveModuleName(name, from, own, host, isOurs ? undefined : cache).resolvedModule
        project.add(file)
        const extension = /\.m?[jt]s$/.exec(file)?.[0] ?? '.ts'
        return { resolvedFileName: file, extension, isExternalLibraryImport: true }
      })
    // tslab emits what a cell depends on; modules of the project are compiled when they are loaded.
    let made: (builder: Builder) => void = () => undefined
    const withoutProject = (builder: Builder): void => {
      const all = builder.getAllDependencies.bind(builder)
      builder.getAllDependencies = (file) => all(file).filter((path) => path === cell || !project.has(path))
      made(builder)
    }
    Object.defineProperty(host, 'afterProgramCreate', {
      configurable: true,
      enumerable: true,
      get: () => withoutProject,
      set: (own: typeof made) => {
        made = own
      },
    })
    // Of a file that changes, names are looked up anyhow.
    return Object.assign(host, { resolveModuleNames, hasInvalidatedResolutions: () => false })
  }
  const told = cellDiagnostics(compiler)
  tslab.replaceCompiler({
    createWatchCompilerHost: { value: withModules, enumerable: true },
    getPreEmitDiagnosticsOfFiles: { value: told, enumerable: true },
  })
}

interface Loaded {
  readonly modified: number
  readonly exports: unknown
  /** Modules that it loads. */
  readonly needs: Set<string>
}

/** Modules of a project, compiled for `require` and loaded again once they, or what they load, were edited. */
export class FolderModules {
  readonly #compiler: Compiler
  readonly #loaded = new Map<string, Loaded>()

  constructor(compiler: Compiler) {
    this.#compiler = compiler
  }

  /** The module of a relative name, for a file or a folder of cells; undefined if it is no module of a project. */
  load(name: string, folder: string): { readonly exports: unknown } | undefined {
    if (!isRelative(name) || folder.includes('/node_modules/')) return undefined
    const file = fileOf(name, folder)
    return file === undefined ? undefined : this.#fresh(file)
  }

  #isFresh(file: string, seen = new Set<string>()): boolean {
    if (seen.has(file)) return true
    seen.add(file)
    const known = this.#loaded.get(file)
    const isSame = known !== undefined && existsSync(file) && statSync(file).mtimeMs === known.modified
    return isSame && [...known.needs].every((need) => this.#isFresh(need, seen))
  }

  #fresh(file: string): Loaded {
    const known = this.#loaded.get(file)
    if (known && this.#isFresh(file)) return known
    const module = new Module(file)
    const loaded: Loaded = { modified: statSync(file).mtimeMs, exports: module.exports, needs: new Set() }
    this.#loaded.set(file, loaded)
    try {
      this.#run(file, module, loaded.needs)
    } catch (error) {
      this.#loaded.delete(file)
      throw error
    }
    const done = { ...loaded, exports: module.exports }
    this.#loaded.set(file, done)
    return done
  }

  #run(file: string, module: Module, needs: Set<string>): void {
    const require = createRequire(file)
    const { outputText } = this.#compiler.transpileModule(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions: { module: 1, target: 9, esModuleInterop: true, inlineSourceMap: false },
    })
    const text = outputText.replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(file).href))
    const load = (name: string): unknown => {
      const other = isRelative(name) ? fileOf(name, dirname(file)) : undefined
      if (other === undefined) return require(name)
      needs.add(other)
      return this.#fresh(other).exports
    }
    const own = Object.assign(module, { filename: file, paths: [join(dirname(file), 'node_modules')], require: load })
    ;(own as unknown as { _compile: (text: string, file: string) => void })._compile(text, file)
  }
}
