import { textWidth } from '../../frame/show/text-width.js'
import type { Pair, Plot, PointSeries } from './plot.js'
import { layout } from './plot-layout.js'
import { letter, type PlotLook } from './plot-look.js'

/** Where a label stands beside its point; undefined where it found no room. */
export type LabelSide = 'right' | 'top' | 'left' | 'bottom' | undefined

/** The sides of the labels of series, by place. */
export type LabelSides = ReadonlyMap<PointSeries, readonly LabelSide[]>

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Pixels between a mark and its label. */
export const labelDistance = 4
const high = 14
const sides = ['right', 'top', 'left', 'bottom'] as const

function boxAt([x, y]: readonly [number, number], width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 }
}

function labelBox(side: (typeof sides)[number], [x, y]: readonly [number, number], size: number, text: string): Box {
  const wide = textWidth(text) * letter
  const away = size / 2 + labelDistance
  if (side === 'right' || side === 'left')
    return boxAt([x + (side === 'right' ? 1 : -1) * (away + wide / 2), y], wide, high)
  return boxAt([x, y + (side === 'bottom' ? 1 : -1) * (away + high / 2)], wide, high)
}

/** Boxes that can be asked whether one meets any of them, by the squares of the drawing in which they lie. */
class TakenRoom {
  readonly #squares = new Map<string, Box[]>()

  #squaresOf(box: Box): string[] {
    const of = (value: number): number => Math.floor(value / 40)
    const found: string[] = []
    for (let x = of(box.left); x <= of(box.right); x++)
      for (let y = of(box.top); y <= of(box.bottom); y++) found.push(`${x} ${y}`)
    return found
  }

  take(box: Box): void {
    for (const square of this.#squaresOf(box)) {
      const boxes = this.#squares.get(square)
      if (boxes) boxes.push(box)
      else this.#squares.set(square, [box])
    }
  }

  meets(box: Box): boolean {
    const touches = (other: Box): boolean =>
      box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom
    return this.#squaresOf(box).some((square) => this.#squares.get(square)?.some(touches))
  }
}

/**
 * On which side of its point each label stands, so that it covers no point and no label before it, and lies in its panel, from which half a line may stand out. One that finds
 * no side free is left out where the series is sparse; elsewhere it may cover a point.
 * @param pixel where a pair of a panel lies in the drawing
 */
export function placePointLabels(
  { panels, ...plot }: Plot,
  look: PlotLook,
  pixel: (panel: number, pair: Pair) => readonly [number, number],
): LabelSides {
  const { tops, heights, left, width } = layout({ panels, ...plot }, look)
  const placed = new Map<PointSeries, readonly LabelSide[]>()
  panels.forEach(({ series }, panel) => {
    const points = series.filter((one) => one.kind === 'points')
    if (!points.some(({ labels }) => labels)) return
    const [marks, labels] = [new TakenRoom(), new TakenRoom()]
    for (const { at, size } of points) for (const pair of at) marks.take(boxAt(pixel(panel, pair), size, size))
    const [top = 0, height = 0] = [tops[panel], heights[panel]]
    const isInside = (box: Box): boolean =>
      box.left >= left && box.right <= width && box.top >= top - high / 2 && box.bottom <= top + height + high / 2
    const sideOf = ({ size, sparse }: PointSeries, pair: Pair, text: string): LabelSide => {
      const place = pixel(panel, pair)
      const all = sides.map((side) => ({ side, box: labelBox(side, place, size, text) }))
      const open = all.filter(({ box }) => isInside(box) && !labels.meets(box))
      const found = open.find(({ box }) => !marks.meets(box)) ?? (sparse ? undefined : (open[0] ?? all[0]))
      if (found) labels.take(found.box)
      return found?.side
    }
    for (const one of points)
      if (one.labels)
        placed.set(
          one,
          one.at.map((pair, i) => {
            const text = one.labels?.[i] ?? ''
            return text.trim() === '' ? undefined : sideOf(one, pair, text)
          }),
        )
  })
  return placed
}
