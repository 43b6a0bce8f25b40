import { createRequire } from 'node:module'
import { join } from 'node:path'
import { messageOf } from '../../../contract/error.js'
import { listOf, sent, sentence, type Words } from '../../../contract/sentence.js'
import { say } from '../../../contract/shown-language.js'
import { escapeHtml } from '../../../frame/show/cell-text.js'
import type { ProgressStep } from '../../../frame/show/notebook-output.js'
import type { CellFailure, CellPlace } from '../kernel-event.js'
import { CellContext } from './cell-context.js'
import { keptDeclarations } from './kept-declarations.js'
import { withLiveAwaits } from './live-awaits.js'
import { sourceLineOf } from './source-line.js'
import type { Converted, Converter, Executor, ExecutorConsole, Tslab } from './tslab.js'

/** What went wrong, and where. */
export type PlacedFailure = Omit<CellFailure, 'expected'>

/** Who is told of cells. */
export interface CellHost {
  failed(failure: PlacedFailure): void
  /** A further diagnostic of the place of the last failure. */
  more(cell: number, message: string): void
  /** Work that must not be ended midway, such as a compilation. */
  protect?<T>(work: () => T): T
  /** How far work of the cell is, for a front end that shows it. */
  readonly progress?: (step: ProgressStep) => void
}

type Described = Omit<PlacedFailure, 'cell' | 'kind' | 'message'> & { readonly message: Words }

interface RunCell {
  readonly source: string
  output?: string
  /** Aborts what the cell started. */
  readonly abort: AbortController
}

/** Stacks of this many calls hold the line of the cell, however deep it called. */
const deepStacks = 100

/** What to write for a command of another kernel, by which a cell begins. */
function foreignCommand(source: string): Words | undefined {
  const [, word] = /^\s*(%%?\w+|!)/.exec(source) ?? []
  if (word === '!')
    return sentence`cells run no shell commands; write: import { execSync } from 'child_process'; execSync('ls').toString()`
  if (word === undefined) return undefined
  return sentence`${word} is a command of IPython; to time a cell write console.time('cell') above it and console.timeEnd('cell') below`
}

/** A frame follows the theme of the notebook around it, by which its page is asked for light or dark; JupyterLab and VS Code name theirs. */
const frameStyle = [
  '.quotebook-instead{display:none}',
  '.quotebook-page{width:100%;height:80vh;border:0;color-scheme:light}',
  '[data-jp-theme-light=false] .quotebook-page,.vscode-dark .quotebook-page{color-scheme:dark}',
].join('')

type ShownData = Readonly<Record<string, string>>

/**
 * How a value at the end of a cell is shown that does not show itself: a whole page in a frame, rows and columns as the library shows
 * them. A notebook that is not trusted drops frames and styles, and with them what hides the line above the frame.
 */
function shownData(value: unknown): ShownData | undefined {
  const show: unknown = Reflect.get(globalThis, Symbol.for('quotebook.show'))
  if (typeof value !== 'string') return typeof show === 'function' ? (show(value) as ShownData | undefined) : undefined
  if (!/^<!doctype html>/i.test(value)) return undefined
  const instead = say('To see the page that belongs here, trust the notebook or run the cell again.')
  const frame = `<iframe class="quotebook-page" sandbox="allow-scripts allow-popups" srcdoc="${escapeHtml(value)}"></iframe>`
  return {
    'text/html': `<style>${frameStyle}</style><p class="quotebook-instead">${escapeHtml(instead)}</p>${frame}`,
    'text/plain': `(a page of ${value.length} characters)`,
  }
}

