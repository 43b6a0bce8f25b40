import { allOf, fact, listOf } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { padText, textWidth } from '../../frame/show/text-width.js'
import { knownValues } from './chart-plot.js'
import type { ChartRequest, ChartRows, SeriesPoints } from './chart-rows.js'
import { many, plain, timeLabel, writeNumber } from './format-number.js'
import { extremes } from './plot.js'

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

const span = (from: string, to: string): string => say`${from} to ${to}`
const noRows = (): string => say('no rows')

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
    line: say('Lines'),
    bar: say('Bars'),
    points: say('Points'),
    candles: say('Candles'),
  }
  const parts = marks.map((one) => {
    const seen = knownValues([one])
    if (seen.length === 0) return say`${one.name} has no values`
    const { low, high } = extremes(seen)
    const end = plain(seen.at(-1))
    const last = request.kind === 'points' ? '' : say`, last ${end}`
    const [lo, hi] = [plain(low), plain(high)]
    return `${one.name} ${say(fact('RANGE', 'from {lo} to {hi}', { lo, hi }))}${unitWords(one)}${last}`
  })
  return say`${kinds[request.kind]} by ${allOf(request.x)}, ${placeWords(rows)}: ${listOf(parts)}.`
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
    ...(lost > 0 ? [say`${many(lost, 'row')} without ${x} left out`] : []),
    ...(missing > 0 ? [say`${many(missing, 'missing value')} not drawn`] : []),
    ...(infinite > 0
      ? [say(fact('INFINITE', '{values} not drawn', { values: many(infinite, 'infinite value') }))]
      : []),
  ].join(say('; '))
}

/** What the drawing itself leaves out or has not: labels without room, and rows. */
export function drawnNote(note: string, rows: ChartRows, hidden: number): string {
  const left = say`${many(hidden, 'label')} without room left out`
  const labels = hidden > 0 ? left : ''
  return [rows.length === 0 ? noRows() : '', note, labels].filter((part) => part !== '').join(say('; '))
}

/** The chart in a few lines of text. */
export function textSketch(title: string, rows: ChartRows, marks: readonly SeriesPoints[], note: string): string {
  const wide = marks.reduce((most, { name }) => Math.max(most, textWidth(name)), 0)
  const lines = marks.map((one) => {
    const { low, high } = extremes(knownValues([one]))
    const range = low <= high ? `${span(plain(low), plain(high))}${unitWords(one)}` : say('no values')
    return `${padText(one.name, wide, false)}  ${padText(spark(one, 40), Math.min(40, one.points.length), false)}  ${range}`
  })
  return [...(title === '' ? [] : [title]), ...lines, placeWords(rows), ...(note === '' ? [] : [note])].join('\n')
}
