import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { fixed, formatCount } from '../format-number.js'
import { gridNumber, gridText, gridValues, type Html, html, htmlGrid, type Section } from '../html.js'
import { barSeries, type Ink, lineSeries } from '../plot.js'
import { columnSum, costKinds } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrumentText, percentText, runChart } from './sheet-parts.js'

/** How the running sums of a cost are drawn, and its sign in the key. */
const looks = {
  commission: { name: (say: Say) => say('Commission'), ink: 'one', dash: undefined, sign: 'line' },
  stamp: { name: (say: Say) => say('Stamp duty'), ink: 'two', dash: 'dashed', sign: 'dashed' },
  transfer: { name: (say: Say) => say('Transfer fee'), ink: 'three', dash: 'dotted', sign: 'dashed' },
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
  const kinds: readonly (readonly [string, number])[] = costKinds.map((kind) => [
    looks[kind].name(say),
    columnSum(account, kind),
  ])
  const rows = [...kinds, [say('Sum'), kinds.reduce((sum, [, value]) => sum + value, 0)] as const]
  return htmlGrid(say(fact('ACTIVITY_SECTION', 'Costs')), rows, [
    gridText(say(fact('ACTIVITY_SECTION', 'kind')), ([name]) => name),
    gridNumber(say('yuan'), undefined, ([, value]) => fixed(value, 2)),
    gridNumber(say('of what was traded'), undefined, ([, value]) => percentText(value / traded, 4)),
    gridNumber(say('of the start'), undefined, ([, value]) => percentText(value / (run?.start ?? Number.NaN), 3)),
  ])
}

/** Exposure, holdings, turnover and costs by day; of the costs running sums of the kinds that were paid at all. */
function dayChart(sheet: RunSheet, account: Account): Promise<Html> {
  const { say, own } = sheet
  const { length } = own.days
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
  const said = say(
    'Holdings as a share of equity, their number, (bought + sold) / 2 / equity of the day, and costs from the start.',
  )
  const names = {
    exposure: say('Exposure'),
    held: say('Holdings'),
    turnover: say('Turnover of the day, one-sided'),
  }
  const share = (digits: number) => ({ zero: true, format: { percent: true, digits, exact: 2 } })
  return runChart(sheet, {
    id: 'sheet-activity',
    title: say('Exposure, turnover and costs'),
    desc: said,
    panels: [
      { name: names.exposure, ...share(0), height: 110, series: [lineSeries(exposure, 'one', { step: true })] },
      { name: names.held, height: 80, zero: true, series: [lineSeries(held, 'three', { step: true })] },
      { name: names.turnover, ...share(1), height: 80, series: [barSeries(turnover, 'one')] },
      {
        name: say('Costs from the start, yuan'),
        height: 110,
        zero: true,
        series: costs.map(({ kind, sums }) => lineSeries(sums, looks[kind].ink, { dash: looks[kind].dash })),
      },
    ],
    key: costs.map(({ kind }) => ({ sign: looks[kind].sign, ink: looks[kind].ink, text: looks[kind].name(say) })),
    columns: [
      gridValues(names.exposure, undefined, exposure, percentText),
      gridValues(names.held, undefined, held, count),
      gridValues(names.turnover, undefined, turnover, percentText),
      ...costs.map(({ kind, sums }) =>
        gridValues(looks[kind].name(say), say('yuan'), sums, (value) => fixed(value, 2)),
      ),
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
  const { say } = sheet
  const all = weightsByCode(sheet, account).map(([code, weights], at) => {
    return { code, weights, ink: areaInks[at % 4] as Ink, isFaint: at >= 4 }
  })
  if (all.length === 0) return false
  const name = say('Holdings by instrument')
  const said = say('Value at the close as a share of equity, one on the other, in the order of the key from below.')
  const series = all.map(({ weights, ink, isFaint }) => lineSeries(weights, ink, { area: isFaint ? 0.35 : 0.8 }))
  return runChart(sheet, {
    id: 'sheet-weights',
    title: name,
    desc: said,
    panels: [{ name, height: 150, zero: true, format: { percent: true, digits: 0, exact: 2 }, series }],
    key: all.map(({ code, ink, isFaint }) => {
      return { sign: isFaint ? 'faint' : 'solid', ink, text: instrumentText(sheet, code) }
    }),
    columns: all.map(({ code, weights }) => gridValues(code, undefined, weights, percentText)),
  })
}

/** What was held, traded and paid; undefined where only a curve is known. */
export async function activitySection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run } = sheet
  if (!run?.account) return undefined
  const body = html`${await dayChart(sheet, run.account)}${await weightChart(sheet, run.account)}<h3>${say(fact('ACTIVITY_SECTION', 'Costs'))}</h3>
<p class="note">${say('Slippage is not among them: it is in the prices of the fills.')}</p>
${costTable(sheet, run.account)}`
  return { id: 'activity', title: say('Exposure, turnover and costs'), body }
}
