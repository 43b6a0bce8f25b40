import { serveTasks } from '../worker-pool.js'
import type { FileFacts, InspectTask } from './file-facts.js'
import { inspectFile } from './inspect-file.js'

/* The code of a worker thread; build/lib.mjs makes dist/lib/tick-verify.cjs of it. */

/** Bytes of a codec's memory, which never shrinks, after which a fresh one takes the next file. */
const most = 2 ** 30

let memory = (): number => 0
let failed = false

serveTasks<InspectTask, undefined>(
  async (task, report: (facts: FileFacts) => void) => {
    const { broken } = await inspectFile(task, report, (decoder) => {
      memory = decoder.memory
    })
    failed = broken
    return { result: undefined }
  },
  // Of a decoder that has failed other parts may still be at work, and break down later, in the midst of another file.
  () => failed || memory() > most,
)
