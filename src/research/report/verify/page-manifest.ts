import { createHash } from 'node:crypto'
import { version } from '../../../contract/version.js'
import { type Html, html } from '../html.js'

export const pageKinds = ['report', 'tear-sheet', 'factor', 'comparison', 'plan', 'notebook'] as const
/** What a page is. */
export type PageKind = (typeof pageKinds)[number]

/** A table that went into a page. */
export interface PageInput {
  readonly name: string
  readonly rows: number
  /** Checksum of its cells, as `digest` makes it. */
  readonly sha256?: string | undefined
  /** Whether its answer was shown to be whole; absent where nothing tells. */
  readonly complete?: boolean | undefined
}

/** What a page says of how it was made: with what it can be made again. */
export interface PageManifest {
  readonly kind: PageKind
  /** Version of Quotebook. */
  readonly version: string
  /** As the maker of the page was given them; plain values by name. */
  readonly options: Readonly<Record<string, unknown>>
  readonly source?: {
    readonly name: string
    readonly about?: string | undefined
    readonly state?: string | undefined
    /** It changed while it was read. */
    readonly changed?: boolean | undefined
  }
  /** The strategy or the notebook: its file's name where it is known, and the checksum of its text. */
  readonly code?: { readonly name?: string | undefined; readonly sha256: string }
  readonly inputs: readonly PageInput[]
}

/** How the form of the manifest is counted. */
export const manifestForm = 1
export const manifestName = 'quotebook-manifest'
/** How the line of the manifest begins. */
export const manifestStart = `<meta name="${manifestName}"`

const noHash = '0'.repeat(64)
/** As it stands in an attribute. In a text inside the JSON the quotes have a backslash before them. */
const hashMark = (hash: string): string => `&quot;page&quot;:&quot;${hash}&quot;`

/** A plain value with the names of its objects in order, without functions and what is not given. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value === 'function') return undefined
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, ordered(one)]))
}

/** The manifest as an element of the head; the checksum of the page is still to come (`sealPage`). */
export function manifestMeta(manifest: Omit<PageManifest, 'version'>): Html {
  const whole = { ...manifest, form: manifestForm, version, page: noHash }
  return html`<meta name="${manifestName}" content="${JSON.stringify(ordered(whole))}">
`
}

/** sha256 of a page whose own checksum reads as zeros; undefined where the page does not hold this checksum once. */
export function pageHash(page: string, own: string): string | undefined {
  const parts = page.split(hashMark(own))
  if (parts.length !== 2) return undefined
  return createHash('sha256')
    .update(parts.join(hashMark(noHash)))
    .digest('hex')
}

/** A page with its checksum in its manifest. */
export function sealPage(page: string): string {
  const hash = pageHash(page, noHash)
  return hash === undefined ? page : page.replace(hashMark(noHash), hashMark(hash))
}
