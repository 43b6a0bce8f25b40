import { allDatasets, datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { datasetText, knownText } from '../../contract/dataset-text.js'
import type { PlainDays } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { oneDayParam } from '../../data/source/plan/asked.js'
import { numbers } from '../../frame/read-columns.js'
import { derive } from '../../frame/verb/derive.js'
import { join } from '../../frame/verb/join.js'
import { rename } from '../../frame/verb/rename.js'
import { select } from '../../frame/verb/select.js'
import { exactDifference } from '../../research/checks/exact/decimal.js'
import { chart } from '../../research/report/chart.js'
import { pngOf } from '../../research/report/chart-file.js'
import { closedObject, type Schema } from '../service/openapi/json-schema.js'
import { guardedSql } from '../service/whole/guarded-sql.js'
import { aboutDataset } from './contract-page.js'
import { datasetInput, dateInput, openFields, queryInput } from './input-schema.js'
import { tableAnswer, tableTool } from './table-reply.js'
import { type Given, rowsAnswer, type Tool, type ToolCall } from './tool.js'

const listDatasets: Tool = {
  name: 'list_datasets',
  title: sentence`List datasets`,
  about: sentence`What there is: datasets of Chinese securities data.`,
  input: closedObject({}),
  example: {},
  answer: async (_, { language }) => {
    const rows = allDatasets().map((dataset) => {
      const { title, about } = datasetText(dataset, language)
      return [dataset.name, title, about, knownText(dataset, language)]
    })
    return { facts: {}, ...rowsAnswer(['dataset', 'title', 'about', 'known'], rows) }
  },
}

const describeDataset: Tool = {
  name: 'describe_dataset',
  title: sentence`Describe a dataset`,
  about: sentence`Params and fields with units, rules, when a row becomes known, and the columns that only SQL sees (stored).`,
  input: closedObject({ dataset: datasetInput }),
  example: { dataset: 'convertible_daily' },
  answer: async ({ dataset }, { language }) => {
    const { fields, stored, params, ...facts } = aboutDataset(datasetOf(String(dataset)), language)
    const rows = Object.entries({ param: params, field: fields, stored }).flatMap(([of, all]) =>
      (all as readonly Given[]).map(({ name, kind, unit = null, meaning = null, ...more }) => {
        return [of, name, kind, unit, meaning, Object.keys(more).length === 0 ? null : more]
      }),
    )
    return { facts, ...rowsAnswer(['of', 'name', 'kind', 'unit', 'meaning', 'more'], rows) }
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

// biome-ignore format: a table, one entry a line
const queryTool = tableTool({
  name: 'query',
  title: sentence`Query a dataset`,
  about: sentence`Rows of a dataset; describe_dataset has its params, columns and units. It says whether they are complete, and on what proof.`,
  input: closedObject(queryInput, ['dataset']),
  example: { dataset: 'convertible_daily', params: { tradedate: '20260729' } },
  rows: async (given, call) => ({ table: await query(datasetOf(String(given.dataset)), given, call) }),
})

// biome-ignore format: a table, one entry a line
const sqlText: Schema = { type: 'string', minLength: 1, maxLength: 20_000, description: sentence`One query, ending with a select.` }

/** Draws what a query or SQL finds. */
// biome-ignore format: a table, one entry a line
const chartTool: Tool = {
  name: 'chart',
  title: sentence`Draw a chart`,
  about: sentence`Columns of a query, or of sql (then without dataset), as a PNG.`,
  input: closedObject(
    {
      dataset: datasetInput,
      params: queryInput.params as Schema,
      sql: sqlText,
      x: { type: 'string', description: sentence`The column along the axis.` },
      y: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 9, description: sentence`Columns of numbers.` },
      kind: { type: 'string', enum: ['line', 'bar', 'points', 'candles'] },
      by: { type: 'string', description: sentence`A column whose every value is a series.` },
      title: { type: 'string' },
    },
    ['x', 'y'],
  ),
  example: { dataset: 'convertible_daily', params: { symbols: '123124', startdate: '20260701' }, x: 'tradedate', y: ['close'] },
  answer: async ({ sql, dataset, params, ...given }, call) => {
    if ((sql === undefined) === (dataset === undefined))
      throw new QuotebookError('USAGE', sentence`chart takes a dataset or sql`)
    const { x, y, by } = given
    const fields = [...new Set([x, ...(y as readonly unknown[]), ...(by === undefined ? [] : [by])])]
    const table = sql
      ? await guardedSql(call.market, { text: sql, params: undefined, ...call })
      : await query(datasetOf(String(dataset)), { params, fields }, call)
    const drawn = await chart(table, given as never)
    const { facts } = tableAnswer({ table }, call.language)
    return { facts: { ...facts, shows: drawn.description }, picture: await pngOf(drawn.svg()) }
  },
}

/** SQL over the archive; only where the market is one. */
// biome-ignore format: a table, one entry a line
export const sqlTool = tableTool({
  name: 'sql',
  title: sentence`SQL over the archive`,
  about: sentence`DuckDB over every stored row: each dataset is a table of its name, auction ticks are \`ticks\`. Reads only; files and the network are closed. Dates are text YYYYMMDD, a day may have several snapshots or periods (see stored of describe_dataset). Order rows, and aggregate rather than fetch.`,
  input: closedObject({ text: sqlText, params: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] }, description: sentence`Values of $1, $2, …` } }, ['text']),
  example: { text: 'select tradedate, count(*) as bonds from convertible_daily group by 1 order by 1 desc', max_rows: 3 },
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

// biome-ignore format: a table, one entry a line
const compareTool = tableTool({
  name: 'compare_days',
  title: sentence`Compare two days`,
  about: sentence`A dataset on two days side by side, a row for each code: the fields of both days, and for numbers the second less the first. Null where a day lacks the row.`,
  input: closedObject(
    {
      dataset: datasetInput,
      params: { type: 'object', description: sentence`Conditions as in query, without dates.` },
      fields: { type: 'array', items: { type: 'string' }, description: sentence`Fields to compare; absent, all numbers.` },
      first_day: dateInput,
      second_day: dateInput,
    },
    ['dataset', 'first_day', 'second_day'],
  ),
  example: { dataset: 'convertible_daily', fields: ['close', 'cb_over_rate'], first_day: '20260728', second_day: '20260729' },
  rows: compareDays,
})

/** The tools that ask a source. */
export const queryTools: readonly Tool[] = [listDatasets, describeDataset, queryTool, compareTool, chartTool]
