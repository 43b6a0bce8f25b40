/**
 * Runs the cells of one notebook with tslab's converter and executor, without Jupyter: `node notebook-runner.cjs TSLAB`, in the
 * folder of the notebook. Standard input has the sources; what happens is told on descriptor 3, a JSON object a line, written
 * at once so that nothing is lost when the process dies.
 */

import { readFileSync, writeSync } from 'node:fs'
import { sent, sentence } from '../../../contract/sentence.js'
import type { CellCode, KernelEvent } from '../kernel-event.js'
import { CellRunner, type PlacedFailure } from './cell-runner.js'
import { takeStreams } from './cell-streams.js'
import { prepareImports, readWithoutComments } from './own-package.js'
import { tslabOf } from './tslab.js'

const tslab = tslabOf(process.argv[2] ?? '')
prepareImports(process.cwd(), tslab, process.env)
readWithoutComments(tslab.compiler.sys)

const cells: readonly CellCode[] = JSON.parse(readFileSync(0, 'utf8'))
const failed = new Set<number>()
const expected = new Set<number>()
let running = 0
let over = false

function tell(event: KernelEvent): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
}

/** A cell that is tagged raises-exception may throw once, or be wrong in its types. */
function fail(failure: PlacedFailure): void {
  const { cell, kind } = failure
  const once = kind === 'type error' || (kind === 'error' && !failed.has(cell))
  const isAsked = once && cells[cell - 1]?.raises === true
  failed.add(cell)
  if (isAsked) expected.add(cell)
  else expected.delete(cell)
  tell({ type: 'failure', expected: isAsked, ...failure })
}

const runner = new CellRunner(tslab, process.cwd(), {
  failed: fail,
  more: (cell, message) => tell({ type: 'more', cell, message }),
})

tslab.jupyter.lastWriteDisplayData = ({ data, transient }, update) =>
  tell({ type: 'display', cell: runner.here, data, display: transient?.display_id, update: update === true })
takeStreams((name, text) => {
  tell({ type: 'stream', cell: runner.here, name, text })
  return true
})
process.on('SIGINT', () => runner.interrupt())
process.on('exit', (code) => {
  const message = sent(sentence`the cell ended the process (exit code ${code})`)
  if (!over) fail({ cell: runner.here, kind: 'exit', message })
})

function end(): void {
  over = true
  tell({ type: 'over' })
}

async function runAll(): Promise<void> {
  for (const [index, { source, raises }] of cells.entries()) {
    running = index + 1
    tell({ type: 'start', cell: running })
    await runner.execute(running, source)
    const message = sent(sentence`the cell is tagged raises-exception and raised none`)
    if (raises && !failed.has(running)) fail({ cell: running, kind: 'no error', message })
    tell({ type: 'end', cell: running })
    if (failed.size > expected.size) {
      end()
      process.exit()
    }
  }
  runner.close()
  tell({ type: 'drain' })
  process.on('beforeExit', end)
}

void runAll()
