/* The only file outside the cli that knows the terminal: what a cell of a notebook prints goes through it. */

/** Cells of a line of the terminal; undefined where the output is none. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined
}

export function write(text: string): void {
  process.stdout.write(text)
}

/** Swallows the one line end that console.log writes, in this same turn, after an inspection that came out empty. */
export function swallowLineEnd(): void {
  const out = process.stdout
  const { write: before } = out
  const isOwn = Object.hasOwn(out, 'write')
  const restore = (): void => {
    if (out.write !== swallow) return
    if (isOwn) out.write = before
    else Reflect.deleteProperty(out, 'write')
  }
  const swallow = ((...parts: Parameters<typeof before>): boolean => {
    restore()
    return String(parts[0]) === '\n' ? true : before.apply(out, parts)
  }) as typeof before
  out.write = swallow
  queueMicrotask(restore)
}
