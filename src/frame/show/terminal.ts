/* The only file outside the cli that knows the terminal: what a cell of a notebook prints goes through it. */

/** Cells of a line of the terminal, 80 of one that does not know them; undefined where the output is none. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined
}

/** Whether the terminal shows colours: the output is one, and neither NO_COLOR nor TERM=dumb is set. */
export function hasColours(): boolean {
  const { NO_COLOR, TERM } = process.env
  return process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

export function writeTerminal(text: string): void {
  process.stdout.write(text)
}

/**
 * Shows in the place of the one line that console.log writes in this same turn: instead of its bare line end after an
 * inspection that came out empty, after the line where other values stand in it, at the end of the turn where none comes.
 */
export function showInPlaceOfLine(show: () => void): void {
  const out = process.stdout
  const { write: before } = out
  const isOwn = Object.hasOwn(out, 'write')
  let isShown = false
  const finish = (): void => {
    if (isShown) return
    isShown = true
    show()
  }
  const restore = (): void => {
    if (out.write !== caught) return
    if (isOwn) out.write = before
    else Reflect.deleteProperty(out, 'write')
  }
  const caught = ((...parts: Parameters<typeof before>): boolean => {
    restore()
    const written = String(parts[0]) === '\n' || before.apply(out, parts)
    finish()
    return written
  }) as typeof before
  out.write = caught
  queueMicrotask(() => {
    restore()
    finish()
  })
}
