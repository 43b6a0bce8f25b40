import { spawnSync } from 'node:child_process'
import type { Table } from 'apache-arrow'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { decode } from '../../../src/frame/table/decode.js'
import { provenanceMetadata } from '../../../src/frame/table/provenance.js'

export type Row = Readonly<Record<string, unknown>>

/** Row objects as a table of a dataset, with the columns of the first row. */
export function tableFrom(name: string, rows: readonly Row[], fields = Object.keys(rows[0] ?? {})): Table {
  const dataset = datasetOf(name)
  const cells = rows.map((row) => fields.map((field) => row[field] ?? null))
  return toTable(decode(dataset, fields, cells), { ...dataset.columns, ...dataset.stored })
}

/** The same, with a provenance that names the dataset. */
export function answerFrom(name: string, rows: readonly Row[], params: Row = {}): Table {
  const dataset = datasetOf(name)
  const fields = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => fields.map((field) => row[field] ?? null))
  const about = { dataset: name, source: 'memory', request: { params, fields }, rows: rows.length, complete: true }
  return toTable(decode(dataset, fields, cells), dataset.columns, provenanceMetadata(about))
}

/** Runs a Python script with a JSON value on stdin; its stdout is JSON. */
export function python(script: string, input: unknown): unknown {
  const done = spawnSync('python3', ['-c', script], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (done.status !== 0) throw new Error(done.stderr)
  return JSON.parse(done.stdout)
}
