import { QuotebookError } from '../../contract/error.js'
import type { LinkedFiles } from '../../source/beside.js'
import { DayAbsentError, isEndedStatus, listingError, ShareEndedError, shareEnded } from './error.js'
import type { FailedListing, FolderListing, ListFolder } from './look.js'
import { openHttpFile } from './open-file.js'
import type { FolderAddress } from './place.js'
import type { ListedFile, OpenedFile, OpenFileOptions, TickShare } from './share.js'

/** A way that may lead to the files. */
export interface ShareRoute {
  readonly place: FolderAddress
  readonly look: ListFolder
  /** Where nobody is let in here, no other way is tried: a wrong password counts each time. */
  readonly isStrict?: boolean
}

/** The way that a folder was found by. */
interface Known extends FolderListing {
  readonly way: ShareRoute
}

/** Whom a password stops, as against who knows nothing of the folder. */
const shut: readonly number[] = [401, 403]

async function search(
  beside: LinkedFiles,
  name: string,
  ways: readonly ShareRoute[],
  signal: AbortSignal | undefined,
): Promise<Known> {
  const missed: FailedListing[] = []
  for (const way of ways) {
    const found = await way.look(beside, way.place, signal)
    if ('listed' in found) return { ...found, way }
    missed.push(found)
    if (way.isStrict && shut.includes(found.status)) throw shareEnded(found, found.isElsewhere)
  }
  const last = missed.at(-1)
  if (last && isEndedStatus(last.status)) throw shareEnded(last, last.isElsewhere)
  throw listingError(name, `it answers ${missed.map(({ said }) => said).join(', and ')}`)
}

/**
 * The share behind ways that are tried in order, until one leads to files.
 * @param isSure files lie in the folder of the first way, whichever way the folder is listed
 */
export function httpShare(beside: LinkedFiles, name: string, ways: readonly ShareRoute[], isSure: boolean): TickShare {
  let known: Known | undefined

  const list = async (signal?: AbortSignal): Promise<readonly ListedFile[]> => {
    const first = known?.way
    known = undefined
    const order = first ? [first, ...ways.filter((way) => way !== first)] : ways
    known = await search(beside, name, order, signal)
    return known.listed
  }

  const placeNow = async (signal?: AbortSignal): Promise<FolderAddress> => {
    if (!known && !isSure) await list(signal)
    return (known?.place ?? ways[0]?.place) as FolderAddress
  }

  /** A file that is not where it was is looked for where the folder is now. */
  const again = async (error: ShareEndedError, day: string, options: OpenFileOptions): Promise<OpenedFile> => {
    const listed = await list(options.signal)
    if (!listed.some((file) => file.day === day)) throw new DayAbsentError(name, day)
    try {
      return await openHttpFile(beside, await placeNow(options.signal), day, options)
    } catch (second) {
      if (!(second instanceof ShareEndedError) || shut.includes(second.status)) throw second
      throw new QuotebookError('FILE', `the file of ${day}: ${name} lists it, and answers ${second.status}`, {
        cause: error,
      })
    }
  }

  return {
    name,
    list,
    async open(day, options = {}) {
      const place = await placeNow(options.signal)
      try {
        return await openHttpFile(beside, place, day, options)
      } catch (error) {
        if (!(error instanceof ShareEndedError)) throw error
        const isFirst = ways.some((way) => way.place.folder === place.folder)
        if (isFirst && shut.includes(error.status)) throw error
        return again(error, day, options)
      }
    },
  }
}
