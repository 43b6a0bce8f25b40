import { allDatasets, allNames, datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import type { PlainDays } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { oneDayParam } from '../../data/source/plan/query-days.js'
import { numbers } from '../../frame/read-columns.js'
import { derive } from '../../frame/verb/derive.js'
import { join } from '../../frame/verb/join.js'
import { rename } from '../../frame/verb/rename.js'
import { select } from '../../frame/verb/select.js'
import { exactDifference } from '../../research/checks/exact/decimal.js'
import { closedObject, type Schema } from '../service/openapi/json-schema.js'
import { guardedSql } from '../service/whole/guarded-sql.js'
import { aboutDataset, datasetLines, datasetList, datasetPage } from './contract-page.js'
import { dateInput, openFields, queryInput, shownInput } from './input-schema.js'
import { tableTool } from './table-reply.js'
import type { Given, Tool, ToolCall } from './tool.js'

const list: Schema = { type: 'array', items: { type: 'object' } }
/** Read when it is asked for: an archive may bring datasets of one's own. */
const name: Schema = {
  type: 'string',
  get enum() {
    return allNames()
  },
}

const listDatasets: Tool = {
  name: 'list_datasets',
  title: 'List datasets',
  about: 'What there is: the fifteen datasets of Chinese securities data, and the tool that asks each.',
  input: closedObject({}),
  example: {},
  output: { type: 'object', required: ['datasets'], properties: { datasets: list } },
  answer: async () => ({ object: { datasets: datasetLines() }, text: (_, language) => datasetList(language) }),
}

const described = ['fields', 'stored', 'params', 'rules', 'known_at', 'limit', 'key', 'order', 'example']

const describeDataset: Tool = {
  name: 'describe_dataset',
  title: 'Describe a dataset',
  about: 'Fields with units, params, rules, when a row becomes known, and the columns that only SQL sees.',
  input: closedObject({ dataset: name }),
  example: { dataset: 'convertible_daily' },
  output: {
    type: 'object',
    required: ['name', 'title', 'about', ...described],
    properties: {
      name,
      title: { type: 'string' },
      about: { type: 'string' },
      fields: list,
      params: list,
      stored: list,
    },
  },
  answer: async ({ dataset }) => {
    const found = datasetOf(String(dataset))
    return { object: aboutDataset(found), text: (_, language) => datasetPage(found, language) }
  },
}

/** Columns that were asked for. @throws ParamsError for one that the dataset lacks, or keeps to itself */
function wantedFields(dataset: Dataset, fields: unknown): readonly string[] {
  const known = openFields(dataset)
  if (fields === undefined || fields === null)
    return Object.values(dataset.columns).some(({ secret }) => secret) ? known : []
  for (const field of fields as readonly unknown[])
    if (!known.includes(String(field))) throw unknownName('fields', String(field), known, 'field', dataset.name)
  return fields as readonly string[]
}

async function query(dataset: Dataset, { params, fields, days, allow_truncated }: Given, { market }: ToolCall) {
  const wanted = wantedFields(dataset, fields)
  return market.query(dataset.name, params ?? undefined, {
    allowTruncated: allow_truncated === true,
    ...(days ? { days: days as PlainDays } : {}),
    ...(wanted.length > 0 ? { fields: wanted } : {}),
  })
}

function queryTool(dataset: Dataset): Tool {
  const { name: id, title, about, example, rules, knownAt } = dataset
  return tableTool({
    name: `query_${id}`,
    title,
    about: [about, `Known: ${knownAt.note}.`, ...rules.slice(0, 3), `Fields and units: describe_dataset ${id}.`].join(
      ' ',
    ),
    input: queryInput(dataset),
    example: { params: example },
    rows: async (given, call) => ({ table: await query(dataset, given, call) }),
  })
}

/** SQL over the archive; only where the market is one. */
export const sqlTool = tableTool({
  name: 'sql',
  title: 'SQL over the archive',
  about:
    'DuckDB over every stored row: each dataset is a table of its name, auction ticks are `ticks`. Reads only; files and the network are closed. Dates are text YYYYMMDD, a day may have several snapshots or periods (see "Only in SQL" of describe_dataset). Order rows, and aggregate rather than fetch.',
  input: closedObject(
    {
      text: { type: 'string', minLength: 1, maxLength: 20_000, description: 'One query, ending with a select.' },
      params: {
        type: 'array',
        items: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Values of $1, $2, …',
      },
      ...shownInput,
    },
    ['text'],
  ),
  example: {
    text: 'select tradedate, count(*) as bonds from convertible_daily group by 1 order by 1 desc',
    max_rows: 3,
  },
  rows: async ({ text, params }, { market, signal, hasTicks }) => {
    return { table: await guardedSql(market, { text, params, hasTicks, signal }) }
  },
})

/** The columns of two days side by side, matched by the key of the dataset without its day. */
async function compareDays(given: Given, call: ToolCall) {
  const dataset: Dataset = datasetOf(String(given.dataset))
  const [param, day] = [oneDayParam(dataset), dataset.day]
  const key = dataset.key.filter((column) => column !== day)
  if (param === undefined || day === undefined || key.length === 0)
    throw new QuotebookError('USAGE', sentence`${dataset.name} has no days to compare`)
  const isNumber = (column: string): boolean => /^(number|integer|long)$/.test(dataset.columns[column]?.kind ?? '')
  const asked = wantedFields(dataset, given.fields).filter((column) => !dataset.key.includes(column))
  const fields =
    asked.length > 0 ? asked : openFields(dataset).filter((one) => isNumber(one) && !dataset.key.includes(one))
  const days = [String(given.first_day), String(given.second_day)] as const
  if (days[0] === days[1]) throw new QuotebookError('USAGE', sentence`first_day and second_day are the same`)
  const of = await Promise.all(
    days.map((date) => {
      const params = { ...((given.params ?? {}) as object), [param]: date }
      return query(dataset, { params, fields: [...dataset.key, ...fields] }, call)
    }),
  )
  const [first, second] = of.map((table, at) => {
    const names = Object.fromEntries(fields.map((field) => [field, `${field}_${days[at]}`]))
    return rename(select(table, ...key, ...fields), names)
  })
  if (!first || !second) throw new QuotebookError('USAGE', sentence`two days are needed`)
  const both = join(first, second, { on: key, how: 'outer', validate: 'many to one' })
  const changes = fields.filter(isNumber).map((field) => {
    const [before, after] = days.map((date) => numbers(both, `${field}_${date}`)) as [Float64Array, Float64Array]
    return [`${field}_change`, () => after.map((value, row) => exactDifference(value, before[row] as number))] as const
  })
  const table = changes.length === 0 ? both : derive(both, Object.fromEntries(changes))
  return { table, of, dataset: dataset.name }
}

const compareTool = tableTool({
  name: 'compare_days',
  title: 'Compare two days',
  about:
    'A dataset on two days side by side, a row for each code: the fields of both days, and for numbers the second less the first. Null where a day lacks the row.',
  input: closedObject(
    {
      dataset: name,
      params: { type: 'object', description: 'Conditions as in the query tool of the dataset, without dates.' },
      fields: { type: 'array', items: { type: 'string' }, description: 'Fields to compare; absent, all numbers.' },
      first_day: dateInput,
      second_day: dateInput,
      ...shownInput,
    },
    ['dataset', 'first_day', 'second_day'],
  ),
  example: {
    dataset: 'convertible_daily',
    fields: ['close', 'cb_over_rate'],
    first_day: '20260728',
    second_day: '20260729',
  },
  rows: compareDays,
})

/** The tools that ask a source. */
export const queryTools = (): readonly Tool[] => [
  listDatasets,
  describeDataset,
  ...allDatasets().map(queryTool),
  compareTool,
]
