import type { Table } from 'apache-arrow'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { numbers, texts } from '../../frame/read-columns.js'
import { drawPlot } from '../draw-plot.js'
import { aligned, day, fixed, formatCount, many } from '../format-number.js'
import {
  absent,
  figure,
  type GridColumn,
  gridNumber,
  gridText,
  type Html,
  html,
  htmlGrid,
  outside,
  type Section,
} from '../html.js'
import type { Pair, Plot } from '../plot.js'
import { daysInTable, filled, type ReportInput, rowsOn } from '../report-tables.js'

/** How many of the lowest sums are listed: one in twenty, but 3 at least and 10 at most. */
function few(bonds: number): number {
  return Math.min(10, Math.max(3, Math.round(bonds / 20)))
}

interface Bond {
  readonly code: string
  readonly name: string | null
  readonly close: number
  readonly premium: number
  /** close + premium, a sum of yuan and percent. */
  readonly sum: number
}

function bondsOn(table: Table, date: string): { bonds: Bond[]; without: number } {
  const [code, name] = [texts(table, 'code'), texts(table, 'name')]
  const [close, premium] = [numbers(table, 'close'), numbers(table, 'cb_over_rate')]
  const rows = rowsOn(table, 'tradedate', date)
  const bonds = rows.flatMap((row): Bond[] => {
    const [price = Number.NaN, rate = Number.NaN] = [close[row], premium[row]]
    if (Number.isNaN(price) || Number.isNaN(rate)) return []
    return [
      { code: code[row] ?? '', name: name[row] ?? null, close: price, premium: rate, sum: sumDecimals([price, rate]) },
    ]
  })
  bonds.sort((a, b) => a.sum - b.sum || (a.code < b.code ? -1 : 1))
  return { bonds, without: rows.length - bonds.length }
}

function quantile(sorted: readonly number[], p: number): number {
  const at = (sorted.length - 1) * p
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

/** Tukey's outer fences: three interquartile ranges beyond the quartiles. What lies outside would flatten all the rest. */
function fences(values: readonly number[]): (value: number) => boolean {
  const sorted = [...values].sort((a, b) => a - b)
  const [q1, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.75)]
  const reach = 3 * (q3 - q1)
  return (value) => value >= q1 - reach && value <= q3 + reach
}

/** @param ranks the bonds marked, each under its place in the table below */
function plotOf(drawn: readonly Bond[], ranks: ReadonlyMap<Bond, number>, desc: string): Plot {
  const at = (bonds: readonly Bond[]): Pair[] => bonds.map((bond) => [bond.close, bond.premium])
  return {
    id: 'convertible-chart',
    title: 'Convertible bonds: premium over conversion value against price',
    desc,
    x: { name: 'Close, yuan' },
    panels: [
      {
        name: 'Premium over conversion value, percent',
        height: 300,
        zero: true,
        series: [
          { kind: 'points', at: at(drawn), ink: 'one', mark: 'circle', size: 6 },
          {
            kind: 'points',
            at: at([...ranks.keys()]),
            ink: 'two',
            mark: 'ring',
            size: 11,
            labels: Array.from(ranks.values(), (rank) => (rank <= 5 ? String(rank) : '')),
          },
        ],
      },
    ],
  }
}

/** The columns of the tables of bonds of a day, their numbers aligned over all of them. */
function bondColumns(bonds: readonly Bond[]): GridColumn<Bond>[] {
  const number = (text: string, unit: string | undefined, of: (bond: Bond) => number): GridColumn<Bond> => {
    const written = aligned(bonds.map(of))
    return gridNumber(text, unit, (bond) => written(of(bond)))
  }
  return [
    gridText('code', ({ code }) => code),
    gridText('name', ({ name }) => outside(name), 'name'),
    number('close', 'yuan', ({ close }) => close),
    number('premium', '%', ({ premium }) => premium),
    number('close + premium', undefined, ({ sum }) => sum),
  ]
}

function lowestTable(lowest: readonly Bond[], columns: readonly GridColumn<Bond>[]): Html {
  const place = gridNumber('mark', undefined, (bond: Bond) => lowest.indexOf(bond) + 1)
  return html`<h3>Lowest sums of price and premium</h3>
<p>The “double low” sum: close in yuan plus premium in percent. It is arithmetic and not advice: two units are added,
redemption notices, ratings and liquidity are not in it.</p>
${htmlGrid('Lowest sums of price and premium', lowest, [place, ...columns])}`
}

async function latestDay(table: Table, date: string): Promise<Html> {
  const { bonds, without } = bondsOn(table, date)
  if (bonds.length === 0) {
    return html`<p class="absent">On ${day(date)} no bond has both a close and a premium over its conversion value.</p>
`
  }
  const [price, premium] = [fences(bonds.map((bond) => bond.close)), fences(bonds.map((bond) => bond.premium))]
  const drawn = bonds.filter((bond) => price(bond.close) && premium(bond.premium))
  const far = bonds.filter((bond) => !drawn.includes(bond))
  const lowest = bonds.slice(0, few(bonds.length))
  const columns = bondColumns(bonds)
  const below = bonds.filter((bond) => bond.premium < 0).length
  const middle = quantile(
    bonds.map((bond) => bond.premium).sort((a, b) => a - b),
    0.5,
  )
  const said =
    `${many(bonds.length, 'bond')} on ${day(date)}; median premium ${fixed(middle, 2)} %; ` +
    `${formatCount(below)} ${below === 1 ? 'trades' : 'trade'} below conversion value.`
  const farNote = html`${many(far.length, 'bond')} ${far.length === 1 ? 'lies' : 'lie'} far outside (beyond three interquartile ranges)
and ${far.length === 1 ? 'is' : 'are'} in the table only: ${far.map((bond) => bond.code).join(', ')}.`
  const drawing = await drawPlot(
    plotOf(
      drawn,
      new Map(lowest.flatMap((bond, i): [Bond, number][] => (drawn.includes(bond) ? [[bond, i + 1]] : []))),
      said,
    ),
  )
  return html`${figure({
    drawing,
    key: [
      { sign: 'dot', ink: 'one', text: 'a bond' },
      {
        sign: 'ring',
        ink: 'two',
        text: `among the ${many(lowest.length, 'lowest sum')}, ${lowest.length > 5 ? 'the first five ' : ''}numbered as in the table below`,
      },
    ],
    caption: html`${said} ${without > 0 && `${many(without, 'bond')} without close or premium ${without === 1 ? 'is' : 'are'} left out.`} ${
      far.length > 0 && farNote
    } Source: <code>convertible_daily</code>, close against cb_over_rate.`,
    numbers: htmlGrid('Convertible bonds of the day', bonds, columns),
    rows: bonds.length,
  })}${lowestTable(lowest, columns)}`
}

/** Convertible premium against price on the latest day, and the lowest sums of the two. */
export async function convertibleSection(input: ReportInput): Promise<Section> {
  const table = filled(input.tables.convertible_daily)
  const date = table && daysInTable('convertible_daily', table).at(-1)
  const body = table && date ? await latestDay(table, date) : absent('convertible_daily')
  return { id: 'convertible', title: 'Convertible bonds: premium and price', body }
}
