import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { declareDataset, findDataset } from '../../contract/catalogue.js'
import type { Dataset, OwnDataset } from '../../contract/dataset.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import { parseJson } from '../../frame/table/check-json.js'
import { memoized } from './answer/memoized.js'
import { checkManifest, nestedFolders } from './check-manifest.js'
import { readRegular, sha256 } from './file-access.js'
import type { DatasetEntry, Manifest, TickEntry } from './manifest-entries.js'
import { presentForm } from './older-manifest.js'

export const manifestFile = 'manifest.json'
/** What `sync --follow` says of itself. */
export const statusFile = 'sync-status.json'
const format = 3

export const emptyManifest: Manifest = { format, datasets: {}, ticks: [] }

/** Version of a dataset's declaration as the archive stores it: names, kinds, nullability and key. */
export const contractVersion = memoized((dataset: Dataset): string => {
  const columns = Object.entries({ ...dataset.columns, ...dataset.stored })
  const shape = columns.map(([name, { kind, nullable }]) => [name, kind, nullable === true])
  return sha256(JSON.stringify([dataset.name, dataset.key, dataset.partition, shape])).slice(0, 12)
})

/** Whether something of an entry was written under another declaration of its dataset. */
export function isOutdated(dataset: Dataset, { parts, revised = [], kept }: DatasetEntry): boolean {
  return [...parts, ...revised, ...(kept ? [kept] : [])].some(({ contract }) => contract !== contractVersion(dataset))
}

/** The same with the keys of all its objects in order. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  )
}

function textOf(value: object): string {
  return `${JSON.stringify(sortedKeys(value), null, 1)}\n`
}

/** A manifest as text: the same content is the same bytes. It holds the checksum of all else that it says. */
export function manifestText(manifest: Manifest): string {
  const { sha256: _, unknown, ...known } = manifest as Manifest & { readonly sha256?: string }
  const rest = unknown ? { ...known, datasets: { ...known.datasets, ...unknown } } : known
  return textOf({ ...rest, sha256: sha256(textOf(rest)) })
}

/** Makes known which datasets of one's own an archive holds. */
function declareOwn(manifest: object, path: Words): void {
  const { own } = manifest as { readonly own?: unknown }
  try {
    if (Array.isArray(own)) for (const one of own) declareDataset(parseJson(one, path) as OwnDataset, true)
  } catch (cause) {
    throw new QuotebookError('USAGE', sentence`${path}: ${messageOf(cause)}`, { cause })
  }
}

/**
 * What the text of a manifest says. @param path where it lies, for messages
 * @throws QuotebookError ARCHIVE for anything but what a writer has written
 */
export function parseManifest(text: string, path: Words): Manifest {
  let value: unknown
  try {
    value = parseJson(text, path)
  } catch (cause) {
    if (cause instanceof QuotebookError)
      throw new QuotebookError('ARCHIVE', sentence`${messageOf(cause)}; the archive is damaged`, { cause })
    throw new QuotebookError('ARCHIVE', sentence`${path} is not JSON; the archive is damaged`, { cause })
  }
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    throw new QuotebookError('ARCHIVE', sentence`${path} is not the manifest of an archive`)
  }
  const { sha256: sum, ...rest } = value as { format: unknown; sha256?: unknown }
  const given = JSON.stringify(rest.format)
  if (!Number.isInteger(rest.format) || Number(rest.format) < 1) {
    throw new QuotebookError('ARCHIVE', sentence`${path} has format ${given}; this version reads format ${format}`)
  }
  if (Number(rest.format) > format) {
    const why = sentence`a newer version of Quotebook wrote it, and ${version} reads format ${format}; install that one: npm i quotebook@latest`
    throw new QuotebookError('ARCHIVE', sentence`${path} has format ${given}: ${why}`)
  }
  if (sum !== sha256(textOf(rest))) {
    throw new QuotebookError('ARCHIVE', sentence`${path} is damaged: its checksum is not that of what it says`)
  }
  declareOwn(rest, path)
  try {
    const manifest = rest as Manifest
    return checkManifest(manifest.format < format ? presentForm(manifest) : manifest)
  } catch (cause) {
    throw new QuotebookError('ARCHIVE', sentence`${path} is damaged: ${messageOf(cause)}`, { cause })
  }
}

/** The folders that files lie in are the archive's own: a link could lead anywhere. */
async function checkFolders(dir: string, manifest: Manifest): Promise<void> {
  const own = [...filesOf(manifest)].flatMap((file) => {
    const folder = dirname(file)
    return folder.includes('/') ? [dirname(folder), folder] : [folder]
  })
  for (const folder of new Set(own.map((name) => join(dir, name)))) {
    const about = await lstat(folder).catch(() => undefined)
    if (!about || about.isDirectory()) continue
    throw new QuotebookError('ARCHIVE', sentence`${folder} is no folder of the archive's own; links are not followed`)
  }
}

async function textIn(dir: string): Promise<string | undefined> {
  const path = join(dir, manifestFile)
  try {
    return Buffer.from(await readRegular(path)).toString()
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new QuotebookError('ARCHIVE', sentence`${path} can not be read: ${messageOf(cause)}`, { cause })
  }
}

/** sha256 of the text of a manifest, which is not looked into; undefined when the directory holds none. */
export async function stateOnDisk(dir: string): Promise<string | undefined> {
  const text = await textIn(dir)
  return text === undefined ? undefined : sha256(text)
}

/**
 * The manifest of an archive and the sha256 of its text; undefined when the directory holds none.
 * @throws QuotebookError ARCHIVE for anything but what a writer has written
 */
export async function readManifest(dir: string): Promise<{ manifest: Manifest; state: string } | undefined> {
  const text = await textIn(dir)
  if (text === undefined) return undefined
  const manifest = parseManifest(text, join(dir, manifestFile))
  await checkFolders(dir, manifest)
  return { manifest, state: sha256(text) }
}

/** What tells a file apart from all that were put before: its bytes, and the state that it is built on. */
export function fileMark(base: string | undefined, sum: string): string {
  return (base === undefined ? sum : sha256(`${base} ${sum}`)).slice(0, 12)
}

/** What a writer puts below a folder of the archive; other files there are somebody's own. */
export const isWritten = /(^\d{8}_aucde|\.[0-9a-f]{12})\.parquet$|\.part$/
/** The day of a tick file by its plain name, `YYYYMMDD_aucde.parquet`; it need not be a real date. */
export function dayOfFile(name: string): string | undefined {
  return /^(\d{8})_aucde\.parquet$/.exec(name)?.[1]
}

/** The name of a day's file; with a mark beside that of other bytes, which somebody may be reading. */
export function tickFile(day: string, mark: string, before: TickEntry | undefined): string {
  return `ticks/${day}_aucde${before ? `.${mark}` : ''}.parquet`
}

/** What an archive holds, or a writer that was killed before its first manifest left behind. */
export function isOurs(name: string): boolean {
  return (
    /^\.|\.part$/.test(name) ||
    name === 'manifest.json' ||
    name === 'README.md' ||
    name === statusFile ||
    name === 'ticks' ||
    nestedFolders.includes(name) ||
    name === 'datasets' ||
    findDataset(name) !== undefined
  )
}

/** Files that a manifest names. */
export function filesOf(manifest: Manifest): ReadonlySet<string> {
  const all = Object.values({ ...manifest.datasets, ...manifest.unknown })
  const parts = all.flatMap(({ parts, revised = [], byCode = [] }) => [...parts, ...revised, ...byCode])
  return new Set([...parts, ...manifest.ticks].map(({ file }) => file))
}
