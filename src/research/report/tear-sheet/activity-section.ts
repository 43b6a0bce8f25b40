import { numbers, strings } from '../../../frame/read-columns.js'
import { fixed, formatCount } from '../format-number.js'
import { gridDays, gridNumber, gridText, gridValues, type Html, html, htmlGrid, type Section } from '../html.js'
import { barSeries, type Ink, lineSeries } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrumentText, percentText, sentences, sheetChart, tableRows } from './sheet-parts.js'
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

/** The most instruments that areas tell apart. */
const mostAreas = 8
const areaInks = ['one', 'two', 'three', 'quiet'] as const

/** Weights by day of each instrument that was ever held, the heaviest first; nothing where they are more than areas tell apart. */
function weightsByCode({ run, own }: RunSheet, account: Account): (readonly [code: string, weights: Float64Array])[] {
  if (!run?.positions) return []
  const [dates, codes, values] = [
    strings(run.positions, 'tradedate'),
    strings(run.positions, 'symbol'),
    numbers(run.positions, 'value'),
  ]
  const place = new Map(own.days.map((one, at) => [one, at]))
  const equity = numbers(account, 'equity')
  const weights = new Map<string, Float64Array>()
  for (const [row, code] of codes.entries()) {
    const at = place.get(dates[row] ?? '')
    if (at === undefined || code === null) continue
    const own = weights.get(code) ?? new Float64Array(place.size)
    weights.set(code, own)
    own[at] = (values[row] as number) / (equity[at] as number)
  }
  const sum = (list: Float64Array): number => list.reduce((a, b) => a + b, 0)
  const sorted = [...weights].sort(([a, one], [b, two]) => sum(two) - sum(one) || (a < b ? -1 : 1))
  return sorted.length > mostAreas ? [] : sorted
}

/** Weights of a few instruments, one on the other. */
async function weightChart(sheet: RunSheet, account: Account): Promise<Html | false> {
  const { say, own } = sheet
  const all = weightsByCode(sheet, account)
  if (all.length === 0) return false
  const { rows, note } = tableRows(sheet)
  const look = (at: number) => ({ ink: areaInks[at % 4] as Ink, isFaint: at >= 4 })
  const series = all.map(([, weights], at) => {
    const { ink, isFaint } = look(at)
    return lineSeries(weights, ink, { area: isFaint ? 0.35 : 0.8 })
  })
  return sheetChart(sheet, {
    id: 'sheet-weights',
    title: say('weights'),
    desc: say('weights caption'),
    x: { dates: own.days },
    panels: [{ name: say('weights'), height: 150, zero: true, format: { percent: true, digits: 0, exact: 2 }, series }],
    key: all.map(([code], at) => {
      const { ink, isFaint } = look(at)
      return { sign: isFaint ? 'faint' : 'solid', ink, text: instrumentText(sheet, code) }
    }),
    caption: sentences(sheet, say('weights caption'), note),
    rows,
    columns: [
      gridDays(say('day'), own.days),
      ...all.map(([code, weights]) => gridValues(code, undefined, weights, percentText)),
    ],
  })
}

/** What was held, traded and paid; undefined where only a curve is known. */
export async function activitySection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run } = sheet
  if (!run?.account) return undefined
  const body = html`${await dayChart(sheet, run.account)}${await weightChart(sheet, run.account)}<h3>${say('costs')}</h3>
<p class="note">${say('costs note')}</p>
${costTable(sheet, run.account)}`
  return { id: 'activity', title: say('activity'), body }
}
