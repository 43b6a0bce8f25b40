import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../contract/catalogue.js'
import { namesOf, objectsOf } from '../../frame/column.js'
import type { Check } from '../check.js'
import { countColumn, tableOf, textColumn } from '../columns.js'
import { groupBy } from '../group.js'
import type { Law, LawResult, LawRun } from '../law.js'
import { emptyRows, type Grade, gradeOf, gradesOf } from './grades.js'
import { stateOf, worstState } from './state.js'

/** What tells a row of a check: the words at the head of its columns. */
function told(check: Check<string>, row: Readonly<Record<string, unknown>>): string {
  const names = namesOf(check.worst)
  const first = names.findIndex((name) => typeof row[name] === 'number' && name !== 'rank')
  const words = names
    .slice(0, first < 0 ? names.length : first)
    .filter((name) => !['verdict', 'why', 'rules'].includes(name))
  return words
    .slice(0, 3)
    .flatMap((name) => row[name] ?? [])
    .join(' ')
}

interface Worst {
  readonly grade: Grade
  readonly rows: number
  readonly text: string
}

/** A sentence on the worst row of a run, as the check ranks it; undefined where every row is confirmed. */
function worstOf(law: Law, { of, check }: LawRun): Worst | undefined {
  const sums = gradesOf(law, check)
  const grade: Grade | undefined = sums.wrong > 0 ? 'wrong' : sums.open > 0 ? 'open' : undefined
  if (grade === undefined) return undefined
  const name = of === law.dataset ? law.name : `${law.name} (${of})`
  const rows = sums[grade]
  const row = objectsOf(check.worst).find((one) => gradeOf(law, String(one.verdict)) === grade)
  const found = `${name}: ${rows} of ${check.rows} rows ${grade === 'wrong' ? 'contradicted' : 'open'}`
  const bare = emptyRows(check) === rows ? `${found}: no value on either side.` : `${found}.`
  if (row === undefined) return { grade, rows, text: bare }
  const why = row.why ?? law.meanings[String(row.verdict)]?.text ?? ''
  const text = `${found}, first ${told(check, row)}, ${row.verdict}: ${why}`
  return { grade, rows, text: text.replace(/[.: ]*$/, '.') }
}

const rank: Readonly<Record<Grade, number>> = { wrong: 0, open: 1, sound: 2 }

function lineOf(dataset: DatasetName, results: readonly LawResult[]) {
  const runs = results.flatMap(({ law, runs: own }) => own.map((run) => ({ law, run })))
  const sums = runs.map(({ law, run }) => gradesOf(law, run.check))
  const total = (grade: Grade): number => sums.reduce((sum, one) => sum + one[grade], 0)
  const rows = results.map(({ runs: own }) => own.reduce((sum, { check }) => sum + check.rows, 0))
  const worst = runs.flatMap(({ law, run }) => worstOf(law, run) ?? [])
  worst.sort((a, b) => rank[a.grade] - rank[b.grade] || b.rows - a.rows)
  const held = results.filter(({ runs: own }) => own.length > 0).map(({ law }) => law.name)
  const states = runs.map(({ law, run }) => stateOf(law, run.check))
  const state = runs.length === 0 ? 'not looked at' : worstState(states)
  return {
    dataset,
    state,
    rows: Math.max(0, ...rows),
    held,
    confirmed: total('sound'),
    open: total('open'),
    wrong: total('wrong'),
    worst: worst[0]?.text ?? null,
  }
}

/**
 * The health of a source: one line for each dataset, in the order of the service's document.
 *
 * Columns: `dataset`; `state`, the worst of its checks: holds (no row contradicts its laws, and rows confirm each), not contradicted (one of
 * the laws can not confirm more than that), open (of one nothing is confirmed), contradicted, or not looked at (no table, or no law);
 * `rows` looked at, the most by any of its laws; `laws` that were held against them;
 * `confirmed`, `open` and `wrong` verdicts, summed over the laws and their runs, so that a row under three laws counts three times;
 * `worst`, a sentence on the worst row, null where there is none.
 */
export function healthOf(results: readonly LawResult[]): Table {
  const byDataset = groupBy(results, ({ law }) => law.dataset)
  const lines = datasetNames.map((name) => lineOf(name, byDataset.get(name) ?? []))
  type Line = (typeof lines)[number]
  const count = (of: (line: Line) => number): Int32Array => Int32Array.from(lines, of)
  const text = (of: (line: Line) => string | null): (string | null)[] => lines.map(of)
  return tableOf({
    dataset: textColumn(
      'label',
      'Dataset.',
      text((line) => line.dataset),
    ),
    state: textColumn(
      'label',
      'One of: holds, not contradicted, open, contradicted, not looked at.',
      text((line) => line.state),
    ),
    rows: countColumn(
      'row',
      'Rows looked at, the most by any of its laws.',
      count((line) => line.rows),
    ),
    laws: textColumn(
      'label',
      'Laws that were held against them; null when none.',
      text((line) => (line.held.length === 0 ? null : line.held.join(', '))),
    ),
    confirmed: countColumn(
      'verdict',
      'Verdicts that confirm a row, over all its laws.',
      count((line) => line.confirmed),
    ),
    open: countColumn(
      'verdict',
      'Verdicts that neither confirm nor contradict.',
      count((line) => line.open),
    ),
    wrong: countColumn(
      'verdict',
      'Verdicts that contradict a row.',
      count((line) => line.wrong),
    ),
    worst: textColumn(
      'label',
      'A sentence on the worst row; null when every row is confirmed.',
      text((line) => line.worst),
    ),
  })
}
