/** One output in several forms; a front end takes the richest that it can show. */
export interface Bundle {
  readonly 'text/html': string
  readonly 'text/plain': string
}

type WriteDisplay = (message: { data: Bundle; metadata: object; transient: object }, update: boolean) => void

interface LoadedModule {
  readonly filename: string
  readonly exports: { readonly lastWriteDisplayData?: WriteDisplay | null }
}

interface KernelRequire {
  (id: 'tslab'): { readonly display: { html(markup: string): void } }
  readonly cache?: Readonly<Record<string, LoadedModule | undefined>>
}

/** The `require` of the running tslab kernel. An `import` of tslab would be another copy, which is not connected. */
function kernelRequire(): KernelRequire | undefined {
  return (globalThis as { __tslab__?: { require?: KernelRequire } }).__tslab__?.require
}

export function inKernel(): boolean {
  return kernelRequire() !== undefined
}

/** What tslab itself writes outputs with: the only way to send both forms. */
function writer({ cache }: KernelRequire): WriteDisplay | undefined {
  const own = Object.values(cache ?? {}).find((loaded) =>
    /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(loaded?.filename ?? ''),
  )
  return own?.exports.lastWriteDisplayData ?? undefined
}

/**
 * Puts an output at a place of the cell that runs; with `update`, in the stead of what is there.
 * @returns false where the kernel can not do that
 */
export function put(bundle: Bundle, place: string, update: boolean): boolean {
  const require = kernelRequire()
  const write = require && writer(require)
  write?.({ data: bundle, metadata: {}, transient: { display_id: place } }, update)
  return write !== undefined
}

/** Sends an output to the cell that runs; false when there is no tslab kernel. */
export function send(bundle: Bundle): boolean {
  const require = kernelRequire()
  if (!require) return false
  const write = writer(require)
  if (write) write({ data: bundle, metadata: {}, transient: {} }, false)
  else require('tslab').display.html(bundle['text/html'])
  return true
}
