import { tradingDayBefore } from '../../../contract/calendar.js'
import { hotLists } from '../../../contract/catalogue/hotstock.js'
import { datasetOf } from '../../../contract/catalogue.js'
import { valueTitle } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount, many } from '../format-number.js'
import { folded, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { onceOf } from '../report-day.js'
import { type ListChange, listChanges, type OnLists, onSeveralLists } from './hot-lists.js'
import { briefNames, type ReportSection } from './report-section.js'
import { naming, stockNames } from './stock-names.js'

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
    ...places.slice(0, inCell).map((place, i) => html`${i > 0 && say(', ')}${stock(place.code, names)} ${more(place)}`),
    rest > 0 && say` and ${formatCount(rest)} more`,
  ]
}

function listTitle(list: string, { language }: Say): string {
  return valueTitle(datasetOf('hotstock'), list, language) ?? list
}

function changesTable(changes: readonly ListChange[], names: Names, say: Say): Html {
  const label = say('What changed on the hot lists')
  const columns = [
    gridText(say('list'), ({ list }: ListChange) => listTitle(list, say), 'name'),
    gridNumber(say('places'), undefined, ({ places }: ListChange) => formatCount(places)),
    gridText(say('new (place)'), ({ fresh }: ListChange) => few(fresh, names, ({ rank }) => `(${rank})`, say), 'prose'),
    gridText(
      say('risen (places won)'),
      ({ risen }: ListChange) => few(risen, names, ({ won }) => `↑${won}`, say),
      'prose',
    ),
    gridText(
      say('gone (place before)'),
      ({ gone }: ListChange) => few(gone, names, ({ rank }) => `(${rank})`, say),
      'prose',
    ),
  ]
  return folded(changes, say, (shown) => htmlGrid(label, shown, columns))
}

/** Titles of lists, those of one platform behind its name: `同花顺：大家都在看、快速飙升；雪球：飙升榜`. */
function titlesByPlatform(lists: readonly string[], say: Say): string {
  const colon = say(': ')
  const titles = lists.map((one) => listTitle(one, say).split(colon))
  const groups = [...groupItems(titles, ([platform]) => platform ?? '')]
  return groups
    .map(
      ([platform, own]) => `${platform}${colon}${own.map(([, title]) => title).join(say(fact('HOT_SECTION', ', ')))}`,
    )
    .join(say('; '))
}

function severalTable(all: readonly OnLists[], names: Names, say: Say): Html {
  const title = say('On several lists')
  const shown = all.slice(0, inTable)
  const cut = all.length > inTable ? say` The first ${inTable} are listed.` : ''
  return html`<h3>${title}</h3>
<p>${say`${many(all.length, 'stock')} on two lists and more.${cut}`}</p>
${folded(shown, say, (some) =>
  htmlGrid(title, some, [
    gridText(say('code'), ({ code }) => code),
    gridText(say('name'), ({ code }) => outside(names.get(code)), 'name'),
    gridNumber(say(fact('HOT_SECTION', 'lists')), undefined, ({ lists }) => formatCount(lists.length)),
    gridNumber(say('best place'), undefined, ({ best }) => formatCount(best)),
    gridText(say('which'), ({ lists }) => titlesByPlatform(lists, say), 'prose'),
  ]),
)}`
}

/** The table of the lists, where its rows have days, and the stocks that are on several of them. */
const lists = onceOf(({ of }) => {
  const { table, days = [], date } = of('hotstock') ?? {}
  return table && date ? { table, days, date, several: onSeveralLists(table, date, hotLists) } : undefined
})

/** Hot lists: what is new on them, has risen, is gone, and stands on several. */
export const hotSection: ReportSection = {
  title: (say) => say('Hot lists'),
  reads: ['hotstock', ...naming],
  missing: (say) => say('hot lists (hotstock)'),
  brief: (today) => {
    const { say } = today
    const names = stockNames(today)
    const show = ({ code, lists: on }: OnLists) =>
      html`${outside(names.get(code) ?? code)} ${say(fact('LISTS', '{count}', { count: many(on.length, 'list') }))}`
    return briefNames(say('On most lists'), lists(today)?.several ?? [], show, say)
  },
  body: (today) => {
    const { say } = today
    const own = lists(today)
    if (!own) return undefined
    const { table, days, date, several } = own
    const names = stockNames(today)
    const before = days.find((one) => one === tradingDayBefore(date))
    const changes = listChanges(table, date, before, hotLists)
    const against = before
      ? say`against ${day(before)}`
      : say('without the trading day before, so nothing is new, risen or gone')
    return html`<p>${say`${many(changes.length, 'list')} of ${day(date)}, ${against}.`}</p>
${severalTable(several, names, say)}<h3>${say('New, risen, gone')}</h3>
${changesTable(changes, names, say)}<p class="note">${say('Lists of a past day carry no names: those shown are from other tables. Source:')} <code>hotstock</code></p>
`
  },
}
