import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { chartFigure } from '../../research/report/chart-figure.js'
import { many } from '../../research/report/format-number.js'
import type { Html } from '../../research/report/html.js'
import type { Pair } from '../../research/report/plot.js'
import { type DeskColumn, gridNumbers, gridTexts, withUnit } from './desk-rows.js'

/** Rows of the table under the chart. */
const mostRows = 20

const titleOf = (say: Say, { head, unit }: DeskColumn): string => withUnit(say, head, unit)

/** One column against another, a point a row that has both; false for fewer than two. @param names what each row is called: columns before the numbers */
export async function pointChart(
  say: Say,
  id: string,
  [x, y]: readonly [DeskColumn, DeskColumn],
  places: readonly number[],
  names: readonly DeskColumn[] = [],
): Promise<Html | false> {
  const at = places.filter((place) => x.cells[place] !== null && y.cells[place] !== null)
  if (at.length < 2) return false
  const title = say`${y.head} against ${x.head}`
  const points = at.map((place): Pair => [x.cells[place] as number, y.cells[place] as number])
  const nameOf = (place: number): string => names.flatMap(({ cells }) => cells[place] ?? []).join(' ')
  const named = names.length > 0 && { names: at.map(nameOf) }
  return chartFigure<number>(say, {
    isLive: true,
    id,
    title,
    desc: say(fact('DESK', '{title}: {count}.', { title, count: many(at.length, 'row') })),
    x: { name: titleOf(say, x) },
    panels: [
      {
        name: titleOf(say, y),
        height: 300,
        series: [{ kind: 'points', at: points, ink: 'one', mark: 'circle', size: 5, ...named }],
      },
    ],
    rows: at.slice(0, mostRows),
    columns: [...names.map(gridTexts), gridNumbers(x), gridNumbers(y)],
  })
}
