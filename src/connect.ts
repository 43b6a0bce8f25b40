import { basename, join, resolve } from 'node:path'
import root from '#root'
import { Archive } from './archive/archive.js'
import { QuotebookError } from './contract/error.js'
import { Market } from './market.js'

export interface ConnectOptions {
  /** Directory of a local archive. Absent: the synthetic sample that comes with the package. */
  readonly archive?: string
  /** Bytes of decoded data kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number
}

/** Folder of the sample archive that comes with the package. */
export const sampleDir: string = join(root, 'data', 'sample')

/**
 * Opens a market: the embedded sample archive, or a local one. No key, no network.
 * @throws QuotebookError ARCHIVE when the directory holds no archive
 */
export async function connect(options: ConnectOptions = {}): Promise<Market> {
  const { archive, cacheBytes, ...unknown } = options
  const [other] = Object.keys(unknown)
  if (other !== undefined) {
    throw new QuotebookError('USAGE', `connect has no option '${other}'; it takes archive (a directory) and cacheBytes`)
  }
  if (cacheBytes !== undefined && !(Number.isSafeInteger(cacheBytes) && cacheBytes > 0)) {
    throw new QuotebookError('USAGE', `cacheBytes must be a whole number of bytes above 0, not ${cacheBytes}`)
  }
  const name = archive === undefined ? 'sample' : `archive ${basename(resolve(archive))}`
  const source = new Archive(archive ?? sampleDir, name, cacheBytes === undefined ? {} : { cacheBytes })
  await source.manifest()
  return new Market(source)
}
