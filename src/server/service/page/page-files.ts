import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import root from '#root'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** What the server answers for GET (and HEAD) of a path of the page. */
export interface PageFile {
  /** Content-Type. */
  readonly type: string
  readonly body: Uint8Array
  /** Beside `pageHeaders`: ETag by content, and Cache-Control. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a page may load and where it may send to. @param scripts sources of scripts */
export const policyText = (scripts = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Headers of every answer that belongs to the page. Nothing from elsewhere is loaded, nothing is sent to others. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policyText(),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
}

/** The Content-Type of a file by its name. */
export const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream'

export function fileOf(body: Uint8Array, type: string): PageFile {
  const etag = `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  return { type, body, headers: { ETag: etag, 'Cache-Control': 'no-cache' } }
}

/** Where the test page is; the desk stands at `/`. */
export const testPage = '/try'

function read(): ReadonlyMap<string, PageFile> {
  const folder = join(root, 'dist', 'lib', 'page')
  const files = new Map<string, PageFile>()
  try {
    for (const name of readdirSync(folder).sort()) {
      const type = types[extname(name)]
      if (type === undefined) continue
      files.set(name === 'index.html' ? testPage : `/page/${name}`, fileOf(readFileSync(join(folder, name)), type))
    }
    const client = readFileSync(join(root, 'clients', 'python', 'quotebook.py'))
    files.set('/client/quotebook.py', fileOf(client, 'text/x-python; charset=utf-8'))
  } catch (cause) {
    const { path = folder } = cause as NodeJS.ErrnoException
    const file = relative(root, path)
    throw new QuotebookError('PACKAGE', sentence`the package is not whole: ${file} can not be read`, { cause })
  }
  return files
}

/** The page with a mark for its script. */
const marked = (page: Uint8Array, mark: string): Buffer =>
  Buffer.from(Buffer.from(page).toString('utf8').replace('<html ', `<html ${mark} `))

/** The page with a mark that makes its script ask for the datasets of one's own. */
export const withOwn = (page: Uint8Array): Uint8Array => marked(page, 'data-own="some"')

let pages: ReadonlyMap<string, PageFile> | undefined
let keyless: ReadonlyMap<string, PageFile> | undefined

/**
 * The test page by path: `/try`, `/page/app.js`, `/page/style.css` and what those load; beside it the client for Python. Read at the first call, once.
 * @param needsNoKey the service takes any text for a key: a mark makes the script ask for none
 * @throws QuotebookError PACKAGE when the package was not built
 */
export function pageFiles(needsNoKey = false): ReadonlyMap<string, PageFile> {
  pages ??= read()
  if (!needsNoKey) return pages
  const { body, type } = pages.get(testPage) as PageFile
  keyless ??= new Map([...pages, [testPage, fileOf(marked(body, 'data-key="none"'), type)]])
  return keyless
}
