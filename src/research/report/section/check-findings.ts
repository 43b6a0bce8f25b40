import type { Table } from 'apache-arrow'
import { datasetOf } from '../../../contract/catalogue.js'
import { tradeTitle } from '../../../contract/column-heads.js'
import { shownHead } from '../../../contract/column-titles.js'
import { datasetText } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { columnNames, columnsOf, has, numbers, strings, toObjects } from '../../../frame/read-columns.js'
import { cellOf } from '../../../frame/table/values.js'
import { type Check, type CheckResult, titleIn } from '../../checks/check.js'
import {
  type CheckState,
  checkState,
  checkSummary,
  emptyRows,
  gradesOf,
  lotBound,
  lotShare,
  stateIn,
} from '../../checks/check-summary.js'
import { reasonIn, verdictIn } from '../../checks/reasons.js'
import { enumerated, fixed, formatCount, many } from '../format-number.js'
import { badge, folded, grid, gridRows, type Html, html, htmlGrid, outside } from '../html.js'
import type { ReportDay } from '../report-day.js'
import { unitIn } from '../report-words.js'

/** A row of `equal` that has no number on either side; told apart from the others in what is shown. */
const bothMissing = 'equal, both missing'

/** What a verdict means, in plain words; nothing of one that is not known. */
function meaningOf(check: Check, verdict: string, say: Say): string {
  if (verdict === bothMissing) {
    return say('No number was sent and none can be recomputed. Nothing is compared.')
  }
  const known = Object.hasOwn(check.verdicts, verdict) ? check.verdicts[verdict]?.meaning : undefined
  return say(known ?? '')
}

/** What the counts alone do not say: rows without values, differences explained by lots, rows that stand alone. */
function caveats(check: Check, result: CheckResult<string>, say: Say): string[] {
  const empty = emptyRows(result)
  const share = lotBound(check, result)
  const { 'lot-bound': lots = 0 } = result.counts
  const percent = fixed(100 * share, 2)
  const held = has(result.table, 'peers') && numbers(result.table, 'peers').filter((peers) => peers > 0).length
  const all: readonly (string | false)[] = [
    empty > 0 && say`${many(empty, 'row')} without a value on either side`,
    share > lotShare &&
      say`${percent}% of the values compared (${formatCount(lots)}) differ and only volumes rounded to whole lots could explain it, too many to call it confirmed`,
    held !== false &&
      result.rows > 0 &&
      say`${many(held, 'row')} compared with another row, the others only checked inside themselves`,
  ]
  return all.filter((text) => text !== false)
}

type HrefOf = ((code: string) => string) | undefined

/** Worst cases shown of each check. */
const most = 12

/** What came of each run of a check. */
function casesOf({ checks, say }: ReportDay) {
  return checks.flatMap(({ check, runs }) =>
    runs.map(({ label, result }) => {
      const title = titleIn(check, label, say.language)
      return { check, title, result, state: checkState(check, result) }
    }),
  )
}

type Case = ReturnType<typeof casesOf>[number]

/** Checks that could not be compared with anything, with the dataset that is missing. */
function unrun({ checks, say }: ReportDay): Html | false {
  const names = checks.flatMap(({ check, runs }) =>
    runs.length === 0 ? [titleIn(check, check.dataset, say.language)] : [],
  )
  return (
    names.length > 0 &&
    html`<p class="note">${say`Not run, their datasets are not in this source: ${names.join(say('; '))}.`}</p>
`
  )
}

const sign = { confirmed: 'holds', contradicted: 'fails', 'not contradicted': 'unknown', open: 'unknown' } as const

/** A state under the name that the command gives it. */
function mark(state: CheckState, say: Say): Html {
  return badge(sign[state], stateIn(state, say.language))
}

/** Rows by verdict, those that are called equal for want of any number in a line of their own. */
function rowsByVerdict(result: CheckResult<string>): [verdict: string, rows: number][] {
  const empty = emptyRows(result)
  return Object.entries(result.counts).flatMap(([verdict, rows]): [string, number][] => {
    const shown: [string, number] = [verdict, rows - empty]
    return verdict === 'equal' && empty > 0 ? [shown, [bothMissing, empty]] : [[verdict, rows]]
  })
}

function verdictTable({ check, title, result }: Case, say: Say): Html {
  return htmlGrid(say`Verdicts of ${title}`, rowsByVerdict(result), [
    grid.text(say('verdict'), ([verdict]) =>
      verdict === bothMissing ? say('equal, both missing') : verdictIn(verdict, say.language),
    ),
    grid.number(say('rows'), undefined, ([, rows]) => formatCount(rows)),
    grid.number(say('share'), '%', ([, rows]) => (result.rows === 0 ? '' : fixed((100 * rows) / result.rows, 2))),
    grid.text(say('what it means'), ([verdict]) => meaningOf(check, verdict, say), 'prose'),
  ])
}

/** Said in a word what the reason says. */
const repeated = ['twice', 'broken', 'rules']

/**
 * The columns of a worst case as they are read: what row, the verdict, the numbers, the reason, and of the rest what the
 * rows shown have a value of.
 */
