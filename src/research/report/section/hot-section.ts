import { tradingDayBefore } from '../../../contract/calendar.js'
import { hotLists } from '../../../contract/catalogue/hotstock.js'
import { datasetOf } from '../../../contract/catalogue.js'
import { type Language, valueTitle } from '../../../contract/language.js'
import { has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount, many } from '../format-number.js'
import { folded, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { daysInTable, filled, type ReportInput } from '../report-tables.js'
import type { Say } from '../report-words.js'
import { type ListChange, listChanges, type OnLists, onSeveralLists } from './hot-lists.js'
import { briefNames, type ReportSection } from './report-section.js'
import { stockNames } from './stock-names.js'

/** Stocks named in a cell, and listed as on several lists, at most. */
const [inCell, inTable] = [5, 30]

type Names = ReadonlyMap<string, string>

function stock(code: string, names: Names): Html {
  const name = names.get(code)
  return html`<span class="whole"><code>${code}</code>${name !== undefined && html` ${outside(name)}`}</span>`
}

/** The first stocks of a cell, and how many more there are. */
function few<P extends { readonly code: string }>(
  places: readonly P[] | undefined,
  names: Names,
  more: (place: P) => string,
  say: Say,
): HtmlPart {
  if (!places) return html`<span class="none">—</span>`
  const rest = places.length - inCell
  return [
    ...places
      .slice(0, inCell)
      .map((place, i) => html`${i > 0 && say(', ', '，')}${stock(place.code, names)} ${more(place)}`),
    rest > 0 && say(` and ${formatCount(rest)} more`, ` 等 ${formatCount(places.length)} 只`),
  ]
}

function listTitle(list: string, language: Language | undefined): string {
  return valueTitle(datasetOf('hotstock'), list, language ?? 'en') ?? list
}

function changesTable(changes: readonly ListChange[], names: Names, input: ReportInput, say: Say): Html {
  const label = say('What changed on the hot lists', '热榜变化')
  const columns = [
    gridText(say('list', '榜单'), ({ list }: ListChange) => listTitle(list, input.language), 'name'),
    gridNumber(say('places', '上榜数'), undefined, ({ places }: ListChange) => formatCount(places)),
    gridText(
      say('new (place)', '新上榜（名次）'),
      ({ fresh }: ListChange) => few(fresh, names, ({ rank }) => `(${rank})`, say),
      'prose',
    ),
    gridText(
      say('risen (places won)', '上升（位）'),
      ({ risen }: ListChange) => few(risen, names, ({ won }) => `↑${won}`, say),
      'prose',
    ),
    gridText(
      say('gone (place before)', '落榜（原名次）'),
      ({ gone }: ListChange) => few(gone, names, ({ rank }) => `(${rank})`, say),
      'prose',
    ),
  ]
  return folded(changes, say, (shown) => htmlGrid(label, shown, columns))
}

/** Titles of lists, those of one platform behind its name: `同花顺：大家都在看、快速飙升；雪球：飙升榜`. */
function titlesByPlatform(lists: readonly string[], input: ReportInput, say: Say): string {
  const colon = say(': ', '：')
  const titles = lists.map((one) => listTitle(one, input.language).split(colon))
  const groups = [...groupItems(titles, ([platform]) => platform ?? '')]
  return groups
    .map(([platform, own]) => `${platform}${colon}${own.map(([, title]) => title).join(say(', ', '、'))}`)
    .join(say('; ', '；'))
}

function severalTable(all: readonly OnLists[], names: Names, input: ReportInput, say: Say): Html {
  const title = say('On several lists', '同时登上多个榜单')
  const shown = all.slice(0, inTable)
  const cut = all.length > inTable ? say(` The first ${inTable} are listed.`, `下表列前 ${inTable} 只。`) : ''
  return html`<h3>${title}</h3>
<p>${say(`${many(all.length, 'stock')} on two lists and more.${cut}`, `${formatCount(all.length)} 只股票至少登上两个榜单。${cut}`)}</p>
${folded(shown, say, (some) =>
  htmlGrid(title, some, [
    gridText(say('code', '代码'), ({ code }) => code),
    gridText(say('name', '名称'), ({ code }) => outside(names.get(code)), 'name'),
    gridNumber(say('lists', '榜单数'), undefined, ({ lists }) => formatCount(lists.length)),
    gridNumber(say('best place', '最好名次'), undefined, ({ best }) => formatCount(best)),
    gridText(say('which', '榜单'), ({ lists }) => titlesByPlatform(lists, input, say), 'prose'),
  ]),
)}`
}

/** Hot lists: what is new on them, has risen, is gone, and stands on several. */
export const hotSection: ReportSection = {
  title: ['Hot lists', '热股榜单'],
  missing: ['hot lists (hotstock)', '热股榜单（hotstock）'],
  brief: (input, say) => {
    const table = filled(input.tables.hotstock)
    const last = table && has(table, 'tradedate') ? daysInTable('hotstock', table).at(-1) : undefined
    if (!table || !last) return undefined
    const names = stockNames(input)
    const show = ({ code, lists }: OnLists) =>
      html`${outside(names.get(code) ?? code)} ${say(String(many(lists.length, 'list')), `${lists.length} 个`)}`
    return briefNames(say('On most lists', '上榜最多'), onSeveralLists(table, last, hotLists), show, say)
  },
  body: (input, say) => {
    const table = filled(input.tables.hotstock)
    const days = table && has(table, 'tradedate') ? daysInTable('hotstock', table) : []
    const last = days.at(-1)
    if (!table || !last) return undefined
    const names = stockNames(input)
    const before = days.find((one) => one === tradingDayBefore(last))
    const changes = listChanges(table, last, before, hotLists)
    const against = before
      ? say(`against ${day(before)}`, `与 ${day(before)} 相比`)
      : say('without the trading day before, so nothing is new, risen or gone', '缺前一交易日，无法比较')
    return html`<p>${say(`${many(changes.length, 'list')} of ${day(last)}, ${against}.`, `${day(last)} 共 ${formatCount(changes.length)} 个榜单，${against}。`)}</p>
${severalTable(onSeveralLists(table, last, hotLists), names, input, say)}<h3>${say('New, risen, gone', '新上榜、上升与落榜')}</h3>
${changesTable(changes, names, input, say)}<p class="note">${say('Lists of a past day carry no names: those shown are from other tables. Source:', '历史榜单不含名称，所示名称取自其他数据。来源：')} <code>hotstock</code></p>
`
  },
}
