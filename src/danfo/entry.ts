/* What the bundle holds: danfo's own classes, repaired by the files in repair/ (see bundle.mjs). */
export {
  DataFrame,
  LabelEncoder,
  MinMaxScaler,
  NDframe,
  OneHotEncoder,
  Series,
  StandardScaler,
  toDateTime,
} from 'danfojs-node/dist/danfojs-base/index.js'
export { concat, dateRange, getDummies, merge } from './repair/index.js'
