import type { IncomingMessage } from 'node:http'
import { beijingTime } from '../../contract/date.js'
import { messageOf, ParamsError } from '../../contract/error.js'
import { sayIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import type { Archive } from '../../data/archive/archive.js'
import { wallTime } from '../../data/source/transport/clock.js'
import { Market } from '../../market.js'
import { html } from '../../research/report/html.js'
import { pageStyle } from '../../research/report/html-document.js'
import { liveScript } from '../../research/report/live-script.js'
import { languageAsked } from '../service/http/client-address.js'
import { fileOf, pageHeaders } from '../service/page/page-files.js'
import { content, type ServiceAnswer } from '../service/service-answer.js'
import { guardedSql, untilGone } from '../service/whole/guarded-sql.js'
import { accountsPage } from './accounts-page.js'
import { checksPage } from './checks-page.js'
import { codePage } from './code-page.js'
import { coveragePage } from './coverage-page.js'
import { deskDocument } from './desk-document.js'
import { type DeskFolders, type DeskPage, type DeskVisit, deskHref, languageIn } from './desk-visit.js'
import { findPage } from './find-page.js'
import { pageOfRun } from './page-of-run.js'
import { NoPageError, wrongName } from './refused-page.js'
import { runsPage } from './runs-page.js'
import { sqlPage } from './sql-page.js'
import { tablePage } from './table-page.js'
import { todayPage } from './today-page.js'

const pages: Readonly<Record<string, (visit: DeskVisit) => Promise<DeskPage>>> = {
  table: tablePage,
  code: codePage,
  coverage: coveragePage,
  checks: checksPage,
  runs: runsPage,
  accounts: accountsPage,
  find: findPage,
  sql: sqlPage,
}

/** Styles stand in drawings, and forms lead to other pages of the desk; scripts are files of the service. */
const deskPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of a page of the desk. */
export const deskHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'Content-Security-Policy': deskPolicy,
  'Cache-Control': 'no-store',
  vary: 'accept-language',
}

const htmlType = 'text/html; charset=utf-8'

async function* bytesOf(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield Buffer.from(part)
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** One place to walk around in an archive, and in runs and accounts beside it. It reads. */
export class Desk {
  readonly #archive: Archive
  readonly #folders: DeskFolders
  /** What is computed of the present state. */
  #seen: { readonly state: string; readonly market: Market; readonly known: Map<string, Promise<unknown>> } | undefined

  constructor(archive: Archive, folders: DeskFolders = {}) {
    this.#archive = archive
    this.#folders = folders
  }

  async #ofState() {
    const state = await this.#archive.state()
    const seen =
      this.#seen?.state === state ? this.#seen : { state, market: new Market(this.#archive), known: new Map() }
    this.#seen = seen
    return seen
  }

  async #visit(request: IncomingMessage, path: string): Promise<DeskVisit> {
    const { market, known } = await this.#ofState()
    const target = request.url ?? '/'
    const asked = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')
    const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
      const found = (known.get(name) as Promise<T> | undefined) ?? make()
      known.set(name, found)
      found.catch(() => known.delete(name))
      return found
    }
    const parts = path
      .split('/')
      .slice(2)
      .filter((part) => part !== '')
      .map(decoded)
    return {
      say: sayIn(languageIn(asked) ?? languageAsked(request)),
      parts,
      asked,
      market,
      moment: beijingTime(wallTime()).slice(0, 19),
      folders: this.#folders,
      // A desk is offered where any key has the plan of all.
      sql: (text) =>
        untilGone(request, (signal) => guardedSql(market, { text, params: undefined, hasTicks: true, signal })),
      about: (await this.#archive.manifest()).about,
      once,
    }
  }

  /** The answer to a GET of a path of the desk. */
  async answer(request: IncomingMessage, path: string): Promise<ServiceAnswer> {
    const file =
      path === '/desk/style.css'
        ? (['text/css', pageStyle] as const)
        : path === '/desk/charts.js'
          ? (['text/javascript', liveScript] as const)
          : undefined
    if (file) {
      const { body, type, headers } = fileOf(Buffer.from(file[1]()), `${file[0]}; charset=utf-8`)
      const answer = content(body, type, { ...pageHeaders, ...headers })
      return request.headers['if-none-match'] === headers.ETag ? { ...answer, status: 304, chunks: [] } : answer
    }
    const visit = await this.#visit(request, path)
    const written = visit.parts[0] === 'runs' ? pageOfRun(visit) : undefined
    if (written) return written
    const { status = 200, location, ...page } = await this.#page(visit)
    const headers = location === undefined ? deskHeaders : { ...deskHeaders, location }
    const parts = deskDocument(visit, page)
    if (page.later) return { ...content('', htmlType, headers), status, parts: () => bytesOf(parts) }
    let whole = ''
    for await (const part of parts) whole += part
    return { ...content(whole, htmlType, headers), status }
  }

  async #page(visit: DeskVisit): Promise<DeskPage> {
    const [name] = visit.parts
    try {
      if (name === undefined) return await todayPage(visit)
      const page = Object.hasOwn(pages, name) ? pages[name] : undefined
      if (page) return await page(visit)
      const names = Object.keys(pages)
      throw wrongName(visit, 404, {
        what: visit.say(fact('DESK', 'page')),
        word: name,
        names,
        hrefOf: (one) => deskHref(visit, [one]),
      })
    } catch (error) {
      if (error instanceof NoPageError) return { title: String(error.status), body: error.body, status: error.status }
      if (!(error instanceof ParamsError)) throw error
      return { title: '400', body: html`<h1>${visit.say(messageOf(error))}</h1>`, status: 400 }
    }
  }
}
