import type { Table } from 'apache-arrow'
import { beijingMoment, dateIn } from '../../contract/date.js'
import { checkOptions } from '../../contract/options.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import type { Data } from '../../frame/data.js'
import { flags, numbers, texts, words } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { labelColumn, nullableIntegerColumn, textColumn } from '../check-columns.js'
import { groupItems } from '../group-items.js'
import { duplicate, finding, mismatch, type RowFinding, rowCheck, unverifiable, warn } from '../row-findings.js'

/** The columns that tell about revisions. */
interface Answers {
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
    yield mismatch(row, 'question', `revisions of one qa_id differ in ${names}`)
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
      yield finding(isNull ? 'unverifiable' : 'mismatch', row, 'revision', why)
      continue
    }
    if (number === last) yield duplicate(row, 'revision', `revision ${number} stands there twice`)
    else if (number > last + 1) {
      const missing = number - last === 2 ? `revision ${last + 1} is` : `revisions ${last + 1} to ${number - 1} are`
      yield finding(whole ? 'mismatch' : 'unverifiable', row, 'revision', `${missing} not in the table`)
    }
    if (before >= 0 && at(answered[row]) < at(answered[before])) {
      yield mismatch(row, 'order', `answered before revision ${last}, at ${answered[before]}`)
    }
    last = number
    before = row
  }
}

/** The flag against the answers that share the latest answer time; `whole`: no later revision can be elsewhere. */
function* ambiguityRules(answers: Answers, rows: readonly number[], whole: boolean): Iterable<Found> {
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
    if (given === null) yield unverifiable(row, 'ambiguous', 'version_ambiguous is null')
    else if (isLast && given && !due) {
      const why = 'marked ambiguous, and the table has no other text of the latest answer time'
      yield finding(whole ? 'mismatch' : alone ? 'unverifiable' : 'warn', row, 'ambiguous', why)
    } else if (isLast && !given && due) {
      const why = 'several texts share the latest answer time, and it is not marked ambiguous'
      yield finding(whole ? 'mismatch' : 'warn', row, 'ambiguous', why)
    } else if (!isLast && given && !due) {
      yield warn(row, 'ambiguous', 'marked ambiguous, and the latest answer time has one text')
    }
  }
}

/**
 * What is to be said of the revisions of one question: 1 to n without a gap, answered in that order, and marked ambiguous
 * where several texts share the latest answer time.
 * @param whole the rows are known to be all the revisions that there are
 */
function* revisionFindings(answers: Answers, rows: readonly number[], whole: boolean): Iterable<Found> {
  const sorted = [...rows].sort((a, b) => (answers.revision[a] || 0) - (answers.revision[b] || 0) || a - b)
  yield* sameQuestion(answers, sorted)
  yield* steps(answers, sorted, whole)
  const [row = 0] = sorted
  const isPart = sorted.length === 1 && answers.revision[row] !== 1 && !whole
  if (isPart) {
    if (answers.ambiguous[row] !== false) {
      yield unverifiable(row, 'ambiguous', 'marked ambiguous; the other answers are not in the table')
    }
  } else yield* ambiguityRules(answers, sorted, whole)
}

/** What `checkQa` says of a row; its documentation explains each word. */
export type QaVerdict = 'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<QaVerdict>

/** Options of `checkQa`. */
export interface QaOptions {
  /**
   * Whether the table holds every revision of its questions. By default what the table's provenance says: a complete
   * answer with `version: all` and no filter but symbols and qa_id does.
   */
  readonly whole?: boolean
}

/** Filters that take a question with all its revisions or not at all. */
const keepWhole = ['version', 'symbols', 'qa_id']

function isWhole(table: Table): boolean {
  const about = provenance(table)
  if (about?.complete !== true || about.request.params.version !== 'all') return false
  return Object.keys(about.request.params).every((name) => keepWhole.includes(name))
}

