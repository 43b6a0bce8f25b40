import { escapeHtml } from './cell-text.js'

/** One output in several forms; a front end takes the richest that it can show. */
export interface MimeBundle {
  readonly 'text/html': string
  readonly 'text/plain': string
}

type WriteDisplay = (message: { data: MimeBundle; metadata: object; transient: object }, update: boolean) => void

interface LoadedModule {
  readonly filename: string
  readonly exports: { readonly lastWriteDisplayData?: WriteDisplay | null }
}

interface KernelRequire {
  (id: 'tslab'): { readonly display: { html(markup: string): void } }
  readonly cache?: Readonly<Record<string, LoadedModule | undefined>>
}

/** What a kernel puts beside the cells: tslab its `require`, Quotebook's the signal of the cell that runs, and whether a front end shows them. */
interface Kernel {
  readonly require?: KernelRequire
  readonly signal?: () => AbortSignal | undefined
  readonly hasFrontEnd?: boolean
}

const kernel = (): Kernel | undefined => (globalThis as { __tslab__?: Kernel }).__tslab__

/** The `require` of the running tslab kernel. An `import` of tslab would be another copy, which is not connected. */
const kernelRequire = (): KernelRequire | undefined => kernel()?.require

/** Aborts when the cell that runs is interrupted; undefined outside of a notebook. */
export const cellSignal = (): AbortSignal | undefined => kernel()?.signal?.()

/** Whether outputs are shown by a front end, whose theme need not be that of the screen. */
export const inFrontEnd = (): boolean => kernel()?.hasFrontEnd === true

export function inNotebook(): boolean {
  return kernelRequire() !== undefined
}

/** What tslab itself writes outputs with: the only way to send both forms. */
function writer({ cache }: KernelRequire): WriteDisplay | undefined {
  const own = Object.values(cache ?? {}).find((loaded) =>
    /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(loaded?.filename ?? ''),
  )
  return own?.exports.lastWriteDisplayData ?? undefined
}

/** Sends an output by what tslab itself writes with; false where the kernel has no such thing. */
function write(data: MimeBundle, transient: object, update: boolean): boolean {
  const require = kernelRequire()
  const send = require && writer(require)
  send?.({ data, metadata: {}, transient }, update)
  return send !== undefined
}

/** Sends an output to the cell that runs; false when there is no tslab kernel. */
export function sendOutput(bundle: MimeBundle): boolean {
  if (!write(bundle, {}, false)) kernelRequire()?.('tslab').display.html(bundle['text/html'])
  return inNotebook()
}

/** Puts an output into a place of its own, over the one before; false where there is no kernel that can do that. */
export type OutputPlace = (bundle: MimeBundle) => boolean

let places = 0

/** A place in the cell that runs when it is first used. */
export function outputPlace(): OutputPlace {
  const place = `quotebook-${++places}`
  let isUsed = false
  return (bundle) => {
    const isPlaced = write(bundle, { display_id: place }, isUsed)
    isUsed = true
    return isPlaced
  }
}

/** How much of a query of several requests is done. */
export interface ProgressStep {
  readonly done: number
  readonly of: number
  readonly rows: number
  readonly what: string
}

/** Updates of one display, at most: a front end has other things to do. */
const mostUpdates = 50

function progressBundle({ done, of, rows, what }: ProgressStep): MimeBundle {
  const text = `${what}: ${done} of ${of} requests, ${rows} rows`
  const meter = `<progress max="${of}" value="${done}"></progress>`
  return { 'text/html': `${meter} <span>${escapeHtml(text)}</span>`, 'text/plain': text }
}

/**
 * A display in a cell of a tslab notebook that shows how far a query of several requests is; undefined outside of one. A
 * query of one request shows nothing.
 */
export function notebookProgress(): ((step: ProgressStep) => void) | undefined {
  if (!inNotebook()) return undefined
  const place = outputPlace()
  let shown = -1
  return (step) => {
    const part = Math.floor((step.done * mostUpdates) / step.of)
    if (step.of < 2 || (part === shown && step.done < step.of)) return
    shown = part
    place(progressBundle(step))
  }
}
