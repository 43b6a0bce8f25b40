import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { hearOutcomes } from '../../src/data/ticks/verify/check-outcomes.js'
import type { FileReport, InspectTask } from '../../src/data/ticks/verify/inspect-file.js'
import { checkFile, type InspectedFile, type TickFinding } from '../../src/data/ticks/verify/tick-checks.js'
import { WorkerPool } from '../../src/threads/worker-pool.js'
import { tempDir } from './temp.js'

export interface Seen extends InspectedFile {
  readonly findings: readonly TickFinding[]
}

let pool: WorkerPool<InspectTask, undefined> | undefined
let folder: string | undefined
let count = 0

/** Ends the threads after the tests of the file that calls this. */
export function useTickLooks(): void {
  afterAll(async () => {
    await pool?.close()
    pool = folder = undefined
  })
}

/** What verify says of the bytes of a file, without a manifest, through the built worker that it uses itself. */
export async function seen(bytes: Uint8Array, day = '20260506', timeoutMs = 20_000): Promise<Seen> {
  pool ??= new WorkerPool({ size: availableParallelism(), file: join(process.cwd(), 'dist/lib/tick-verify.cjs') })
  folder ??= tempDir()
  const path = join(folder, `${count++}.parquet`)
  writeFileSync(path, bytes)
  let report: FileReport = {}
  const onProgress = (told: unknown): void => {
    const part = hearOutcomes(told as FileReport)
    report = { ...report, ...part, outcomes: { ...report.outcomes, ...part.outcomes } }
  }
  const listed = { day, file: 'it', entry: undefined }
  const failure = await pool.run({ path, day, entry: undefined }, [], { name: 'it', timeoutMs, onProgress }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  rmSync(path)
  const looked = { ...listed, report, failure }
  return { ...looked, findings: checkFile(looked).flatMap(({ findings }) => findings) }
}

/** Does work in parallel, as much at a time as the machine has cores for. */
export async function each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]()
  const one = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, one))
}
