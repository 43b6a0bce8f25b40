import { nearest } from '../../contract/nearest.js'
import { type HtmlPart, html } from '../../research/report/html.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

/** A page that there is not, or an address that asks for what there is not: shown as a page with its status. */
export class NoPageError extends Error {
  readonly status: 400 | 404
  readonly body: HtmlPart
  constructor(status: 400 | 404, body: HtmlPart) {
    super()
    this.status = status
    this.body = body
  }
}

/** What stands where a name is none: that it is none, and a link to the nearest, or to all. */
export function wrongName(
  visit: DeskVisit,
  status: 400 | 404,
  {
    what,
    word,
    names,
    hrefOf,
  }: {
    readonly what: string
    readonly word: string
    readonly names: readonly string[]
    readonly hrefOf: (name: string) => string
  },
): NoPageError {
  const { say } = visit
  const near = nearest(word, names)
  const shown = near === undefined ? names : [near]
  const links = shown.map((name) => html`<li><a href="${hrefOf(name)}">${name}</a></li>`)
  const hint = near === undefined ? say('There are:') : say('Did you mean:')
  return new NoPageError(
    status,
    html`<h1>${say`There is no ${what} “${word.slice(0, 80)}”.`}</h1><p>${hint}</p><ul>${links}</ul>`,
  )
}

/** The one of a name among those of a place, such as `runs`. @throws NoPageError 404 with the nearest name */
export function oneNamed<T extends { readonly name: string }>(
  visit: DeskVisit,
  { place, what, name }: { readonly place: string; readonly what: string; readonly name: string },
  all: readonly T[],
): T {
  const found = all.find((one) => one.name === name)
  if (found) return found
  const names = all.map((one) => one.name)
  throw wrongName(visit, 404, { what, word: name, names, hrefOf: (one) => deskHref(visit, [place, one]) })
}
