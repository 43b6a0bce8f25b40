import type { Table } from 'apache-arrow'
import { wordsIn } from '../../../contract/say.js'
import { columnNames } from '../../../frame/read-columns.js'
import { aligned, day, fixed, formatCount, listed, many, plain } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { type Ink, type PlotPanel, type PlotSeries, plotPair } from '../plot.js'
import { filled } from '../report-tables.js'
import { languageOfSay, moneyIn, type Say } from '../report-words.js'
import { type AuctionTick, type AuctionUnits, auctionUnits, lackingColumns, ticksBySymbol } from './auction-ticks.js'
import { briefNames, type ReportSection, reportFigure } from './report-section.js'

/** Symbols drawn, and listed: those with the largest matched amount at the end. */
const [mostDrawn, mostListed] = [2, 10]

function leftInWords(left: number, { volume }: AuctionUnits, say: Say): string {
  if (Number.isNaN(left)) return say('the volume left over unknown', '未匹配量不明')
  if (left === 0) return say('nothing left over', '无未匹配量')
  const size = plain(Math.abs(left))
  return left > 0
    ? say(`${size} ${volume} of buyers left over`, `未匹配买量 ${size} ${volume}`)
    : say(`${size} ${volume} of sellers left over`, `未匹配卖量 ${size} ${volume}`)
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
      name: say(`Indicative price, ${units.price}`, `虚拟匹配价（${units.price}）`),
      height: 120,
      series: step('ink', ({ price }) => price),
    },
    {
      name: say(`Matched volume, ${units.volume}`, `虚拟匹配量（${units.volume}）`),
      height: 84,
      zero: true,
      series: step('one', ({ matched }) => matched),
    },
    {
      name: say(
        `Volume left over, ${units.volume}: above zero buyers', below zero sellers'`,
        `未匹配量（${units.volume}）：零线以上为买方，以下为卖方`,
      ),
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
  const chart = await reportFigure(say, {
    id: `auction-chart-${place}`,
    title: say(`Opening auction of ${symbol}: indicative price and volume`, `${symbol} 开盘集合竞价：虚拟匹配价与量`),
    desc: say(
      `${symbol}: indicative price ${price(first?.price)} at ${first?.time}, ${price(last?.price)} at ${last?.time}; ` +
        `at the end ${plain(last?.matched)} ${units.volume} matched and ${left}.`,
      `${symbol}：虚拟匹配价 ${first?.time} 为 ${price(first?.price)}，${last?.time} 为 ${price(last?.price)}；` +
        `最终匹配 ${plain(last?.matched)} ${units.volume}，${left}。`,
    ),
    x: {
      name: say('Beijing time', '北京时间'),
      format: { as: 'clock' },
      ...(morning ? { min: 33_300, max: 33_900, step: 120 } : {}),
    },
    panels: panelsOf(ticks, units, say),
    table: say(`Auction of ${symbol}`, `${symbol} 集合竞价`),
    rows: ticks,
    columns: [
      gridText(say('time', '时间'), ({ time }: AuctionTick) => time),
      gridNumber(say('price', '匹配价'), units.price, (tick: AuctionTick) => price(tick.price)),
      gridNumber(say('matched', '匹配量'), units.volume, ({ matched }: AuctionTick) => plain(matched)),
      gridNumber(say('left over', '未匹配量'), units.volume, ({ left: own }: AuctionTick) => plain(own)),
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
  return htmlGrid(say('Largest auctions', '竞价成交额居前'), ended, [
    gridText(say('code', '代码'), ({ symbol }) => symbol),
    gridText(say('last snapshot', '最后快照'), ({ time }) => time),
    gridNumber(say('price', '匹配价'), units.price, ({ price }) => plain(price)),
    gridNumber(say('matched', '匹配量'), units.volume, ({ matched }) => plain(matched)),
    gridNumber(say('amount', '匹配额'), money.unit, ({ amount }) => fixed(amount, 4, money.power)),
    gridNumber(say('left over', '未匹配量'), units.volume, ({ left }) => plain(left)),
  ])
}

async function view(date: string, table: Table, say: Say): Promise<Html> {
  const wrong = lackingColumns(table)
  if (wrong.length > 0) {
    return html`<p class="absent">${say(
      `The file of ${day(date)} has no ${listed(wrong)}, which this view needs. It has: ${listed(columnNames(table))}.`,
      `${day(date)} 的文件缺少所需的列 ${wrong.join('、')}；现有列：${columnNames(table).join('、')}。`,
    )}</p>
`
  }
  const units = auctionUnits(table, say)
  const ticks = ticksBySymbol(table)
  const all = bySize(ticks)
  const figures: Html[] = []
  for (const [i, one] of all.slice(0, mostDrawn).entries()) figures.push(await symbolFigure(one, i + 1, units, say))
  return html`<p>${say(
    `${day(date)}: ${many(table.numRows, 'snapshot')} of ${many(ticks.size, 'symbol')}; listed are the ${formatCount(Math.min(mostListed, all.length))} with the largest matched amount, drawn the first ${formatCount(figures.length)}.`,
    `${day(date)}：${formatCount(ticks.size)} 只证券，${formatCount(table.numRows)} 条快照；列出匹配额最大的 ${formatCount(Math.min(mostListed, all.length))} 只，绘出前 ${formatCount(figures.length)} 只。`,
  )}</p>
${largestTable(all, units, say)}${figures}<p class="note">${say(
    'A step holds until the next snapshot. The columns of the tick files are not specified; their names are read as usual (m_price, auc_vol, auc_amt, um_vol, um_side), the unit of volumes from amount, price and volume. Source: the auction-tick file of the day.',
    '阶梯线延续至下一快照。接口规范未定义集合竞价文件的列，此处按通行列名（m_price、auc_vol、auc_amt、um_vol、um_side）读取，成交量单位由金额、价格与量推得。来源：当日集合竞价快照文件。',
  )}</p>
`
}

/** The opening auction: the largest of the day, and how price and volume of the first of them formed. */
export const auctionSection: ReportSection = {
  title: ['Opening auction', '开盘集合竞价'],
  missing: ['auction ticks', '集合竞价快照'],
  brief: ({ ticks }, say) => {
    if (!ticks || !filled(ticks.table) || lackingColumns(ticks.table).length > 0) return undefined
    const money = moneyIn('yuan', say)
    const word = say(`Largest matched, ${money.unit}`, `匹配额居前（${money.unit}）`)
    const show = ([symbol, own]: BySize) => `${symbol} ${fixed(own.at(-1)?.amount, 4, money.power)}`
    return briefNames(word, bySize(ticksBySymbol(ticks.table)), show, say)
  },
  body: ({ ticks, withoutTicks }, say) => {
    if (ticks && filled(ticks.table)) return view(ticks.day, ticks.table, say)
    if (withoutTicks === undefined) return undefined
    return html`<p class="absent">${say('Left out:', '未列出：')} ${outside(wordsIn(withoutTicks, languageOfSay(say)))}.</p>
`
  },
}
