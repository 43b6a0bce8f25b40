import { stTransitions } from '../../../checks/dataset/st-transitions.js'
import { emit, say } from '../../output.js'
import { type LawOptions, tablesOf } from './law.js'

/** Who came onto the list of ST stocks, who left, and whose mark changed. */
export async function transitions(options: LawOptions): Promise<void> {
  const { st: [table] = [] } = await tablesOf('st', ['st'], options)
  if (table) await emit(stTransitions(table), options.format, options.out)
  else {
    say('st: no rows')
    process.exitCode = 1
  }
}
