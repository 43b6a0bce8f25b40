import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import root from '#root'
import type { connect } from '../../../connect.js'
import { sentence } from '../../../contract/sentence.js'
import { say, showIn } from '../../../contract/shown-language.js'
import type { RequestLog } from '../../../data/source/requester.js'
import { environmentSource } from './environment-source.js'
import { FolderModules, typeFolderModules } from './folder-modules.js'
import type { CompilerSystem, Tslab } from './tslab.js'

type Library = { readonly connect: typeof connect }

/** Node's loader of CommonJS modules, which every `require` goes through. */
const loader = Module as unknown as {
  _load: (request: string, from?: { readonly filename?: string }, ...rest: readonly unknown[]) => unknown
}

/**
 * Prepares what cells import, before tslab makes its converter. Relative names are modules of the project that the notebook
 * belongs to. Notebooks of a folder import quotebook: the one that is installed there, or else this one. Without options `connect`
 * opens the source that the environment names, and what shows itself does so in the language of QUOTEBOOK_LANG.
 * @param protect does the loading of a module, which must not be ended midway
 */
export function prepareImports(
  folder: string,
  tslab: Tslab,
  env: NodeJS.ProcessEnv,
  protect: <T>(load: () => T) => T = (load) => load(),
): void {
  if (env['QUOTEBOOK_LANG']?.startsWith('zh')) showIn('zh')
  const installed = installedIn(folder)
  if (installed === undefined) lay(tslab.compiler.sys, `${folder.replaceAll('\\', '/')}/node_modules/quotebook`)
  typeFolderModules(tslab, folder)
  const modules = new FolderModules(tslab.compiler)
  const cells = join(folder, 'src.js')
  let wrapped: object | undefined
  const before = loader._load
  const load: typeof loader._load = (request, from, ...rest) => {
    const own = from?.filename === cells ? modules.load(request, folder) : undefined
    if (own) return own.exports
    if (request !== 'quotebook') return before.call(Module, request, from, ...rest)
    const place = installed ?? join(root, 'dist/cjs/index.js')
    wrapped ??= fromEnvironment(before.call(Module, place, from, ...rest) as Library, env)
    return wrapped
  }
  loader._load = (...given) => protect(() => load(...given))
}

function installedIn(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'cell.js')).resolve('quotebook')
  } catch {
    return undefined
  }
}

/** Says that a node does not answer, once until one answers: its requests are asked again, which takes a while. */
function silenceNotice(): (log: RequestLog) => void {
  let isSilent = false
  return ({ outcome, retryable, node, message = '' }) => {
    if (outcome === 'failed' && retryable && !isSilent)
      console.warn(say(sentence`${node} does not answer: ${message}; it is asked again`))
    isSilent = outcome === 'failed'
  }
}

function fromEnvironment(library: Library, env: NodeJS.ProcessEnv): object {
  const open: typeof connect = async (given) => {
    const options = given ?? environmentSource(env)
    const isService = typeof options === 'object' && options !== null && 'nodes' in options
    return library.connect(isService ? { onRequest: silenceNotice(), ...options } : options)
  }
  const own = { connect: { value: open, enumerable: true } }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(library), ...own })
}

/** Shows the compiler this package where the notebook would have it: it looks into folders called node_modules only. */
function lay(sys: CompilerSystem, place: string): void {
  const at = (path: string): string =>
    path === place || path.startsWith(`${place}/`) ? join(root, path.slice(place.length)) : path
  const { fileExists, directoryExists, readFile, realpath } = sys
  Object.assign(sys, {
    fileExists: (path: string) => fileExists.call(sys, at(path)),
    directoryExists: (path: string) => directoryExists.call(sys, at(path)),
    readFile: (path: string, encoding?: string) => readFile.call(sys, at(path), encoding),
    realpath: (path: string) => realpath.call(sys, at(path)),
  })
}

/**
 * Spares the compiler the comments of declarations, which nobody reads where cells are only run: to take those of Node apart
 * is most of its work. Its documentation begins a line; a text in a declaration does not.
 */
export function readWithoutComments(sys: CompilerSystem): void {
  const { readFile } = sys
  sys.readFile = (path, encoding) => {
    const text = readFile.call(sys, path, encoding)
    return path.endsWith('.d.ts') ? text?.replace(/^[ \t]*\/\*\*[\s\S]*?\*\//gm, '') : text
  }
}
