import { serveTasks } from '../../threads/worker-pool.js'
import { Panel } from './panel.js'
import { runTrials } from './run-trials.js'
import { importMake } from './strategy-module.js'
import type { TrialDone, TrialsTask } from './sweep-threads.js'

let last: { readonly id: number; readonly panel: Panel } | undefined

function panelOf({ id, parts }: TrialsTask): Panel {
  if (last?.id !== id) last = { id, panel: new Panel(parts) }
  return last.panel
}

serveTasks<TrialsTask, null>(async (task, report) => {
  const make = await importMake(task.url, task.name, task.sha256)
  runTrials(panelOf(task), task.all, make, task.context, (curve, place) => {
    const done: TrialDone = { place, run: curve }
    report(done)
  })
  return { result: null }
})
