import type { Table } from 'apache-arrow'
import { allNames, type DatasetName } from '../../contract/catalogue.js'
import type { Language } from '../../contract/language.js'
import { sayIn, wordsIn } from '../../contract/say.js'
import { fact, sentence } from '../../contract/sentence.js'
import { columnNames, toObjects } from '../../frame/read-columns.js'
import { groupItems } from '../../frame/table/group-items.js'
import {
  type Check,
  type CheckResult,
  type CheckRun,
  type CheckRuns,
  emptyRowsOf,
  nameIn,
  titleIn,
  type VerdictMeaning,
} from './check.js'
import { resultTable } from './check-columns.js'
import { reasonIn } from './reasons.js'
import { recordColumns } from './record-columns.js'

type Grade = VerdictMeaning['grade']

/** The grade of a verdict; one without a meaning counts as open. */
export function gradeOf({ verdicts }: Check, verdict: string): Grade {
  return (Object.hasOwn(verdicts, verdict) ? verdicts[verdict]?.grade : undefined) ?? 'open'
}

/** Rows called equal because neither side has a value. They confirm nothing. */
export function emptyRows({ worst }: CheckResult<string>): number {
  return emptyRowsOf.get(worst) ?? 0
}

/** A result with the worst of its rows alone, for summaries: the table of all can be as large as what was checked. */
export function withoutRows(result: CheckResult<string>): CheckResult<string> {
  const { table: _, ...rest } = Object.getOwnPropertyDescriptors(result)
  return Object.defineProperties({ table: result.worst }, rest) as CheckResult<string>
}

/** Rows of a check by grade; those without a value on either side are left open. */
export function gradesOf(check: Check, result: CheckResult<string>): Readonly<Record<Grade, number>> {
  const sums = { confirmed: 0, open: 0, contradicted: 0 }
  for (const [verdict, rows] of Object.entries(result.counts)) sums[gradeOf(check, verdict)] += rows
  const empty = emptyRows(result)
  return { ...sums, confirmed: sums.confirmed - empty, open: sums.open + empty }
}

/**
 * What a check comes to. `not contradicted`: no row contradicts the check, and it can't confirm more than that. `open`: no
 * row contradicts it, and nothing or too little confirms it.
 */
export type CheckState = 'confirmed' | 'not contradicted' | 'open' | 'contradicted'

/** Differences that volumes in whole lots may explain, out of the values compared, that a check still holds with. */
export const lotShare = 0.01

/** Share of the compared values that only the rounding of volumes to whole lots explains; 0 where none was compared. */
export function lotBound(check: Check, result: CheckResult<string>): number {
  const { 'lot-bound': lots = 0, mismatch = 0 } = result.counts
  const compared = gradesOf(check, result).confirmed + lots + mismatch
  return compared === 0 ? 0 : lots / compared
}

/**
 * A check holds when no row contradicts the rule, some row with a value confirms it, and no more than one in a hundred
 * compared values needs the rounding of volumes as an excuse. What a partial check looks at can not be recomputed, so it is
 * at best not contradicted.
 */
export function checkState(check: Check, result: CheckResult<string>): CheckState {
  if (!result.ok) return 'contradicted'
  if (gradesOf(check, result).confirmed === 0 || lotBound(check, result) > lotShare) return 'open'
  return check.partial ? 'not contradicted' : 'confirmed'
}

/** The state of several checks together: the worst of theirs; open where there is none. */
function worstState(states: readonly CheckState[]): CheckState {
  if (states.length === 0) return 'open'
  return (['contradicted', 'open', 'not contradicted'] as const).find((state) => states.includes(state)) ?? 'confirmed'
}

