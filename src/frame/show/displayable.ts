import { inNotebook, type MimeBundle, sendOutput } from './notebook-output.js'
import { showInPlaceOfLine, writeTerminal } from './terminal.js'

/** What console.log asks for, and with it the last expression of a cell in tslab. */
export const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

/** What kernels that ask for several forms ask for: Deno's, and runners without a screen. */
const jupyterSymbol = Symbol.for('Jupyter.display')

/** How a value looks: in text at any width, in HTML, and in a word where it is part of something else. */
export interface Display {
  readonly text: () => string
  readonly html: () => string
  /** Further forms by MIME type, for front ends that know them. */
  readonly more?: () => Readonly<Record<string, object>>
  readonly word: () => string
}

/** All forms of a value. */
export function mimeBundle({ html, text, more }: Display): MimeBundle {
  return { 'text/html': html(), 'text/plain': text(), ...more?.() }
}

/** Puts a value into the output at once: into the cell of a notebook, or onto the terminal. */
export function displayNow(display: Display): void {
  if (!sendOutput(mimeBundle(display))) writeTerminal(`${display.text()}\n`)
}

/** Node hands over how deep it may still go, and with the options how deep it could at the start. */
function inspected(display: Display, depth: number | null, options: { readonly depth?: number | null }): string {
  const start = options.depth === undefined ? 2 : options.depth
  if (depth !== start) return display.word()
  const isBounded = typeof depth === 'number' && Number.isFinite(depth)
  if (!isBounded || !inNotebook()) return display.text()
  const bundle = mimeBundle(display)
  showInPlaceOfLine(() => sendOutput(bundle))
  return ''
}

/**
 * Makes objects of ours show themselves: as HTML when one is the last expression of a notebook's cell, as text in
 * console.log, as a word inside other values. tslab asks for what console.log asks for; the
 * other symbol is for kernels that ask for forms.
 * @param target an object of ours, or a prototype of a class of ours
 */
export function makeDisplayable<T extends object>(target: T, displayOf: (value: T) => Display): T {
  const hidden = (value: (this: T, ...rest: never[]) => unknown): PropertyDescriptor => ({
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  })
  return Object.defineProperties(target, {
    [inspectSymbol]: hidden(function (this: T, depth: number | null, options: { depth?: number | null } = {}) {
      return inspected(displayOf(this), depth, options)
    }),
    [jupyterSymbol]: hidden(function (this: T) {
      return mimeBundle(displayOf(this))
    }),
  })
}
