import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { columnNames, columnsOf, dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { chartFigure } from '../chart-figure.js'
import { aligned, day, enumerated, fixed, formatCount, many, plain } from '../format-number.js'
import { grid, type Html, html, htmlGrid, outside } from '../html.js'
import { type Ink, type PlotPanel, type PlotSeries, plotPair } from '../plot.js'
import { onceOf } from '../report-day.js'
import { moneyIn, unitIn } from '../report-words.js'
import { briefNames, type ReportSection } from './report-section.js'

/** The columns that the view needs. The files have no documented columns: these are of the profile that is assumed. */
const needed = {
  symbol: 'text',
  time: 'text',
  m_price: 'number',
  auc_vol: 'number',
  auc_amt: 'number',
  um_vol: 'number',
  um_side: 'text',
}

/** Columns that are needed and not there, or of another kind. */
function lackingColumns(table: Table): string[] {
  const { columns: of } = columnsOf(table)
  return Object.entries(needed).flatMap(([name, kind]) => {
    const form = of.get(name)?.type ?? ''
    const forms = kind === 'number' ? ['float', 'int'] : ['dictionary', 'string']
    return forms.includes(form) ? [] : [`${name} (${kind})`]
  })
}

/** Seconds since midnight of `HH:MM:SS`, with or without colons and decimals; NaN for anything else. */
function secondsOf(time: string | null): number {
  const [, hour, minute, second] = /^(\d\d):?(\d\d):?(\d\d(?:\.\d+)?)$/.exec(time ?? '') ?? []
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

function leftOver(volume: number, side: string | null | undefined): number {
  if (volume === 0 || side === 'b') return volume
  return side === 's' ? -volume : Number.NaN
}

/** The snapshots of each symbol in the order of time. */
function ticksBySymbol(table: Table) {
  const symbol = dictionary(table, 'symbol')
  const [time, side] = [strings(table, 'time'), strings(table, 'um_side')]
  const [price, matched, amount, left] = [
    numbers(table, 'm_price'),
    numbers(table, 'auc_vol'),
    numbers(table, 'auc_amt'),
    numbers(table, 'um_vol'),
  ]
  const tickAt = (row: number) => ({
    time: time[row] ?? '',
    /** Seconds since midnight. */
    at: secondsOf(time[row] ?? null),
    price: price[row] as number,
    matched: matched[row] as number,
    amount: amount[row] as number,
    /** Volume left over: above zero for buyers, below zero for sellers. */
    left: leftOver(left[row] as number, side[row]),
  })
  const lists = symbol.words.map((): ReturnType<typeof tickAt>[] => [])
  symbol.codes.forEach((code, row) => {
    const tick = tickAt(row)
    if (!Number.isNaN(tick.at)) lists[code]?.push(tick)
  })
  return new Map(lists.map((list, code) => [symbol.words[code] ?? '', list.sort((a, b) => a.at - b.at)]))
}

type BySize = readonly [symbol: string, ticks: readonly AuctionTick[]]
type AuctionTick = ReturnType<typeof ticksBySymbol> extends Map<string, (infer T)[]> ? T : never

/**
 * Units that the file states, or else those that its own numbers show: turnover over price and volume is 1 where volumes are
 * shares, 100 where they are lots.
 */
function auctionUnits(table: Table, say: Say) {
  const stated = (name: string): string | undefined => {
    const unit = table.schema.fields.find((field) => field.name === name)?.metadata.get('unit')
    return unit === undefined ? undefined : unitIn(unit, say)
  }
  const [price, volume] = [numbers(table, 'm_price'), numbers(table, 'auc_vol')]
  const ratios = numbers(table, 'auc_amt').map((one, row) => one / ((price[row] as number) * (volume[row] as number)))
  const known = ratios.filter(Number.isFinite)
  const near = (factor: number): boolean =>
    known.length > 0 && known.filter((ratio) => Math.abs(ratio / factor - 1) < 0.01).length > 0.95 * known.length
  const shown = near(100) ? say('lots of 100 shares') : near(1) ? say('shares') : say('unit not stated')
  return { price: stated('m_price') ?? say('yuan'), volume: stated('auc_vol') ?? shown }
}

type AuctionUnits = ReturnType<typeof auctionUnits>

/** Symbols drawn, and listed: those with the largest matched amount at the end. */
const [mostDrawn, mostListed] = [2, 10]

function leftInWords(left: number, { volume }: AuctionUnits, say: Say): string {
  if (Number.isNaN(left)) return say('the volume left over unknown')
  if (left === 0) return say('nothing left over')
  const size = plain(Math.abs(left))
  return left > 0 ? say`${size} ${volume} of buyers left over` : say`${size} ${volume} of sellers left over`
}

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
  const step = (ink: Ink, name: 'price' | 'matched' | 'left'): PlotSeries[] => [
    { kind: 'line', at: ticks.map((tick) => plotPair(tick.at, tick[name])), ink, step: true },
  ]
  const left = say`Volume left over, ${units.volume}: above zero buyers', below zero sellers'`
  return [
    { name: say`Indicative price, ${units.price}`, height: 120, series: step('ink', 'price') },
    { name: say`Matched volume, ${units.volume}`, height: 84, zero: true, series: step('one', 'matched') },
    { name: left, height: 84, zero: true, series: step('two', 'left') },
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
      grid.text(say('time'), ({ time }: AuctionTick) => time),
      grid.number(say(fact('AUCTION_SECTION', 'price')), units.price, (tick: AuctionTick) => price(tick.price)),
      grid.number(say('matched'), units.volume, ({ matched }: AuctionTick) => plain(matched)),
      grid.number(say('left over'), units.volume, ({ left: own }: AuctionTick) => plain(own)),
    ],
  })
  return html`<h3>${symbol}</h3>
${chart}`
}

function largestTable(all: readonly BySize[], units: AuctionUnits, say: Say): Html {
  const money = moneyIn('yuan', say)
  const ended = all.slice(0, mostListed).map(([symbol, ticks]) => ({ symbol, ...(ticks.at(-1) as AuctionTick) }))
  return htmlGrid(say('Largest auctions'), ended, [
    grid.text(say('code'), ({ symbol }) => symbol),
    grid.text(say('last snapshot'), ({ time }) => time),
    grid.number(say(fact('AUCTION_SECTION', 'price')), units.price, ({ price }) => plain(price)),
    grid.number(say('matched'), units.volume, ({ matched }) => plain(matched)),
    grid.number(say('amount'), money.unit, ({ amount }) => fixed(amount, 4, money.power)),
    grid.number(say('left over'), units.volume, ({ left }) => plain(left)),
  ])
}

/** The auction of each symbol, the largest first; nothing where the file is not there or has other columns. */
const auction = onceOf(({ ticks }) => {
  if (!ticks || ticks.table.numRows === 0) return undefined
  const lacking = lackingColumns(ticks.table)
  return { ...ticks, lacking, all: lacking.length > 0 ? [] : bySize(ticksBySymbol(ticks.table)) }
})

async function view(
  { day: date, table, lacking, all }: NonNullable<ReturnType<typeof auction>>,
  say: Say,
): Promise<Html> {
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
