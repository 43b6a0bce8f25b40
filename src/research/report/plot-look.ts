import type { Ink } from './plot.js'

/** The colours and the type of a drawing, and whether it stands by itself. */
export interface PlotLook {
  readonly inks: Readonly<Record<Ink, string>>
  readonly font: string
  /** A file of its own: paper, a margin, its title and a note in the drawing. */
  readonly isFile: boolean
}

const names = ['ink', 'quiet', 'grid', 'paper', 'one', 'two', 'three'] as const

/** In the page: its own colours, light or dark, and its own type. */
export const pageLook: PlotLook = {
  inks: Object.fromEntries(names.map((name) => [name, `var(--${name})`])) as Record<Ink, string>,
  font: 'inherit',
  isFile: false,
}

/** As a file: inks that read on the drawing's own paper, for an image does not see the page that it is on. */
export const fileLook: PlotLook = {
  inks: {
    ink: '#1d2126',
    quiet: '#5f6770',
    grid: '#dfdfda',
    paper: '#fdfcf9',
    one: '#1d5b96',
    two: '#b3261e',
    three: '#2c6e49',
  },
  font: 'system-ui,-apple-system,Segoe UI,Noto Sans,PingFang SC,Hiragino Sans GB,Microsoft YaHei,Noto Sans CJK SC,sans-serif',
  isFile: true,
}
