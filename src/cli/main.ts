#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { say } from './chosen-language.js'
import { learnDatasets } from './declared-datasets.js'
import { forgetEmpty } from './empty-variables.js'
import { log } from './output.js'
import { exitCode, program } from './program.js'

// Commands are short: the functions of the Parquet codec are checked when they are called, and compiled anew for speed only after
// ten times as much work as usual. Options that these V8 know.
if (/^1[1-3]\./.test(process.versions.v8)) {
  setFlagsFromString('--wasm-lazy-validation')
  setFlagsFromString('--wasm-tiering-budget=18000000')
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  log(`quotebook: ${say('can not write to stdout: {why}', { why: error.message })}`)
  process.exit(1)
})
// What nobody hears can not be told; the work goes on.
process.stderr.on('error', () => undefined)

forgetEmpty(process.env)
const words = process.argv.slice(2)
learnDatasets(words)
  .then(() => program(words).parseAsync())
  .catch((error: unknown) => {
    process.exitCode = exitCode(error)
  })
