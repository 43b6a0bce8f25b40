import { beijingMoment } from '../../contract/date.js'
import type { RowFinding } from './verdict.js'

type Found = RowFinding<'unverifiable' | 'suspect' | 'twice' | 'mismatch'>

/** The columns that tell about revisions. */
export interface Answers {
  readonly revision: Float64Array
  readonly asked: readonly (string | null)[]
  readonly answered: readonly (string | null)[]
  readonly question: readonly (string | null)[]
  readonly answer: readonly (string | null)[]
  readonly symbol: readonly (string | null)[]
  readonly ambiguous: readonly (boolean | null)[]
}

function at(moment: string | null | undefined): string {
  return beijingMoment(moment ?? '') ?? ''
}

function* sameQuestion(answers: Answers, rows: readonly number[]): Iterable<Found> {
  const [first = 0, ...others] = rows
  for (const row of others) {
    const unlike = (['symbol', 'question', 'asked'] as const).filter(
      (name) => answers[name][row] !== answers[name][first],
    )
    if (unlike.length === 0) continue
    const names = unlike.map((name) => (name === 'asked' ? 'question_time' : name)).join(', ')
    yield { row, verdict: 'mismatch', rule: 'question', why: `revisions of one qa_id differ in ${names}` }
  }
}

/** Steps from each revision to the next, 0 to the first; a step over several is a fault only where all must be there. */
function* steps({ revision, answered }: Answers, rows: readonly number[], whole: boolean): Iterable<Found> {
  let [last, before] = [0, -1]
  for (const row of rows) {
    const number = revision[row] as number
    if (!Number.isInteger(number) || number < 1) {
      const isNull = Number.isNaN(number)
      const why = isNull ? 'revision_no is null' : `revision_no ${number} is no revision`
      yield { row, verdict: isNull ? 'unverifiable' : 'mismatch', rule: 'revision', why }
      continue
    }
    if (number === last) yield { row, verdict: 'twice', rule: 'revision', why: `revision ${number} stands there twice` }
    else if (number > last + 1) {
      const missing = number - last === 2 ? `revision ${last + 1} is` : `revisions ${last + 1} to ${number - 1} are`
      const why = `${missing} not in the table`
      yield { row, verdict: whole ? 'mismatch' : 'unverifiable', rule: 'revision', why }
    }
    if (before >= 0 && at(answered[row]) < at(answered[before])) {
      const why = `answered before revision ${last}, at ${answered[before]}`
      yield { row, verdict: 'mismatch', rule: 'order', why }
    }
    last = number
    before = row
  }
}

/** The flag against the answers that share the latest answer time; `whole`: no later revision can be elsewhere. */
function* flags(answers: Answers, rows: readonly number[], whole: boolean): Iterable<Found> {
  const { answered, answer, ambiguous, revision } = answers
  const latest = rows
    .map((row) => at(answered[row]))
    .sort()
    .at(-1)
  const last = rows.filter((row) => at(answered[row]) === latest)
  const due = new Set(last.map((row) => answer[row])).size > 1
  const alone = rows.length === 1 && revision[rows[0] as number] === 1
  for (const row of rows) {
    const given = ambiguous[row] ?? null
    const isLast = at(answered[row]) === latest
    if (given === null) yield { row, verdict: 'unverifiable', rule: 'ambiguous', why: 'version_ambiguous is null' }
    else if (isLast && given && !due) {
      const why = 'marked ambiguous, and the table has no other text of the latest answer time'
      yield { row, verdict: whole ? 'mismatch' : alone ? 'unverifiable' : 'suspect', rule: 'ambiguous', why }
    } else if (isLast && !given && due) {
      const why = 'several texts share the latest answer time, and it is not marked ambiguous'
      yield { row, verdict: whole ? 'mismatch' : 'suspect', rule: 'ambiguous', why }
    } else if (!isLast && given && !due) {
      const why = 'marked ambiguous, and the latest answer time has one text'
      yield { row, verdict: 'suspect', rule: 'ambiguous', why }
    }
  }
}

/**
 * What is to be said of the revisions of one question: 1 to n without a gap, answered in that order, and marked ambiguous
 * where several texts share the latest answer time.
 * @param whole the rows are known to be all the revisions that there are
 */
export function* revisionFindings(answers: Answers, rows: readonly number[], whole: boolean): Iterable<Found> {
  const sorted = [...rows].sort((a, b) => (answers.revision[a] || 0) - (answers.revision[b] || 0) || a - b)
  yield* sameQuestion(answers, sorted)
  yield* steps(answers, sorted, whole)
  const [row = 0] = sorted
  const isPart = sorted.length === 1 && answers.revision[row] !== 1 && !whole
  if (isPart) {
    if (answers.ambiguous[row] !== false) {
      const why = 'marked ambiguous; the other answers are not in the table'
      yield { row, verdict: 'unverifiable', rule: 'ambiguous', why }
    }
  } else yield* flags(answers, sorted, whole)
}
