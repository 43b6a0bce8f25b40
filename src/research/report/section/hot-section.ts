import type { Table } from 'apache-arrow'
import { tradingDayBefore } from '../../../contract/calendar.js'
import { hotLists } from '../../../contract/catalogue/hotstock.js'
import { datasetOf } from '../../../contract/catalogue.js'
import { valueTitle } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount, many } from '../format-number.js'
import { folded, grid, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { onceOf } from '../report-day.js'
import { recordsOf, rowsOn } from '../report-tables.js'
import { compareTexts } from '../report-words.js'
import { briefNames, type ReportSection } from './report-section.js'
import { naming, stockNames } from './stock-names.js'

/** Stocks named in a cell, and listed as on several lists, at most. */
const [inCell, inTable] = [5, 30]

/** A place of a hot list. */
interface Place {
  readonly code: string
  readonly list: string
  readonly rank: number
}

/** The places of a day by list and rank. */
function listsOn(table: Table, date: string): ReadonlyMap<string, readonly Place[]> {
  const places = recordsOf(table, ['s', 'type'], ['rank'], rowsOn(table, 'tradedate', date))
  const byRank = places.map(({ s: code, type: list, rank }) => ({ code, list, rank })).sort((a, b) => a.rank - b.rank)
  return groupItems(byRank, ({ list }) => list)
}

/** A hot list of the day against that of the trading day before; what changed is undefined where that is not there. */
function changeOf(list: string, now: readonly Place[], before: readonly Place[] | undefined) {
  if (!before) return { list, places: now.length, fresh: undefined, gone: undefined, risen: undefined }
  const was = new Map(before.map(({ code, rank }) => [code, rank]))
  const there = new Set(now.map(({ code }) => code))
  /** Places won, the most first. */
  const risen = now.flatMap((one) => {
    const won = (was.get(one.code) ?? Number.NaN) - one.rank
    return won > 0 ? [{ ...one, won }] : []
  })
  return {
    list,
    places: now.length,
    fresh: now.filter(({ code }) => !was.has(code)),
    gone: before.filter(({ code }) => !there.has(code)),
    risen: risen.sort((a, b) => b.won - a.won || a.rank - b.rank),
  }
}

type ListChange = ReturnType<typeof changeOf>

/** What changed on each list since a day before. */
function listChanges(table: Table, date: string, before: string | undefined): ListChange[] {
  const [now, then] = [date, before].map((one) => (one === undefined ? new Map() : listsOn(table, one)))
  return hotLists.flatMap((name) => {
    const own = now?.get(name)
    return own ? [changeOf(name, own, then?.get(name))] : []
  })
}

/** Stocks on two lists and more: the most lists first, then the best place, then the code. */
function onSeveralLists(table: Table, date: string) {
  const byCode = groupItems([...listsOn(table, date).values()].flat(), ({ code }) => code)
  const all = Array.from(byCode, ([code, own]) => {
    const lists = hotLists.filter((name) => own.some(({ list }) => list === name))
    return { code, best: Math.min(...own.map(({ rank }) => rank)), lists }
  })
  const several = all.filter(({ lists }) => lists.length > 1)
  return several.sort((a, b) => b.lists.length - a.lists.length || a.best - b.best || compareTexts(a.code, b.code))
}

type OnLists = ReturnType<typeof onSeveralLists>[number]

type Names = ReadonlyMap<string, string>

function stock(code: string, names: Names): Html {
  const name = names.get(code)
  return html`<span class="whole"><code>${code}</code>${name !== undefined && html` ${outside(name)}`}</span>`
}

function listTitle(list: string, { language }: Say): string {
  return valueTitle(datasetOf('hotstock'), list, language) ?? list
}

function changesTable(changes: readonly ListChange[], names: Names, say: Say): Html {
  /** The first stocks of a cell, and how many more there are. */
  const few = <P extends Place>(
    text: string,
    of: (change: ListChange) => readonly P[] | undefined,
    more: (one: P) => string,
  ) =>
    grid.text(
      text,
      (change: ListChange): HtmlPart => {
        const places = of(change)
        if (!places) return html`<span class="none">—</span>`
        const rest = places.length - inCell
        return [
          ...places.slice(0, inCell).map((one, i) => html`${i > 0 && say(', ')}${stock(one.code, names)} ${more(one)}`),
          rest > 0 && say` and ${formatCount(rest)} more`,
        ]
      },
      'prose',
    )
  const label = say('What changed on the hot lists')
  return folded(changes, say, (shown) =>
    htmlGrid(label, shown, [
      grid.text(say('list'), ({ list }) => listTitle(list, say), 'name'),
      grid.number(say('places'), undefined, ({ places }) => formatCount(places)),
      few(
        say('new (place)'),
        ({ fresh }) => fresh,
        ({ rank }) => say`(${rank})`,
      ),
      few(
        say('risen (places won)'),
        ({ risen }) => risen,
        ({ won }) => `↑${won}`,
      ),
      few(
        say('gone (place before)'),
        ({ gone }) => gone,
        ({ rank }) => say`(${rank})`,
      ),
    ]),
  )
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
    grid.text(say('code'), ({ code }) => code),
    grid.text(say('name'), ({ code }) => outside(names.get(code)), 'name'),
    grid.number(say(fact('HOT_SECTION', 'lists')), undefined, ({ lists }) => formatCount(lists.length)),
    grid.number(say('best place'), undefined, ({ best }) => formatCount(best)),
    grid.text(say('which'), ({ lists }) => titlesByPlatform(lists, say), 'prose'),
  ]),
)}`
}

/** The table of the lists, where its rows have days, and the stocks that are on several of them. */
const lists = onceOf(({ of }) => {
  const { table, days = [], date } = of('hotstock') ?? {}
  return table && date ? { table, days, date, several: onSeveralLists(table, date) } : undefined
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
    const changes = listChanges(table, date, before)
    const against = before
      ? say`against ${day(before)}`
      : say('without the trading day before, so nothing is new, risen or gone')
    return html`<p>${say`${many(changes.length, 'list')} of ${day(date)}, ${against}.`}</p>
${severalTable(several, names, say)}<h3>${say('New, risen, gone')}</h3>
${changesTable(changes, names, say)}<p class="note">${say('Lists of a past day carry no names: those shown are from other tables. Source:')} <code>hotstock</code></p>
`
  },
}