function order(table: Table): readonly string[] {
  const names = columnNames(table)
  const told = ['verdict', 'given', 'recomputed', 'difference', 'why']
  const end = names.findIndex((name) => [...told, ...repeated].includes(name))
  const read = [...names.slice(0, Math.max(end, 0)), ...told.filter((name) => names.includes(name))]
  const { columns } = columnsOf(table)
  const rows = [...Array(Math.min(most, table.numRows)).keys()]
  const isFilled = (name: string): boolean => {
    const values = columns.get(name)
    return values !== undefined && rows.some((row) => cellOf(values, row) !== null)
  }
  return [...read, ...names.filter((name) => !read.includes(name) && !repeated.includes(name) && isFilled(name))]
}

function worst({ check, title, result }: Case, say: Say, hrefOf: HrefOf): Html {
  const { numRows } = result.worst
  if (numRows === 0)
    return html`<p>${say('No row stands out.')}</p>
`
  const grades = gradesOf(check, result)
  const [shown, all] = [Math.min(numRows, most), Math.max(grades.open + grades.contradicted, numRows)].map(formatCount)
  const rows = [...Array(Math.min(most, numRows)).keys()]
  const form = {
    names: order(result.worst),
    headOf: (name: string) => tradeTitle(name, say.language) ?? shownHead(name, say.language).replaceAll('_', ' '),
    unitOf: (unit: string) => unitIn(unit, say),
    textOf: (text: string, column: string) =>
      column === 'why'
        ? reasonIn(text, result.reasons, say.language)
        : column === 'verdict'
          ? verdictIn(text, say.language)
          : text,
    hrefOf,
  }
  return html`<details${result.ok ? '' : html` open`}><summary>${say`Worst cases (${shown} of ${all})`}</summary>
${folded(rows, say, (some) => gridRows(say`Worst cases of ${title}`, result.worst, some, form), 5)}</details>
`
}

/** How many rows there were, how many of them the rule confirms, and what that leaves unsaid. */
function measure({ check, result }: Case, say: Say): string {
  const more = caveats(check, result, say)
  const confirmed = formatCount(gradesOf(check, result).confirmed)
  const aside = more.length > 0 ? say` (${enumerated(more, say)})` : ''
  return say`Here: ${confirmed} of ${many(result.rows, 'row')} ${check.confirmedAs}${aside}.`
}

/** One check. What holds can be opened; what does not hold, or shows nothing, stands open. */
function finding(one: Case, say: Say, hrefOf: HrefOf): Html {
  const { check, title, result, state } = one
  const isQuiet = state === 'confirmed' || state === 'not contradicted'
  const { open } = gradesOf(check, result)
  const left = state === 'confirmed' && open > 0 && html` <small>${say`${formatCount(open)} open`}</small>`
  const body =
    result.rows === 0
      ? html`<p class="absent">${say('No row to check.')}</p>
`
      : html`${verdictTable(one, say)}${worst(one, say, hrefOf)}`
  return html`<details class="check"${isQuiet ? '' : html` open`}><summary><h4>${title}</h4> ${mark(state, say)}${left}</summary>
<p>${say.language === 'zh' ? `${say(check.summary)}。` : `${check.rule} `}${result.rows > 0 && measure(one, say)}</p>
${body}</details>
`
}

/** A line for each dataset that was looked at: how many verdicts confirm, leave open or contradict, and the worst of them. */
function healthTable({ checks, say }: ReportDay): Html {
  const health = checkSummary(checks)
  const said = strings(checkSummary(checks, say.language), 'worst')
  const worst = new Map(strings(health, 'dataset').map((name, row) => [name, said[row] ?? null]))
  const records = toObjects(health).filter(({ state }) => state !== 'not checked')
  const number = (name: string, text: string) =>
    grid.number(text, say('verdicts'), (line: (typeof records)[number]) => formatCount(Number(line[name])))
  return htmlGrid(say('Health of each dataset'), records, [
    grid.text(
      say('dataset'),
      ({ dataset }) =>
        html`<code>${String(dataset)}</code> <small>${datasetText(datasetOf(String(dataset)), say.language).title}</small>`,
      'name',
    ),
    grid.text(say('state'), ({ state }) => mark(state as CheckState, say)),
    grid.number(say('rows'), undefined, ({ rows }) => formatCount(Number(rows))),
    number('confirmed', say('confirmed')),
    number('open', say(fact('CHECK_FINDINGS', 'open'))),
    number('contradicted', say('contradicted')),
    grid.text(
      say('the worst'),
      ({ dataset }) => outside(worst.get(String(dataset)) ?? say('none stands out')),
      'prose',
    ),
  ])
}

/** The vendor's own derived numbers, recomputed, and what must hold of every dataset. @param hrefOf where codes lead, if anywhere */
export function checkFindings(today: ReportDay, hrefOf?: HrefOf): Html {
  const { say } = today
  const all = casesOf(today)
  return html`<h3>${say('Do the numbers hold?')}</h3>
${all.length > 0 && healthTable(today)}${unrun(today)}${all.map((one) => finding(one, say, hrefOf))}`
}
