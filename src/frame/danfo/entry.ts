/*
 * What the bundle holds: danfo's own classes, repaired by the files in repair/ (see README.md). Each of them begins with
 * what danfo does and what happens now; the order is that in which the repairs are put in their places.
 */
import './repair/row-labels.js'
import './repair/load-data.js'
import './repair/pick-rows.js'
import './repair/change-cells.js'
import './repair/distinct-values.js'
import './repair/aggregates.js'
import './repair/arithmetic.js'
import './repair/groupby.js'
import './repair/accessors.js'
import './repair/write-text.js'
import { guardMembers } from './repair/column-access.js'

export { DataFrame, NDframe, Series } from 'danfojs-node/dist/danfojs-base/index.js'
export { DataColumn } from './data-column.js'
export { DataColumns, getColumns, getLabels } from './frame-store.js'

guardMembers()
