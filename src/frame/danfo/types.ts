/** danfo's classes and functions: DataFrame, Series, merge, concat, … without readers and writers of files. */
export type Danfo = typeof import('danfojs-node/dist/danfojs-base/index.js')

export type { DataFrame, Series } from 'danfojs-node/dist/danfojs-base/index.js'
