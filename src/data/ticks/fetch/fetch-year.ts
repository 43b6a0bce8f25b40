import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { calendarYears, tradingDays } from '../../../contract/calendar.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { Archive } from '../../archive/archive.js'
import { type ArchivePlace, storeOf } from '../../archive/store/store-of.js'
import type { Source } from '../../source/source.js'
import { rewordError, SourceError } from '../../source/source-error.js'
import type { TickShare } from '../share/file-share.js'
import { archiveShare } from '../share/local-share.js'
import { localFolder, openShare } from '../share/open-share.js'
import type { ShareKind } from '../share/share-kinds.js'
import { openOffer, requestYearOffer, type ShareSource, type YearOffer } from '../share/year-offer.js'
import { firstTickYear } from '../tick-files.js'
import { type FetchInto, type FetchResult, fetchIntoArchive } from './fetch-into-archive.js'

export interface FetchYearOptions extends FetchInto {
  /** Directory of the archive, or its address in ClickHouse, that the files go into: new, or one that is there. */
  readonly dest: ArchivePlace
  /** A link or a folder, in the place of what the source hands out. */
  readonly share?: string | undefined
  /** What is behind `share`; without it the link decides. */
  readonly kind?: ShareKind | undefined
  /** Of `share`. A credential. */
  readonly password?: string | undefined
  /** User that the password of `share` is sent with. */
  readonly user?: string | undefined
  /** Told before each wait for files that the service is preparing. */
  readonly onWait?: ((milliseconds: number) => void) | undefined
}

const plans = sentence`a professional key sees the last 365 days, today included; a flagship key all of the year`

/** The refusal of a key, with what would be right. */
function explained(error: unknown): unknown {
  if (!(error instanceof SourceError) || error.code !== 'FORBIDDEN') return error
  const message = sentence`${messageOf(error)}; tick files take a key of a professional plan (the last 365 days) or a flagship plan (all years)`
  return rewordError(error, message)
}

async function offerOf(
  source: ShareSource,
  { year, clock, onWait }: FetchYearOptions,
  signal: AbortSignal,
): Promise<YearOffer> {
  const offer = await requestYearOffer(source, year, { clock, onWait, signal }).catch((error: unknown) => {
    throw explained(error)
  })
  if (offer === 'later') throw new QuotebookError('FILE', sentence`${source.name} has no auction ticks of ${year} yet`)
  if (offer) return offer
  throw new QuotebookError('FILE', sentence`${source.name} has no auction ticks of ${year} for this key: ${plans}`)
}

/** What an offer says of how whole the year is. */
function notesOf({ files }: YearOffer, { year, from, files: listed }: FetchResult): Words[] {
  const notes: Words[] = []
  if (listed !== files)
    notes.push(sentence`the share lists ${listed} files of ${year} where the service counts ${files}`)
  const isKnown = year >= calendarYears[0] && year <= calendarYears[1]
  const before = isKnown ? tradingDays(`${year}0101`, from).length - 1 : 0
  if (before > 0) notes.push(sentence`the share begins with ${from}, ${before} trading days into the year: ${plans}`)
  return notes
}

function checkYear({ year }: FetchYearOptions): void {
  if (Number.isInteger(year) && year >= firstTickYear && year <= 9999) return
  throw new QuotebookError('USAGE', sentence`auction ticks begin with ${firstTickYear}; there are none of ${year}`)
}

/** An archive clears away what its manifest does not name: a folder can not be brought into the archive that it is a part of. */
async function checkApart({ share: link, dest }: FetchYearOptions): Promise<void> {
  const folder = link === undefined ? undefined : localFolder(link)
  if (folder === undefined) return
  const { dir } = storeOf(dest)
  if (dir === undefined) return
  const places = [folder, join(dir, 'ticks')].map((path) => realpath(path).catch(() => undefined))
  const [from, into] = await Promise.all(places)
  if (from === undefined || from !== into) return
  const message = sentence`${folder} is where the files of ${dir} lie: copy it elsewhere first, or choose another dest`
  throw new QuotebookError('USAGE', message)
}

/**
 * Brings the tick files of a year into an archive: from the share that a service hands out (waiting while it is not ready,
 * asking for a fresh one when it ends on the way), from another archive, or from a link or folder.
 * @param source needed where no `share` is given
 * @throws as `fetchIntoArchive` does; SourceError for what the service does not answer (FORBIDDEN says which plan it takes)
 */
export async function fetchYear(source: Source | undefined, options: FetchYearOptions): Promise<FetchResult> {
  checkYear(options)
  await checkApart(options)
  const { dest: dir, share: link, kind, password, user } = options
  const opened = link === undefined ? undefined : openShare(link, { kind, password, user })
  if (!opened && !(source instanceof Archive) && !(source?.get && source.open))
    throw new QuotebookError('USAGE', sentence`tick files come from a service, an archive, or the link of a share`)
  let offer: YearOffer | undefined
  const share = async (signal: AbortSignal): Promise<TickShare> => {
    if (opened) return opened
    if (source instanceof Archive) return archiveShare(source)
    offer = await offerOf(source as ShareSource, options, signal)
    return openOffer(source as ShareSource, offer)
  }
  try {
    const fetched = await fetchIntoArchive({ ...options, share, dir })
    return offer ? { ...fetched, notes: [...notesOf(offer, fetched), ...fetched.notes] } : fetched
  } finally {
    await opened?.close()
  }
}
