import { DuckDBInstance } from '@duckdb/node-api'
import { datasetOf } from '../../src/contract/catalogue.js'

/** Rows as SQL of DuckDB finds them in the Parquet files of an archive; see `cases` for the placeholders. */
export interface SqlRows {
  /** Rows as objects, cells of JSON columns parsed. */
  rows(name: string, sql: string, columns: readonly string[]): Promise<Record<string, unknown>[]>
  /** Every cell as DuckDB writes it as text. */
  texts(name: string, sql: string, columns: readonly string[]): Promise<Record<string, string | null>[]>
}

/** DuckDB over the archive in a directory. */
export async function sqlOver(dir: string): Promise<SqlRows> {
  const db = await (await DuckDBInstance.create()).connect()
  const run = async (name: string, sql: string, wanted: string): Promise<Record<string, unknown>[]> => {
    const all = `read_parquet('${dir}/${name}/*.parquet')`
    const latest = `(select max("${datasetOf(name).day}") from {all})`
    const text = sql.replaceAll('{latest}', latest).replaceAll('{all}', all)
    return (await db.runAndReadAll(`select ${wanted} ${text}`)).getRowObjectsJS() as Record<string, unknown>[]
  }
  const quoted = (column: string): string => `"${column}"`
  return {
    rows: async (name, sql, columns) => {
      const { columns: declared } = datasetOf(name)
      const rows = await run(name, sql, columns.map(quoted).join(', '))
      const cell = (column: string, value: unknown): unknown =>
        declared[column]?.kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value
      return rows.map((row) => Object.fromEntries(columns.map((column) => [column, cell(column, row[column])])))
    },
    texts: async (name, sql, columns) => {
      // Order by what was selected would be order by text: the rows are found first.
      const inner = columns.map(quoted).join(', ')
      const outer = columns.map((column) => `cast(${quoted(column)} as varchar) as ${quoted(column)}`).join(', ')
      const rows = await run(name, `from (select ${inner} ${sql})`, outer)
      return rows as Record<string, string | null>[]
    },
  }
}
