import type { DatasetName } from '../../../src/contract/catalogue.js'
import { generate } from '../../../src/research/sample/generate-sample.js'
import type { SampleOptions } from '../../../src/research/sample/sample-plan.js'

/** Rows of one dataset of a sample as objects. */
export function rowsOf(dataset: DatasetName, options: SampleOptions = {}): Record<string, unknown>[] {
  return [...generate(options)]
    .flatMap((batch) => ('ticks' in batch || batch.dataset !== dataset ? [] : [batch]))
    .flatMap(({ fields, rows }) => rows.map((row) => Object.fromEntries(fields.map((name, i) => [name, row[i]]))))
}
