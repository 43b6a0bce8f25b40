import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { namesInRows } from '../contract/fitting-names.js'
import { has, strings } from './read-columns.js'

/** Codes and names of a table of a dataset, as its rows spell them; none where a column of them is not there. */
export function tableNames(table: Table | undefined, dataset: Dataset): [code: string, name: string][] {
  const { names } = dataset
  if (!names || !table || !has(table, names.code) || !has(table, names.name)) return []
  return namesInRows(dataset, strings(table, names.code), strings(table, names.name))
}
