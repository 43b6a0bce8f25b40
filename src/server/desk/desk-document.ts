import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { absent, type Html, type HtmlPart, html, trusted } from '../../research/report/html.js'
import { inertJson } from '../../research/report/live-script.js'
import { sourceAbout } from '../../research/report/page-header.js'
import { deskTables } from './desk-tables.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref, tryHref } from './desk-visit.js'

/** The places of the desk, each with its first part of the path. */
function places({ say, folders }: DeskVisit): readonly (readonly [path: readonly string[], name: string])[] {
  const tables = deskTables.map(({ id, title }) => [['table', id], title(say)] as const)
  return [
    [[], say(fact('DESK', 'Today'))],
    ...tables,
    [['coverage'], say(fact('DESK', 'Coverage'))],
    [['checks'], say(fact('DESK', 'Checks'))],
    ...(folders.runs ? [[['runs'], say(fact('DESK', 'Runs'))] as const] : []),
    [['sql'], 'SQL'],
    ...(folders.accounts ? [[['accounts'], say(fact('DESK', 'Accounts'))] as const] : []),
  ]
}

/** Pages of the desk by name, for those who look for one. */
export function deskPlaces(visit: DeskVisit): readonly { readonly name: string; readonly href: string }[] {
  const own = places(visit).map(([path, name]) => ({ name, href: deskHref(visit, path) }))
  return [...own, { name: visit.say(fact('DESK', 'Query')), href: tryHref(visit) }]
}

function navigation(visit: DeskVisit): Html {
  const { say, parts } = visit
  const here = parts.slice(0, parts[0] === 'table' ? 2 : 1).join('/')
  const links = places(visit).map(
    ([path, name]) =>
      html`<li><a href="${deskHref(visit, path)}"${path.join('/') === here && html` aria-current="page"`}>${name}</a></li>`,
  )
  const other = say.language === 'zh' ? 'en' : 'zh'
  const lang = visit.asked.get('lang')
  return html`<header class="bar"><nav aria-label="${say('Pages of the desk')}"><ul>${links}<li><a href="${tryHref(visit)}">${say(fact('DESK', 'Query'))}</a></li></ul></nav>
<form class="find" role="search" action="/desk/find">${lang && html`<input type="hidden" name="lang" value="${lang}">`}
<input id="find" type="search" name="q" placeholder="${say('Code, name, pinyin')}" aria-label="${say('Find a code, a name, a dataset, a page or a command')}" aria-keyshortcuts="Control+K" value="${parts[0] === 'find' && visit.asked.get('q')}"><kbd>Ctrl K</kbd>
</form><a class="other" lang="${other === 'zh' ? 'zh-CN' : 'en'}" href="${sameHref(visit, { lang: other })}">${other === 'zh' ? '中文' : 'English'}</a></header>
`
}

/** A part that came to nothing says why: what is before it was shown already. */
async function madeLater({ say }: DeskVisit, make: () => Promise<HtmlPart>): Promise<Html> {
  try {
    return html`${await make()}`
  } catch (error) {
    if (!(error instanceof QuotebookError)) throw error
    return absent(say(messageOf(error)), say)
  }
}

/** A page of the desk as a document, part by part: its bar and its body, what follows it, and the plots of all for the script of charts. */
export async function* deskDocument(
  visit: DeskVisit,
  { title, body, later = [] }: DeskPage,
): AsyncGenerator<string, void> {
  const { say } = visit
  const first = html`${body}`
  const plots = new Map(first.plots.map((one) => [one.id, one]))
  yield head(visit, title, first)
  for (const make of later) {
    const part = await madeLater(visit, make)
    for (const one of part.plots) plots.set(one.id, one)
    yield part.markup
  }
  const charts = html`<script type="application/json" id="plots">${trusted(inertJson([...plots.values()]))}</script>
<script src="/desk/charts.js" defer></script>
`
  yield html`</main>
<footer><p>${say('Nothing here is advice. The desk reads: it runs no strategy and writes nothing.')}</p></footer>
</div>
${plots.size > 0 && charts}</body>
</html>
`.markup
}

function head(visit: DeskVisit, title: string, body: Html): string {
  const { say } = visit
  return html`<!doctype html>
<html lang="${say.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} · Quotebook</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/desk/style.css">
<link rel="stylesheet" href="/page/desk.css">
<script src="/page/desk.js" defer></script>
</head>
<body>
<div class="page desk">
<a class="skip" href="#main">${say('Skip to the content')}</a>
${navigation(visit)}<main id="main" tabindex="-1">
${visit.parts.length > 0 && sourceAbout(say, visit.about)}${body}`.markup
}
