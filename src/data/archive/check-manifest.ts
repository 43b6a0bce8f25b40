import { findDataset } from '../../contract/catalogue.js'
import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { CodesEntry, Manifest, PartEntry, TickEntry } from './manifest-entries.js'

/** The folder of rows that gave way to others. */
export const revisionsFolder = 'revisions'
/** The folder of months by code. */
export const byCodeFolder = 'by-code'
/** Folders that have one of their own for each dataset. */
export const nestedFolders: readonly string[] = [revisionsFolder, byCodeFolder]

function wrong(value: unknown, at: Words, right: Words): never {
  const shown = JSON.stringify(value)?.slice(0, 80)
  throw new QuotebookError('ARCHIVE', sentence`${at} is ${shown}, where ${right} belongs`)
}

function checkCount(value: unknown, at: Words, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least)
    wrong(value, at, sentence`a whole number from ${least}`)
}

/** What a file is compared with. */
function checkBytes(
  { rows, bytes, sha256 }: Pick<PartEntry, 'rows' | 'bytes' | 'sha256'>,
  at: string,
  least: number,
): void {
  checkCount(rows, `${at}.rows`, least)
  checkCount(bytes, `${at}.bytes`, least)
  if (!/^[0-9a-f]{64}$/.test(sha256)) wrong(sha256, `${at}.sha256`, sentence`a sha256`)
}

function checkAscending(names: readonly string[], at: string, what: string): void {
  const odd = names.findIndex((name, i) => i > 0 && name <= (names[i - 1] as string))
  if (odd > 0) wrong(names[odd], `${at}[${odd}]`, sentence`another ${what}, each once and ascending,`)
}

/** Each partition once, its file under the name of it in a folder. */
function checkParts(folder: string, parts: readonly (PartEntry | CodesEntry)[], at: string): void {
  checkAscending(
    parts.map(({ partition }) => partition),
    at,
    'partition',
  )
  for (const [i, part] of parts.entries()) {
    const { file, partition } = part
    if (!/^[\w-]{1,40}$/.test(partition)) wrong(partition, `${at}[${i}]`, sentence`the name of a partition`)
    const ending = String(file).slice(`${folder}/${partition}.`.length)
    if (file !== `${folder}/${partition}.${ending}` || !/^[0-9a-f]{12}\.parquet$/.test(ending))
      wrong(file, `${at}[${i}].file`, sentence`${folder}/${partition}.(12 hexadecimal digits).parquet`)
    checkBytes(part, `${at}[${i}]`, 1)
  }
}

function checkTicks(ticks: readonly TickEntry[]): void {
  checkAscending(
    ticks.map(({ day }) => day),
    'ticks',
    'day',
  )
  for (const [i, tick] of ticks.entries()) {
    const { day, file } = tick
    if (!isDate(day)) wrong(day, `ticks[${i}]`, sentence`a date YYYYMMDD`)
    const isOwn = file.startsWith(`ticks/${day}_aucde.`) && /^(parquet|[0-9a-f]{12}\.parquet)$/.test(file.slice(21))
    if (!isOwn) wrong(file, `ticks[${i}].file`, sentence`the name of a file of ${day} in ticks/`)
    checkBytes(tick, `ticks[${i}]`, 0)
  }
}

/**
 * Holds the files of a manifest against what they can be: paths are plain names in the folder of their dataset, each once. What else
 * it says is as a writer wrote it, as its checksum shows.
 * @throws QuotebookError ARCHIVE with the place in the document
 */
export function checkManifest(manifest: Manifest): Manifest {
  const entries = Object.entries(manifest.datasets)
  for (const [name, { parts, revised = [], byCode = [] }] of entries) {
    if (!/^(?!ticks$|revisions$)\w{1,60}$/.test(name)) wrong(name, 'datasets', sentence`the name of a dataset`)
    checkParts(name, parts, `datasets.${name}.parts`)
    checkParts(`${revisionsFolder}/${name}`, revised, `datasets.${name}.revised`)
    checkParts(`${byCodeFolder}/${name}`, byCode, `datasets.${name}.byCode`)
  }
  checkTicks(manifest.ticks)
  const isKnown = ([name]: (typeof entries)[number]): boolean => findDataset(name) !== undefined
  const unknown = entries.filter((one) => !isKnown(one))
  return {
    ...manifest,
    datasets: Object.fromEntries(entries.filter(isKnown)),
    ...(unknown.length > 0 && { unknown: Object.fromEntries(unknown) }),
  }
}
