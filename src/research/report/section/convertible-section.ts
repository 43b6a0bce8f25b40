import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has } from '../../../frame/read-columns.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { binCounts, binOf } from '../bins.js'
import { chartFigure, daysFigure } from '../chart-figure.js'
import { aligned, day, fixed, formatCount, formatSigned, many, signedTwo } from '../format-number.js'
import { type GridColumn, grid, gridPair, type Html, html, htmlGrid, outside } from '../html.js'
import { barSeries, extremes, lineSeries, type Pair, type PlotPanel } from '../plot.js'
import { onceOf } from '../report-day.js'
import { recordsOf } from '../report-tables.js'
import { compareTexts, moneyIn } from '../report-words.js'
import { medianPremiums, premiumsByDay } from './day-figures.js'
import { briefNames, type ReportSection } from './report-section.js'

/** The bonds of the day in the order of their codes; undefined without any table of them. */
const bondsOf = onceOf(({ of }) => {
  const { table, date, rows = [] } = of('convertible_daily') ?? {}
  if (!table || !date) return undefined
  const there = (['close', 'cb_over_rate', 'pct_chg', 'amount'] as const).filter((name) => has(table, name))
  const bonds = recordsOf(table, ['code', 'name'], there, rows).map((bond) => {
    const { code, name, close = Number.NaN, cb_over_rate: premium = Number.NaN } = bond
    const { pct_chg: change = Number.NaN, amount = Number.NaN } = bond
    const isKnown = !Number.isNaN(close) && !Number.isNaN(premium)
    /** close + premium, a sum of yuan and percent. */
    const sum = isKnown ? sumDecimals([close, premium]) : Number.NaN
    return { code, name, close, premium, change, amount, sum }
  })
  return bonds.sort((a, b) => compareTexts(a.code, b.code))
})

type Bond = NonNullable<ReturnType<typeof bondsOf>>[number]

const nameColumns = (say: Say): GridColumn<Bond>[] => [
  grid.text(say('code'), ({ code }) => code),
  grid.text(say('name'), ({ name }) => outside(name), 'name'),
]

/** The columns of tables of bonds of a day, their numbers aligned over all of them. */
function bondColumns(bonds: readonly Bond[], say: Say): GridColumn<Bond>[] {
  const number = (text: string, unit: string | undefined, of: (bond: Bond) => number): GridColumn<Bond> => {
    const written = aligned(bonds.map(of).filter((value) => !Number.isNaN(value)))
    return grid.number(text, unit, (bond) => written(of(bond)))
  }
  return [
    ...nameColumns(say),
    number(say('close'), say('yuan'), ({ close }) => close),
    number(say('premium'), '%', ({ premium }) => premium),
    number(say('double-low'), undefined, ({ sum }) => sum),
  ]
}

/** Bonds of each end of the movers that are listed. */
const movers = 5

/** The bonds that rose and fell most, the most first. */
function moversOf(bonds: readonly Bond[]) {
  const moved = bonds.filter(({ change }) => !Number.isNaN(change)).sort((a, b) => b.change - a.change)
  const few = Math.min(movers, Math.floor(moved.length / 2))
  return { gains: moved.slice(0, few), losses: moved.reverse().slice(0, few) }
}

function moversTable(bonds: readonly Bond[], say: Say): Html {
  const { gains, losses } = moversOf(bonds)
  if (gains.length === 0) return html``
  const money = moneyIn('yuan', say)
  const columns = [
    ...nameColumns(say),
    grid.change(say('change'), '%', ({ change }: Bond) => change, signedTwo),
    grid.number(say('close'), say('yuan'), ({ close }: Bond) => fixed(close, 3)),
    grid.number(say(fact('CONVERTIBLE_BONDS', 'turnover')), money.unit, ({ amount }: Bond) => money.write(amount)),
  ]
  return gridPair(columns, { [say('Largest gains')]: gains, [say('Largest losses')]: losses })
}

/** How many of the lowest sums are listed: one in twenty, but 3 at least and 10 at most. */
function few(bonds: number): number {
  return Math.min(10, Math.max(3, Math.round(bonds / 20)))
}

/** Tukey's outer fences: three interquartile ranges beyond the quartiles. What lies outside would flatten all the rest. */
function fences(values: readonly number[]): (value: number) => boolean {
  const [q1, q3] = [quantile(values, 0.25), quantile(values, 0.75)]
  const reach = 3 * (q3 - q1)
  return (value) => value >= q1 - reach && value <= q3 + reach
}

