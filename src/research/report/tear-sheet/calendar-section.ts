import { fact } from '../../../contract/sentence.js'
import { chartFigure } from '../chart-figure.js'
import { formatCount, formatSigned } from '../format-number.js'
import { grid, type Html, html, type Section } from '../html.js'
import { barSeries } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { curveName, type HeatCell, heatTable, riseShade, signedPercent } from './sheet-parts.js'

/** A month in a cell: percent with its sign, of which the heading of the map speaks. */
function monthMap({ say, own }: RunSheet): Html {
  const { monthly = [], yearly = [] } = own.performance
  const byMonth = new Map(monthly.map((one) => [one.period, one.return]))
  const most = Math.max(...monthly.map((one) => Math.abs(one.return)))
  const years = yearly.map(({ period, return: whole }) => {
    const cells = Array.from({ length: 12 }, (_, at): HeatCell | undefined => {
      const value = byMonth.get(period + String(at + 1).padStart(2, '0'))
      return value === undefined ? undefined : { text: formatSigned(value, 2, -2), shade: riseShade(value, most) }
    })
    return { head: period, cells: [...cells, { text: formatSigned(whole, 2, -2), shade: 'none', isTotal: true }] }
  })
  const months = Array.from({ length: 12 }, (_, at) => say(fact('MONTH', '{month}', { month: at + 1 })))
  return heatTable(say('Returns by month, percent'), ['', ...months, say('year')], years)
}

function yearBars(sheet: RunSheet): Promise<Html> {
  const { say, own, benchmark } = sheet
  const yearly = own.performance.yearly ?? []
  const other = new Map((benchmark?.series.performance.yearly ?? []).map((one) => [one.period, one.return]))
  const [returns, others] = [yearly.map((one) => one.return), yearly.map(({ period }) => other.get(period))]
  const name = benchmark?.name
  return chartFigure(sheet.say, {
    id: 'sheet-years',
    title: say('Returns by year'),
    desc: yearly.map((one) => `${one.period} ${signedPercent(one.return)}`).join('; '),
    x: { dates: yearly.map(({ period }) => period), isText: true, every: yearly.length <= 20 },
    panels: [
      {
        name: say('Return of the year'),
        height: 150,
        zero: true,
        format: { percent: true, signed: true, digits: 1, exact: 2 },
        series: [
          barSeries(returns, 'one', { beside: true }),
          ...(benchmark ? [barSeries(others, 'two', { beside: true, hollow: true })] : []),
        ],
      },
    ],
    key: [
      { sign: 'solid', ink: 'one', text: curveName(sheet) },
      name !== undefined && { sign: 'hollow', ink: 'two', text: name },
    ],
    caption: say('Days compounded; first and last year may be partial.'),
    rows: [...yearly.keys()],
    columns: [
      grid.text(say('year'), (at: number) => yearly[at]?.period),
      grid.number(say('trading days'), undefined, (at: number) => formatCount(yearly[at]?.days ?? 0)),
      grid.values(curveName(sheet), undefined, returns, signedPercent),
      ...(name === undefined ? [] : [grid.values(name, undefined, others, signedPercent)]),
    ],
  })
}

/** Months as a map. */
export function monthsSection(sheet: RunSheet): Section {
  const { say } = sheet
  const note = say(
    'Days compounded. Red rises, green falls, as in China; the sign says it too. First and last month may be partial.',
  )
  return {
    id: 'months',
    title: say('Returns by month, percent'),
    body: html`${monthMap(sheet)}<p class="note">${note}</p>`,
  }
}

/** Years as bars. */
export async function yearsSection(sheet: RunSheet): Promise<Section> {
  return { id: 'calendar', title: sheet.say('Returns by year'), body: await yearBars(sheet) }
}
