import type { Table } from 'apache-arrow'
import { checkFields } from '../../../contract/check-fields.js'
import { checkParams, type Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { askedDays, dayParam, type PlainDays } from '../../../contract/day-list.js'
import { toTable } from '../../../frame/table/arrow.js'
import { type ColumnsOfAnswer, concatAnswers } from '../../../frame/table/concat-tables.js'
import { type Provenance, provenanceMetadata } from '../../../frame/table/provenance.js'
import { withSuspects } from '../../../frame/table/suspect-rows.js'
import { project, type RecordColumns } from '../../../frame/table/values.js'
import { yieldTurn } from '../../../threads/yield.js'
import { rowsOfDay } from '../../source/reply/reply-chunk.js'
import type { QueryOptions } from '../../source/source.js'
import { seenBy } from '../code-months.js'
import { scopeColumn } from '../revision/row-places.js'
import type { Snapshot } from '../snapshot.js'
import type { RuleOptions } from './answer-rules.js'
import type { OnPart } from './row-conditions.js'
import { joinSlices } from './row-slices.js'
import { selectRows } from './select-rows.js'

type Asked = Omit<QueryOptions, 'days'> & Pick<RuleOptions, 'allBars'>

/** The settled days that wait of what a query asks for. */
function waitingOf(snapshot: Snapshot, dataset: Dataset, query: Query): Pick<Provenance, 'waiting'> {
  const all = snapshot.entry(dataset.name)?.waiting
  if (!all) return {}
  const scope = query[scopeColumn(dataset) ?? '']
  const own = Object.entries(all).filter(([name]) => name === '' || scope === undefined || scope === name)
  return { waiting: [...new Set(own.flatMap(([, days]) => Object.keys(days)))].sort() }
}

/** The rows of an archive state that answer a request, with the provenance that tells whether that is all. */
async function answerColumns(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  options: Asked & RuleOptions,
  source: string,
): Promise<ColumnsOfAnswer> {
  const { query, given, slices, fields, ...found } = await selectRows(snapshot, dataset, params, options)
  if (found.rows > manyRows) await yieldTurn()
  // When the whole was asked for, the defaults of limit and offset had no part in it.
  const idle = options.whole === true ? ['limit', 'offset'].filter((name) => !given.has(name)) : []
  const request = { params: Object.fromEntries(Object.entries(query).filter(([name]) => !idle.includes(name))), fields }
  return {
    columns: joinSlices(dataset, slices, fields),
    about: { dataset: dataset.name, source, request, ...found, ...waitingOf(snapshot, dataset, query) },
  }
}

/** Rows of which each step of an answer is a turn of its own, so that a service answers others between. */
const manyRows = 50_000

async function tableOf(dataset: Dataset, columns: RecordColumns, about: Provenance): Promise<Table> {
  if (columns.length > manyRows) await yieldTurn()
  const known = withSuspects(dataset, columns, about)
  if (columns.length > manyRows) await yieldTurn()
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, provenanceMetadata(known))
}

/** The answer of an archive state to a request as a table. */
export async function answer(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  options: Asked,
  source: string,
): Promise<Table> {
  const { onProgress } = options
  const onPart: OnPart | undefined =
    onProgress && ((done, of, rows) => onProgress({ done, of, rows, what: dataset.name }))
  const { columns, about } = await answerColumns(snapshot, dataset, params, { ...options, onPart }, source)
  return tableOf(dataset, columns, about)
}

/** The answers to a question of one day for several days, joined in their order. */
export async function answerDays(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  { days, fields, onProgress, ...options }: QueryOptions & { readonly days: PlainDays },
  source: string,
): Promise<Table> {
  const query = checkParams(dataset, params)
  const all = askedDays(dataset, query, days)
  const param = dayParam(dataset) as string
  const names = checkFields(dataset, fields, { ...query, [param]: all[0] as string })
  const seen = seenBy(snapshot, all)
  const answers: ColumnsOfAnswer[] = []
  let [since, rows] = [0, 0]
  for (const day of all) {
    if (since > manyRows) {
      await yieldTurn()
      since = 0
    }
    const ofDay = { ...(params as Record<string, unknown>), [param]: day }
    const own = { ...options, allBars: options.whole === true }
    const { columns, about } = await answerColumns(seen, dataset, ofDay, own, source)
    since += columns.length
    answers.push({ columns: rowsOfDay(dataset, columns, day), about })
    rows += columns.length
    onProgress?.({ done: answers.length, of: all.length, rows, what: dataset.name })
  }
  const { columns, about } = concatAnswers(dataset, answers)
  const { [param]: _, ...rest } = about.request.params
  return tableOf(dataset, project(columns, names), { ...about, request: { params: rest, fields: names, days: all } })
}
