import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { interleave } from './interleave.mjs'

export const question = 'whole processes that start, against an empty one (node -e 0)'

const command = fileURLToPath(new URL('../../dist/cli/quotebook.cjs', import.meta.url))
const load = "connect().then((market) => market.load.convertibleDaily({ symbols: ['123124.SZ'] }))"
const module = (code) => ['--input-type=module', '-e', code]

/** Words of node, and what they may take in empty processes. */
const starts = {
  'quotebook --help': [[command, '--help'], 2.1],
  'quotebook query': [[command, 'query', 'convertible_daily', 'symbols=123124'], 3.2],
  'import quotebook': [module("import 'quotebook'"), 3.2],
  'require quotebook': [['-e', "require('quotebook')"], 2.6],
  'import, connect and load': [module(`import { connect } from 'quotebook'; ${load}`), 5],
  'require, connect and load': [['-e', `const { connect } = require('quotebook'); ${load}`], 5],
}

const run = (words) => {
  const { status, stderr } = spawnSync(process.execPath, words)
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed: ${stderr}`)
  return true
}

export async function measure() {
  const all = {
    empty: ['-e', '0'],
    ...Object.fromEntries(Object.entries(starts).map(([what, [words]]) => [what, words])),
  }
  const tasks = Object.fromEntries(Object.entries(all).map(([what, words]) => [what, () => run(words)]))
  const { empty, ...times } = await interleave(tasks, { rounds: 7 })
  return Object.entries(times).map(([what, time]) => ({ what, time, against: empty, goal: starts[what][1] }))
}
