import type { Table } from 'apache-arrow'
import {
  type Check,
  type CheckResult,
  type CheckRun,
  leavesOpen,
  type VerdictMeaning,
  verdictLabel,
} from '../../checks/check.js'
import {
  type CheckState,
  checkState,
  emptyRows,
  gradesOf,
  healthOf,
  lotBound,
  lotShare,
} from '../../checks/check-health.js'

import { columnsOf, has, namesOf, numbers, objectsOf, texts } from '../../frame/read-columns.js'
import { derive } from '../../frame/verb/derive.js'
import { cellOf } from '../../table/values.js'
import { fixed, formatCount, listed, many } from '../format-number.js'
import { badge, firstRows, gridNumber, gridText, type Html, html, htmlGrid, outside, type Section } from '../html.js'
import type { ReportInput } from '../report-tables.js'

/** A row of `equal` that has no number on either side; told apart from the others in what is shown. */
const bothMissing = 'equal, both missing'

const nothingCompared = leavesOpen('No number was sent and none can be recomputed. Nothing is compared.')

/** What a verdict means, in plain words. One that is not known counts as open. */
function meaningOf({ verdicts }: Check, verdict: string): VerdictMeaning {
  if (verdict === bothMissing) return nothingCompared
  return (Object.hasOwn(verdicts, verdict) ? verdicts[verdict] : undefined) ?? leavesOpen('')
}

/** Rows that were held against another row; undefined when the check does not tell. */
function heldAgainstOthers({ table }: CheckResult<string>): number | undefined {
  return has(table, 'peers') ? numbers(table, 'peers').filter((peers) => peers > 0).length : undefined
}

/** What the counts alone do not say: rows without values, differences explained by lots, rows that stand alone. */
function caveats(check: Check, result: CheckResult<string>): string[] {
  const empty = emptyRows(result)
  const share = lotBound(check, result)
  const { 'lot-bound': lots = 0 } = result.counts
  const out: string[] = []
  if (empty > 0) out.push(`${many(empty, 'row')} without a value on either side`)
  if (share > lotShare) {
    out.push(
      `${fixed(100 * share, 2)} % of the values compared (${formatCount(lots)}) differ and only volumes rounded to whole lots could explain it, too many to call it shown`,
    )
  }
  const held = heldAgainstOthers(result)
  if (held !== undefined && result.rows > 0) {
    out.push(`${many(held, 'row')} held against another row, the others only checked inside themselves`)
  }
  return out
}

/** Worst cases shown of each check. */
const most = 12

interface Case extends CheckRun {
  readonly check: Check
  readonly title: string
  readonly state: CheckState
}

function cases(input: ReportInput): Case[] {
  return input.checks.flatMap(({ check, runs }) =>
    runs.map((run) => ({ ...run, check, title: `${check.name} (${run.label})`, state: checkState(check, run.result) })),
  )
}

/** Checks that could not be held against anything, with the dataset that is missing. */
function unrun(input: ReportInput): string[] {
  return input.checks.flatMap(({ check, runs }) => (runs.length === 0 ? [`${check.name} (${check.dataset})`] : []))
}

const word: Readonly<Record<CheckState, string>> = {
  confirmed: 'holds',
  contradicted: 'does not hold',
  'not contradicted': 'no contradiction found',
  open: 'not shown',
}

const sign = { confirmed: 'holds', contradicted: 'fails', 'not contradicted': 'unknown', open: 'unknown' } as const

function mark(state: CheckState, text: string): Html {
  return badge(sign[state], text)
}

/** Rows by verdict, those that are called equal for want of any number in a line of their own. */
function rowsByVerdict(result: CheckResult<string>): [verdict: string, rows: number][] {
  const empty = emptyRows(result)
  return Object.entries(result.counts).flatMap(([verdict, rows]): [string, number][] =>
    verdict === 'equal' && empty > 0
      ? [
          [verdict, rows - empty],
          [bothMissing, empty],
        ]
      : [[verdict, rows]],
  )
}

function verdictTable({ check, title, result }: Case): Html {
  return htmlGrid(`Verdicts of ${title}`, rowsByVerdict(result), [
    gridText('verdict', ([verdict]) => html`<code>${verdictLabel(check, verdict)}</code>`),
    gridNumber('rows', undefined, ([, rows]) => formatCount(rows)),
    gridNumber('share', '%', ([, rows]) => (result.rows === 0 ? '' : fixed((100 * rows) / result.rows, 2))),
    gridText('what it means', ([verdict]) => meaningOf(check, verdict).meaning, 'prose'),
  ])
}

/** Said in a word what the reason says. */
const repeated = ['twice', 'broken', 'rules']

/**
 * The columns of a worst case as they are read: what row, the verdict, the numbers, the reason, and of the rest what the
 * rows shown have a value of.
 */
