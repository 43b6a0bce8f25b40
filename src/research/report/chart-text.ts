import { padText, textWidth } from '../../frame/show/text-width.js'
import { extremes, knownValues } from './chart-plot.js'
import type { ChartRequest, ChartRows, SeriesPoints } from './chart-rows.js'
import { many, plain, timeLabel, writeNumber } from './format-number.js'

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

function placeWords(rows: ChartRows): string {
  const { axis } = rows
  if (axis.form === 'numbers') {
    const { low, high } = extremes(Array.from(rows.at).filter((x) => !Number.isNaN(x)))
    return low <= high ? [low, high].map((x) => writeNumber(x, { as: 'year' })).join(' to ') : 'no rows'
  }
  const [first, last] = [axis.places[0], axis.places.at(-1)]
  if (first === undefined || last === undefined) return 'no rows'
  const word = axis.isTime ? timeLabel : (text: string): string => text
  return first === last ? word(first) : `${word(first)} to ${word(last)}`
}

function unitWords({ unit }: SeriesPoints): string {
  return unit === undefined ? '' : ` ${unit}`
}

/** What a chart says, in a sentence for those who do not see it. */
export function descriptionOf(rows: ChartRows, marks: readonly SeriesPoints[], request: ChartRequest): string {
  const kinds = { line: 'Lines', bar: 'Bars', points: 'Points', candles: 'Candles' }
  const parts = marks.map((one) => {
    const seen = knownValues([one])
    if (seen.length === 0) return `${one.name} has no values`
    const { low, high } = extremes(seen)
    const last = request.kind === 'points' ? '' : `, last ${plain(seen.at(-1))}`
    return `${one.name} from ${plain(low)} to ${plain(high)}${unitWords(one)}${last}`
  })
  return `${kinds[request.kind]} by ${request.x.join(' and ')}, ${placeWords(rows)}: ${parts.join('; ')}.`
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
  return [
    ...(lost > 0 ? [`${many(lost, 'row')} without ${request.x.join(' ')} left out`] : []),
    ...(gaps > infinite ? [`${many(gaps - infinite, 'missing value')} not drawn`] : []),
    ...(infinite > 0 ? [`${many(infinite, 'infinite value')} not drawn`] : []),
  ].join('; ')
}

/** What the drawing itself leaves out or has not: labels without room, and rows. */
export function drawnNote(note: string, rows: ChartRows, hidden: number): string {
  const labels = hidden > 0 ? `${many(hidden, 'label')} without room left out` : ''
  return [rows.length === 0 ? 'no rows' : '', note, labels].filter((part) => part !== '').join('; ')
}

/** The chart in a few lines of text. */
export function textSketch(title: string, rows: ChartRows, marks: readonly SeriesPoints[], note: string): string {
  const wide = marks.reduce((most, { name }) => Math.max(most, textWidth(name)), 0)
  const lines = marks.map((one) => {
    const { low, high } = extremes(knownValues([one]))
    const range = low <= high ? `${plain(low)} to ${plain(high)}${unitWords(one)}` : 'no values'
    return `${padText(one.name, wide, false)}  ${padText(spark(one, 40), Math.min(40, one.points.length), false)}  ${range}`
  })
  return [...(title === '' ? [] : [title]), ...lines, placeWords(rows), ...(note === '' ? [] : [note])].join('\n')
}