/** @param ranks the bonds marked, each under its place in the table below */
function premiumPanel(all: readonly Bond[], ranks: ReadonlyMap<Bond, number>, say: Say): PlotPanel {
  const at = (bonds: Iterable<Bond>): Pair[] => Array.from(bonds, (bond) => [bond.close, bond.premium])
  return {
    name: say('Conversion premium, %'),
    height: 300,
    zero: true,
    series: [
      { kind: 'points', at: at(all), ink: 'one', mark: 'circle', size: 6, name: say('bond') },
      {
        kind: 'points',
        at: at(ranks.keys()),
        ink: 'two',
        mark: 'ring',
        size: 11,
        name: say('lowest double-low, numbered as in the table'),
        labels: Array.from(ranks.values(), (rank) => (rank <= 5 ? String(rank) : '')),
      },
    ],
  }
}

function lowestTable(lowest: readonly Bond[], columns: readonly GridColumn<Bond>[], say: Say): Html {
  const place = grid.number(say('mark'), undefined, (bond: Bond) => lowest.indexOf(bond) + 1)
  const label = say('Lowest double-low')
  return html`<h3>${label}</h3>
${htmlGrid(label, lowest, [...columns.slice(0, 2), place, ...columns.slice(2)])}<p class="note">${say('Double-low: close in yuan plus conversion premium in percent. It knows nothing of calls, ratings and liquidity.')}</p>
`
}

async function premiumChart(bonds: readonly Bond[], date: string, without: number, say: Say): Promise<Html> {
  const premiums = bonds.map((bond) => bond.premium)
  const [price, premium] = [fences(bonds.map((bond) => bond.close)), fences(premiums)]
  const shown = bonds.filter((bond) => price(bond.close) && premium(bond.premium))
  const far = bonds.filter((bond) => !shown.includes(bond))
  const lowest = bonds.slice(0, few(bonds.length))
  const columns = bondColumns(bonds, say)
  const middle = fixed(quantile(premiums, 0.5), 2)
  const below = premiums.filter((one) => one < 0).length
  const said = say`${many(bonds.length, 'bond')} on ${day(date)}; median premium ${middle}%; ${formatCount(below)} ${below === 1 ? 'trades' : 'trade'} below conversion value.`
  const left = say` ${many(without, 'bond')} without close or premium ${without === 1 ? 'is' : 'are'} left out.`
  const codes = far.map((bond) => bond.code).join(say(fact('CONVERTIBLE_SECTION', ', ')))
  const farNote = say` Not drawn, more than three interquartile ranges from the rest: ${codes}.`
  const marked = lowest.flatMap((bond, i): [Bond, number][] => (shown.includes(bond) ? [[bond, i + 1]] : []))
  const chart = await chartFigure(say, {
    id: 'convertible-chart',
    title: say('Convertible bonds: conversion premium against price'),
    desc: said,
    x: { name: say('Close, yuan') },
    panels: [premiumPanel(shown, new Map(marked), say)],
    caption: html`${said}${without > 0 && left}${far.length > 0 && farNote} ${say('Source:')} <code>convertible_daily</code>`,
    table: say('Convertible bonds of the day'),
    rows: bonds,
    columns,
  })
  return html`${chart}${lowestTable(lowest, columns, say)}`
}

/** Every bond of the day, by turnover, also those that lack a price or a premium. */
function allBonds(bonds: readonly Bond[], say: Say): Html {
  const money = moneyIn('yuan', say)
  const title = say('All bonds of the day')
  const size = ({ amount }: Bond): number => (Number.isNaN(amount) ? -1 : amount)
  const rows = [...bonds].sort((a, b) => size(b) - size(a) || compareTexts(a.code, b.code))
  const [code, name, ...columns] = bondColumns(bonds, say)
  return html`<details><summary>${say`${title} (${formatCount(bonds.length)})`}</summary>
${htmlGrid(
  title,
  rows,
  [
    code,
    name,
    grid.change(say('change'), '%', ({ change }: Bond) => change, signedTwo),
    ...columns,
    grid.number(say(fact('CONVERTIBLE_BONDS', 'turnover')), money.unit, ({ amount }: Bond) => money.write(amount)),
  ].filter((one) => one !== undefined),
)}</details>
`
}

/** How many bars a histogram has at most. */
const mostBars = 20

