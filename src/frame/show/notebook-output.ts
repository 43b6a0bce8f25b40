import { say } from '../../contract/shown-language.js'

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

/** What a kernel puts beside the cells: tslab its `require`, Quotebook's the signal of the cell that runs and, before a front end, its progress. */
interface Kernel {
  readonly require?: KernelRequire
  readonly signal?: () => AbortSignal | undefined
  readonly progress?: (step: ProgressStep) => void
}

const kernel = (): Kernel | undefined => (globalThis as { __tslab__?: Kernel }).__tslab__

/** The `require` of the running tslab kernel. An `import` of tslab would be another copy, which is not connected. */
const kernelRequire = (): KernelRequire | undefined => kernel()?.require

/** Aborts when the cell that runs is interrupted; undefined outside of a notebook. */
export const cellSignal = (): AbortSignal | undefined => kernel()?.signal?.()

/** Whether outputs are shown by a front end, whose theme need not be that of the screen. */
export const inFrontEnd = (): boolean => kernel()?.progress !== undefined

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

/** How far work is that takes long. */
export interface ProgressStep {
  readonly done: number
  readonly of: number
  readonly text: string
}

/** The cell in which work tells of itself whose parts do not. */
let whole: AbortSignal | undefined

/** Tells the cell that runs how far some work is; undefined where no front end shows it, and within work that tells of itself. */
export function cellProgress(): Kernel['progress'] {
  return whole !== undefined && whole === cellSignal() ? undefined : kernel()?.progress
}

/** The same for a query of several steps, and for what asks many. */
export function queryProgress():
  | ((at: Omit<ProgressStep, 'text'> & { rows: number; what: string }) => void)
  | undefined {
  const tell = cellProgress()
  return (
    tell &&
    (({ done, of, rows, what }) => {
      if (of > 1) tell({ done, of, text: say`${what}: ${done} of ${of}, ${rows} rows` })
    })
  )
}

/** Work that tells of itself; what it asks for does not. */
export async function toldAsWhole<T>(work: (tell: Kernel['progress']) => Promise<T>): Promise<T> {
  const tell = cellProgress()
  if (!tell) return work(undefined)
  whole = cellSignal()
  try {
    return await work(tell)
  } finally {
    whole = undefined
  }
}
