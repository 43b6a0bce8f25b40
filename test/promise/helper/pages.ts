import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatasetName, datasetOf, fromParquet, importFiles, type Market, toObjects } from 'quotebook'
import { tempDir, tempFile } from '../../helper/temp.js'

/** Reads pages back, as a reader does: by sections, tables and figures. */

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export function sectionOf(page: string, id: string): string {
  const found = new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)
  if (!found) throw new Error(`no section ${id}`)
  return found[0]
}

/** Rows of the table under a label, as texts. */
export function tableOf(page: string, label: string): string[][] {
  const from = page.indexOf(`aria-label="${label}"`)
  if (from < 0) throw new Error(`no table ${label}`)
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(page.slice(from))?.[1] ?? ''
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
  )
}

export const numberIn = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''))

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text as it must stand in a page. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => entities[one as keyof typeof entities])

type Manifest = Record<string, unknown> & { options: Record<string, unknown>; inputs: Record<string, unknown>[] }

/** The page with another manifest and, as a careful forger would see to, a checksum that holds. */
export function forged(page: string, change: (manifest: Manifest) => void = () => undefined): string {
  const content = /<meta name="quotebook-manifest" content="([^"]*)">/.exec(page)?.[1] ?? ''
  const plain = Object.entries(entities).reduceRight((text, [one, entity]) => text.replaceAll(entity, one), content)
  const manifest = JSON.parse(plain) as Manifest
  const own = String(manifest.page)
  change(manifest)
  const blank = page.replace(content, () => escaped(JSON.stringify({ ...manifest, page: '0'.repeat(64) })))
  const mark = (hash: string): string => `&quot;page&quot;:&quot;${hash}`
  return own === '' ? page : blank.replace(mark('0'.repeat(64)), mark(sha256(blank)))
}

type Row = Readonly<Record<string, unknown>>

/** The rows of a dataset of the sample, as its files have them. */
export async function sampleRows(name: DatasetName): Promise<Row[]> {
  const folder = join('data', 'sample', name)
  const tables = await Promise.all(readdirSync(folder).map((file) => fromParquet(readFileSync(join(folder, file)))))
  return tables.flatMap((table) => toObjects(table) as Row[])
}

/** An archive of its own with these rows. */
export async function archiveOf(
  rows: Partial<Record<DatasetName, readonly Row[]>>,
  dir = join(tempDir(), 'archive'),
): Promise<Market> {
  for (const [name, own] of Object.entries(rows))
    await importFiles(dir, datasetOf(name), [tempFile(`${name}.json`, JSON.stringify(own))])
  return connect({ archive: dir })
}
