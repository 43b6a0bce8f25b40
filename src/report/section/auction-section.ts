import type { Table } from 'apache-arrow'
import { columnsOf, namesOf, numbers, texts, words } from '../../frame/read-columns.js'
import { drawPlot } from '../draw-plot.js'
import { aligned, day, formatCount, listed, many, plain } from '../format-number.js'
import { absent, figure, gridNumber, gridText, type Html, html, htmlGrid, outside, type Section } from '../html.js'
import { type Pair, type Plot, plotPair } from '../plot.js'
import { filled, type ReportInput } from '../report-tables.js'

/** Symbols shown: those with the largest matched amount at the end. */
const most = 2

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

function lacking(table: Table): string[] {
  const { columns: of } = columnsOf(table)
  return Object.entries(needed).flatMap(([name, kind]) => {
    const form = of.get(name)?.type
    const found =
      form === 'float' || form === 'int' ? 'number' : form === 'dictionary' || form === 'string' ? 'text' : undefined
    return found === kind ? [] : [`${name} (${kind})`]
  })
}

/** Seconds since midnight of `HH:MM:SS`, with or without colons and decimals; NaN for anything else. */
function secondsOf(time: string | null): number {
  const [, hour, minute, second] = /^(\d\d):?(\d\d):?(\d\d(?:\.\d+)?)$/.exec(time ?? '') ?? []
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}`
}

function leftInWords(left: number): string {
  if (Number.isNaN(left)) return 'an unknown volume left over'
  return left === 0 ? 'nothing left over' : `${plain(Math.abs(left))} of ${left > 0 ? 'buyers' : 'sellers'} left over`
}

interface Tick {
  readonly time: string
  readonly at: number
  readonly price: number
  readonly matched: number
  readonly amount: number
  /** Volume left over: above zero for buyers, below zero for sellers. */
  readonly left: number
}

function leftOver(volume: number, side: string | null | undefined): number {
  if (volume === 0 || side === 'b') return volume
  return side === 's' ? -volume : Number.NaN
}

function ticksOf(table: Table): Map<string, Tick[]> {
  const symbol = words(table, 'symbol')
  const [time, side] = [texts(table, 'time'), texts(table, 'um_side')]
  const [price, matched, amount, left] = ['m_price', 'auc_vol', 'auc_amt', 'um_vol'].map((name) => numbers(table, name))
  const lists: Tick[][] = symbol.words.map(() => [])
  symbol.codes.forEach((code, row) => {
    const at = secondsOf(time[row] ?? null)
    if (Number.isNaN(at)) return
    lists[code]?.push({
      time: time[row] ?? '',
      at,
      price: price?.[row] ?? Number.NaN,
      matched: matched?.[row] ?? Number.NaN,
      amount: amount?.[row] ?? Number.NaN,
      left: leftOver(left?.[row] ?? Number.NaN, side[row]),
    })
  })
  return new Map(lists.map((list, code) => [symbol.words[code] ?? '', list.sort((a, b) => a.at - b.at)]))
}

function largest(all: ReadonlyMap<string, readonly Tick[]>): [string, readonly Tick[]][] {
  const final = (ticks: readonly Tick[]): number => {
    const amount = ticks.at(-1)?.amount ?? Number.NaN
    return Number.isNaN(amount) ? -1 : amount
  }
  return [...all]
    .filter(([, ticks]) => ticks.length > 0)
    .sort((a, b) => final(b[1]) - final(a[1]) || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
}

function plotOf(
  symbol: string,
  ticks: readonly Tick[],
  { id, desc, units }: { readonly id: string; readonly desc: string; readonly units: Units },
): Plot {
  const at = (value: (tick: Tick) => number): Pair[] => ticks.map((tick) => plotPair(tick.at, value(tick)))
  const morning = ticks.every((tick) => tick.at >= 33_300 && tick.at <= 33_900)
  return {
    id,
    title: `Opening auction of ${symbol}: indicative price and volume`,
    desc,
    x: { name: 'Beijing time', format: clock, ...(morning ? { min: 33_300, max: 33_900, step: 120 } : {}) },
    panels: [
      {
        name: `Indicative price, ${units.price}`,
        height: 120,
        series: [{ kind: 'line', at: at((tick) => tick.price), ink: 'ink', step: true }],
      },
      {
        name: `Volume that would match, ${units.volume}`,
        height: 84,
        zero: true,
        series: [{ kind: 'line', at: at((tick) => tick.matched), ink: 'one', step: true }],
      },
      {
        name: `Volume left over, ${units.volume}: above zero of buyers, below zero of sellers`,
        height: 84,
        zero: true,
        series: [{ kind: 'line', at: at((tick) => tick.left), ink: 'two', dash: 'dashed', step: true }],
      },
    ],
  }
}

/** Units that the file itself states; it need not. */
interface Units {
  readonly price: string
  readonly volume: string
}

function unitsOf(table: Table): Units {
  const unit = (name: string): string =>
    table.schema.fields.find((field) => field.name === name)?.metadata.get('unit') ?? 'as in the file'
  return { price: unit('m_price'), volume: unit('auc_vol') }
}

async function symbolFigure(symbol: string, ticks: readonly Tick[], place: number, units: Units): Promise<Html> {
  const [first, last] = [ticks[0], ticks.at(-1)]
  const price = aligned(ticks.map((tick) => tick.price))
  const said =
    `${symbol}: indicative price ${price(first?.price)} at ${first?.time}, ${price(last?.price)} at ${last?.time}; ` +
    `at the end ${plain(last?.matched)} matched and ${leftInWords(last?.left ?? Number.NaN)}.`
  return html`<h3>${symbol}</h3>
