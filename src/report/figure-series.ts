import { QuotebookError } from '../contract/error.js'
import type { Rows, Wanted } from './figure-rows.js'

/** One set of marks before it has a look: its name, its unit, and its points in the order of x. */
export interface Marks {
  readonly name: string
  readonly unit: string | undefined
  readonly column: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly row: number }[]
}

/** More marks than this would be a picture of nothing, and a file of many megabytes. */
const most = 20_000
const mostSeries = 9

function refuse(wrong: string): never {
  throw new QuotebookError('INVALID_VALUE', `chart: ${wrong}`)
}

/** Infinities can not be drawn and become NaN; the note counts them. */
function drawable(value: number | undefined, name: string): number {
  if (value === undefined || !Number.isFinite(value)) return Number.NaN
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-30 || size > 1e30)) refuse(`${name} holds ${value}, and it draws from 1e-30 to 1e30`)
  return value
}

function checkOnce(points: Marks['points'], rows: Rows, wanted: Wanted): void {
  const twice = points.find((point, i) => i > 0 && points[i - 1]?.x === point.x)
  if (!twice) return
  const where = rows.axis.form === 'places' ? rows.axis.places[twice.x] : twice.x
  const hint = wanted.by === undefined ? "say by: 'code' or another column that tells them apart" : 'filter them first'
  refuse(`two rows have ${wanted.x.join(' ')} = ${where}, and a ${wanted.kind} can show one; ${hint}`)
}

/**
 * The rows of a chart as series: one for each y of each group. Rows without an x are in none of them; a missing or
 * infinite y is a point whose y is NaN.
 * @throws QuotebookError INVALID_VALUE for too many rows or series, and for two rows of a series at one x
 */
export function marksOf(rows: Rows, wanted: Wanted): readonly Marks[] {
  const count = rows.groups.length * (wanted.kind === 'candles' ? 1 : rows.y.length)
  if (count > mostSeries) refuse(`it would have ${count} series, and ${mostSeries} can be told apart; filter the rows`)
  if (rows.length > most) refuse(`${rows.length} rows are more than the ${most} that it can show; resample or filter`)
  const members = rows.groups.map((): number[] => [])
  for (let row = 0; row < rows.length; row++) {
    if (!Number.isNaN(rows.at[row])) members[rows.group[row] ?? 0]?.push(row)
  }
  for (const list of members) list.sort((a, b) => (rows.at[a] ?? 0) - (rows.at[b] ?? 0) || a - b)
  return rows.groups.flatMap((group, i) =>
    rows.y.map(({ about, values }): Marks => {
      const points = (members[i] ?? []).map((row) => ({
        x: rows.at[row] ?? 0,
        y: drawable(values[row], about.name),
        row,
      }))
      if (wanted.kind !== 'points') checkOnce(points, rows, wanted)
      const name = group === undefined ? about.name : rows.y.length === 1 ? group : `${group} ${about.name}`
      return { name, unit: about.unit, column: about.name, points }
    }),
  )
}
