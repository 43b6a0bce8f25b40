import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { chartFigure } from '../../research/report/chart-figure.js'
import { many } from '../../research/report/format-number.js'
import type { GridColumn, Html } from '../../research/report/html.js'
import type { Pair } from '../../research/report/plot.js'
import { type DeskColumn, gridNumbers } from './desk-rows.js'

/** Rows of the table under the chart. */
const mostRows = 20

const titleOf = ({ head, unit }: DeskColumn): string => (unit ? `${head} (${unit})` : head)

/** One column against another, a point a row that has both; false for fewer than two. @param names columns of its table before the numbers */
export async function pointChart(
  say: Say,
  id: string,
  [x, y]: readonly [DeskColumn, DeskColumn],
  places: readonly number[],
  names: readonly GridColumn<number>[] = [],
): Promise<Html | false> {
  const at = places.filter((place) => x.cells[place] !== null && y.cells[place] !== null)
  if (at.length < 2) return false
  const title = say`${y.head} against ${x.head}`
  const points = at.map((place): Pair => [x.cells[place] as number, y.cells[place] as number])
  return chartFigure<number>(say, {
    isLive: true,
    id,
    title,
    desc: say(fact('DESK', '{title}: {count}.', { title, count: many(at.length, 'row') })),
    x: { name: titleOf(x) },
    panels: [
      {
        name: titleOf(y),
        height: 300,
        series: [{ kind: 'points', at: points, ink: 'one', mark: 'circle', size: 5 }],
      },
    ],
    rows: at.slice(0, mostRows),
    columns: [...names, gridNumbers(x), gridNumbers(y)],
  })
}
