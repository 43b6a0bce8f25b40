import { serveTasks } from '../../../threads/worker-pool.js'
import { tellOutcomes } from './check-outcomes.js'
import { type InspectTask, inspectFile } from './inspect-file.js'

/* The code of a worker thread; build/lib.mjs makes dist/lib/tick-verify.cjs of it. */

let isSpent = false

serveTasks<InspectTask, undefined>(
  async (task, report) => {
    isSpent = await inspectFile(task, (part) => report(tellOutcomes(part)))
    return { result: undefined }
  },
  () => isSpent,
)
