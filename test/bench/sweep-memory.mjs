/** Peak megabytes of a process that runs a sweep of 10,000 on 500 bonds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { market, options, sweepSize } from './backtest.mjs'
import { make } from './sweep-strategy.mjs'

const load = (path) => import(join(process.argv[2], path))
const parts = { ...(await load('index.js')), ...(await load('research/backtest/panel.js')) }
const grid = { w: Array.from({ length: 500 }, (_, at) => at / 250), n: [5, 10, 15, 20, 30], keep: [1, 2, 3, 4] }
parts.sweep(market(parts, sweepSize), grid, make, { ...options, scoreParams: ['w'] })
// Not that of getrusage, which begins with the peak of whoever started this process.
console.log(Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1000)
