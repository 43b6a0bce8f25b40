import { findDataset } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { invalid } from '../../contract/error.js'
import { fact, sentence, type Words } from '../../contract/sentence.js'
import type { Data } from '../../frame/data.js'
import { provenance } from '../../frame/table/provenance.js'

/** The dataset that a table or a frame was loaded from. */
export function loadedDataset(data: Data): Dataset | undefined {
  return findDataset(provenance(data)?.dataset)
}

/** The column of codes of the dataset that data was loaded from. */
export function codeColumnOf(data: Data): string | undefined {
  return loadedDataset(data)?.params['symbols']?.columns?.[0]
}

/**
 * What the service has of a dataset is today's list alone: of the past it says nothing.
 * @throws QuotebookError INVALID_VALUE unless the dataset is asked for by name
 */
export function historyNote(data: Data, allowed: readonly string[]): Words | undefined {
  const dataset = loadedDataset(data)
  if (!dataset || !('fetched' in dataset.knownAt)) return undefined
  const { name } = dataset
  if (allowed.includes(name))
    return fact('NO_HISTORY', "{dataset} has no history: its rows are today's, and decisions of the past use them", {
      dataset: name,
    })
  throw invalid(
    sentence`panel: ${name} has no history, so a decision of the past would know today's list. Take it nevertheless with withoutHistory: ['${name}']; the result will say so`,
  )
}