/** Bonds by their premium: bars of 5, 10, 20 … percent, what lies beyond Tukey's fences in the outer ones. */
function premiumHistogram(bonds: readonly Bond[], say: Say): Promise<Html> {
  const premiums = bonds.map(({ premium }) => premium)
  const within = premiums.filter(fences(premiums))
  const { low, high } = extremes(within)
  const width =
    [5, 10, 20, 50, 100].find((step) => (high - low) / step < mostBars) ?? Math.ceil((high - low) / mostBars)
  const first = binOf(low, width)
  const counts = binCounts(premiums, { width, first, count: binOf(high, width) - first + 1 })
  const from = Array.from(counts, (_, at) => (first + at) * width)
  const ends =
    within.length < premiums.length
      ? say` The outer bars also have what lies beyond, ${many(premiums.length - within.length, 'bond')}.`
      : ''
  const title = say('Bonds by conversion premium')
  return chartFigure(say, {
    id: 'premium-histogram',
    title,
    desc: say`Each bar: bonds with a premium from its number up to ${width}% more.${ends}`,
    x: { dates: from.map((one) => `${one}%`), isText: true },
    panels: [
      {
        name: title,
        height: 120,
        zero: true,
        series: [barSeries(counts, 'one')],
      },
    ],
    rows: [...from.keys()],
    columns: [
      grid.values(say('from'), '%', from, (one) => formatCount(one ?? 0)),
      grid.values(say('bonds'), undefined, counts, (one) => formatCount(one ?? 0)),
    ],
  })
}

/** Days drawn at most. */
const most = 250

async function medianChart(table: Table, say: Say): Promise<Html | false> {
  const [medians, counts] = [medianPremiums(table), premiumsByDay(table)]
  const dates = [...medians.keys()].sort().slice(-most)
  if (dates.length < 2) return false
  const values = dates.map((date) => medians.get(date))
  const percent = (value: number | undefined): string => fixed(value, 2)
  const [first, last] = [day(dates[0]), day(dates.at(-1))]
  const [before, now] = [percent(values[0]), percent(values.at(-1))]
  return daysFigure(say, {
    id: 'premium-chart',
    title: say('Median conversion premium by day'),
    desc: say`Median conversion premium: ${before}% on ${first}, ${now}% on ${last}.`,
    x: { dates },
    panels: [
      {
        name: say('Median conversion premium, %'),
        height: 120,
        format: { exact: 2 },
        series: [lineSeries(values, 'one')],
      },
    ],
    columns: [
      grid.values(say('median'), '%', values, percent),
      grid.number(say('bonds'), undefined, (at: number) => formatCount(counts.get(dates[at] ?? '')?.length ?? 0)),
    ],
  })
}

/** Bonds with both a close and a premium, the lowest double-low first. */
function byDoubleLow(all: readonly Bond[]): Bond[] {
  return all.filter(({ sum }) => !Number.isNaN(sum)).sort((a, b) => a.sum - b.sum || compareTexts(a.code, b.code))
}

/** Convertible bonds: movers, premium against price, the lowest sums of the two, and the median premium by day. */
export const convertibleSection: ReportSection = {
  title: (say) => say('Convertible bonds'),
  reads: ['convertible_daily'],
  missing: (say) => say('convertible bonds (convertible_daily)'),
  body: async (today) => {
    const { say, of } = today
    const [own, all] = [of('convertible_daily'), bondsOf(today)]
    if (!own?.date || !all) return undefined
    const bonds = byDoubleLow(all)
    if (bonds.length === 0) {
      return html`${moversTable(all, say)}${allBonds(all, say)}<p class="absent">${say`On ${day(own.date)} no bond has both a close and a premium over its conversion value.`}</p>
`
    }
    return html`${moversTable(all, say)}${await premiumChart(bonds, own.date, all.length - bonds.length, say)}${allBonds(all, say)}${await premiumHistogram(bonds, say)}${await medianChart(own.table, say)}`
  },
  brief: (today) => {
    const { say } = today
    const all = bondsOf(today)
    if (!all) return undefined
    const { gains, losses } = moversOf(all)
    const moved = ({ code, name, change }: Bond) => html`${outside(name || code)} ${formatSigned(change, 2)}%`
    const sum = ({ code, name, sum: own }: Bond) => html`${outside(name || code)} ${fixed(own, 2)}`
    return [
      briefNames(say('Largest gains'), gains, moved, say),
      briefNames(say('Largest losses'), losses, moved, say),
      briefNames(say('Lowest double-low'), byDoubleLow(all), sum, say),
    ]
  },
}
