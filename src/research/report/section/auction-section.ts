import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { columnNames } from '../../../frame/read-columns.js'
import { chartFigure } from '../chart-figure.js'
import { aligned, day, enumerated, fixed, formatCount, many, plain } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { type Ink, type PlotPanel, type PlotSeries, plotPair } from '../plot.js'
import { onceOf } from '../report-day.js'
import { moneyIn } from '../report-words.js'
import { type AuctionTick, type AuctionUnits, auctionUnits, lackingColumns, ticksBySymbol } from './auction-ticks.js'
import { briefNames, type ReportSection } from './report-section.js'

/** Symbols drawn, and listed: those with the largest matched amount at the end. */
const [mostDrawn, mostListed] = [2, 10]

function leftInWords(left: number, { volume }: AuctionUnits, say: Say): string {
  if (Number.isNaN(left)) return say('the volume left over unknown')
  if (left === 0) return say('nothing left over')
  const size = plain(Math.abs(left))
  return left > 0 ? say`${size} ${volume} of buyers left over` : say`${size} ${volume} of sellers left over`
}

type BySize = readonly [symbol: string, ticks: readonly AuctionTick[]]

function bySize(all: ReadonlyMap<string, readonly AuctionTick[]>): BySize[] {
  const final = (ticks: readonly AuctionTick[]): number => {
    const amount = ticks.at(-1)?.amount ?? Number.NaN
    return Number.isNaN(amount) ? -1 : amount
  }
  return [...all]
    .filter(([, ticks]) => ticks.length > 0)
    .sort((a, b) => final(b[1]) - final(a[1]) || (a[0] < b[0] ? -1 : 1))
}

function panelsOf(ticks: readonly AuctionTick[], units: AuctionUnits, say: Say): PlotPanel[] {
  const step = (ink: Ink, value: (tick: AuctionTick) => number): PlotSeries[] => [
    { kind: 'line', at: ticks.map((tick) => plotPair(tick.at, value(tick))), ink, step: true },
  ]
  return [
    {
      name: say`Indicative price, ${units.price}`,
      height: 120,
      series: step('ink', ({ price }) => price),
    },
    {
      name: say`Matched volume, ${units.volume}`,
      height: 84,
      zero: true,
      series: step('one', ({ matched }) => matched),
    },
    {
      name: say`Volume left over, ${units.volume}: above zero buyers', below zero sellers'`,
      height: 84,
      zero: true,
      series: step('two', ({ left }) => left),
    },
  ]
}

async function symbolFigure([symbol, ticks]: BySize, place: number, units: AuctionUnits, say: Say): Promise<Html> {
  const [first, last] = [ticks[0], ticks.at(-1)]
  const price = aligned(ticks.map((tick) => tick.price))
  const left = leftInWords(last?.left ?? Number.NaN, units, say)
  const morning = ticks.every((tick) => tick.at >= 33_300 && tick.at <= 33_900)
  const chart = await chartFigure(say, {
    id: `auction-chart-${place}`,
    title: say`Opening auction of ${symbol}: indicative price and volume`,
    desc: say`${symbol}: indicative price ${price(first?.price)} at ${first?.time}, ${price(last?.price)} at ${last?.time}; at the end ${plain(last?.matched)} ${units.volume} matched and ${left}.`,
    x: {
      name: say('Beijing time'),
      format: { as: 'clock' },
      ...(morning ? { min: 33_300, max: 33_900, step: 120 } : {}),
    },
    panels: panelsOf(ticks, units, say),
    table: say`Auction of ${symbol}`,
    rows: ticks,
    columns: [
      gridText(say('time'), ({ time }: AuctionTick) => time),
      gridNumber(say(fact('AUCTION_SECTION', 'price')), units.price, (tick: AuctionTick) => price(tick.price)),
      gridNumber(say('matched'), units.volume, ({ matched }: AuctionTick) => plain(matched)),
      gridNumber(say('left over'), units.volume, ({ left: own }: AuctionTick) => plain(own)),
    ],
  })
  return html`<h3>${symbol}</h3>
${chart}`
}

/** An auction as its last snapshot has it. */
interface Ended extends AuctionTick {
  readonly symbol: string
}

function largestTable(all: readonly BySize[], units: AuctionUnits, say: Say): Html {
  const money = moneyIn('yuan', say)
  const ended = all.slice(0, mostListed).map(([symbol, ticks]): Ended => ({ symbol, ...(ticks.at(-1) as AuctionTick) }))
  return htmlGrid(say('Largest auctions'), ended, [
    gridText(say('code'), ({ symbol }) => symbol),
    gridText(say('last snapshot'), ({ time }) => time),
    gridNumber(say(fact('AUCTION_SECTION', 'price')), units.price, ({ price }) => plain(price)),
    gridNumber(say('matched'), units.volume, ({ matched }) => plain(matched)),
    gridNumber(say('amount'), money.unit, ({ amount }) => fixed(amount, 4, money.power)),
    gridNumber(say('left over'), units.volume, ({ left }) => plain(left)),
  ])
}

interface Auction {
  readonly day: string
  readonly table: Table
  readonly lacking: readonly string[]
  readonly all: readonly BySize[]
}

async function view({ day: date, table, lacking, all }: Auction, say: Say): Promise<Html> {
  if (lacking.length > 0) {
    return html`<p class="absent">${say`The file of ${day(date)} has no ${enumerated(lacking, say)}, which this view needs. It has: ${enumerated(columnNames(table), say)}.`}</p>
`
  }
  const units = auctionUnits(table, say)
  const figures: Html[] = []
  for (const [i, one] of all.slice(0, mostDrawn).entries()) figures.push(await symbolFigure(one, i + 1, units, say))
  return html`<p>${say`${day(date)}: ${many(table.numRows, 'snapshot')} of ${many(all.length, 'symbol')}; listed are the ${formatCount(Math.min(mostListed, all.length))} with the largest matched amount, drawn the first ${formatCount(figures.length)}.`}</p>
${largestTable(all, units, say)}${figures}<p class="note">${say('A step holds until the next snapshot. The columns of the tick files are not specified; their names are read as usual (m_price, auc_vol, auc_amt, um_vol, um_side), the unit of volumes from amount, price and volume. Source: the auction-tick file of the day.')}</p>
`
}

/** The auction of each symbol, the largest first; nothing where the file is not there or has other columns. */
const auction = onceOf(({ ticks }) => {
  if (!ticks || ticks.table.numRows === 0) return undefined
  const lacking = lackingColumns(ticks.table)
  return { ...ticks, lacking, all: lacking.length > 0 ? [] : bySize(ticksBySymbol(ticks.table)) }
})

/** The opening auction: the largest of the day, and how price and volume of the first of them formed. */
export const auctionSection: ReportSection = {
  title: (say) => say('Opening auction'),
  reads: [],
  missing: (say) => say('auction ticks'),
  brief: (today) => {
    const { say } = today
    const money = moneyIn('yuan', say)
    const word = say`Largest matched, ${money.unit}`
    const show = ([symbol, own]: BySize) => `${symbol} ${fixed(own.at(-1)?.amount, 4, money.power)}`
    return briefNames(word, auction(today)?.all ?? [], show, say)
  },
  body: (today) => {
    const { say, withoutTicks } = today
    const own = auction(today)
    if (own) return view(own, say)
    if (withoutTicks === undefined) return undefined
    return html`<p class="absent">${say('Left out:')} ${outside(say(withoutTicks))}.</p>
`
  },
}
