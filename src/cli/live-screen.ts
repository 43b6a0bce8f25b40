import { truncateText } from '../frame/show/text-width.js'

/** Lines for a screen of so many columns and rows. */
export type ScreenText = (columns: number, rows: number) => readonly string[]

/** A screen of its own over the terminal, which comes back as it was. */
export interface LiveScreen {
  /** Shows this instead of what is there, now and whenever the size changes. */
  draw(drawing: ScreenText): void
  /** Gives the terminal back, with what was drawn last. */
  end(): void
}

const [open, close] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l']
const [home, restOfLine, below] = ['\u001b[H', '\u001b[K', '\u001b[J']

/** Every line is cut to the width, so that none wraps and the next drawing stands over this one. */
export function liveScreen(out: NodeJS.WriteStream): LiveScreen {
  let last: ScreenText | undefined
  const linesOf = (drawing: ScreenText): readonly string[] => {
    // A terminal that does not know its size says 0.
    const [columns, rows] = [out.columns || 80, out.rows || 24]
    return drawing(columns, rows).map((line) => truncateText(line, columns))
  }
  const paint = (): void => {
    if (!last) return
    const lines = linesOf(last).slice(0, out.rows || 24)
    out.write(`${home}${lines.map((line) => line + restOfLine).join('\n')}${below}`)
  }
  out.write(open)
  out.on('resize', paint)
  return {
    draw(drawing) {
      last = drawing
      paint()
    },
    end() {
      out.off('resize', paint)
      out.write(close)
      if (last) out.write(`${linesOf(last).join('\n')}\n`)
    },
  }
}