function order(table: Table): readonly string[] {
  const names = namesOf(table)
  const told = ['verdict', 'given', 'recomputed', 'difference', 'why']
  const end = names.findIndex((name) => [...told, ...repeated].includes(name))
  const read = [...names.slice(0, Math.max(end, 0)), ...told.filter((name) => names.includes(name))]
  const { columns: of } = columnsOf(table)
  const isFilled = (name: string): boolean => {
    const values = of.get(name)
    return (
      values !== undefined &&
      Array.from({ length: Math.min(most, table.numRows) }, (_, row) => row).some((row) => cellOf(values, row) !== null)
    )
  }
  return [...read, ...names.filter((name) => !read.includes(name) && !repeated.includes(name) && isFilled(name))]
}

/** The verdicts in the words of the report. */
function withLabels(check: Check, table: Table): Table {
  if (!has(table, 'verdict')) return table
  const verdict = texts(table, 'verdict')
  return derive(table, { verdict: () => verdict.map((word) => verdictLabel(check, word ?? '')) }) as Table
}

function worst({ check, title, result }: Case): Html {
  const { numRows } = result.worst
  if (numRows === 0)
    return html`<p>No row stands out.</p>
`
  const grades = gradesOf(check, result)
  const standOut = grades.open + grades.contradicted
  return html`<details${result.ok ? '' : html` open`}><summary>Worst cases (${formatCount(Math.min(numRows, most))} of ${formatCount(Math.max(standOut, numRows))})</summary>
${firstRows(`Worst cases of ${title}`, withLabels(check, result.worst), most, order(result.worst))}</details>
`
}

/** How many rows there were, how many of them the rule confirms, and what that leaves unsaid. */
function measure({ check, result }: Case): string {
  const more = caveats(check, result)
  const aside = more.length > 0 ? ` (${listed(more)})` : ''
  return `${formatCount(gradesOf(check, result).confirmed)} of ${many(result.rows, 'row')} ${check.confirmedAs}${aside}`
}

/** One check. What holds can be opened; what does not hold, or shows nothing, stands open. */
function section(one: Case): Html {
  const { check, title, result, state } = one
  const isQuiet = state === 'confirmed' || state === 'not contradicted'
  const body =
    result.rows === 0
      ? html`<p class="absent">No row to check.</p>
`
      : html`${verdictTable(one)}${worst(one)}`
  return html`<details class="check"${isQuiet ? '' : html` open`}><summary><h3>${title}</h3> ${mark(state, word[state])}</summary>
<p>${check.rule} ${result.rows > 0 && `Here: ${measure(one)}.`}</p>
${body}</details>
`
}

/** In one sentence each: what holds, what does not, what could not be looked at. */
function overall(all: readonly Case[], missing: readonly string[]): Html {
  const of = (state: CheckState): Case[] => all.filter((one) => one.state === state)
  const named = (some: readonly Case[]): string => some.map(({ title }) => title).join('; ')
  const measured = (some: readonly Case[]): string => some.map((one) => `${one.title}, ${measure(one)}`).join('; ')
  const [holds, fails, unopposed, unknown] = [of('confirmed'), of('contradicted'), of('not contradicted'), of('open')]
  const verb = (some: readonly Case[], one: string, more: string): string => (some.length === 1 ? one : more)
  return html`<ul class="overall">
${fails.length > 0 && html`<li>${badge('fails', verb(fails, 'Does not hold', 'Do not hold'))} ${measured(fails)}.</li>`}
${unopposed.length > 0 && html`<li>${mark('not contradicted', 'No contradiction found')} ${named(unopposed)}.</li>`}
${unknown.length > 0 && html`<li>${badge('unknown', 'Not shown')} ${measured(unknown)}.</li>`}
${holds.length > 0 && html`<li>${badge('holds', verb(holds, 'Holds', 'Hold'))} ${named(holds)}.</li>`}
${missing.length > 0 && html`<li>${badge('unknown', 'Not in this source')} ${missing.join('; ')}.</li>`}
</ul>
`
}

/** A line for each dataset that was looked at: how many verdicts confirm, leave open or contradict, and the worst of them. */
function healthTable(health: Table): Html {
  const lines = objectsOf(health).filter(({ state }) => state !== 'not checked')
  const number = (name: string, unit?: string) =>
    gridNumber(name, unit, (line: (typeof lines)[number]) => formatCount(Number(line[name])))
  return htmlGrid('Health of each dataset', lines, [
    gridText('dataset', ({ dataset }) => html`<code>${String(dataset)}</code>`),
    gridText('state', ({ state }) => mark(state as CheckState, word[state as CheckState])),
    number('rows'),
    number('confirmed', 'verdicts'),
    number('open', 'verdicts'),
    gridNumber('wrong', 'verdicts', ({ contradicted }) => formatCount(Number(contradicted))),
    gridText('the worst', ({ worst }) => (worst === null ? 'none stands out' : outside(String(worst))), 'prose'),
  ])
}

/** The vendor's own derived numbers, recomputed, and what must hold of every dataset. */
export function checksSection(input: ReportInput): Section {
  const all = cases(input)
  const body = html`${all.length > 0 && healthTable(healthOf(input.checks))}${overall(all, unrun(input))}${all.map(section)}`
  return { id: 'checks', title: 'Do the numbers hold?', body }
}
