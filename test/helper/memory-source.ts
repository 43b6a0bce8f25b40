import type { Table } from 'apache-arrow'
import { datasetNames } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { answer, answerDays } from '../../src/data/archive/answer/answer-query.js'
import type { Archive } from '../../src/data/archive/archive.js'
import type { ManifestPart, Snapshot } from '../../src/data/archive/snapshot.js'
import type { QueryOptions, Source } from '../../src/data/source/source.js'
import { fromParquet } from '../../src/frame/table/parquet.js'
import { columnsOf } from '../../src/frame/table/unwrap.js'
import type { RecordColumns } from '../../src/frame/table/values.js'

/** Rows in memory, answered as an archive answers them. */
export class MemorySource implements Source {
  readonly name = 'memory'
  readonly #snapshot: Snapshot

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const { days } = options
    if (days === undefined) return answer(this.#snapshot, dataset, params, options, this.name)
    return answerDays(this.#snapshot, dataset, params, { ...options, days }, this.name)
  }
}

/** All rows of an archive, in memory. */
export async function memoryOf(archive: Archive): Promise<MemorySource> {
  const manifest = await archive.manifest()
  const held = new Map<string, RecordColumns>()
  for (const name of datasetNames) {
    for (const { file, sha256, partition } of manifest.datasets[name]?.parts ?? []) {
      held.set(`${name} ${partition}`, columnsOf(await fromParquet(await archive.bytes(file, sha256), file)))
    }
  }
  return new MemorySource({
    state: 'memory',
    parts: (dataset) => manifest.datasets[dataset]?.parts ?? [],
    entry: (dataset) => manifest.datasets[dataset],
    ticks: () => manifest.ticks,
    load: async (dataset: string, { partition }: ManifestPart) => held.get(`${dataset} ${partition}`) as RecordColumns,
  })
}
