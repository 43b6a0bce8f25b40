import type { Table } from 'apache-arrow'
import type { Check } from '../../analysis/check.js'
import { columnsOf, namesOf } from '../../frame/column.js'
import { cellOf } from '../../frame/values.js'
import { count, fixed, listed, many } from '../format.js'
import { type Html, html } from '../html.js'
import type { ReportInput } from '../input.js'
import { asIs, badge, grid, type Section } from '../parts.js'
import { caveats, confirmedRows, emptyRows, type State, stateOf } from './evidence.js'
import { bothMissing, type CheckName, confirmed, confirmedAs, meaningOf } from './verdicts.js'

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
  premium:
    'The premium of each bond is recomputed from its own row, (close / value - 1) x 100, rounded half up to as many decimals as the column shows, and compared with the premium that was sent.',
}

function cases(input: ReportInput): Case[] {
  const { vwap, anomaly, southbound, premium = [] } = input.checks
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
    ...premium.map(
      ({ premium: over, check }): Case => ({
        kind: 'premium',
        title: `premium over the ${over === 'cb' ? 'conversion' : 'pure-bond'} value (convertible_daily)`,
        dataset: 'convertible_daily',
        rule: rules.premium,
        check,
      }),
    ),
  ]
}

const word: Readonly<Record<State, string>> = {
  holds: 'holds',
  fails: 'does not hold',
  unopposed: 'no contradiction found',
  unknown: 'not shown',
}

function mark(state: State, text: string): Html {
  return badge(state === 'unopposed' ? 'unknown' : state, text)
}

/** Rows by verdict, those that are called equal for want of any number in a line of their own. */
function tally(kind: CheckName, check: Check<string>): [verdict: string, rows: number][] {
  const empty = emptyRows(kind, check)
  return Object.entries(check.counts).flatMap(([verdict, rows]): [string, number][] =>
    verdict === 'equal' && empty > 0
      ? [
          [verdict, rows - empty],
          [bothMissing, empty],
        ]
      : [[verdict, rows]],
  )
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : fixed((100 * part) / whole, 2)
}

function verdicts(one: Case, check: Check<string>): Html {
  const rows = tally(one.kind, check).map(([verdict, rows]) => [
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

/**
 * The columns of a worst case as they are read: what row, the verdict, the numbers, the reason, and of the rest what the
 * rows shown have a value of. `twice` and `broken` say in a word what the reason says.
 */
function order(table: Table): readonly string[] {
  const names = namesOf(table)
  const told = ['verdict', 'given', 'recomputed', 'difference', 'why']
  const keys = names.slice(0, Math.max(names.indexOf('given'), 0)).filter((name) => !told.includes(name))
  const read = [...keys, ...told.filter((name) => names.includes(name))]
  const { of } = columnsOf(table)
  const isFilled = (name: string): boolean => {
    const values = of.get(name)
    return (
      values !== undefined &&
      Array.from({ length: Math.min(most, table.numRows) }, (_, row) => row).some((row) => cellOf(values, row) !== null)
    )
  }
  return [
    ...read,
    ...names.filter((name) => !read.includes(name) && !['twice', 'broken'].includes(name) && isFilled(name)),
  ]
}

function worst(one: Case, check: Check<string>): Html {
  const { numRows } = check.worst
  if (numRows === 0)
    return html`<p>No row stands out.</p>
`
  const { computed = 0 } = check.counts
  const standOut = check.rows - confirmed(one.kind, check.counts) - computed
  return html`<details${check.ok ? '' : html` open`}><summary>Worst cases (${count(Math.min(numRows, most))} of ${count(Math.max(standOut, numRows))})</summary>
${asIs(`Worst cases of ${one.title}`, check.worst, most, order(check.worst))}</details>
`
}

function section(one: Case): Html {
  const { check } = one
  const state = stateOf(one.kind, check)
  const head = html`<h3>${one.title} ${mark(state, word[state])}</h3>
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
  const more = caveats(kind, check)
  const aside = more.length > 0 ? ` (${listed(more)})` : ''
  return `${title}, ${count(confirmedRows(kind, check))} of ${many(check.rows, 'row')} ${confirmedAs[kind]}${aside}`
}

/** In one sentence each: what holds, what does not, what could not be looked at. */
function overall(all: readonly Case[]): Html {
  const of = (state: State): Case[] => all.filter((one) => stateOf(one.kind, one.check) === state)
  const named = (some: readonly Case[]): string => some.map(measured).join('; ')
  const [holds, fails, unopposed, unknown] = [of('holds'), of('fails'), of('unopposed'), of('unknown')]
  const verb = (some: readonly Case[], one: string, more: string): string => (some.length === 1 ? one : more)
  return html`<ul class="overall">
${fails.length > 0 && html`<li>${badge('fails', verb(fails, 'Does not hold', 'Do not hold'))} ${named(fails)}.</li>`}
${holds.length > 0 && html`<li>${badge('holds', verb(holds, 'Holds', 'Hold'))} ${named(holds)}.</li>`}
${unopposed.length > 0 && html`<li>${mark('unopposed', 'No contradiction found')} ${named(unopposed)}.</li>`}
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