${figure({
  drawing: await drawPlot(plotOf(symbol, ticks, { id: `auction-chart-${place}`, desc: said, units })),
  key: [
    { sign: 'line', ink: 'ink', text: 'indicative price' },
    { sign: 'line', ink: 'one', text: 'matched volume' },
    { sign: 'dashed', ink: 'two', text: 'volume left over' },
  ],
  caption: said,
  numbers: htmlGrid(`Auction of ${symbol}`, ticks, [
    gridText('time', ({ time }) => time),
    gridNumber('price', units.price, (tick) => price(tick.price)),
    gridNumber('matched', units.volume, ({ matched }) => plain(matched)),
    gridNumber('left over', units.volume, ({ left }) => plain(left)),
  ]),
  rows: ticks.length,
})}`
}

async function view(date: string, table: Table): Promise<Html> {
  const wrong = lacking(table)
  if (wrong.length > 0) {
    return html`<p class="absent">The file of ${day(date)} has no ${listed(wrong)}, which this view needs. It has: ${listed(namesOf(table))}.</p>
`
  }
  const all = ticksOf(table)
  const chosen = largest(all)
  const figures: Html[] = []
  for (const [i, [symbol, ticks]] of chosen.entries())
    figures.push(await symbolFigure(symbol, ticks, i + 1, unitsOf(table)))
  return html`<p>${day(date)}: ${many(table.numRows, 'snapshot')} of ${many(all.size, 'symbol')}; the ${formatCount(chosen.length)} with the largest
matched amount at the end ${chosen.length === 1 ? 'is' : 'are'} drawn. A step holds until the next snapshot. The specification does not
say what the columns of the tick files are: their names are read in the usual way (m_price, auc_vol, um_vol, um_side).</p>
${figures}<p class="note">Source: the auction-tick file of the day.</p>
`
}

/** The opening auction: how price and volume formed for the largest of the day. */
export async function auctionSection(input: ReportInput): Promise<Section> {
  const table = filled(input.ticks?.table)
  const { withoutTicks } = input
  const none =
    withoutTicks === undefined
      ? absent('auction ticks')
      : html`<p class="absent">Left out: ${outside(withoutTicks)}.</p>
`
  const body = input.ticks && table ? await view(input.ticks.day, table) : none
  return { id: 'auction', title: 'Opening auction', body }
}
