import type { Table } from 'apache-arrow'
import { beijingMoment, dateIn } from '../../../contract/date.js'
import { checkOptions } from '../../../contract/options.js'
import { ownExchange, parseCode } from '../../../contract/symbol.js'
import { booleans, dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, nullableIntegerColumn, textColumn } from '../check-columns.js'
import {
  brokenLaws,
  type CellsOf,
  cellsByRow,
  duplicate,
  finding,
  type Law,
  mismatch,
  type RowFinding,
  rowCheck,
  unverifiable,
  warn,
} from '../row-findings.js'

type Verdict = 'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

const textNames = ['qa_id', 'event_date', 'symbol', 'question_time', 'answer_time', 'question', 'answer'] as const
type Answer = CellsOf<'revision_no', (typeof textNames)[number]> & {
  readonly ambiguous: boolean | null
  /** Question and answer in Beijing time; empty for what is no point in time. */
  readonly asked: string
  readonly answered: string
}

function at(moment: string | null): string {
  return beijingMoment(moment ?? '') ?? ''
}

function isListed(symbol: string | null): boolean {
  const code = parseCode(symbol ?? '')
  return /^\d{6}$/.test(code.bare) && ['SH', 'SZ'].includes(ownExchange(code) ?? '')
}

const laws: readonly Law<Answer, Verdict>[] = [
  {
    rule: 'qa_id',
    verdict: 'mismatch',
    broken: ({ qa_id: id }) => !/^\d+$/.test(id ?? '') && `${id} is no string of digits`,
  },
  {
    rule: 'market',
    verdict: 'mismatch',
    broken: ({ symbol }) => !isListed(symbol) && `${symbol} is no stock of Shanghai or Shenzhen`,
  },
  {
    rule: 'time',
    verdict: 'mismatch',
    broken: (one) => [
      one.asked === '' && `question_time ${one.question_time ?? ''} is no point in time`,
      one.answered === '' && `answer_time ${one.answer_time ?? ''} is no point in time`,
    ],
  },
  {
    rule: 'date',
    verdict: 'mismatch',
    broken: ({ answered, answer_time: time, event_date: date }) =>
      answered !== '' && dateIn(time ?? '') !== date && `event_date is not the day of answer_time ${time}`,
  },
  {
    rule: 'time',
    verdict: 'mismatch',
    broken: ({ asked, answered, question_time: time }) =>
      answered !== '' && answered < asked && `answered before it was asked, ${time}`,
  },
]

function* sameQuestion([first, ...others]: readonly Answer[]): Iterable<Found> {
  for (const one of others) {
    const unlike = (['symbol', 'question', 'question_time'] as const).filter((name) => one[name] !== first?.[name])
    if (unlike.length === 0) continue
    yield mismatch(one.row, 'question', `revisions of one qa_id differ in ${unlike.join(', ')}`)
  }
}

/** Steps from each revision to the next, 0 to the first; a step over several is a fault only where all must be there. */
function* steps(answers: readonly Answer[], whole: boolean): Iterable<Found> {
  let last = 0
  let before: Answer | undefined
  for (const one of answers) {
    const { row, revision_no: number } = one
    if (!Number.isInteger(number) || number < 1) {
      const isNull = Number.isNaN(number)
      const why = isNull ? 'revision_no is null' : `revision_no ${number} is no revision`
      yield finding(isNull ? 'unverifiable' : 'mismatch', row, 'revision', why)
      continue
    }
    if (number === last) yield duplicate(row, 'revision', `revision ${number} is a duplicate`)
    else if (number > last + 1) {
      const missing = number - last === 2 ? `revision ${last + 1} is` : `revisions ${last + 1} to ${number - 1} are`
      yield finding(whole ? 'mismatch' : 'unverifiable', row, 'revision', `${missing} not in the table`)
    }
    if (before && one.answered < before.answered) {
      yield mismatch(row, 'order', `answered before revision ${last}, at ${before.answer_time}`)
    }
    last = number
    before = one
  }
}

