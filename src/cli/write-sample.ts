import { datasetOf, datasets } from '../contract/catalogue.js'
import type { Dataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { readManifest } from '../data/archive/manifest.js'
import { ArchiveWriter } from '../data/archive/writer.js'
import { toTable } from '../frame/table/arrow.js'
import { decode } from '../frame/table/decode.js'
import { writeParquet } from '../frame/table/parquet.js'
import { auctionTickColumns } from '../research/sample/auction-tick-sheet.js'
import { type Batch, extent, generate, newsMeta } from '../research/sample/generate-sample.js'
import { defaultSeed, type SampleOptions } from '../research/sample/sample-plan.js'

interface Written {
  readonly rows: number
  readonly files: number
}

async function put(writer: ArchiveWriter, batch: Batch, origin: string): Promise<number> {
  if ('ticks' in batch) {
    const { columns, ticks } = batch
    await writer.putTicks(ticks, await writeParquet(toTable(columns, auctionTickColumns)), columns.length)
    return columns.length
  }
  if (batch.rows.length === 0) return 0
  const dataset = datasetOf(batch.dataset)
  await writer.put(dataset, decode(dataset, batch.fields, batch.rows), origin)
  return batch.rows.length
}

/** The sample has nothing but what is in it: a day, or a bar, that is not there does not exist. */
function cover(writer: ArchiveWriter, dataset: Dataset, from: string, to: string): void {
  const { day, name, openRange, since, stored } = dataset
  if (name === 'hotstock' || (day === undefined && since === undefined)) return
  const first = day === undefined || openRange ? (since ?? from) : from
  for (const scope of stored?.period?.values ?? [''])
    writer.markCovered(dataset, { scope, symbols: 'all', days: [[first, to]] })
}

/**
 * Writes the synthetic sample as an archive, file by file; nothing is seen before all of it is there.
 * The same options give the same bytes.
 * @param dir new or empty directory
 * @throws QuotebookError ARCHIVE when the directory already holds something
 */
export async function writeSample(
  dir: string,
  options: SampleOptions,
  onBatch: (done: number, of: number, what: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Written> {
  const { batches, from, to } = extent(options)
  if (await readManifest(dir))
    throw new QuotebookError('ARCHIVE', sentence`${dir} already holds an archive; give a new or empty directory`)
  const seed = options.seed ?? defaultSeed
  const writer = await ArchiveWriter.open(
    dir,
    `SYNTHETIC: made by quotebook sample${options.hostile ? ' --hostile' : ''} (seed ${seed}), ${from} to ${to}. No row is real.`,
  )
  let rows = 0
  let done = 0
  try {
    for (const batch of generate(options)) {
      signal?.throwIfAborted()
      onBatch(done++, batches, 'ticks' in batch ? 'auction ticks' : batch.dataset)
      rows += await put(writer, batch, `sample, seed ${seed}`)
    }
    for (const dataset of datasets) {
      cover(writer, dataset, from, to)
      await writer.keepByCode(dataset)
    }
    writer.putBeside(datasetOf('news'), { meta: newsMeta(options) })
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
  return { rows, files: batches }
}
