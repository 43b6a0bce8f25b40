import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { tradeHead } from '../../contract/column-heads.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { columnsOf, has, numbers, strings } from '../../frame/read-columns.js'
import { cellOf } from '../../frame/table/values.js'
import { allChecks } from '../../research/checks/all-checks.js'
import { type Check, type CheckResult, nameIn } from '../../research/checks/check.js'
import { gradeOf, reasonOfRow } from '../../research/checks/check-summary.js'
import { day as dayText, many, plain } from '../../research/report/format-number.js'
import { type Html, html } from '../../research/report/html.js'
import { loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { yieldTurn } from '../../threads/yield.js'
import type { DeskRows } from './desk-rows.js'
import type { DeskTableRule } from './desk-tables.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

/** Trading days that a page of checks looks at, which end with the day of the table. */
export const usualDays = 5

/** A row that a check contradicts: its cells by column, and why. */
interface Fault {
  readonly cells: ReadonlyMap<string, string>
  readonly said: (language: Language) => string
  /** The column that is doubted first, if it is not the row as a whole. */
  readonly column: string | undefined
  readonly numbers: readonly [given: number, due: number]
}

function faultsIn(check: Check, result: CheckResult<string>, day: string): Fault[] {
  const { table } = result
  const date = datasetOf(check.dataset).day ?? ''
  const { columns } = columnsOf(table)
  const days = has(table, date) ? strings(table, date) : undefined
  const numbersOf = (name: string) => (has(table, name) ? numbers(table, name) : undefined)
  const [given, due] = ['given', 'recomputed'].map(numbersOf)
  return strings(table, 'verdict').flatMap((verdict, row): Fault[] => {
    if (gradeOf(check, verdict ?? '') !== 'contradicted' || (days?.[row] ?? day) < day) return []
    const cells = new Map([...columns].map(([name, values]) => [name, String(cellOf(values, row) ?? '')]))
    const said = (language: Language) =>
      `${nameIn(check, language)}${language === 'zh' ? '：' : ': '}${reasonOfRow(check, result, { verdict, why: cells.get('why') }, language).replace(/[.。]$/, '')}`
    const column = result.doubted.get(row)?.[0]
    return [{ cells, said, column, numbers: [given?.[row] ?? Number.NaN, due?.[row] ?? Number.NaN] }]
  })
}

/** What the checks of a dataset contradict on a day: of bars that day is looked at, of all else those before it too. */
async function faultsOf({ market }: DeskVisit, name: DatasetName, days: readonly string[]): Promise<readonly Fault[]> {
  const own = allChecks().filter(({ dataset }) => dataset === name)
  const names = [...new Set([name, ...own.flatMap(({ alsoNeeds = [] }) => alsoNeeds)])]
  const latest = days.at(-1) ?? ''
  const load = (some: readonly DatasetName[], all: readonly string[]) =>
    loadTables(market, { first: all[0] ?? latest, latest, all, isPast: true }, some)
  const isBars = (one: DatasetName): boolean => datasetOf(one).load?.kind === 'bars'
  const bars = await load(names.filter(isBars), [latest])
  const rest = await load(
    names.filter((one) => !isBars(one)),
    days,
  )
  const tables = tablesToCheck({
    tables: { ...rest.tables, ...bars.tables },
    more: [...rest.more, ...bars.more],
    stray: [],
  })
  const found: Fault[] = []
  for (const check of own) {
    await yieldTurn()
    found.push(...check.runs(tables).flatMap(({ result }) => faultsIn(check, result, latest)))
  }
  return found
}

/** Which column is wrong, by the title that it has in tables, and what was sent and is due, as far as that is told. */
function sentAndDue({ column, numbers: [given, due] }: Fault, say: Say): string {
  const head = column === undefined ? undefined : tradeHead(column, say.language)
  // Numbers that agree are not those that the contradiction is about.
  if (Number.isNaN(given) || Number.isNaN(due) || given === due) return head === undefined ? '' : say` (${head})`
  return head === undefined
    ? say` (${plain(given)} sent, ${plain(due)} due)`
    : say` (${head}: ${plain(given)} sent, ${plain(due)} due)`
}

/** What is wrong with rows of a table, by their places: a sentence a row, and the number sent beside the one due. */
export interface RowFaults {
  readonly at: ReadonlyMap<number, string>
  /** The checks of those days. */
  readonly href: string
  /** Why nothing was checked. */
  readonly why?: string
}

/** The rows of a table that the checks contradict; computed once for each day. @param days stored ones up to that of the table */
export async function rowFaults(
  visit: DeskVisit,
  { dataset }: DeskTableRule,
  { columns, codes }: DeskRows,
  days: readonly string[],
): Promise<RowFaults> {
  const { say, once } = visit
  const latest = days.at(-1) ?? ''
  const href = deskHref(visit, ['checks'], { day: dayText(latest) })
  try {
    const faults = await once(`faults ${dataset} ${latest}`, () => faultsOf(visit, dataset, days))
    const [first] = faults
    const keys = datasetOf(dataset).key.flatMap((name) =>
      first?.cells.has(name) ? (columns.find((one) => one.name === name) ?? []) : [],
    )
    const keyOf = (cell: (name: string) => unknown): string => keys.map(({ name }) => cell(name) ?? '').join('\n')
    const said = new Map<string, string>()
    for (const fault of faults) {
      const key = keyOf((name) => fault.cells.get(name))
      said.set(
        key,
        [said.get(key) ?? [], `${fault.said(say.language)}${sentAndDue(fault, say)}`].flat().join(say('; ')),
      )
    }
    const places = [...codes.keys()].flatMap((at): [number, string][] => {
      const found = said.get(keyOf((name) => keys.find((one) => one.name === name)?.cells[at]))
      return found === undefined ? [] : [[at, found]]
    })
    return { at: new Map(keys.length > 0 ? places : []), href }
  } catch (error) {
    if (!(error instanceof QuotebookError)) throw error
    return { at: new Map(), href, why: say(messageOf(error)) }
  }
}

/** The mark of a contradicted row: its reason is its title, and it leads to the checks. */
export function faultMark({ at, href }: RowFaults, place: number): Html | false {
  const why = at.get(place)
  return why !== undefined && html` <a class="badge fails" href="${href}" title="${why}" aria-label="${why}">✗</a>`
}

/** The contradicted rows in a list that can be opened, each with its reason: what a title does not tell on a phone. */
export function faultList(
  { say }: DeskVisit,
  { at, href, why }: RowFaults,
  nameOf: (place: number) => string,
): Html | false {
  if (why !== undefined) return html`<p class="note">${say`The rows were not checked: ${why}`}</p>`
  const items = [...at].map(([place, text]) => html`<li><bdi>${nameOf(place)}</bdi>${say(': ')}${text}</li>`)
  return (
    at.size > 0 &&
    html`<details class="note"><summary><b class="badge fails">✗</b> ${say`${many(at.size, 'row')} of this day contradicted by its checks`}</summary><ul>${items}</ul><p><a href="${href}">${say(fact('DESK', 'Checks'))}</a></p></details>`
  )
}
