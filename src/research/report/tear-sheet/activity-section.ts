import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers } from '../../../frame/read-columns.js'
import { fixed, formatCount } from '../format-number.js'
import { grid, type Html, html, htmlGrid, type Section } from '../html.js'
import { barSeries, lineSeries } from '../plot.js'
import { recordsOf } from '../report-tables.js'
import { columnSum, costKinds } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { percentText, runChart } from './sheet-parts.js'

/** How the running sums of a cost are drawn, and its sign in the key. */
const looks = {
  commission: { name: (say: Say) => say('Commission'), ink: 'one', dash: undefined, sign: 'line' },
  stamp: { name: (say: Say) => say('Stamp duty'), ink: 'two', dash: 'dashed', sign: 'dashed' },
  transfer: { name: (say: Say) => say('Transfer fee'), ink: 'three', dash: 'dotted', sign: 'dashed' },
} as const

type Account = NonNullable<TearSheetRun['account']>

/** What was held at the close of each day of the run, with the place of that day. */
export function holdingsOf({ run, own }: RunSheet) {
  if (!run?.positions) return []
  const place = new Map(own.days.map((one, at) => [one, at]))
  const all = recordsOf(run.positions, ['tradedate', 'symbol'], ['value'])
  return all.map(({ tradedate, ...one }) => ({ ...one, at: place.get(tradedate) ?? -1 })).filter(({ at }) => at >= 0)
}

/** How many instruments were held at the close of each day. */
function heldByDay(sheet: RunSheet): Float64Array {
  const held = new Float64Array(sheet.own.days.length)
  for (const { at } of holdingsOf(sheet)) held[at] = (held[at] as number) + 1
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
  const kinds = costKinds.map((kind) => [looks[kind].name(say), columnSum(account, kind)] as const)
  const rows = [...kinds, [say('Sum'), kinds.reduce((sum, [, value]) => sum + value, 0)] as const]
  return htmlGrid(say(fact('ACTIVITY_SECTION', 'Costs')), rows, [
    grid.text(say(fact('ACTIVITY_SECTION', 'kind')), ([name]) => name),
    grid.number(say('yuan'), undefined, ([, value]) => fixed(value, 2)),
    grid.number(say('of what was traded'), undefined, ([, value]) => percentText(value / traded, 4)),
    grid.number(say('of the start'), undefined, ([, value]) => percentText(value / (run?.start ?? Number.NaN), 3)),
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
  const costs = (paid.length === 0 ? costKinds.slice(0, 1) : paid).map((kind) => {
    return { ...looks[kind], name: looks[kind].name(say), sums: running(column(kind)) }
  })
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
        series: costs.map(({ sums, ink, dash }) => lineSeries(sums, ink, { dash })),
      },
    ],
    key: costs.map(({ sign, ink, name }) => ({ sign, ink, text: name })),
    columns: [
      grid.values(names.exposure, undefined, exposure, percentText),
      grid.values(names.held, undefined, held, count),
      grid.values(names.turnover, undefined, turnover, percentText),
      ...costs.map(({ name, sums }) => grid.values(name, say('yuan'), sums, (value) => fixed(value, 2))),
    ],
  })
}

/** What was held, traded and paid; undefined where only a curve is known. */
export async function activitySection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run } = sheet
  if (!run?.account) return undefined
  const body = html`${await dayChart(sheet, run.account)}<h3>${say(fact('ACTIVITY_SECTION', 'Costs'))}</h3>
<p class="note">${say('Slippage is not among them: it is in the prices of the fills.')}</p>
${costTable(sheet, run.account)}`
  return { id: 'activity', title: say('Exposure, turnover and costs'), body }
}
