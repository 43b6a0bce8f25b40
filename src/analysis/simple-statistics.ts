/** The functions of simple-statistics that analysis uses; src/build/lib.mjs bundles them as `#statistics`. */
export {
  linearRegression,
  mean,
  median,
  sampleCorrelation,
  sampleCovariance,
  sampleRankCorrelation,
  sampleStandardDeviation,
  sampleVariance,
} from 'simple-statistics'
