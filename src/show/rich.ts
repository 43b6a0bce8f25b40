import { inspect, jupyter } from './keep-rich.js'
import { type Bundle, inKernel, send } from './kernel.js'
import { showAtLine, write } from './terminal.js'

/** How a value looks: in text at any width, in HTML, and in a word where it is part of something else. */
export interface Look {
  readonly text: () => string
  readonly html: () => string
  readonly word: () => string
}

export function bundleOf(look: Look): Bundle {
  return { 'text/html': look.html(), 'text/plain': look.text() }
}

/** Puts a look into the output at once: into the cell of a notebook, or onto the terminal. */
export function displayNow(look: Look): void {
  if (!send(bundleOf(look))) write(`${look.text()}\n`)
}

/** Node hands over how deep it may still go, and with the options how deep it could at the start. */
function inspected(look: Look, depth: number | null, options: { readonly depth?: number | null }): string {
  const start = options.depth === undefined ? 2 : options.depth
  if (depth !== start) return look.word()
  const isBounded = typeof depth === 'number' && Number.isFinite(depth)
  if (!isBounded || !inKernel()) return look.text()
  const bundle = bundleOf(look)
  showAtLine(() => send(bundle))
  return ''
}

/**
 * Makes objects of ours show themselves: as HTML when one is the last expression of a notebook's cell, as text in
 * console.log, as a word inside other values. tslab has no hook of its own but console.log's; the other one is for
 * kernels that ask for forms.
 * @param target an object of ours, or a prototype of a class of ours
 */
export function makeRich<T extends object>(target: T, lookOf: (value: T) => Look): T {
  const hook = (value: (this: T, ...rest: never[]) => unknown): PropertyDescriptor => ({
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  })
  return Object.defineProperties(target, {
    [inspect]: hook(function (this: T, depth: number | null, options: { depth?: number | null } = {}) {
      return inspected(lookOf(this), depth, options)
    }),
    [jupyter]: hook(function (this: T) {
      return bundleOf(lookOf(this))
    }),
  })
}
