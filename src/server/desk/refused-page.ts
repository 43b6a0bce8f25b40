import type { HtmlPart } from '../../research/report/html.js'

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
