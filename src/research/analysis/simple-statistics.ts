/** The functions of simple-statistics and pure-rand that analysis uses; src/build/lib.mjs bundles them as `#statistics`. */
export { uniformInt } from 'pure-rand/distribution/uniformInt'
export { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
export {
  linearRegression,
  mean,
  median,
  sampleCorrelation,
  sampleCovariance,
  sampleKurtosis,
  sampleRankCorrelation,
  sampleSkewness,
  sampleStandardDeviation,
  sampleVariance,
} from 'simple-statistics'
