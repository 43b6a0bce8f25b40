import { inShown } from '../../contract/shown-language.js'
import { padText, textWidth } from '../../frame/show/text-width.js'
import { extremes, knownValues } from './chart-plot.js'
import type { ChartRequest, ChartRows, SeriesPoints } from './chart-rows.js'
import { formatCount, many, plain, timeLabel, writeNumber } from './format-number.js'

const blocks = '▁▂▃▄▅▆▇█'

/** A line of blocks, each the last value of its part of the points; a blank where that is missing. */
function spark(marks: SeriesPoints, most: number): string {
  const { points } = marks
  const { low, high } = extremes(knownValues([marks]))
  const count = Math.min(most, points.length)
  return Array.from({ length: count }, (_, i) => {
    const y = points[Math.ceil(((i + 1) * points.length) / count) - 1]?.y ?? Number.NaN
    if (Number.isNaN(y)) return ' '
    const share = high > low ? (y - low) / (high - low) : 0.5
    return blocks[Math.min(7, Math.floor(share * 8))] ?? ' '
  }).join('')
}

const span = (from: string, to: string): string => inShown(`${from} to ${to}`, `${from} 至 ${to}`)
const noRows = (): string => inShown('no rows', '没有数据')

function placeWords(rows: ChartRows): string {
  const { axis } = rows
  if (axis.form === 'numbers') {
    const { low, high } = extremes(Array.from(rows.at).filter((x) => !Number.isNaN(x)))
    const [from, to] = [low, high].map((x) => writeNumber(x, { as: 'year' })) as [string, string]
    return low <= high ? span(from, to) : noRows()
  }
  const [first, last] = [axis.places[0], axis.places.at(-1)]
  if (first === undefined || last === undefined) return noRows()
  const word = axis.isTime ? timeLabel : (text: string): string => text
  return first === last ? word(first) : span(word(first), word(last))
}

function unitWords({ unit }: SeriesPoints): string {
  return unit === undefined ? '' : ` ${unit}`
}

/** What a chart says, in a sentence for those who do not see it. */
export function descriptionOf(rows: ChartRows, marks: readonly SeriesPoints[], request: ChartRequest): string {
  const kinds = {
    line: inShown('Lines', '折线图'),
    bar: inShown('Bars', '柱状图'),
    points: inShown('Points', '散点图'),
    candles: inShown('Candles', 'K 线图'),
  }
  const parts = marks.map((one) => {
    const seen = knownValues([one])
    if (seen.length === 0) return inShown(`${one.name} has no values`, `${one.name} 没有数值`)
    const { low, high } = extremes(seen)
    const end = plain(seen.at(-1))
    const last = request.kind === 'points' ? '' : inShown(`, last ${end}`, `，末值 ${end}`)
    const [lo, hi] = [plain(low), plain(high)]
    return `${one.name} ${inShown(`from ${lo} to ${hi}`, `${lo} 至 ${hi}`)}${unitWords(one)}${last}`
  })
  return inShown(
    `${kinds[request.kind]} by ${request.x.join(' and ')}, ${placeWords(rows)}: ${parts.join('; ')}.`,
    `${kinds[request.kind]}，横轴为 ${request.x.join('、')}，${placeWords(rows)}：${parts.join('；')}。`,
  )
}

function isInfinite(value: number): boolean {
  return Math.abs(value) === Number.POSITIVE_INFINITY
}

/** What is in the rows and not in the drawing, apart from labels; empty when nothing is. */
export function omissionNote(rows: ChartRows, marks: readonly SeriesPoints[], request: ChartRequest): string {
  const hasX = (row: number): boolean => !Number.isNaN(rows.at[row])
  const lost = rows.at.reduce((sum, x) => sum + (Number.isNaN(x) ? 1 : 0), 0)
  const gaps = marks.reduce((sum, { points }) => sum + points.filter(({ y }) => Number.isNaN(y)).length, 0)
  const infinite = rows.y.reduce(
    (sum, { values }) => sum + values.filter((y, row) => isInfinite(y) && hasX(row)).length,
    0,
  )
  const [x, missing] = [request.x.join(' '), gaps - infinite]
  return [
    ...(lost > 0
      ? [inShown(`${many(lost, 'row')} without ${x} left out`, `略去没有 ${x} 的 ${formatCount(lost)} 行`)]
      : []),
    ...(missing > 0
      ? [inShown(`${many(missing, 'missing value')} not drawn`, `${formatCount(missing)} 个缺失值未画出`)]
      : []),
    ...(infinite > 0
      ? [inShown(`${many(infinite, 'infinite value')} not drawn`, `${formatCount(infinite)} 个无穷大未画出`)]
      : []),
  ].join(inShown('; ', '；'))
}

/** What the drawing itself leaves out or has not: labels without room, and rows. */
export function drawnNote(note: string, rows: ChartRows, hidden: number): string {
  const left = inShown(`${many(hidden, 'label')} without room left out`, `${hidden} 个标签放不下，已略去`)
  const labels = hidden > 0 ? left : ''
  return [rows.length === 0 ? noRows() : '', note, labels].filter((part) => part !== '').join(inShown('; ', '；'))
}

/** The chart in a few lines of text. */
export function textSketch(title: string, rows: ChartRows, marks: readonly SeriesPoints[], note: string): string {
  const wide = marks.reduce((most, { name }) => Math.max(most, textWidth(name)), 0)
  const lines = marks.map((one) => {
    const { low, high } = extremes(knownValues([one]))
    const range = low <= high ? `${span(plain(low), plain(high))}${unitWords(one)}` : inShown('no values', '没有数值')
    return `${padText(one.name, wide, false)}  ${padText(spark(one, 40), Math.min(40, one.points.length), false)}  ${range}`
  })
  return [...(title === '' ? [] : [title]), ...lines, placeWords(rows), ...(note === '' ? [] : [note])].join('\n')
}
