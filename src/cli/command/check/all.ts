import { healthOf } from '../../../checks/dataset/health.js'
import { checkAll } from '../../../checks/dataset/laws.js'
import { texts } from '../../../frame/column.js'
import { loadable } from '../../../load/tables.js'
import { emit, formatFor, say } from '../../output.js'
import { open, type SourceOptions } from '../../source.js'
import { type CheckOptions, lastDays } from './read.js'

/** Every law over the last days of a source: the health of each dataset on stdout, what contradicts a rule on stderr. */
export async function all(
  options: Omit<CheckOptions, 'file' | 'params'> & SourceOptions & { days: number },
): Promise<void> {
  formatFor(options.format, options.out)
  const results = checkAll(await lastDays(await open(options), options.days, loadable))
  const health = healthOf(results)
  await emit(health, options.format, options.out)
  for (const worst of texts(health, 'worst')) if (worst !== null) say(worst)
  const runs = results.flatMap(({ law, runs }) => runs.map((run) => ({ law, ...run })))
  const wrong = runs.filter(({ check }) => !check.ok)
  for (const { law, of } of wrong)
    say(
      `${law.name} (${of}): some rows contradict the rule; quotebook check ${law.name.replaceAll(' ', '-')} --days ${options.days} lists them`,
    )
  const rows = runs.reduce((sum, { check }) => sum + check.rows, 0)
  if (rows === 0) say('there was nothing to check')
  else
    say(
      `${runs.length} checks of ${rows} rows: ${wrong.length === 0 ? 'nothing contradicts a rule' : `${wrong.length} found contradictions`}`,
    )
  if (wrong.length > 0 || rows === 0) process.exitCode = 1
}