/** What tells a row of a check: the words at the head of its columns. */
function told(result: CheckResult<string>, row: Readonly<Record<string, unknown>>): string {
  const names = columnNames(result.worst)
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

/** What a check comes to, in the words of the reader. */
export function stateIn(state: CheckState | 'not checked', language: Language): string {
  return wordsIn(fact('STATE', state), language)
}

/** Why a row of a check has its verdict: its own reasons, else what the verdict means. */
export function reasonOfRow(
  check: Check,
  { reasons }: CheckResult<string>,
  { verdict, why }: Readonly<Record<string, unknown>>,
  language: Language,
): string {
  return why
    ? reasonIn(String(why), reasons, language)
    : wordsIn(check.verdicts[String(verdict)]?.meaning ?? '', language)
}

/** A sentence on the worst row of a run, as the check ranks it; undefined where every row is confirmed. */
function worstOf(check: Check, { label, result }: CheckRun, language: Language): Worst | undefined {
  const sums = gradesOf(check, result)
  const grade: Grade | undefined = sums.contradicted > 0 ? 'contradicted' : sums.open > 0 ? 'open' : undefined
  if (grade === undefined) return undefined
  const isWhole = `${label}` === check.dataset
  const name = isWhole ? nameIn(check, language) : titleIn(check, label, language)
  const rows = sums[grade]
  const row = toObjects(result.worst).find((one) => gradeOf(check, String(one.verdict)) === grade)
  const isBare = emptyRows(result) === rows
  const verdict = String(row?.verdict)
  const why = reasonOfRow(check, result, row ?? {}, language)
  const say = sayIn(language)
  const found = sentence`${name}: ${rows} of ${result.rows} rows ${fact('STATE', grade)}`
  const text =
    row === undefined
      ? isBare
        ? say`${found}: no value on either side`
        : say(found)
      : say`${found}, first ${told(result, row)}, ${fact('VERDICT', verdict)}: ${why}`
  return { grade, rows, text: text.replace(/[.:。： ]*$/, say('.')) }
}

const rank: Readonly<Record<Grade, number>> = { contradicted: 0, open: 1, confirmed: 2 }

function lineOf(dataset: DatasetName, results: readonly CheckRuns[], language: Language) {
  const runs = results.flatMap(({ check, runs: own }) => own.map((run) => ({ check, run })))
  const sums = runs.map(({ check, run }) => gradesOf(check, run.result))
  const total = (grade: Grade): number => sums.reduce((sum, one) => sum + one[grade], 0)
  const rows = results.map(({ runs: own }) => own.reduce((sum, { result }) => sum + result.rows, 0))
  const worst = runs.flatMap(({ check, run }) => worstOf(check, run, language) ?? [])
  worst.sort((a, b) => rank[a.grade] - rank[b.grade] || b.rows - a.rows)
  const held = results.filter(({ runs: own }) => own.length > 0).map(({ check }) => nameIn(check, language))
  const own = runs.map(({ check, run }) => checkState(check, run.result))
  const state = stateIn(runs.length === 0 ? 'not checked' : worstState(own), language)
  return {
    dataset,
    state,
    rows: Math.max(0, ...rows),
    held,
    confirmed: total('confirmed'),
    open: total('open'),
    contradicted: total('contradicted'),
    worst: worst[0]?.text ?? null,
  }
}

/**
 * The health of a source: one line for each dataset, in the order of the service's document.
 *
 * Columns: `dataset`; `state`, the worst of its checks: confirmed (no row contradicts its checks, and rows confirm each), not contradicted (one of
 * the checks can not confirm more than that), open (of one nothing is confirmed), contradicted, or not checked (no table, or no check);
 * `rows` looked at, the most by any of its checks; `checks` that were made of them;
 * `confirmed`, `open` and `contradicted` verdicts, summed over the checks and their runs, so that a row under three checks counts three times;
 * `worst`, a sentence on the worst row, null where there is none.
 * @param language of `state` and `worst`, for those who read the table; a program reads the words of English
 */
export function checkSummary(results: readonly CheckRuns[], language: Language = 'en'): Table {
  const byDataset = groupItems(results, ({ check }) => check.dataset)
  const lines = allNames().map((name) => lineOf(name, byDataset.get(name) ?? [], language))
  const { text, count } = recordColumns(lines)
  return resultTable({
    dataset: text('label', 'Dataset.', ({ dataset }) => dataset),
    state: text('label', 'One of: confirmed, not contradicted, open, contradicted, not checked.', ({ state }) => state),
    rows: count('row', 'Rows looked at, the most by any of its checks.', ({ rows }) => rows),
    checks: text('label', 'Checks that were made of them; null when none.', ({ held }) =>
      held.length === 0 ? null : held.join(language === 'zh' ? '、' : ', '),
    ),
    confirmed: count('verdict', 'Verdicts that confirm a row, over all its checks.', ({ confirmed }) => confirmed),
    open: count('verdict', 'Verdicts that neither confirm nor contradict.', ({ open }) => open),
    contradicted: count('verdict', 'Verdicts that contradict a row.', ({ contradicted }) => contradicted),
    worst: text('label', 'A sentence on the worst row; null when every row is confirmed.', ({ worst }) => worst),
  })
}
