import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { day, fixed, formatCount, formatSigned, plain } from '../../research/report/format-number.js'
import { type GridColumn, grid, type Html, html, htmlGrid, risen } from '../../research/report/html.js'
import { sectionOf } from '../../research/report/html-document.js'
import { type PlanView, planParts } from '../../research/report/plan-page/plan-page.js'
import { planWordIn, planWords } from '../../research/report/plan-page/plan-words.js'
import { type DeskPage, type DeskVisit, deskHref } from './desk-visit.js'
import { oneNamed } from './refused-page.js'

/** An account of the folder, or why it is not read. */
interface ReadAccount {
  readonly name: string
  readonly view: PlanView | undefined
  readonly fault: string | undefined
}

function accountsIn({ folders, say }: DeskVisit): readonly ReadAccount[] {
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

type Order = PlanView['plan']['orders'][number]

/** Orders as lines that a terminal takes: code, side, shares, own limit. */
const orderLines = (orders: readonly Order[]): string =>
  orders.map(({ symbol, side, shares, limit }) => [symbol, side, shares, limit ?? ''].join('\t').trimEnd()).join('\n')

function ordersGrid(visit: DeskVisit, title: string, orders: readonly Order[]): Html {
  const { say } = visit
  const columns: GridColumn<Order>[] = [
    grid.text(
      planWords.symbol(say),
      ({ symbol }) => html`<a href="${deskHref(visit, ['code', symbol])}">${symbol}</a>`,
    ),
    grid.text(planWords.name(say), ({ name }) => html`<bdi>${name}</bdi>`, 'name'),
    grid.text(
      planWords.side(say),
      ({ side }) => html`<b class="${side === 'buy' ? 'up' : 'down'}">${planWordIn(side, say)}</b>`,
    ),
    grid.number(planWords.shares(say), undefined, ({ shares }) => formatCount(shares)),
    grid.number(planWords.lastClose(say), say('yuan'), ({ lastClose }) => plain(lastClose)),
    grid.number(planWords.value(say), say('yuan'), ({ value }) => fixed(value, 2)),
    grid.text(planWords.reason(say), ({ reason }) => planWordIn(reason, say)),
  ]
  return htmlGrid(title, orders, columns)
}

/** The orders of an account for its next day, to be copied and printed. */
function ordersOf(visit: DeskVisit, { name, view, fault }: ReadAccount): Html {
  const { say } = visit
  const link = html`<a href="${deskHref(visit, ['accounts', name])}"><bdi>${name}</bdi></a>`
  if (!view) return html`<h3>${link}</h3><p class="absent">${fault ?? say('no day was run yet')}</p>`
  const { orders, day: decided, tradeDay } = view.plan
  const title = say`${name}: orders for ${day(tradeDay)}`
  const said = say`Decided at the close of ${day(decided)}.`
  const copy = html`<button type="button" data-copy="${orderLines(orders)}">${say('Copy')}</button> <button type="button" data-print>${say('Print')}</button>`
  const list =
    orders.length > 0
      ? html`${ordersGrid(visit, title, orders)}<p class="orders-tools">${copy}</p>`
      : html`<p class="absent">${say('No orders.')}</p>`
  return html`<h3>${link} <small>${day(tradeDay)}</small></h3><p class="note">${said}</p>${list}`
}

/** What plans and accounts want for the next day; nothing where the desk was given none. */
export function accountsTonight(visit: DeskVisit): Html | false {
  const { say, folders } = visit
  if (!folders.accounts) return false
  const all = accountsIn(visit)
  const none = html`<p class="absent">${say('There is no account in the folder.')}</p>`
  return html`<section id="tonight"><h2>${say('Orders tonight')}</h2>${all.length > 0 ? all.map((one) => ordersOf(visit, one)) : none}</section>`
}

/** Accounts with what they came to, after tonight's orders. */
function accountList(visit: DeskVisit, all: readonly ReadAccount[]): Html {
  const { say } = visit
  const seen = all.flatMap(({ name, view }) => (view?.account ? [{ name, view, account: view.account }] : []))
  const title = say(fact('DESK', 'Accounts'))
  return htmlGrid(title, seen, [
    grid.text(
      say('account'),
      ({ name }) => html`<a href="${deskHref(visit, ['accounts', name])}"><bdi>${name}</bdi></a>`,
      'name',
    ),
    grid.text(say('strategy'), ({ view }) => html`<bdi>${view.code.name}</bdi>`),
    grid.text(planWords.day(say), ({ view }) => day(view.plan.day)),
    grid.number(planWords.equity(say), say('yuan'), ({ view }) => fixed(view.plan.equity, 2)),
    grid.number(say('gain'), '%', ({ view, account }) => {
      const gain = 100 * (view.plan.equity / account.start - 1)
      return risen(gain, formatSigned(gain, 2))
    }),
    grid.number(planWords.orders(say), undefined, ({ view }) => formatCount(view.plan.orders.length)),
  ])
}

/** The accounts: tonight's orders first; or one of them, as `quotebook plan` shows it. */
export async function accountsPage(visit: DeskVisit): Promise<DeskPage> {
  const { say, parts } = visit
  const title = say(fact('DESK', 'Accounts'))
  const all = accountsIn(visit)
  const [, name] = parts
  if (name === undefined)
    return {
      title,
      body: html`<h1>${title}</h1>${accountsTonight(visit)}<section><h2>${say('What they came to')}</h2>${accountList(visit, all)}</section>`,
    }
  const one = oneNamed(visit, { place: 'accounts', what: say('account'), name }, all)
  if (!one.view) return { title: name, body: html`<h1><bdi>${name}</bdi></h1>${ordersOf(visit, one)}` }
  const { top, first, sections } = await planParts(one.view, say.language)
  const others = first.filter(({ id }) => id !== 'orders')
  return {
    title: name,
    body: html`${top.header}<section><h2>${say('Orders tonight')}</h2>${ordersOf(visit, one)}</section>${[...others, ...sections].map((each) => sectionOf(each))}`,
  }
}
