import { day, formatSigned, plain } from '../format-number.js'
import { type Html, html, outside } from '../html.js'
import type { Say } from '../report-words.js'

/** A statistical index on the day. */
export interface IndexDay {
  readonly name: string
  readonly close: number
  /** Percent. */
  readonly change: number
}

const boards = [
  ['All A shares', '全A', '总市值 流通市值 平均股价 成交均价 涨跌家数 停板家数 活筹市值 全A等权 全A中位'.split(' ')],
  ['Main boards', '主板', undefined],
  ['ChiNext', '创业', undefined],
  ['STAR', '科创', undefined],
  ['Beijing', '北证', undefined],
] as const

const measures = [
  ['总值', 'Total value'],
  ['流通', 'Float value'],
  ['平均', 'Mean price'],
  ['均价', 'Traded price'],
  ['涨跌', 'Advances–declines'],
  ['停板', 'Price limits'],
  ['活筹', 'Active shares'],
  ['等权', 'Equal weight'],
  ['中位', 'Median'],
] as const

const others = ['ETF等权', 'REITs', '可转债', '通用回购']

/** Changes in percent from which on a cell is darker; counts move more than prices. */
const steps = [0.1, 0.3, 1]
const countSteps = [5, 20, 50]

function heatOf(change: number, isCount: boolean): string {
  const level = (isCount ? countSteps : steps).filter((step) => Math.abs(change) >= step).length
  return level === 0 || Number.isNaN(change) ? '' : ` ${change > 0 ? 'up' : 'down'}-${level}`
}

function cell(index: IndexDay | undefined, isCount: boolean): Html {
  if (!index) return html`<td class="heat none">—</td>`
  return html`<td class="heat${heatOf(index.change, isCount)}" title="${index.name}"><b>${formatSigned(index.change, 2)}</b><small>${plain(index.close)}</small></td>`
}

/** The statistical indices of a day by board, coloured by their change: red up, green down. */
export function indexHeatMap(indices: ReadonlyMap<string, IndexDay>, date: string, say: Say): Html {
  const label = say('Statistical indices by board', '各板块统计指数')
  const head = boards.map(([english, chinese]) => html`<th scope="col">${say(english, chinese)}</th>`)
  const rows = measures.map(([chinese, english], place) => {
    const cells = boards.map(([, board, names]) =>
      cell(indices.get(names ? (names[place] ?? '') : board + chinese), place === 4 || place === 5),
    )
    return html`<tr><th scope="row">${say(html`${english} <bdi lang="zh">${chinese}</bdi>`, html`${chinese}`)}</th>${cells}</tr>
`
  })
  const rest = others.map((name) => {
    const index = indices.get(name)
    return html`<tr><th scope="row">${outside(name)}</th>${cell(index, false)}</tr>
`
  })
  return html`<div class="heat-maps">
<div class="wide" role="group" aria-label="${label}" tabindex="0"><table class="heat-map"><caption>${label}, ${day(date)}</caption>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${rows}</tbody></table></div>
<div class="wide" role="group" aria-label="${say('Other statistical indices', '其他统计指数')}" tabindex="0"><table class="heat-map"><caption>${say('Others', '其他')}</caption>
<tbody>
${rest}</tbody></table></div>
</div>
<p class="note">${say(
    'Change against the day before in percent, the close in points below it. Red is up, green is down, darker from 0.1, 0.3 and 1 % (advances–declines and price limits: 5, 20 and 50 %).',
    '上行为较前一日的涨跌幅（%），下行为收盘点位。红涨绿跌，按 0.1、0.3、1 %（涨跌、停板为 5、20、50 %）分档加深。',
  )}</p>
`
}
