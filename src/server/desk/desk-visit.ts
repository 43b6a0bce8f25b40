import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../contract/catalogue.js'
import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'
import type { Market } from '../../market.js'
import type { SavedRun } from '../../research/report/comparison-page.js'
import type { HtmlPart } from '../../research/report/html.js'
import type { PlanView } from '../../research/report/plan-page/plan-tables.js'
import type { PageKind } from '../../research/report/verify/page-manifest.js'
import type { PageFigure } from '../../research/report/verify/read-page.js'
import { formatHash } from '../service/page/client/page-address.js'

/** What a page that a command wrote says of itself. */
export interface WrittenPage {
  readonly kind: PageKind
  readonly title: string | undefined
  /** The figures of its first screen, each under its name on the page. */
  readonly figures: readonly PageFigure[]
}

/** Folders of `--out` directories, below one that the desk was given. */
export interface DeskRuns {
  /** Their names, sorted; also those of pages that lie beside them. */
  readonly names: () => readonly string[]
  /** What a run came to; undefined of a folder with a page alone: a factor, a sweep. @throws QuotebookError of a damaged one */
  readonly run: (name: string) => Promise<SavedRun | undefined>
  /** The pages (HTML) of a folder, by their names. */
  readonly pages: (name: string) => readonly string[]
  readonly page: (name: string, file: string) => Uint8Array
  /** What a page of a folder says of itself; undefined of one that no command of Quotebook wrote. */
  readonly written: (name: string, file: string) => Promise<WrittenPage | undefined>
  /** Codes that it traded. */
  readonly traded: (name: string) => Promise<ReadonlySet<string>>
}

/** Paper accounts below a folder that the desk was given. */
export interface DeskAccounts {
  readonly names: () => readonly string[]
  /** What it came to, and what it wants next; undefined of one without a day. @throws QuotebookError FILE of a changed one */
  readonly view: (name: string) => PlanView | undefined
}

/** What lies beside the archive. */
export interface DeskFolders {
  readonly runs?: DeskRuns | undefined
  readonly accounts?: DeskAccounts | undefined
  /** Commands as they are typed after `quotebook`, and what each does, in English. */
  readonly commands?: readonly { readonly name: string; readonly about: string }[]
}

/** A page that is asked for. */
export interface DeskVisit {
  readonly say: Say
  /** Parts of the path after `/desk/`. */
  readonly parts: readonly string[]
  readonly asked: URLSearchParams
  readonly market: Market
  /** What Beijing's clock shows, `YYYY-MM-DDTHH:MM:SS`. */
  readonly moment: string
  readonly folders: DeskFolders
  /** The rows of a query, within the limits of `/query/sql`. @throws QuotebookError */
  readonly sql: (text: string) => Promise<Table>
  /** What must be known of the archive first: that it is synthetic, say. */
  readonly about: string | undefined
  /** What is computed of a state of the archive, once for each name. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

export interface DeskPage {
  readonly title: string
  readonly body: HtmlPart
  /** What follows the body, each made and shown after what is before it. */
  readonly later?: readonly (() => Promise<HtmlPart>)[]
  /** 200 unless given. */
  readonly status?: number
  /** Where it leads at once. */
  readonly location?: string
}

/** The language that an address names; undefined where it names none. */
export function languageIn(asked: URLSearchParams): Language | undefined {
  const named = asked.get('lang')
  return named === 'zh' || named === 'en' ? named : undefined
}

/** The address of a page of the desk, in the language that the present address names. A word of `undefined` is left out. */
export function deskHref(
  { asked }: Pick<DeskVisit, 'asked'>,
  parts: readonly string[],
  words: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = parts.length === 0 ? '/' : `/desk/${parts.map(encodeURIComponent).join('/')}`
  const query = new URLSearchParams(
    Object.entries({ ...words, lang: words.lang ?? languageIn(asked) }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/** The address of the page of queries, at a dataset. */
export const tryHref = ({ asked }: Pick<DeskVisit, 'asked'>, name: DatasetName = 'etf_minute'): string =>
  `/try${formatHash({ name, language: languageIn(asked), theme: 'auto' })}`

/** The address of the present page with other words. */
export function sameHref(visit: DeskVisit, words: Readonly<Record<string, string | undefined>>): string {
  return deskHref(visit, visit.parts, { ...Object.fromEntries(visit.asked), ...words })
}
