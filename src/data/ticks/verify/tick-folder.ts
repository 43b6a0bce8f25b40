import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { dayOfFile, readManifest } from '../../archive/manifest.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import { dayOfTickFile } from '../share/file-share.js'

/** A file that should be there. */
export interface ExpectedFile {
  readonly day: string
  /** Path below the folder. */
  readonly file: string
  /** What the manifest says of it; undefined where there is none. */
  readonly entry: TickEntry | undefined
}

/** What a folder should hold, and what else lies in it. */
export interface TickFolder {
  readonly dir: string
  /** Ascending by day. */
  readonly files: readonly ExpectedFile[]
  /** Of the manifest; undefined where there is none. */
  readonly state: string | undefined
  /** Names that look like a day's file of a day that is none. */
  readonly undated: readonly string[]
  /** Files that nobody names. */
  readonly unlisted: readonly string[]
  /** What downloads and writers leave behind. */
  readonly leftovers: readonly string[]
}

const leftover = /^\.fetch\/|\.(part|partial|filepart|tmp|temp|download|crdownload)$|~$/i

const byDay = (a: ExpectedFile, b: ExpectedFile): number =>
  a.day < b.day ? -1 : a.day > b.day ? 1 : a.file < b.file ? -1 : 1

/** Paths of the files below a folder of an archive, where it has it. */
async function namesBelow(dir: string, folder: string): Promise<string[]> {
  if (!(await stat(join(dir, folder)).catch(() => undefined))?.isDirectory()) return []
  const names = await readdir(join(dir, folder), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => !entry.isDirectory())
  return files.map(({ parentPath, name }) => relative(dir, join(parentPath, name)).replaceAll('\\', '/'))
}

type Found = Pick<TickFolder, 'files' | 'undated'> & { readonly others: readonly string[] }

async function ofArchive(dir: string, ticks: readonly TickEntry[]): Promise<Found> {
  const files = ticks.map((entry) => ({ day: entry.day, file: entry.file, entry }))
  const named = new Set(files.map(({ file }) => file))
  const below = (await Promise.all(['ticks', '.fetch'].map((folder) => namesBelow(dir, folder)))).flat()
  const inRoot = (await readdir(dir)).filter((name) => dayOfFile(name) !== undefined)
  return { files, undated: [], others: [...inRoot, ...below].filter((name) => !named.has(name)).sort() }
}

async function ofPlain(dir: string): Promise<Found> {
  const names = (await readdir(dir, { withFileTypes: true })).filter((entry) => !entry.isDirectory())
  const all = names.map(({ name }) => name).sort()
  const dated = all.filter((name) => dayOfTickFile(name) !== undefined)
  return {
    files: dated.map((file) => ({ day: file.slice(0, 8), file, entry: undefined })),
    undated: all.filter((name) => dayOfFile(name) !== undefined && !dated.includes(name)),
    others: all.filter((name) => dayOfFile(name) === undefined),
  }
}

/**
 * What lies in a folder: an archive, or files as somebody has downloaded them.
 * @throws QuotebookError FILE for a folder that is not there or has no tick files; ARCHIVE for a damaged manifest
 */
export async function readTickFolder(dir: string): Promise<TickFolder> {
  const there = await stat(dir).catch((cause: NodeJS.ErrnoException) => {
    const wrong = cause.code === 'ENOENT' ? sentence`does not exist` : sentence`can not be read: ${messageOf(cause)}`
    throw new QuotebookError('FILE', sentence`${dir} ${wrong}`, { cause })
  })
  if (!there.isDirectory()) throw new QuotebookError('FILE', sentence`${dir} is no folder`)
  const read = await readManifest(dir)
  const { files, undated, others } = read ? await ofArchive(dir, read.manifest.ticks) : await ofPlain(dir)
  if (files.length + undated.length === 0) {
    const names = read ? sentence`its manifest names none` : sentence`their names are YYYYMMDD_aucde.parquet`
    throw new QuotebookError('FILE', sentence`${dir} has no files of auction ticks: ${names}`)
  }
  return {
    dir,
    state: read?.state,
    files: [...files].sort(byDay),
    undated,
    unlisted: others.filter((name) => !leftover.test(name)),
    leftovers: others.filter((name) => leftover.test(name)),
  }
}