/** The flag against the answers that share the latest answer time; `whole`: no later revision can be elsewhere. */
function* ambiguityRules(answers: readonly Answer[], whole: boolean): Iterable<Found> {
  const times = answers.map(({ answered }) => answered)
  const latest = times.toSorted().at(-1)
  const due = new Set(answers.flatMap(({ answer }, i) => (times[i] === latest ? [answer] : []))).size > 1
  const alone = answers.length === 1 && answers[0]?.revision_no === 1
  for (const [i, { row, ambiguous }] of answers.entries()) {
    const isLast = times[i] === latest
    if (ambiguous === null) yield unverifiable(row, 'ambiguous', 'version_ambiguous is null')
    else if (isLast && ambiguous && !due) {
      const why = 'marked ambiguous, and the table has no other text of the latest answer time'
      yield finding(whole ? 'mismatch' : alone ? 'unverifiable' : 'warn', row, 'ambiguous', why)
    } else if (isLast && !ambiguous && due) {
      const why = 'several texts share the latest answer time, and it is not marked ambiguous'
      yield finding(whole ? 'mismatch' : 'warn', row, 'ambiguous', why)
    } else if (!isLast && ambiguous && !due) {
      yield warn(row, 'ambiguous', 'marked ambiguous, and the latest answer time has one text')
    }
  }
}

/**
 * The revisions of one question: 1 to n without a gap, answered in that order, and marked ambiguous where several texts share
 * the latest answer time.
 * @param whole the rows are known to be all the revisions that there are
 */
function* revisionFindings(answers: readonly Answer[], whole: boolean): Iterable<Found> {
  const sorted = answers.toSorted((a, b) => (a.revision_no || 0) - (b.revision_no || 0) || a.row - b.row)
  yield* sameQuestion(sorted)
  yield* steps(sorted, whole)
  const [first] = sorted
  const isPart = sorted.length === 1 && first?.revision_no !== 1 && !whole
  if (!isPart) yield* ambiguityRules(sorted, whole)
  else if (first?.ambiguous !== false) {
    yield unverifiable(first?.row ?? 0, 'ambiguous', 'marked ambiguous; the other answers are not in the table')
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

function* findings(table: Table, whole: boolean): Iterable<Found> {
  const marks = booleans(table, 'version_ambiguous')
  const answers = cellsByRow(table, ['revision_no'], textNames).map((one) =>
    Object.assign(one, {
      ambiguous: marks[one.row] ?? null,
      asked: at(one.question_time),
      answered: at(one.answer_time),
    }),
  )
  yield* brokenLaws(laws, answers)
  for (const own of groupItems(answers, (one) => one.qa_id).values()) yield* revisionFindings(own, whole)
}

/**
 * Questions and answers: qa_id is digits, the stock is of Shanghai or Shenzhen, an answer is not before its question and its date
 * is event_date; of one qa_id, revisions run from 1 without a gap in the order of their answer times, repeat the question, and
 * are marked ambiguous where several different texts share the latest answer time. A row before that time may be marked either
 * way where the question is ambiguous.
 */
export const qaCheck = rowCheck<Verdict, QaOptions>({
  name: 'qa',
  summary: 'revisions of answers and their order',
  chinese: '互动问答：问答时间与各版本次序',
  dataset: 'interactive_qa',
  rule: 'Answers come after their questions, on their event_date; revisions of one question run from 1 without a gap in the order of their times, and are marked ambiguous where several texts share the latest one.',
  verdicts: {
    pass: passes('Times, revision and mark agree with the other rows of the question.'),
    unverifiable: leavesOpen('The other revisions of the question are not in the table.'),
    warn: leavesOpen('The mark is not what the revisions in the table say, but others may lie outside it.'),
    duplicate: fails('The revision is a duplicate.'),
    mismatch: fails('Times, revisions or the mark contradict one another, or a code is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table, options = {}) => {
    const { whole = isWhole(table) } = checkOptions(options, { whole: 'true or false' }, 'qa')
    return {
      findings: findings(table, whole),
      columns: {
        event_date: labelColumn('date', 'Date of the answer.', dictionary(table, 'event_date')),
        symbol: labelColumn('code', 'Stock code.', dictionary(table, 'symbol')),
        qa_id: textColumn('code', 'Id of the question.', strings(table, 'qa_id')),
        revision_no: nullableIntegerColumn(
          'revision',
          'Revision of the answer, from 1.',
          numbers(table, 'revision_no'),
        ),
      },
    }
  },
})