function* ownRules(answers: Answers, id: readonly (string | null)[], date: readonly (string | null)[]) {
  for (let row = 0; row < id.length; row++) {
    const [asked, answered] = [answers.asked[row] ?? '', answers.answered[row] ?? '']
    if (!/^\d+$/.test(id[row] ?? '')) yield mismatch(row, 'qa_id', `${id[row]} is no string of digits`)
    const code = parseCode(answers.symbol[row] ?? '')
    const exchange = ownExchange(code)
    if (!/^\d{6}$/.test(code.bare) || (exchange !== 'SH' && exchange !== 'SZ')) {
      yield mismatch(row, 'market', `${answers.symbol[row]} is no stock of Shanghai or Shenzhen`)
    }
    const [from, to] = [beijingMoment(asked), beijingMoment(answered)]
    if (from === undefined) yield mismatch(row, 'time', `question_time ${asked} is no point in time`)
    if (to === undefined) yield mismatch(row, 'time', `answer_time ${answered} is no point in time`)
    else if (dateIn(answered) !== date[row])
      yield mismatch(row, 'date', `event_date is not the day of answer_time ${answered}`)
    if (from !== undefined && to !== undefined && to < from) {
      yield mismatch(row, 'time', `answered before it was asked, ${asked}`)
    }
  }
}

function* findings(table: Table, answers: Answers, whole: boolean): Iterable<Found> {
  const [id, date] = [texts(table, 'qa_id'), texts(table, 'event_date')]
  yield* ownRules(answers, id, date)
  for (const rows of groupItems(id.keys(), (row) => id[row]).values()) yield* revisionFindings(answers, rows, whole)
}

export const qaCheck = rowCheck<QaVerdict, QaOptions>({
  name: 'qa',
  summary: 'revisions of answers and their order',
  chinese: '互动问答的修订及其次序',
  dataset: 'interactive_qa',
  rule: 'Answers come after their questions, on their event_date; revisions of one question run from 1 without a gap in the order of their times, and are marked ambiguous where several texts share the latest one.',
  verdicts: {
    pass: passes('Times, revision and mark agree with the other rows of the question.'),
    unverifiable: leavesOpen('The other revisions of the question are not in the table.'),
    warn: leavesOpen('The mark is not what the revisions in the table say, but others may lie outside it.'),
    duplicate: fails('The revision stands there twice.'),
    mismatch: fails('Times, revisions or the mark contradict one another, or a code is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table, options) => {
    const answers: Answers = {
      revision: numbers(table, 'revision_no'),
      asked: texts(table, 'question_time'),
      answered: texts(table, 'answer_time'),
      question: texts(table, 'question'),
      answer: texts(table, 'answer'),
      symbol: texts(table, 'symbol'),
      ambiguous: flags(table, 'version_ambiguous'),
    }
    return {
      findings: findings(table, answers, options?.whole ?? isWhole(table)),
      columns: {
        event_date: labelColumn('date', 'Date of the answer.', words(table, 'event_date')),
        symbol: labelColumn('code', 'Stock code.', words(table, 'symbol')),
        qa_id: textColumn('code', 'Id of the question.', texts(table, 'qa_id')),
        revision_no: nullableIntegerColumn('revision', 'Revision of the answer, from 1.', answers.revision),
      },
    }
  },
})

/**
 * Holds questions and answers against what is said of them: qa_id is digits, the stock is of Shanghai or Shenzhen, an
 * answer is not before its question and its date is event_date; of one qa_id, revisions run from 1 without a gap in the
 * order of their answer times, repeat the question, and are marked ambiguous where several different texts share the
 * latest answer time. A row before that time may be marked either way where the question is ambiguous.
 *
 * - `pass`: all of these.
 * - `unverifiable`: revisions before it, or other answers of its time, are not in the table, which is not known to hold all.
 * - `warn`: marked otherwise than the revisions in the table say, which is not known to hold all; or marked although
 *   a later answer is alone at its time.
 * - `duplicate`: a revision a second time. `mismatch`: any other of these does not hold.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkQa(input: Data, options: QaOptions = {}): CheckResult<QaVerdict> {
  return qaCheck.check(input, checkOptions(options, { whole: 'true or false' }, 'checkQa'))
}
