import { type CheckResult, type CheckRun, type Named, nameIn, titleIn } from '../../research/checks/check.js'
import { resultTable } from '../../research/checks/check-columns.js'
import { readableRows, verdictIn } from '../../research/checks/reasons.js'
import { runsTable } from '../../research/checks/runs-table.js'
import { language } from '../chosen-language.js'
import { emit, formatFor, isForReading, log, tableText, tell, textGrid } from '../output.js'
import { headIn, withHeads } from '../readable-heads.js'
import type { CheckOptions } from './check-rows.js'

function conclusion(name: string, check: CheckResult<string>): void {
  tell('{name}: {rows} rows', { name, rows: check.rows })
  const counts = Object.entries(check.counts).map(([verdict, rows]) => [verdictIn(verdict, language), rows])
  log(textGrid(['verdict', 'rows'].map(headIn), counts))
  if (check.rows === 0) tell('there was nothing to check')
  else tell(check.ok ? 'nothing contradicts the rule' : 'some rows contradict the rule')
  if (!check.ok || check.rows === 0) process.exitCode = 1
}

/** The worst rows, or else all of them, as a person reads them. */
function rowsText({ worst, table, reasons }: CheckResult<string>): string {
  return tableText(withHeads(readableRows(worst.numRows > 0 ? worst : table, reasons, language)))
}

/** The verdicts to stderr; the rows to stdout: all of them for a program, the worst for a person. */
export async function showCheck(check: CheckResult<string>, options: CheckOptions): Promise<void> {
  if (!isForReading(options)) await emit(check.table, options)
  else process.stdout.write(rowsText(check))
  conclusion(nameIn(check, language), check)
}

/**
 * The same for several runs of one check.
 * @param lacking why there are none, if there are none
 */
export async function showRuns(
  check: Named,
  runs: readonly CheckRun[],
  options: CheckOptions,
  lacking: string,
): Promise<void> {
  const [only] = runs
  if (only && runs.length === 1) return showCheck(only.result, options)
  if (runs.length === 0) {
    if (formatFor(options) === 'json') await emit(resultTable({}), options)
    tell('{name}: there was nothing to check: {why}', { name: nameIn(check, language), why: lacking })
    process.exitCode = 1
    return
  }
  if (!isForReading(options)) await emit(runsTable(runs), options)
  for (const { label, result } of runs) {
    if (isForReading(options) && result.worst.numRows > 0) process.stdout.write(`${label}\n${rowsText(result)}`)
    conclusion(titleIn(check, label, language), result)
  }
}
