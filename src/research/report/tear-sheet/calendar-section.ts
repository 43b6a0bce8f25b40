import type { CalendarReturn } from '../../analysis/performance/calendar-returns.js'
import { formatCount, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html, html, type Section } from '../html.js'
import { plotPair } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { type HeatCell, heatTable, riseShade, sheetFigure, signedPercent } from './sheet-parts.js'

type Periods = readonly CalendarReturn[]

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
  const months = Array.from({ length: 12 }, (_, at) => say('month', { month: at + 1 }))
  return heatTable(say('months'), ['', ...months, say('year')], years)
}

async function yearBars(sheet: RunSheet): Promise<Html> {
  const { say, own, benchmark } = sheet
  const yearly: Periods = own.performance.yearly ?? []
  const other = new Map((benchmark?.series.performance.yearly ?? []).map((one) => [one.period, one.return]))
  const bars = (of: (one: CalendarReturn) => number | undefined) => yearly.map((one, at) => plotPair(at, of(one)))
  const name = benchmark && (benchmark.name || say('benchmark'))
  return sheetFigure(
    sheet,
    {
      plot: {
        id: 'sheet-years',
        title: say('years'),
        desc: yearly.map((one) => `${one.period} ${signedPercent(one.return)}`).join('; '),
        x: { dates: yearly.map(({ period }) => period), label: (period) => period, every: yearly.length <= 20 },
        panels: [
          {
            name: say('axis years'),
            height: 150,
            zero: true,
            format: (value) => signedPercent(value, 1),
            room: 72,
            series: [
              { kind: 'bar', at: bars((one) => one.return), ink: 'one', beside: true },
              ...(benchmark
                ? [
                    {
                      kind: 'bar',
                      at: bars((one) => other.get(one.period)),
                      ink: 'two',
                      beside: true,
                      hollow: true,
                    } as const,
                  ]
                : []),
            ],
          },
        ],
      },
      key: [
        { sign: 'solid', ink: 'one', text: say('strategy') },
        ...(name === undefined ? [] : [{ sign: 'hollow', ink: 'two', text: name } as const]),
      ],
      caption: say('years caption'),
    },
    yearly,
    [
      gridText(say('year'), ({ period }) => period),
      gridNumber(say('trading days'), undefined, ({ days }) => formatCount(days)),
      gridNumber(say('strategy'), undefined, (one) => signedPercent(one.return)),
      ...(name === undefined
        ? []
        : [gridNumber(name, undefined, ({ period }: CalendarReturn) => signedPercent(other.get(period)))]),
    ],
  )
}

/** Months as a map, years as bars. */
export async function calendarSection(sheet: RunSheet): Promise<Section> {
  const { say } = sheet
  const body = html`<h3>${say('months')}</h3>
<p class="note">${say('months note')}</p>
${monthMap(sheet)}<h3>${say('years')}</h3>
${await yearBars(sheet)}`
  return { id: 'calendar', title: say('calendar'), body }
}
