/** The inks of the page. In a chart they are stand-in colours, which the cleaning pass turns into CSS variables. */
export const inks = {
  ink: '#f10001',
  quiet: '#f10002',
  grid: '#f10003',
  paper: '#f10004',
  one: '#f10005',
  two: '#f10006',
  three: '#f10007',
} as const

export type Ink = keyof typeof inks

/** A place in a chart; a null height is a gap: no bar, no point, and a line that breaks. */
export type Pair = readonly [x: number, y: number | null]

export function pair(x: number, y: number | undefined): Pair {
  return [x, y === undefined || Number.isNaN(y) ? null : y]
}

/** One set of marks. Series differ in form as well as in ink, so that colour is never the only sign. */
export type Series =
  | { readonly kind: 'bar'; readonly at: readonly Pair[]; readonly ink: Ink; readonly hollow?: true }
  | {
      readonly kind: 'line'
      readonly at: readonly Pair[]
      readonly ink: Ink
      readonly dash?: 'dashed' | 'dotted'
      readonly step?: true
    }
  | {
      readonly kind: 'points'
      readonly at: readonly Pair[]
      readonly ink: Ink
      readonly mark: 'circle' | 'diamond' | 'ring'
      readonly size: number
      /** A number beside each point. */
      readonly labels?: readonly string[]
    }

/** A strip of a chart with a y axis of its own; all strips share the x axis. */
export interface Panel {
  /** What is drawn, and its unit. */
  readonly name: string
  readonly height: number
  /** The axis holds zero, and a line marks it. */
  readonly zero?: true
  readonly series: readonly Series[]
}

export interface Plot {
  /** Unique in the page; ids inside the drawing begin with it. */
  readonly id: string
  readonly title: string
  /** The key values in a sentence, for those who do not see the drawing. */
  readonly desc: string
  /** Dates by place (their bars and points lie at 0, 1, 2, …), or a numeric axis. */
  readonly x:
    | { readonly dates: readonly string[] }
    | {
        readonly name: string
        readonly min?: number
        readonly max?: number
        readonly step?: number
        readonly format?: (value: number) => string
      }
  readonly panels: readonly Panel[]
}
