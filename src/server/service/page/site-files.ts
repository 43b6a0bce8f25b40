import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import root from '#root'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { fileOf, type PageFile, policyText, typeOf } from './page-files.js'

/** Where the documentation is served. */
const base = '/docs/'
const folder = join(root, 'dist', 'docs')

/** Names of the files that were built, each below the base and without its `.br`. Nothing but these is read, whatever a path says. */
function listed(): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return new Set(files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1, -'.br'.length)))
  } catch (cause) {
    throw new QuotebookError('PACKAGE', sentence`the documentation is not built: run 'npm run docs'`, { cause })
  }
}

let names: ReadonlySet<string> | undefined
const read = new Map<string, PageFile>()

/** Sources by the sum of their texts. */
function sums(html: string, pattern: RegExp): string {
  const texts = [...html.matchAll(pattern)].map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
  return [...new Set(texts)].map((sum) => `'sha256-${sum}'`).join(' ')
}

/** The policy of a page of the site: the few scripts and styles that stand within it are allowed by what they are. */
function policyOf(html: string): string {
  const scripts = sums(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  return `${policyText(`'self' ${scripts}`)}; style-src-attr 'unsafe-hashes' ${sums(html, /\sstyle="([^"]*)"/g)}`
}

function fileAt(name: string): PageFile {
  const known = read.get(name)
  if (known) return known
  const body = brotliDecompressSync(readFileSync(join(folder, `${name}.br`)))
  const { headers, ...file } = fileOf(body, typeOf(name))
  // The name of an asset has the sum of its content.
  const kept = name.startsWith('assets/') ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {}
  const policy = name.endsWith('.html') ? { 'Content-Security-Policy': policyOf(body.toString('utf8')) } : {}
  const made = { ...file, headers: { ...headers, ...kept, ...policy } }
  read.set(name, made)
  return made
}

/** Whether a path is one of the documentation. */
export const isOfSite = (path: string): boolean => path === '/docs' || path.startsWith(base)

/**
 * A file of the documentation, and whether it is what was asked for: for a path that it does not have, the page that says so.
 * @throws QuotebookError PACKAGE when it was not built
 */
export function siteFile(path: string): { readonly file: PageFile; readonly isThere: boolean } {
  names ??= listed()
  const asked = path.slice(base.length)
  const name = [asked, `${asked}index.html`].find((one) => names?.has(one) && (one === asked || /^$|\/$/.test(asked)))
  return name === undefined ? { file: fileAt('404.html'), isThere: false } : { file: fileAt(name), isThere: true }
}
