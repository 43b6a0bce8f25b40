import { datasets } from 'quotebook'

/** The names of all datasets. */
export const datasetNames = datasets.map(({ name }) => name)
