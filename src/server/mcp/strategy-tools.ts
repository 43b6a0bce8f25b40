import type { Language } from '../../contract/language.js'
import { sentence } from '../../contract/sentence.js'
import { columnNames } from '../../frame/read-columns.js'
import { fromParquet } from '../../frame/table/parquet.js'
import { closedObject, type Schema, type Schemas } from '../service/openapi/json-schema.js'
import { dateInput } from './input-schema.js'
import { outsideMark, tableAnswer } from './table-reply.js'
import { type Given, rowsAnswer, type Tool, type ToolAnswer } from './tool.js'

/** How a run is called. */
export interface DeskCall {
  readonly signal: AbortSignal
  readonly language: Language
}

/** The strategies of a folder that the operator named: an agent names one, and never gives code or a path. */
export interface StrategyDesk {
  /** What there is, with the params that each reads. */
  list(): Promise<readonly { readonly name: string; readonly params: readonly string[]; readonly about: string }[]>
  /**
   * Runs a command over a strategy, in a process of its own.
   * @returns what it printed, and the files that it wrote, by name
   */
  run(
    command: 'backtest' | 'factor' | 'plan',
    strategy: string,
    words: Given,
    call: DeskCall,
  ): Promise<{ readonly out: string; readonly files: ReadonlyMap<string, Uint8Array> }>
  /** What a paper account of the folder has come to, and its days; without a name, which there are. */
  account(name: string | undefined): Pick<ToolAnswer, 'facts'> & {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly unknown[])[]
  }
}

const text: Schema = { type: 'string', maxLength: 60 }
const named: Schemas = {
  strategy: { ...text, description: sentence`A name that \`strategies\` lists.` },
  params: { type: 'object', description: sentence`Params of the strategy by name.` },
}
const runDays: Schemas = { from: dateInput, to: dateInput }
const costs: Schemas = {
  slippage: { ...text, description: sentence`Ticks, or basis points as 5bps.` },
  commission: { ...text, description: sentence`Rate, and the least in yuan: 0.0002,5.` },
}
const account: Schemas = {
  cash: { type: 'number', exclusiveMinimum: 0, description: sentence`Yuan.` },
  fill: { type: 'string', enum: ['nextOpen', 'nextClose', 'nextVwap', 'nextAuction', 'sameClose'] },
  'size-at': { type: 'string', enum: ['decision', 'fill'], description: sentence`Prices by which orders are sized.` },
  'min-trade-lots': {
    type: 'integer',
    minimum: 0,
    description: sentence`A holding that differs from its target by fewer lots is left alone.`,
  },
  ...costs,
}
const shown = ['trips', 'fills', 'rejected', 'events', 'account']

/** Objects as rows under the names that any of them has. */
function objectRows(all: readonly Given[]) {
  const columns = [...new Set(all.flatMap((one) => Object.keys(one)))]
  return rowsAnswer(
    columns,
    all.map((one) => columns.map((name) => one[name] ?? null)),
  )
}

const strategiesTool = (desk: StrategyDesk): Tool => ({
  name: 'strategies',
  title: sentence`List strategies`,
  about: sentence`The strategies that backtest, factor and plan take, with their params.`,
  input: closedObject({}),
  example: {},
  answer: async () => ({ facts: {}, ...objectRows(await desk.list()) }),
})

// biome-ignore format: a table, one entry a line
const backtestTool = (desk: StrategyDesk): Tool => ({
  name: 'backtest',
  title: sentence`Run a backtest`,
  about: sentence`A strategy's account: figures, warnings, findings, look-ahead check and round trips. Shares and returns are decimals, money is yuan. The tear sheet is behind the link.`,
  input: closedObject({ ...named, ...runDays, ...account, show: { type: 'string', enum: shown, default: 'trips', description: sentence`Rows; account: the equity curve.` } }, ['strategy']),
  answer: async ({ strategy, show = 'trips', ...words }, call) => {
    const { files } = await desk.run('backtest', String(strategy), words, call)
    const { hashes, benchmark, ...found } = JSON.parse(Buffer.from(files.get('summary.json') ?? []).toString())
    const table = await fromParquet(files.get(`${show}.parquet`) ?? new Uint8Array())
    const own = columnNames(table).filter((name) => name !== 'name')
    const summary = { ...found, benchmark: benchmark?.name, hash: hashes.run }
    const html = () => files.get('tear-sheet.html') ?? ''
    return { ...tableAnswer({ table, own, summary }, call.language), files: { html }, state: undefined }
  },
})

// biome-ignore format: a table, one entry a line
const factorTool = (desk: StrategyDesk): Tool => ({
  name: 'factor',
  title: sentence`Study a factor`,
  about: sentence`What the score of a strategy says of later returns, a row for each horizon: rank correlation (ic), its error, quantiles after costs. Returns are decimals.`,
  input: closedObject({ ...named, ...runDays, ...costs, horizons: { ...text, description: sentence`Days: 1,5,20.` }, quantiles: { type: 'integer', minimum: 2, maximum: 20 } }, ['strategy']),
  answer: async ({ strategy, ...words }, call) => {
    const { out } = await desk.run('factor', String(strategy), words, call)
    return { facts: { strategy }, ...objectRows(JSON.parse(out)) }
  },
})

// biome-ignore format: a table, one entry a line
const planTool = (desk: StrategyDesk): Tool => ({
  name: 'plan',
  title: sentence`Plan tomorrow's orders`,
  about: sentence`Orders of a strategy for the next trading day, from cash alone. Nothing is sent to a broker, nothing is written.`,
  input: closedObject({ ...named, day: { ...dateInput, description: sentence`The day whose close decides.` }, ...account }, ['strategy']),
  answer: async ({ strategy, ...words }, call) => {
    const { out } = await desk.run('plan', String(strategy), words, call)
    const { plan, account: _, ...about } = JSON.parse(out)
    const { orders, ...facts } = plan
    return { facts: { ...about, ...facts, outside: `name: ${outsideMark}` }, ...objectRows(orders) }
  },
})

const accountTool = (desk: StrategyDesk): Tool => ({
  name: 'account',
  title: sentence`Read a paper account`,
  about: sentence`A paper account of the operator: its days in yuan, holdings, next orders. Without account: which there are.`,
  input: closedObject({ account: text }, []),
  example: {},
  answer: async ({ account: name }) => {
    const { facts, columns, rows } = desk.account(name as string | undefined)
    return { facts, ...rowsAnswer(columns, rows) }
  },
})

/** The tools over the strategies of a folder; none without one. */
export function strategyTools(desk: StrategyDesk | undefined): readonly Tool[] {
  return desk ? [strategiesTool, backtestTool, factorTool, planTool, accountTool].map((tool) => tool(desk)) : []
}
