import type { Dataset } from '../../contract/dataset.js'
import { messageOf } from '../../contract/error.js'
import type { Words } from '../../contract/sentence.js'
import { monthsWithout } from './code-months.js'
import type { ArchiveStore } from './store/archive-store.js'
import { ArchiveWriter } from './writer.js'

/** How many whole months of bars an archive does not have by code yet; none where it is no directory. */
export async function monthsLeft(store: ArchiveStore, dataset: Dataset): Promise<number> {
  const entry = store.dir === undefined ? undefined : (await store.read())?.manifest.datasets[dataset.name]
  return entry ? monthsWithout(dataset, entry) : 0
}

/** Makes the newest of these months. @returns whether there was one still */
async function keepMonth(store: ArchiveStore, dataset: Dataset, signal: AbortSignal | undefined): Promise<boolean> {
  const writer = await ArchiveWriter.open(store, undefined, undefined, signal)
  let made = 0
  try {
    made = await writer.keepByCode(dataset, 1)
  } catch (error) {
    await writer.abort().catch(() => undefined)
    throw error
  }
  await (made > 0 ? writer.commit() : writer.abort())
  return made > 0
}

/**
 * Keeps whole months of bars by code that are not yet, each in a commit of its own, until it is done or the signal is aborted.
 * @param onMonth called before each, with how many are left
 * @returns why some could not be made, whatever it was: nothing rests on them
 */
export async function keepMonths(
  store: ArchiveStore,
  datasets: readonly Dataset[],
  signal: AbortSignal | undefined,
  onMonth: (dataset: Dataset, left: number) => void,
): Promise<Words | undefined> {
  try {
    for (const dataset of datasets) {
      for (let left = await monthsLeft(store, dataset); left > 0; left--) {
        if (signal?.aborted) return undefined
        onMonth(dataset, left)
        if (!(await keepMonth(store, dataset, signal))) break
      }
    }
    return undefined
  } catch (error) {
    return signal?.aborted ? undefined : messageOf(error)
  }
}
