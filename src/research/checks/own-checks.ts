import { type DatasetName, ownDatasets } from '../../contract/catalogue.js'
import type { CheckLaw, Dataset } from '../../contract/dataset.js'
import { lawColumns, priceOrder } from '../../contract/row-laws.js'
import { sentence } from '../../contract/sentence.js'
import { type Check, fails, passes } from './check.js'
import { givenColumns, rowCheck } from './row-check.js'

/** The laws that are declared, and those that follow from names and units: of prices. */
function lawsOf(dataset: Dataset): readonly CheckLaw[] {
  const { price, range } = lawColumns(dataset)
  const ordered = range.length > 0 ? priceOrder : []
  return [
    ...price.map((column) => ({ law: `${column} > 0` })),
    ...ordered.map(([left, right]) => ({ law: `${left} <= ${right}` })),
    ...(dataset.laws ?? []),
  ]
}

/** A check for each dataset of one's own: cells as they are declared, keys that are unique, and its laws. */
export function ownChecks(): readonly Check[] {
  return ownDatasets().map((dataset) => {
    const [name, laws] = [dataset.name as DatasetName, lawsOf(dataset)]
    return rowCheck({
      name,
      summary: sentence`${dataset.title}: cells, keys and laws as declared`,
      dataset: name,
      rule: `Of each row: ${['cells as declared', 'a key of its own', ...laws.map(({ law }) => law)].join('; ')}.`,
      verdicts: {
        pass: passes(sentence`it keeps every law`),
        duplicate: fails(sentence`an earlier row has its key`),
        mismatch: fails(sentence`it breaks a law, or has a cell that the declaration forbids`),
      },
      confirmedAs: 'within their laws',
      partial: true,
      compares: laws.length > 0,
      laws,
      twice: () => sentence`an earlier row has the key ${dataset.key.join(', ')} too`,
      read: (table) => ({ columns: givenColumns(table, name, ...dataset.key) }),
    })
  })
}
