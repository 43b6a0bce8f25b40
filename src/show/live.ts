import { escaped } from './escaped.js'
import { type Bundle, inKernel, put } from './kernel.js'

/** How far long work is. */
export interface Step {
  readonly done: number
  readonly of: number
  readonly rows: number
  readonly what: string
}

/** Updates of one display, at most: a front end has other things to do. */
const steps = 50

let places = 0

function bundleOf({ done, of, rows, what }: Step): Bundle {
  const text = `${what}: ${done} of ${of} requests, ${rows} rows`
  const meter = `<progress max="${of}" value="${done}"></progress>`
  return { 'text/html': `${meter} <span>${escaped(text)}</span>`, 'text/plain': text }
}

/**
 * A display in a cell of a tslab notebook that shows how far a query of several requests is; undefined outside of one. A
 * query of one request shows nothing.
 */
export function liveProgress(): ((step: Step) => void) | undefined {
  if (!inKernel()) return undefined
  const place = `quotebook-${++places}`
  let shown = -1
  return (step) => {
    const part = Math.floor((step.done * steps) / step.of)
    if (step.of < 2 || (part === shown && step.done < step.of)) return
    const isUpdate = shown >= 0
    shown = part
    put(bundleOf(step), place, isUpdate)
  }
}
