import type { Ink } from './plot.js'

/** The colours and the type of a drawing, how wide it is, and whether it stands by itself. */
export interface PlotLook {
  readonly inks: Readonly<Record<Ink, string>>
  readonly font: string
  /** A file of its own: paper, a margin, its title and a note in the drawing. */
  readonly isFile: boolean
  readonly width: number
}

/** What a letter takes at 12 px, at most. */
export const letter = 7

/** Below this width a panel is lower too: a telephone shows less at once. */
export const narrow = 560
