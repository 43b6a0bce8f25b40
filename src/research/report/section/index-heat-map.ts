import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { day, formatSigned, plain } from '../format-number.js'
import { type Html, html, outside } from '../html.js'

/** A statistical index on the day. */
export interface IndexDay {
  readonly name: string
  readonly close: number
  /** Percent. */
  readonly change: number
}

const wholeMarket = '总市值 流通市值 平均股价 成交均价 涨跌家数 停板家数 活筹市值 全A等权 全A中位'.split(' ')

/** The boards, and what the names of their indices begin with. */
const boards: readonly (readonly [name: (say: Say) => string, start: string | undefined])[] = [
  [(say) => say('All A shares'), undefined],
  [(say) => say('Main boards'), '主板'],
  [(say) => say(fact('INDEX_HEAT_MAP', 'ChiNext')), '创业'],
  [(say) => say(fact('INDEX_HEAT_MAP', 'STAR')), '科创'],
  [(say) => say('Beijing'), '北证'],
]

const measures: readonly (readonly [name: (say: Say) => string, end: string])[] = [
  [(say) => say('Total value'), '总值'],
  [(say) => say('Float value'), '流通'],
  [(say) => say('Mean price'), '平均'],
  [(say) => say('Traded price'), '均价'],
  [(say) => say('Advances–declines'), '涨跌'],
  [(say) => say('Price limits'), '停板'],
  [(say) => say('Active shares'), '活筹'],
  [(say) => say('Equal weight'), '等权'],
  [(say) => say('Median'), '中位'],
]

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
  const label = say('Statistical indices by board')
  const head = boards.map(([name]) => html`<th scope="col">${name(say)}</th>`)
  const rows = measures.map(([name, end], place) => {
    const cells = boards.map(([, start]) => {
      const index = start === undefined ? wholeMarket[place] : start + end
      return cell(indices.get(index ?? ''), place === 4 || place === 5)
    })
    const original = say.language === 'en' && html` <bdi lang="zh">${end}</bdi>`
    return html`<tr><th scope="row">${name(say)}${original}</th>${cells}</tr>
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
<div class="wide" role="group" aria-label="${say('Other statistical indices')}" tabindex="0"><table class="heat-map"><caption>${say('Others')}</caption>
<tbody>
${rest}</tbody></table></div>
</div>
<p class="note">${say('Change against the day before in percent, the close in points below it. Red is up, green is down, darker from 0.1, 0.3 and 1 % (advances–declines and price limits: 5, 20 and 50 %).')}</p>
`
}
