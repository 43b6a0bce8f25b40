import { numbers, strings } from '../../../frame/read-columns.js'
import { day, fixed, formatCount } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, type Section } from '../html.js'
import { type Pair, type PlotPanel, plotPair } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { percentText, sentences, sheetFigure, tableRows } from './sheet-parts.js'
import { type CostKind, columnSum, costKinds } from './trading-figures.js'

const keys = {
  commission: { sign: 'line', ink: 'one' },
  stamp: { sign: 'dashed', ink: 'two' },
  transfer: { sign: 'dashed', ink: 'three' },
} as const

const looks = {
  commission: { ink: 'one' },
  stamp: { ink: 'two', dash: 'dashed' },
  transfer: { ink: 'three', dash: 'dotted' },
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

const pairsOf = (values: Float64Array): Pair[] => Array.from(values, (value, at) => plotPair(at, value))

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

interface DayLines {
  readonly exposure: Float64Array
  readonly held: Float64Array
  readonly turnover: Float64Array
  /** Running sums of the kinds that were paid at all; of the commission where nothing was. */
  readonly costs: readonly { readonly kind: CostKind; readonly sums: Float64Array }[]
}

/** Exposure, holdings, turnover and costs by day. */
function dayLines(sheet: RunSheet, account: Account): DayLines {
  const { length } = sheet.own.days
  const equity = numbers(account, 'equity')
  const paid = costKinds.filter((kind) => columnSum(account, kind) > 0)
  const kinds = paid.length === 0 ? costKinds.slice(0, 1) : paid
  return {
    exposure: numbers(account, 'exposure').slice(0, length),
    held: heldByDay(sheet),
    turnover: numbers(account, 'traded')
      .slice(0, length)
      .map((traded, at) => (equity[at] === 0 ? Number.NaN : traded / 2 / (equity[at] as number))),
    costs: kinds.map((kind) => ({ kind, sums: running(numbers(account, kind).slice(0, length)) })),
  }
}

function dayPanels({ say }: RunSheet, { exposure, held, turnover, costs }: DayLines): PlotPanel[] {
  const line = (values: Float64Array, ink: 'one' | 'three') =>
    ({ kind: 'line', at: pairsOf(values), ink, step: true }) as const
  const percent = (digits: number) => (value: number) => percentText(value, digits)
  return [
    { name: say('axis exposure'), height: 110, zero: true, format: percent(0), series: [line(exposure, 'one')] },
    { name: say('axis held'), height: 80, zero: true, series: [line(held, 'three')] },
    {
      name: say('axis turnover'),
      height: 80,
      zero: true,
      format: percent(1),
      series: [{ kind: 'bar', at: pairsOf(turnover), ink: 'one' }],
    },
    {
      name: say('axis costs'),
      height: 110,
      zero: true,
      room: 80,
      series: costs.map(({ kind, sums }) => ({ kind: 'line', at: pairsOf(sums), ...looks[kind] })),
    },
  ]
}

async function dayChart(sheet: RunSheet, account: Account): Promise<Html> {
  const { say, own } = sheet
  const lines = dayLines(sheet, account)
  const { rows, note } = tableRows(sheet)
  const at = (values: Float64Array, of: (value: number) => string) => (row: number) => of(values[row] as number)
  return sheetFigure(
    sheet,
    {
      plot: {
        id: 'sheet-activity',
        title: say('activity'),
        desc: say('activity caption'),
        x: { dates: own.days },
        panels: dayPanels(sheet, lines),
      },
      key: lines.costs.map(({ kind }) => ({ ...keys[kind], text: say(kind) })),
      caption: sentences(sheet, say('activity caption'), note),
    },
    rows,
    [
      gridText(say('day'), (row) => day(own.days[row])),
      gridNumber(say('axis exposure'), undefined, at(lines.exposure, percentText)),
      gridNumber(say('axis held'), undefined, at(lines.held, formatCount)),
      gridNumber(say('axis turnover'), undefined, at(lines.turnover, percentText)),
      ...lines.costs.map(({ kind, sums }) =>
        gridNumber(
          say(kind),
          say('yuan'),
          at(sums, (value) => fixed(value, 2)),
        ),
      ),
    ],
  )
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
