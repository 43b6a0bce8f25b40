import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import importModule from '#import-module'
import root from '#root'
import { messageOf, misuse, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { described } from '../../frame/table/shape.js'
import { sha256Text } from './run-hash.js'
import type { Strategy } from './strategy.js'
import type { TrialParams } from './sweep-grid.js'

/** The module with the function that makes a strategy from parameters: functions cannot be sent to threads. */
export interface StrategyModule {
  /** A module of JavaScript, or of TypeScript, whose types are stripped: a path, or a URL such as `new URL('./double-low.mjs', import.meta.url)`. */
  readonly module: string | URL
  /** Name of its export (default: `make`). */
  readonly name?: string
  /** What its default export makes the panel with, as `quotebook backtest` and workers of a queue call it; the strategies need not read it. */
  readonly params?: TrialParams
  /** Days of the run, for the same. */
  readonly days?: { readonly from?: string | undefined; readonly to?: string | undefined }
}

/** A URL, or that of a path. */
export function moduleUrl(module: string | URL): string {
  if (module instanceof URL) return module.href
  return /^[a-z]{2,}:/i.test(module) ? module : pathToFileURL(module).href
}

const importedPath = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g

/** A module and the files that it imports by relative paths, with the sha256 of their texts; what can't be read is left out. */
function filesOf(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return found
  }
  found.set(path, sha256Text(text))
  for (const [, , other = ''] of text.matchAll(importedPath)) filesOf(resolve(dirname(path), other), found)
  return found
}

/** sha256 of a module's text; where it imports others by relative paths, that of a list of all, as `sha256sum` writes it. */
export function moduleHash(path: string): string {
  const files = [...filesOf(path)]
  const lines = files.map(([file, hash]) => `${hash}  ${relative(dirname(path), file)}\n`)
  return files.length === 1 ? (files[0]?.[1] as string) : sha256Text(lines.sort().join(''))
}

/** File and line with which Node, and the stripper of types, begin the stack of a syntax error. */
const placeBefore = /^(?:file:\/\/)?([/[].*):(\d+)\n/
const placeInStack = /(?:file:\/\/)?(\/[^()\n]*):(\d+):\d+\)?$/gm

/** Line of the syntax error of a module, which Node tells only to whom it ends; undefined where it has none. */
async function brokenLine(file: string): Promise<string | undefined> {
  const { load } = await importModule(pathToFileURL(join(root, 'dist/lib/strip-types.cjs')).href)
  const strip = load as (url: string, context: object, next: () => object) => { readonly source?: string }
  const input = strip(pathToFileURL(file).href, {}, () => ({})).source ?? readFileSync(file, 'utf8')
  const { stderr } = spawnSync(execPath, ['--input-type=module', '--check'], { input, encoding: 'utf8' })
  return placeBefore.exec(stderr)?.[2]
}

/** What a module fails with when it is loaded, with file and line: of a syntax error, or of its own code that threw. */
export async function loadFault(error: unknown, path: string): Promise<Words> {
  const stack = String((error as Partial<Error> | null)?.stack)
  const files = [...filesOf(path).keys()]
  const isOwn = ([, file = '']: RegExpExecArray): boolean => files.includes(decodeURI(file))
  let [, file, line] = placeBefore.exec(stack) ?? [...stack.matchAll(placeInStack)].find(isOwn) ?? []
  if (line === undefined && error instanceof SyntaxError)
    for (const one of files) if (line === undefined) [file, line] = [one, await brokenLine(one)]
  if (file === undefined || line === undefined) return messageOf(error)
  return sentence`${messageOf(error)} (${`${relative(dirname(path), decodeURI(file))}:${line}`})`
}

/** Files whose code this thread has, as they were when it came. */
const loaded = new Map<string, string>()

/** @throws QuotebookError FILE where the module on disk, or what this thread has of it, is another than that of the hash */
function holdAgainst(path: string, sha256: string): void {
  const files = filesOf(path)
  const isOther = moduleHash(path) !== sha256 || [...files].some(([file, hash]) => (loaded.get(file) ?? hash) !== hash)
  if (isOther) throw new QuotebookError('FILE', sentence`sweep: ${path} has changed since it was loaded; start again`)
  for (const [file, hash] of files) loaded.set(file, hash)
}

/**
 * @param sha256 `moduleHash` that the module must have
 * @throws QuotebookError USAGE for a module that can not be loaded, or has no such function; FILE for one of another hash
 */
export async function importMake(
  url: string,
  name: string,
  sha256?: string,
): Promise<(params: TrialParams) => Strategy> {
  // Before and after: the text that was hashed is the one that was loaded.
  const hold = (): void => void (sha256 !== undefined && holdAgainst(fileURLToPath(url), sha256))
  hold()
  const module = await importModule(url).catch(async (cause: unknown) => {
    const why = url.startsWith('file:') ? await loadFault(cause, fileURLToPath(url)) : messageOf(cause)
    throw new QuotebookError('USAGE', sentence`sweep: ${url} can not be loaded: ${why}`, { cause })
  })
  hold()
  const whole = module['default'] as Readonly<Record<string, unknown>> | undefined
  const make = module[name] ?? (typeof whole === 'object' ? whole?.[name] : undefined)
  if (typeof make === 'function') return make as (params: TrialParams) => Strategy
  throw misuse(sentence`sweep: ${url} exports no function '${name}', but ${described(make)}`)
}
