/** Peak megabytes of a process that runs a sweep of 10,000 on 500 bonds. */
import { join } from 'node:path'
import { market, options, sweepSize } from './backtest.mjs'
import { peakBytes } from './peak.mjs'
import { make } from './sweep-strategy.mjs'

const load = (path) => import(join(process.argv[2], path))
const parts = { ...(await load('index.js')), ...(await load('research/backtest/panel.js')) }
const grid = { w: Array.from({ length: 500 }, (_, at) => at / 250), n: [5, 10, 15, 20, 30], keep: [1, 2, 3, 4] }
parts.sweep(market(parts, sweepSize), grid, make, { ...options, scoreParams: ['w'] })
console.log(peakBytes() / 1e6)
