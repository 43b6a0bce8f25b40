import type { Dataset } from '../../contract/dataset.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Words } from '../../contract/sentence.js'
import { monthsWithout } from './code-months.js'
import type { ArchiveStore } from './store/archive-store.js'
import { ArchiveWriter } from './writer.js'

/** How many whole months of bars an archive has not by code; none where it is no directory. */
export async function monthsLeft(store: ArchiveStore, dataset: Dataset): Promise<number> {
  const entry = store.dir === undefined ? undefined : (await store.read())?.manifest.datasets[dataset.name]
  return entry ? monthsWithout(dataset, entry) : 0
}

/** Makes the newest of these months. @returns whether there was one that could be made */
async function keepMonth(store: ArchiveStore, dataset: Dataset, signal: AbortSignal | undefined): Promise<boolean> {
  const writer = await ArchiveWriter.open(store, undefined, undefined, signal)
  let isMade = false
  try {
    isMade = (await writer.keepByCode(dataset, 1)) > 0
  } finally {
    await (isMade ? writer.commit() : writer.abort())
  }
  return isMade
}

/**
 * Keeps whole months of bars by code that are not yet, each in a commit of its own.
 * @param onMonth called before each, with how many are left
 * @returns why some could not be made: nothing rests on them. @throws the signal's reason
 */
export async function keepMonths(
  store: ArchiveStore,
  datasets: readonly Dataset[],
  signal: AbortSignal | undefined,
  onMonth: (dataset: Dataset, left: number) => void,
): Promise<Words | undefined> {
  try {
    for (const dataset of datasets) {
      for (let left = await monthsLeft(store, dataset); left > 0; left = await monthsLeft(store, dataset)) {
        signal?.throwIfAborted()
        onMonth(dataset, left)
        if (!(await keepMonth(store, dataset, signal))) break
      }
    }
    return undefined
  } catch (error) {
    if (signal?.aborted || !(error instanceof QuotebookError)) throw error
    return messageOf(error)
  }
}
