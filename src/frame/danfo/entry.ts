/* What the bundle holds: see bundle.mjs. */
export {
  concat,
  DataFrame,
  dateRange,
  getDummies,
  LabelEncoder,
  MinMaxScaler,
  merge,
  NDframe,
  OneHotEncoder,
  Series,
  StandardScaler,
  toDateTime,
} from 'danfojs-node/dist/danfojs-base/index.js'
