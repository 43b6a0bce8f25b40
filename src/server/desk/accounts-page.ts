import { fact } from '../../contract/sentence.js'
import { day, fixed, formatCount, formatSigned } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid, risen } from '../../research/report/html.js'
import { sectionOf } from '../../research/report/html-document.js'
import { planParts } from '../../research/report/plan-page/plan-page.js'
import { planWords } from '../../research/report/plan-page/plan-words.js'
import { accountsIn, accountsTonight, codeLink, ordersByDay, type ReadAccount } from './account-orders.js'
import { type DeskPage, type DeskVisit, deskHref } from './desk-visit.js'
import { oneNamed } from './refused-page.js'

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
      body: html`<h1>${title}</h1>${await accountsTonight(visit)}<section><h2>${say('What they came to')}</h2>${accountList(visit, all)}</section>`,
    }
  const one = oneNamed(visit, { place: 'accounts', what: say('account'), name }, all)
  const orders = await ordersByDay(visit, [one])
  if (!one.view) return { title: name, body: html`<h1><bdi>${name}</bdi></h1>${orders}` }
  const { top, first, sections } = await planParts(one.view, say.language, codeLink(visit))
  const others = first.filter(({ id }) => id !== 'orders')
  return {
    title: name,
    body: html`${top.header}${orders}${[...others, ...sections].map((each) => sectionOf(each))}`,
  }
}
