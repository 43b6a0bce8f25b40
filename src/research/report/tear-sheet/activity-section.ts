import { numbers, strings } from '../../../frame/read-columns.js'
import { fixed, formatCount } from '../format-number.js'
import { gridDays, gridNumber, gridText, gridValues, type Html, html, htmlGrid, type Section } from '../html.js'
import { barSeries, lineSeries } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { percentText, sentences, sheetChart, tableRows } from './sheet-parts.js'
import { columnSum, costKinds } from './trading-figures.js'

/** How the running sums of a cost are drawn, and its sign in the key. */
const looks = {
  commission: { ink: 'one', dash: undefined, sign: 'line' },
  stamp: { ink: 'two', dash: 'dashed', sign: 'dashed' },
  transfer: { ink: 'three', dash: 'dotted', sign: 'dashed' },
} as const

type Account = NonNullable<TearSheetRun['account']>

/** How many instruments were held at the close of each day. */
function heldByDay({ run, own }: RunSheet): Float64Array {
  const place = new Map(own.days.map((one, at) => [one, at]))
  const held = new Float64Array(own.days.length)
  if (!run?.positions) return held
  for (const one of strings(run.positions, 'tradedate')) {
    const at = place.get(one ?? '')
    if (at !== undefined) held[at] = (held[at] as number) + 1
  }
  return held
}

function running(values: Float64Array): Float64Array {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}

/** What was paid by kind: sums, and as shares of what was traded and of the start. */
function costTable({ say, run }: RunSheet, account: Account): Html {
  const traded = columnSum(account, 'traded')
  const kinds: readonly (readonly [string, number])[] = costKinds.map((kind) => [say(kind), columnSum(account, kind)])
  const rows = [...kinds, [say('sum'), kinds.reduce((sum, [, value]) => sum + value, 0)] as const]
  return htmlGrid(say('costs'), rows, [
    gridText(say('kind'), ([name]) => name),
    gridNumber(say('yuan'), undefined, ([, value]) => fixed(value, 2)),
    gridNumber(say('of traded'), undefined, ([, value]) => percentText(value / traded, 4)),
    gridNumber(say('of start'), undefined, ([, value]) => percentText(value / (run?.start ?? Number.NaN), 3)),
  ])
}

/** Exposure, holdings, turnover and costs by day; of the costs running sums of the kinds that were paid at all. */
function dayChart(sheet: RunSheet, account: Account): Promise<Html> {
  const { say, own } = sheet
  const { length } = own.days
  const { rows, note } = tableRows(sheet)
  const column = (name: string): Float64Array => numbers(account, name).slice(0, length)
  const [exposure, held, equity] = [column('exposure'), heldByDay(sheet), column('equity')]
  const turnover = column('traded').map((traded, at) =>
    equity[at] === 0 ? Number.NaN : traded / 2 / (equity[at] as number),
  )
  const paid = costKinds.filter((kind) => columnSum(account, kind) > 0)
  const costs = (paid.length === 0 ? costKinds.slice(0, 1) : paid).map((kind) => ({
    kind,
    sums: running(column(kind)),
  }))
  const count = (value: number | undefined): string => formatCount(value as number)
  return sheetChart(sheet, {
    id: 'sheet-activity',
    title: say('activity'),
    desc: say('activity caption'),
    x: { dates: own.days },
    panels: [
      {
        name: say('axis exposure'),
        height: 110,
        zero: true,
        format: { percent: true, digits: 0, exact: 2 },
        series: [lineSeries(exposure, 'one', { step: true })],
      },
      { name: say('axis held'), height: 80, zero: true, series: [lineSeries(held, 'three', { step: true })] },
      {
        name: say('axis turnover'),
        height: 80,
        zero: true,
        format: { percent: true, digits: 1, exact: 2 },
        series: [barSeries(turnover, 'one')],
      },
      {
        name: say('axis costs'),
        height: 110,
        zero: true,
        series: costs.map(({ kind, sums }) => lineSeries(sums, looks[kind].ink, { dash: looks[kind].dash })),
      },
    ],
    key: costs.map(({ kind }) => ({ sign: looks[kind].sign, ink: looks[kind].ink, text: say(kind) })),
    caption: sentences(sheet, say('activity caption'), note),
    rows,
    columns: [
      gridDays(say('day'), own.days),
      gridValues(say('axis exposure'), undefined, exposure, percentText),
      gridValues(say('axis held'), undefined, held, count),
      gridValues(say('axis turnover'), undefined, turnover, percentText),
      ...costs.map(({ kind, sums }) => gridValues(say(kind), say('yuan'), sums, (value) => fixed(value, 2))),
    ],
  })
}

/** What was held, traded and paid; undefined where only a curve is known. */
export async function activitySection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run } = sheet
  if (!run?.account) return undefined
  const body = html`${await dayChart(sheet, run.account)}<h3>${say('costs')}</h3>
<p class="note">${say('costs note')}</p>
${costTable(sheet, run.account)}`
  return { id: 'activity', title: say('activity'), body }
}