/** Two turns of the event loop: rejections are reported when the microtasks are done. */
async function turns(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Runs the cells of a notebook by tslab's converter and executor, one at a time, and places what goes wrong in them: for
 * `notebook run` and for Jupyter alike. Cells go by the numbers that they are run with.
 */
export class CellRunner {
  readonly #tslab: Tslab
  readonly #host: CellHost
  readonly #executor: Executor
  readonly #folder: string
  readonly #plain: Converter
  readonly #context = new CellContext(
    (cell) => this.isEnded(cell),
    (cell, error) => this.#fail(cell, 'uncaught error', this.#described(error)),
  )
  readonly #cells = new Map<number, RunCell>()
  #running = 0
  #declared = ''
  #diagnosed: string | undefined
  #stop: (() => void) | undefined

  constructor(tslab: Tslab, folder: string, host: CellHost) {
    this.#folder = folder
    this.#tslab = tslab
    this.#host = host
    Error.stackTraceLimit = deepStacks
    const converter = tslab.createConverter({ isJS: false, isBrowser: false })
    this.#plain = converter
    const own = this.#converter(converter)
    this.#executor = tslab.createExecutor(
      folder,
      { node: own, browser: own, close: () => converter.close() },
      this.#console(),
    )
    Object.assign((globalThis as unknown as { __tslab__: object }).__tslab__, {
      alive: (value: unknown) => this.#alive(value),
      signal: () => this.#cells.get(this.here)?.abort.signal,
      progress: host.progress,
    })
    process.on('unhandledRejection', (reason, promise) => {
      const cell = this.#context.cellOf(promise) ?? this.#running
      this.#fail(cell, 'unhandled rejection', this.#described(reason))
    })
    process.on('uncaughtException', (error) => {
      this.#fail(this.here, 'uncaught error', this.#described(error))
    })
  }

  /** The cell whose code runs, also after its end. */
  get here(): number {
    return this.#context.here ?? this.#running
  }

  /** Reads types and code of the library, which the first cell will import, unless a cell runs already. */
  warmUp(): void {
    if (this.#running > 0) return
    this.#protect(() => this.#plain.convert('', "import 'quotebook'"))
    createRequire(join(this.#folder, 'src.js'))('quotebook')
  }

  /** Whether a cell was interrupted: nothing more is heard of it. */
  isEnded(cell: number): boolean {
    return this.#cells.get(cell)?.abort.signal.aborted === true
  }

  /** Runs a cell until it ends, fails or is interrupted. */
  async execute(cell: number, source: string): Promise<void> {
    this.#running = cell
    const declared = this.#declared
    const run: RunCell = { source, abort: new AbortController() }
    this.#cells.set(cell, run)
    if (source.trim() === '') return
    const foreign = foreignCommand(source)
    const text = source.split('\n')[0] ?? ''
    if (foreign) return this.#fail(cell, 'error', { message: foreign, at: { cell, line: 1, text } })
    const values = { ...this.#executor.locals }
    const stopped = new Promise<boolean>((resolve) => {
      this.#stop = () => resolve(false)
    })
    // As a microtask of its own: if it is terminated, no frame of ours ends with it, and Node's stack of async contexts is empty.
    const done = Promise.resolve()
      .then(() => this.#context.run(cell, () => this.#executor.execute(source)))
      .catch((error: unknown) => {
        this.#fail(cell, 'error', this.#described(error))
        return false
      })
    const isDone = await Promise.race([done, stopped])
    this.#stop = undefined
    await turns()
    if (isDone || this.#declared === declared) return
    const now = this.#executor.locals
    const isSet = (name: string): boolean => Object.hasOwn(now, name) && now[name] !== values[name]
    this.#declared = keptDeclarations(this.#tslab.compiler, declared, this.#declared, isSet)
  }

  /** Ends the cell that runs, and aborts what it started. */
  interrupt(): void {
    this.#context.leave()
    const cell = this.#running
    const stop = this.#stop
    if (stop === undefined || this.isEnded(cell)) return
    this.#fail(cell, 'interrupted', { message: sentence`the cell was interrupted` })
    this.#cells.get(cell)?.abort.abort()
    this.#executor.interrupt()
    stop()
  }

  inspect(source: string, position: number): unknown {
    return this.#executor.inspect(source, position)
  }

  complete(source: string, position: number): ReturnType<Executor['complete']> {
    return this.#executor.complete(source, position)
  }

  close(): void {
    this.#executor.close()
  }

  /** A value that a cell awaits; it never comes to one that was interrupted. Async, so that stacks go on through it. */
  async #alive(value: unknown): Promise<unknown> {
    const cell = this.here
    try {
      return await value
    } finally {
      if (this.isEnded(cell)) await new Promise(() => undefined)
    }
  }

  #protect<T>(work: () => T): T {
    return this.#host.protect ? this.#host.protect(work) : work()
  }

  /** tslab takes an await in parentheses for a call, unless another await stands before it. */
  #converted(converter: Converter, source: string): Converted {
    const result = converter.convert(this.#declared, source)
    if (result.hasToplevelAwait || !/\bawait\s*\(/.test(source)) return result
    return converter.convert(this.#declared, `await null; ${source}`)
  }

  /** tslab's converter, which names what it compiles after its cell, and keeps what a cell that failed had declared. */
  #converter(converter: Converter): Converter {
    return {
      close: converter.close,
      convert: (_, source) => {
        const result = this.#protect(() => this.#converted(converter, source))
        if (result.declOutput !== undefined) this.#declared = result.declOutput
        const cell = this.#cells.get(this.#running)
        if (cell) cell.output = result.output ?? ''
        if (!result.output) return result
        const { lastExpressionVar: last, hasToplevelAwait } = result
        const awaited = last === undefined ? '' : `\nexports.${last} = await exports.${last}`
        const output = withLiveAwaits(this.#tslab.compiler, result.output + awaited)
        return {
          ...result,
          hasToplevelAwait: hasToplevelAwait || last !== undefined,
          output: `${output}\n//# sourceURL=cell-${this.#running}.ts`,
        }
      },
      inspect: (_, source, position) => this.#protect(() => converter.inspect(this.#declared, source, position)),
      complete: (_, source, position) => this.#protect(() => converter.complete(this.#declared, source, position)),
    }
  }

  /** Diagnostics come as `%s%d:%d - %s` with file, line, column and message; an error that was thrown comes as itself. */
  #console(): ExecutorConsole {
    return {
      log: (value) => {
        const data = shownData(value)
        if (data === undefined) console.log(value)
        else this.#tslab.jupyter.lastWriteDisplayData({ data, metadata: {}, transient: {} }, false)
      },
      error: (first, ...rest) => {
        const cell = this.#running
        if (first !== '%s%d:%d - %s') return this.#fail(cell, 'error', this.#described(first))
        const [file, line, column, message] = rest as [string, number, number, string]
        const place = `${cell}:${file}:${line}:${column}`
        if (place === this.#diagnosed) return this.#host.more(cell, message)
        this.#diagnosed = place
        const text = this.#cells.get(cell)?.source.split('\n')[line - 1] ?? ''
        const at = file ? undefined : { cell, line, text }
        this.#fail(cell, 'type error', { message: `${file}${message}`, at })
      },
    }
  }

  #fail(cell: number, kind: CellFailure['kind'], described: Described): void {
    if (this.isEnded(cell)) return
    this.#host.failed({ cell, kind, ...described, message: sent(described.message) })
  }

  /** Where in the cells an error came from. */
  #placeOf(stack = ''): CellPlace | undefined {
    const [, number, line] = /\bcell-(\d+)\.ts:(\d+)/.exec(stack) ?? []
    if (number === undefined) return undefined
    const cell = Number(number)
    const run = this.#cells.get(cell)
    const at = sourceLineOf(run?.source ?? '', run?.output, Number(line))
    return at && { cell, ...at }
  }

  /** Name and code of a thrown value, its message with its causes, and its place. */
  #described(error: unknown): Described {
    if (!(error instanceof Error)) {
      return { name: 'thrown value', message: String((error as { message?: unknown } | null)?.message ?? error) }
    }
    const causes: Words[] = []
    for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
      if (!error.message.includes(cause.message)) causes.push(messageOf(cause))
    }
    const { code } = error as NodeJS.ErrnoException
    return {
      name: typeof code === 'string' ? `${error.name} [${code}]` : error.name,
      message: listOf([messageOf(error), ...causes]),
      at: this.#placeOf(error.stack),
    }
  }
}
