import { QuotebookError } from '../../../contract/error.js'
import type { ArchiveStore } from './archive-store.js'

/** Times that others may come first. */
const patience = 20

/**
 * Writes once more, upon the newer state, where another writer came first. Only in a store without a lock: in a directory a
 * change that the lock did not keep off is somebody else's doing.
 * @param write what is done from the beginning each time
 */
export async function retryOnConflict<T>({ dir }: ArchiveStore, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      const isOvertaken = dir === undefined && error instanceof QuotebookError && error.code === 'ARCHIVE_CHANGED'
      if (!isOvertaken || tries === patience) throw error
    }
  }
}
