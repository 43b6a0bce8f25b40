import type { Table } from 'apache-arrow'
import { beijingMoment, dateIn } from '../../../contract/date.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { booleans } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { type CellsOf, cellsByRow, finding, mismatch, type RowFinding, unverifiable, warn } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { isVersion, missingVersions, sortVersions } from './versions.js'

const textNames = ['qa_id', 'event_date', 'symbol', 'question_time', 'answer_time', 'question', 'answer'] as const
type Answer = CellsOf<'revision_no', (typeof textNames)[number]> & {
  readonly ambiguous: boolean | null
  /** Question and answer in Beijing time; empty for what is no point in time. */
  readonly asked: string
  readonly answered: string
}

const at = (moment: string | null): string => beijingMoment(moment ?? '') ?? ''

function* ofAnswer({
  row,
  asked,
  answered,
  answer_time: time,
  question_time,
  event_date,
}: Answer): Iterable<RowFinding> {
  if (answered === '') return
  if (dateIn(time ?? '') !== event_date)
    yield mismatch(row, 'date', sentence`event_date is not the day of answer_time ${time}`)
  if (answered < asked) yield mismatch(row, 'time', sentence`answered before it was asked, ${question_time}`)
}

function* sameQuestion([first, ...others]: readonly Answer[]): Iterable<RowFinding> {
  for (const one of others) {
    const unlike = (['symbol', 'question', 'question_time'] as const).filter((name) => one[name] !== first?.[name])
    if (unlike.length > 0)
      yield mismatch(one.row, 'question', sentence`revisions of one qa_id differ in ${unlike.join(', ')}`)
  }
}

/** Steps from each revision to the next; a step over several is a fault only where all must be there. */
function* steps(answers: readonly Answer[], whole: boolean): Iterable<RowFinding> {
  yield* missingVersions(answers, (one) => one.revision_no, 'revision', {
    twice: (number) => sentence`revision ${number} is a duplicate`,
    missing: (from, to) =>
      from === to
        ? sentence`revision ${from} is not in the table`
        : sentence`revisions ${from} to ${to} are not in the table`,
    verdict: whole ? 'mismatch' : 'unverifiable',
  })
  const numbered = answers.filter((one) => isVersion(one.revision_no))
  for (const [i, one] of numbered.entries()) {
    const before = numbered[i - 1]
    if (before && one.answered < before.answered)
      yield mismatch(
        one.row,
        'order',
        sentence`answered before revision ${before.revision_no}, at ${before.answer_time}`,
      )
  }
}

/** The flag against the answers that share the latest answer time; `whole`: no later revision can be elsewhere. */
function* ambiguityRules(answers: readonly Answer[], whole: boolean): Iterable<RowFinding> {
  const times = answers.map(({ answered }) => answered)
  let latest = ''
  for (const time of times) if (time > latest) latest = time
  const due = new Set(answers.flatMap(({ answer }, i) => (times[i] === latest ? [answer] : []))).size > 1
  const alone = answers.length === 1 && answers[0]?.revision_no === 1
  for (const [i, { row, ambiguous }] of answers.entries()) {
    const isLast = times[i] === latest
    if (ambiguous === null) yield unverifiable(row, 'ambiguous', sentence`version_ambiguous is null`)
    else if (isLast && ambiguous && !due) {
      const why = sentence`marked ambiguous, and the table has no other text of the latest answer time`
      yield finding(whole ? 'mismatch' : alone ? 'unverifiable' : 'warn', row, 'ambiguous', why)
    } else if (isLast && !ambiguous && due) {
      const why = sentence`several texts share the latest answer time, and it is not marked ambiguous`
      yield finding(whole ? 'mismatch' : 'warn', row, 'ambiguous', why)
    } else if (!isLast && ambiguous && !due)
      yield warn(row, 'ambiguous', sentence`marked ambiguous, and the latest answer time has one text`)
  }
}

/**
 * The revisions of one question: 1 to n without a gap, answered in that order, and marked ambiguous where several texts share
 * the latest answer time.
 * @param whole the rows are known to be all the revisions that there are
 */
function* revisionFindings(answers: readonly Answer[], whole: boolean): Iterable<RowFinding> {
  const sorted = sortVersions(answers, (one) => one.revision_no)
  yield* sameQuestion(sorted)
  yield* steps(sorted, whole)
  const [first] = sorted
  const isPart = sorted.length === 1 && first?.revision_no !== 1 && !whole
  if (!isPart) yield* ambiguityRules(sorted, whole)
  else if (first?.ambiguous !== false) {
    const why = [sentence`marked ambiguous`, sentence`the other answers are not in the table`]
    yield unverifiable(first?.row ?? 0, 'ambiguous', why)
  }
}

interface QaOptions {
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

function* findings(table: Table, whole: boolean): Iterable<RowFinding> {
  const marks = booleans(table, 'version_ambiguous')
  const answers = cellsByRow(table, ['revision_no'], textNames).map((one) =>
    Object.assign(one, {
      ambiguous: marks[one.row] ?? null,
      asked: at(one.question_time),
      answered: at(one.answer_time),
    }),
  )
  for (const one of answers) yield* ofAnswer(one)
  for (const own of groupItems(answers, (one) => one.qa_id).values()) yield* revisionFindings(own, whole)
}

/**
 * Questions and answers: qa_id is digits, the stock is of Shanghai or Shenzhen, an answer is not before its question and its date
 * is event_date; of one qa_id, revisions run from 1 without a gap in the order of their answer times, repeat the question, and
 * are marked ambiguous where several different texts share the latest answer time. A row before that time may be marked either
 * way where the question is ambiguous.
 */
export const qaCheck = rowCheck<'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch', QaOptions>({
  name: 'qa',
  summary: 'revisions of answers and their order',
  dataset: 'interactive_qa',
  rule: 'Answers come after their questions, on their event_date; revisions of one question run from 1 without a gap in the order of their times, and are marked ambiguous where several texts share the latest one.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Times, revision and mark agree with the other rows of the question.`),
    unverifiable: leavesOpen(sentence`The other revisions of the question are not in the table.`),
    warn: leavesOpen(sentence`The mark is not what the revisions in the table say, but others may lie outside it.`),
    duplicate: fails(sentence`The revision is a duplicate.`),
    mismatch: fails(sentence`Times, revisions or the mark contradict one another, or a code is not a valid one.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table, options = {}) => {
    const { whole = isWhole(table) } = checkOptions(options, { whole: 'true or false' }, 'qa')
    return {
      findings: findings(table, whole),
      columns: givenColumns(table, 'interactive_qa', 'event_date', 'symbol', 'qa_id', 'revision_no'),
    }
  },
})
