import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { tempDir } from '../../../helper/temp.js'

let connection: Promise<Awaited<ReturnType<DuckDBInstance['connect']>>> | undefined

async function connected() {
  connection ??= DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) => instance.connect())
  return connection
}

let count = 0

/** A Parquet file that DuckDB writes of a query. @param options as COPY takes them */
export async function written(query: string, options = 'compression zstd'): Promise<string> {
  const path = join(tempDir(), `${count++}.parquet`)
  await (await connected()).run(`copy (${query}) to '${path}' (format parquet, ${options})`)
  return path
}

export async function bytesWritten(query: string, options?: string): Promise<Uint8Array> {
  return new Uint8Array(readFileSync(await written(query, options)))
}

/** What DuckDB reads in a file, row by row, each cell as text. */
export async function cellsOf(path: string, names: readonly string[], where = 'true'): Promise<(string | null)[][]> {
  const cells = names.map((name) => `"${name}"::varchar`).join(', ')
  const reader = await (await connected()).runAndReadAll(`select ${cells} from read_parquet('${path}') where ${where}`)
  return reader.getRows() as (string | null)[][]
}
