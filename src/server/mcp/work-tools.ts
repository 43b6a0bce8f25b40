import type { Table } from 'apache-arrow'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { takeRows } from '../../data/watch/row-changes.js'
import { columnNames, strings } from '../../frame/read-columns.js'
import { type PerformanceOptions, performanceStats } from '../../research/analysis/performance/performance-stats.js'
import type { PerformanceInput } from '../../research/analysis/performance/return-series.js'
import { allChecks, checkWorst } from '../../research/checks/all-checks.js'
import type { Check, CheckRun } from '../../research/checks/check.js'
import { checkState, checkSummary, gradeOf } from '../../research/checks/check-summary.js'
import { runsTable } from '../../research/checks/runs-table.js'
import { checkable, latestTradingDays, loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { type ReportOptions, report } from '../../research/report/load/market-report.js'
import { reportFigures } from '../../research/report/load/report-figures.js'
import { type SectionName, sectionNames } from '../../research/report/report-tables.js'
import { closedObject, type Schema, type Schemas } from '../service/openapi/json-schema.js'
import { dateInput } from './input-schema.js'
import { outsideMark, type TableAnswer, tableTool } from './table-reply.js'
import { type Given, rowsAnswer, type Tool, type ToolAnswer, type ToolCall } from './tool.js'

const days = (most: number, usual: number): Schema => {
  return {
    type: 'integer',
    minimum: 1,
    maximum: most,
    default: usual,
    description: sentence`Trading days up to the last one.`,
  }
}
const end: Schema = {
  ...dateInput,
  description: sentence`Last trading day, YYYYMMDD; absent, the latest of the source.`,
}
const checkNames = (): string[] => [...new Set(allChecks().map(({ name }) => name))]

/** Rows that are not confirmed; of a run that confirms all, none. */
function findingsOf(run: CheckRun, check: Check): CheckRun {
  const { table } = run.result
  const found = strings(table, 'verdict').flatMap((verdict, row) =>
    gradeOf(check, verdict ?? '') === 'confirmed' ? [] : row,
  )
  return { ...run, result: { ...run.result, table: takeRows(table, found) } }
}

async function runChecks(given: Given, { market, signal, onStep }: ToolCall): Promise<TableAnswer> {
  const [name, dataset] = [given.check, given.dataset]
  const some = allChecks().filter(
    (one) => (name === 'all' || one.name === name) && (!dataset || one.dataset === dataset),
  )
  if (some.length === 0) throw new QuotebookError('USAGE', sentence`check ${name} is not of ${dataset}`)
  const needed =
    name === 'all' ? checkable() : [...new Set(some.flatMap((one) => [one.dataset, ...(one.alsoNeeds ?? [])]))]
  const period = await latestTradingDays(market, Number(given.days ?? 5), {
    own: true,
    ...(given.end ? { end: String(given.end) } : {}),
  })
  signal.throwIfAborted()
  const loaded = await loadTables(market, period, needed as readonly DatasetName[], (done, what) =>
    onStep(done, needed.length + 1, what),
  )
  onStep(needed.length, needed.length + 1, 'checks')
  const tables = tablesToCheck(loaded)
  const of = Object.values(tables).flatMap((all) => all ?? []) as Table[]
  const results = name === 'all' ? await checkWorst(tables) : some.map((check) => ({ check, runs: check.runs(tables) }))
  const runs = results.flatMap(({ check, runs }) => runs.map((run) => ({ check, run })))
  const summary = {
    days: { first: period.first, last: period.latest, count: period.all.length },
    holds: runs.length > 0 && runs.every(({ run }) => run.result.ok),
    runs: runs.map(({ check, run: { label, result } }) => {
      const counts = Object.fromEntries(Object.entries(result.counts).filter(([, rows]) => rows > 0))
      return { check: check.name, of: label, state: checkState(check, result), rows: result.rows, counts }
    }),
  }
  if (name === 'all') return { table: checkSummary(results), of, own: ['dataset', 'state', 'checks'], summary }
  if (runs.length === 0)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`check ${name}: the source has no rows of ${needed.join(', ')} on these days`,
    )
  const shown =
    given.all_rows === true ? runs.map(({ run }) => run) : runs.map(({ check, run }) => findingsOf(run, check))
  const table = runsTable(shown)
  const sent = new Set(needed.flatMap((one) => Object.keys(datasetOf(one as DatasetName).columns)))
  // Reasons may quote what was sent.
  const own = columnNames(table).filter((column) => !sent.has(column) && column !== 'why')
  return { table, of, own, dataset: some[0]?.dataset as string, summary }
}

