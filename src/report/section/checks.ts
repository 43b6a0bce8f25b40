import type { Check } from '../../analysis/check.js'
import { namesOf } from '../../frame/column.js'
import { count, fixed, many } from '../format.js'
import { type Html, html } from '../html.js'
import type { ReportInput } from '../input.js'
import { asIs, badge, grid, type Section } from '../parts.js'
import { type CheckName, confirmed, confirmedAs, meaningOf } from './verdicts.js'

/** Worst cases shown of each check. */
const most = 12

interface Case {
  readonly kind: CheckName
  readonly title: string
  readonly dataset: string
  /** What is recomputed, and how. */
  readonly rule: string
  readonly check: Check<string> | undefined
}

const rules = {
  vwap: 'The average price of the day up to each bar is recomputed from the bars: turnover so far over (volume so far times the lot factor), rounded half up to 3 decimals, and compared with the vwap that was sent.',
  anomaly:
    'Deviation, required change, trigger price and status of each candidate are held against each other and against the rules. The closes of stock and index are not in the data, so the deviation itself is not recomputed.',
  southbound:
    'Of each channel, net must be buys minus sells and turnover buys plus sells; of each row, the totals must be the sums over its channels; of a stock in both channels, its two rows must agree. Compared to the last decimal.',
}

function cases(input: ReportInput): Case[] {
  const { vwap, anomaly, southbound } = input.checks
  const single = (kind: 'anomaly' | 'southbound', dataset: string, check: Check<string> | undefined): Case => ({
    kind,
    title: `${kind} (${dataset})`,
    dataset,
    rule: rules[kind],
    check,
  })
  const vwaps = vwap.map(
    ({ dataset, check }): Case => ({ kind: 'vwap', title: `vwap (${dataset})`, dataset, rule: rules.vwap, check }),
  )
  const none: Case = { kind: 'vwap', title: 'vwap', dataset: 'minute bars', rule: rules.vwap, check: undefined }
  return [
    ...(vwaps.length > 0 ? vwaps : [none]),
    single('anomaly', 'anomaly_forecast', anomaly),
    single('southbound', 'southbound_top10', southbound),
  ]
}

type State = 'holds' | 'fails' | 'unknown'

/** A check holds when no row contradicts the rule and at least one confirms it. */
function stateOf({ kind, check }: Case): State {
  if (!check || check.rows === 0) return 'unknown'
  if (!check.ok) return 'fails'
  return confirmed(kind, check.counts) > 0 ? 'holds' : 'unknown'
}

const word: Readonly<Record<State, string>> = { holds: 'holds', fails: 'does not hold', unknown: 'not shown' }

function share(part: number, whole: number): string {
  return whole === 0 ? '' : fixed((100 * part) / whole, 2)
}

function verdicts(one: Case, check: Check<string>): Html {
  const rows = Object.entries(check.counts).map(([verdict, rows]) => [
    html`<code>${verdict}</code>`,
    count(rows),
    share(rows, check.rows),
    meaningOf(one.kind, verdict).text,
  ])
  const heads = [
    { text: 'verdict' },
    { text: 'rows', as: 'number' as const },
    { text: 'share', unit: '%', as: 'number' as const },
    { text: 'what it means', as: 'prose' as const },
  ]
  return grid(`Verdicts of ${one.title}`, heads, rows)
}

/** The columns of a worst case as they are read: what row, the verdict, the numbers, the reason, and the rest. */
function order(names: readonly string[]): readonly string[] {
  const told = ['verdict', 'given', 'recomputed', 'difference', 'why']
  const keys = names.slice(0, Math.max(names.indexOf('given'), 0)).filter((name) => !told.includes(name))
  const read = [...keys, ...told.filter((name) => names.includes(name))]
  return [...read, ...names.filter((name) => !read.includes(name))]
}

function worst(one: Case, check: Check<string>): Html {
  const { numRows } = check.worst
  if (numRows === 0)
    return html`<p>No row stands out.</p>
`
  const { computed = 0 } = check.counts
  const standOut = check.rows - confirmed(one.kind, check.counts) - computed
  return html`<details${check.ok ? '' : html` open`}><summary>Worst cases (${count(Math.min(numRows, most))} of ${count(Math.max(standOut, numRows))})</summary>
${asIs(`Worst cases of ${one.title}`, check.worst, most, order(namesOf(check.worst)))}</details>
`
}

function section(one: Case): Html {
  const { check } = one
  const state = stateOf(one)
  const head = html`<h3>${one.title} ${badge(state, word[state])}</h3>
<p>${one.rule}</p>
`
  if (!check)
    return html`${head}<p class="absent">Not in this source: ${one.dataset}.</p>
`
  if (check.rows === 0)
    return html`${head}<p class="absent">No row to check.</p>
`
  return html`${head}${verdicts(one, check)}${worst(one, check)}`
}

/** A check with its size: how many rows there were, and how many of them the rule confirms. */
function measured({ title, kind, check }: Case): string {
  if (!check) return `${title}, not in this source`
  return `${title}, ${count(confirmed(kind, check.counts))} of ${many(check.rows, 'row')} ${confirmedAs[kind]}`
}

/** In one sentence each: what holds, what does not, what could not be looked at. */
function overall(all: readonly Case[]): Html {
  const of = (state: State): Case[] => all.filter((one) => stateOf(one) === state)
  const named = (some: readonly Case[]): string => some.map(measured).join('; ')
  const [holds, fails, unknown] = [of('holds'), of('fails'), of('unknown')]
  const verb = (some: readonly Case[], one: string, more: string): string => (some.length === 1 ? one : more)
  return html`<ul class="overall">
${fails.length > 0 && html`<li>${badge('fails', verb(fails, 'Does not hold', 'Do not hold'))} ${named(fails)}.</li>`}
${holds.length > 0 && html`<li>${badge('holds', verb(holds, 'Holds', 'Hold'))} ${named(holds)}.</li>`}
${unknown.length > 0 && html`<li>${badge('unknown', 'Not shown')} ${named(unknown)}.</li>`}
</ul>
`
}

/** The vendor's own derived numbers, recomputed. */
export function checks(input: ReportInput): Section {
  const all = cases(input)
  const body = html`${overall(all)}${all.map(section)}`
  return { id: 'checks', title: 'Do the derived numbers hold?', body }
}
