import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Say } from '../../contract/say.js'
import type { ArchiveReach } from '../../data/archive/due-days.js'
import { groupItems } from '../../frame/table/group-items.js'
import { day } from '../../research/report/format-number.js'
import { type Html, html } from '../../research/report/html.js'
import { type CodeShown, type PlanView, planGrid } from '../../research/report/plan-page/plan-tables.js'
import type { PlanWord } from '../../research/report/plan-page/plan-words.js'
import { dataReach, isForTonight, lateText } from './data-age.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

/** An account of the folder, or why it is not read. */
export interface ReadAccount {
  readonly name: string
  readonly view: PlanView | undefined
  readonly fault: string | undefined
}

export function accountsIn({ folders, say }: DeskVisit): readonly ReadAccount[] {
  const { accounts } = folders
  return (accounts?.names() ?? []).map((name) => {
    try {
      return { name, view: accounts?.view(name), fault: undefined }
    } catch (error) {
      if (!(error instanceof QuotebookError)) throw error
      return { name, view: undefined, fault: say(messageOf(error)) }
    }
  })
}

/** A code as the link to its page. */
export const codeLink =
  (visit: DeskVisit): CodeShown =>
  (symbol) =>
    html`<a href="${deskHref(visit, ['code', symbol])}">${symbol}</a>`

type Order = PlanView['plan']['orders'][number]

/** Orders as lines to be pasted: code, side, shares, own limit. */
const orderLines = (say: Say, orders: readonly Order[]): string =>
  orders
    .map(({ symbol, side, shares, limit }) => [symbol, say(side), shares, limit ?? ''].join('\t').trimEnd())
    .join('\n')

// biome-ignore format: a table
const orderColumns: readonly PlanWord[] = ['symbol', 'name', 'side', 'shares', 'lots', 'lastClose', 'limitDown', 'limitUp', 'limit', 'value', 'reason', 'notes']

/** Why orders are not for tonight, and the command that plans anew. */
function pastNote(visit: DeskVisit, { name, view }: ReadAccount, reach: ArchiveReach | undefined): Html {
  const { say } = visit
  const isBehind = view !== undefined && reach !== undefined && view.plan.day < reach.last
  const why = isBehind
    ? say`The data go to ${day(reach.last)}, and the account was not planned since.`
    : reach && lateText(visit, reach)
  return html`<p class="note">${why} ${say('These orders are of a day that is past; plan anew:')} <code>quotebook plan ${view?.code.name} --account ${name}</code></p>`
}

/** The orders of an account for its next day; to be copied and printed where they are for tonight. */
function ordersOf(visit: DeskVisit, account: ReadAccount, reach: ArchiveReach | undefined): Html {
  const { say } = visit
  const { name, view, fault } = account
  const link = html`<a href="${deskHref(visit, ['accounts', name])}"><bdi>${name}</bdi></a>`
  if (!view) return html`<h3>${link}</h3><p class="absent">${fault ?? say('no day was run yet')}</p>`
  const { orders, day: decided, tradeDay } = view.plan
  const isNow = isForTonight(visit, decided, reach)
  const said = html`<p class="note">${say`Decided at the close of ${day(decided)}.`}</p>${!isNow && pastNote(visit, account, reach)}`
  const copy = html`<p class="orders-tools"><button type="button" data-copy="${orderLines(say, orders)}">${say('Copy')}</button> <button type="button" data-print>${say('Print')}</button></p>`
  const list =
    orders.length > 0
      ? html`${planGrid(say, 'orders', orders, codeLink(visit), orderColumns)}${isNow && copy}`
      : html`<p class="absent">${say('No orders.')}</p>`
  return html`<h3>${link} <small>${day(tradeDay)}</small></h3>${said}${list}`
}

/** Orders under the day that they are for: tonight's first, then those of days that are past. */
export async function ordersByDay(visit: DeskVisit, all: readonly ReadAccount[]): Promise<Html> {
  const { say } = visit
  const reach = await dataReach(visit)
  const days = groupItems(all, ({ view }) =>
    !view || isForTonight(visit, view.plan.day, reach) ? '' : view.plan.tradeDay,
  )
  const now = days.get('') ?? []
  const past = [...days].filter(([date]) => date !== '').sort(([a], [b]) => (a < b ? 1 : -1))
  const own = (some: readonly ReadAccount[]): Html[] => some.map((one) => ordersOf(visit, one, reach))
  const tonight = now.length > 0 && html`<section id="tonight"><h2>${say('Orders tonight')}</h2>${own(now)}</section>`
  return html`${tonight}${past.map(([date, some]) => html`<section class="past-orders"><h2>${say`Orders of ${day(date)} (past)`}</h2>${own(some)}</section>`)}`
}

/** What plans and accounts want for the next day; nothing where the desk was given none. */
export async function accountsTonight(visit: DeskVisit): Promise<Html | false> {
  const { say, folders } = visit
  if (!folders.accounts) return false
  const all = accountsIn(visit)
  if (all.length > 0) return ordersByDay(visit, all)
  return html`<section id="tonight"><h2>${say('Orders tonight')}</h2><p class="absent">${say('There is no account in the folder.')}</p></section>`
}