// biome-ignore format: a table, one entry a line
const checkTool = tableTool({
  name: 'check',
  title: sentence`Hold numbers against their rules`,
  about: sentence`The vendor's numbers recomputed and compared with their rules over the last days. The rows are those that are not confirmed, with verdict and reason; none means that every row is. check "all" gives the health of each dataset.`,
  input: closedObject(
    {
      check: {
        type: 'string',
        get enum() {
          return ['all', ...checkNames()]
        },
      },
      dataset: {
        type: 'string',
        description: sentence`Of one dataset only.`,
        get enum() {
          return [...new Set(allChecks().map((one) => one.dataset))]
        },
      },
      days: days(60, 5),
      end,
      all_rows: { type: 'boolean', default: false, description: sentence`Confirmed rows too.` },
    },
    ['check'],
  ),
  example: { check: 'all', days: 1 },
  rows: runChecks,
})

function reportOptions({ days: count = 60, end: last, until }: Given, { onStep, language }: ToolCall): ReportOptions {
  return {
    days: Number(count),
    onStep,
    language,
    ...(last ? { end: String(last) } : {}),
    ...(until ? { until: String(until) } : {}),
  }
}

// biome-ignore format: a table, one entry a line
const reportTool: Tool = {
  name: 'report',
  title: sentence`Market report`,
  about: sentence`The market's day: figures with units, a line of each section, and what is wrong with the data. With section all figures of that one. The whole page is behind the link.`,
  input: closedObject({ days: days(250, 60), end, until: { ...dateInput, description: sentence`Last date of news, announcements and answers; absent, \`end\`.` }, section: { type: 'string', enum: sectionNames } }, []),
  example: { days: 5, section: 'convertible' },
  answer: async (given, call) => {
    const [section, options] = [given.section as SectionName | undefined, reportOptions(given, call)]
    const { columns, rows, state, ...facts } = await reportFigures(call.market, options, section)
    const html = () => report(call.market, { ...options, ...(section && { sections: [section] }) })
    return { facts: { ...facts, outside: outsideMark }, ...rowsAnswer(columns, rows), files: { html }, state }
  },
}

const series: Schema = { type: 'array', items: { type: 'number' }, maxItems: 20_000 }
const dayList: Schema = { type: 'array', items: dateInput, maxItems: 20_000 }
const curve: Schemas = {
  days: { ...dayList, description: sentence`Days YYYYMMDD, ascending, one for each value.` },
  equity: { ...series, description: sentence`Value of the account at the close of each day; with start.` },
  returns: { ...series, description: sentence`In place of equity: returns, 0.01 is one percent.` },
  start: { type: 'number', exclusiveMinimum: 0, description: sentence`Equity before the first day.` },
}
const rates = ['riskFree', 'periodsPerYear', 'mar', 'resamples', 'seed']

function curveOf({ days: dates, equity, returns, start, trades }: Given): PerformanceInput {
  if ((equity === undefined) === (returns === undefined))
    throw new QuotebookError('USAGE', sentence`performance takes equity (with days and start) or returns`)
  if (returns !== undefined) return (dates === undefined ? returns : { days: dates, returns }) as PerformanceInput
  return { days: dates, equity, start, ...(trades ? { trades } : {}) } as PerformanceInput
}

// biome-ignore format: a table, one entry a line
const performanceTool: Tool = {
  name: 'performance',
  title: sentence`Performance of a backtest`,
  about: sentence`Figures of the curve of an account, such as a backtest gives (days, equity and start of its result), or of returns: total, cagr, volatility, Sharpe, Sortino, drawdowns, against a benchmark. Shares are decimals. Null where a figure is not defined.`,
  input: closedObject(
    {
      ...curve,
      trades: { type: 'array', maxItems: 20_000, items: { type: 'object', properties: { pnl: { type: ['number', 'null'] } } }, description: sentence`Round trips with their pnl.` },
      benchmark: { type: 'object', description: sentence`days, equity and start of it, or returns.` },
      riskFree: { type: 'number', default: 0, description: sentence`A year's risk-free return as a decimal.` },
      periodsPerYear: { type: 'number', default: 252 },
      mar: { type: 'number', default: 0 },
      resamples: { type: 'integer', minimum: 0, maximum: 1000, default: 0, description: sentence`Of a bootstrap, for intervals.` },
      seed: { type: 'integer', default: 1 },
    },
    [],
  ),
  example: { days: ['20260727', '20260728', '20260729'], equity: [101, 99.5, 102], start: 100 },
  answer: async (given) => {
    const options = Object.fromEntries(
      rates.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    )
    const benchmark = given.benchmark ? { benchmark: curveOf(given.benchmark as Given) } : {}
    const figures = performanceStats(curveOf(given), { ...options, ...benchmark } as PerformanceOptions)
    // As JSON writes them: what is not defined is null.
    return { facts: JSON.parse(JSON.stringify(figures)) as ToolAnswer['facts'] }
  },
}

/** The tools that work on what a source has. */
export const workTools = [checkTool, reportTool, performanceTool]
