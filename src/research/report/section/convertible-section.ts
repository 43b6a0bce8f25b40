import type { Table } from 'apache-arrow'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { day, fixed, formatCount, formatSigned, many } from '../format-number.js'
import { type GridColumn, gridDays, gridNumber, gridValues, type Html, html, htmlGrid, outside } from '../html.js'
import { lineSeries, type Pair, type PlotPanel } from '../plot.js'
import { daysInTable, filled } from '../report-tables.js'
import type { Say } from '../report-words.js'
import { type Bond, bondColumns, bondsOn, moversOf, moversTable } from './convertible-bonds.js'
import { medianPremiums, premiumsByDay } from './day-figures.js'
import { briefNames, type ReportSection, reportFigure } from './report-section.js'

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
    name: say('Conversion premium, %', '转股溢价率（%）'),
    height: 300,
    zero: true,
    series: [
      { kind: 'points', at: at(all), ink: 'one', mark: 'circle', size: 6, name: say('bond', '可转债') },
      {
        kind: 'points',
        at: at(ranks.keys()),
        ink: 'two',
        mark: 'ring',
        size: 11,
        name: say('lowest double-low, numbered as in the table', '双低值最低，编号同下表'),
        labels: Array.from(ranks.values(), (rank) => (rank <= 5 ? String(rank) : '')),
      },
    ],
  }
}

function lowestTable(lowest: readonly Bond[], columns: readonly GridColumn<Bond>[], say: Say): Html {
  const place = gridNumber(say('mark', '编号'), undefined, (bond: Bond) => lowest.indexOf(bond) + 1)
  const label = say('Lowest double-low', '双低值最低')
  return html`<h3>${label}</h3>
${htmlGrid(label, lowest, [...columns.slice(0, 2), place, ...columns.slice(2)])}<p class="note">${say(
    'Double-low: close in yuan plus conversion premium in percent. It knows nothing of calls, ratings and liquidity.',
    '双低值 = 收盘价（元）+ 转股溢价率（%），未考虑强赎、评级与流动性。',
  )}</p>
`
}

async function premiumChart(bonds: readonly Bond[], date: string, without: number, say: Say): Promise<Html> {
  const [price, premium] = [fences(bonds.map((bond) => bond.close)), fences(bonds.map((bond) => bond.premium))]
  const shown = bonds.filter((bond) => price(bond.close) && premium(bond.premium))
  const far = bonds.filter((bond) => !shown.includes(bond))
  const lowest = bonds.slice(0, few(bonds.length))
  const columns = bondColumns(bonds, say)
  const below = bonds.filter((bond) => bond.premium < 0).length
  const middle = fixed(
    quantile(
      bonds.map((bond) => bond.premium),
      0.5,
    ),
    2,
  )
  const said = say(
    `${many(bonds.length, 'bond')} on ${day(date)}; median premium ${middle} %; ` +
      `${formatCount(below)} ${below === 1 ? 'trades' : 'trade'} below conversion value.`,
    `${day(date)} 共 ${formatCount(bonds.length)} 只；转股溢价率中位数 ${middle} %；折价 ${formatCount(below)} 只。`,
  )
  const left = say(
    ` ${many(without, 'bond')} without close or premium ${without === 1 ? 'is' : 'are'} left out.`,
    `另有 ${formatCount(without)} 只缺收盘价或溢价率，未计入。`,
  )
  const codes = far.map((bond) => bond.code).join(say(', ', '、'))
  const farNote = say(
    ` Not drawn, more than three interquartile ranges from the rest: ${codes}.`,
    `未绘出（偏离四分位区间三倍以上）：${codes}。`,
  )
  const marked = lowest.flatMap((bond, i): [Bond, number][] => (shown.includes(bond) ? [[bond, i + 1]] : []))
  const chart = await reportFigure(say, {
    id: 'convertible-chart',
    title: say('Convertible bonds: conversion premium against price', '可转债：转股溢价率与价格'),
    desc: said,
    x: { name: say('Close, yuan', '收盘价（元）') },
    panels: [premiumPanel(shown, new Map(marked), say)],
    caption: html`${said}${without > 0 && left}${far.length > 0 && farNote} ${say('Source:', '来源：')} <code>convertible_daily</code>`,
    table: say('Convertible bonds of the day', '当日可转债'),
    rows: bonds,
    columns,
  })
  return html`${chart}${lowestTable(lowest, columns, say)}`
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
  return reportFigure(say, {
    id: 'premium-chart',
    title: say('Median conversion premium by day', '转股溢价率中位数（逐日）'),
    desc: say(
      `Median conversion premium: ${before} % on ${first}, ${now} % on ${last}.`,
      `转股溢价率中位数：${first} 为 ${before} %，${last} 为 ${now} %。`,
    ),
    x: { dates },
    panels: [
      {
        name: say('Median conversion premium, %', '转股溢价率中位数（%）'),
        height: 120,
        format: { exact: 2 },
        series: [lineSeries(values, 'one')],
      },
    ],
    rows: [...dates.keys()],
    columns: [
      gridDays(say('day', '日期'), dates),
      gridValues(say('median', '中位数'), '%', values, percent),
      gridNumber(say('bonds', '只数'), undefined, (at: number) =>
        formatCount(counts.get(dates[at] ?? '')?.length ?? 0),
      ),
    ],
  })
}

/** Bonds with both a close and a premium, the lowest double-low first. */
function byDoubleLow(all: readonly Bond[]): Bond[] {
  return all.filter(({ sum }) => !Number.isNaN(sum)).sort((a, b) => a.sum - b.sum || (a.code < b.code ? -1 : 1))
}

async function latestDay(table: Table, date: string, say: Say): Promise<Html> {
  const all = bondsOn(table, date)
  const bonds = byDoubleLow(all)
  if (bonds.length === 0) {
    return html`${moversTable(all, say)}<p class="absent">${say(
      `On ${day(date)} no bond has both a close and a premium over its conversion value.`,
      `${day(date)} 没有同时具有收盘价与转股溢价率的可转债。`,
    )}</p>
`
  }
  return html`${moversTable(all, say)}${await premiumChart(bonds, date, all.length - bonds.length, say)}${await medianChart(table, say)}`
}

/** Convertible bonds: movers, premium against price, the lowest sums of the two, and the median premium by day. */
export const convertibleSection: ReportSection = {
  title: ['Convertible bonds', '可转债'],
  missing: ['convertible bonds (convertible_daily)', '可转债日行情（convertible_daily）'],
  body: ({ tables }, say) => {
    const table = filled(tables.convertible_daily)
    const date = table && daysInTable('convertible_daily', table).at(-1)
    return table && date ? latestDay(table, date, say) : undefined
  },
  brief: ({ tables }, say) => {
    const table = filled(tables.convertible_daily)
    const date = table && daysInTable('convertible_daily', table).at(-1)
    if (!table || !date) return undefined
    const all = bondsOn(table, date)
    const { gains, losses } = moversOf(all)
    const moved = ({ code, name, change }: Bond) => html`${outside(name ?? code)} ${formatSigned(change, 2)} %`
    const sum = ({ code, name, sum: own }: Bond) => html`${outside(name ?? code)} ${fixed(own, 2)}`
    return [
      briefNames(say('Largest gains', '涨幅居前'), gains, moved, say),
      briefNames(say('Largest losses', '跌幅居前'), losses, moved, say),
      briefNames(say('Lowest double-low', '双低值最低'), byDoubleLow(all), sum, say),
    ]
  },
}
