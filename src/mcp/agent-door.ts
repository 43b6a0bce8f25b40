import { datasetNames } from '../contract/catalogue.js'
import { messageOf, ParamsError, QuotebookError } from '../contract/error.js'
import { unknownName } from '../contract/nearest.js'
import { toCsv, toParquet } from '../frame/write-data.js'
import type { Market } from '../market.js'
import type { Schema } from '../service/openapi/json-schema.js'
import { provenance } from '../table/provenance.js'
import { type Semaphore, semaphore } from '../threads/semaphore.js'
import { linkTo, readLink } from './agent-link.js'
import { budgetedMarket, overspent } from './budgeted-market.js'
import { queryTools, sqlTool } from './query-tools.js'
import { tableReply } from './table-reply.js'
import { type AgentFile, type AgentTool, budget, type Given, type TableTool, type ToolCall } from './tool.js'
import { workTools } from './work-tools.js'

/** What a market is open to, whatever the transport. */
export interface DoorOptions {
  readonly market: Market
  /** Callers are not those who started it: faults of this machine are for `onFault`, and not for them. */
  readonly isPublic?: boolean
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Why there is no tool `sql`, though the market is of an archive. */
  readonly withoutSql?: string | undefined
  /** Milliseconds that a call may take. */
  readonly patience?: number
}

/** How a call was made. */
export interface Calling {
  /** Whose call it is. */
  readonly caller: string
  readonly signal: AbortSignal
  readonly hasTicks: boolean
  readonly onStep: (done: number, of: number, what: string) => void
}

/** A link to a file, as the protocol has it. */
interface LinkBlock {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  readonly description: string
}

/** What a call came to. */
export interface DoorReply {
  readonly object: Readonly<Record<string, unknown>>
  readonly text: string
  readonly links: readonly LinkBlock[]
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  html: 'text/html',
}

/** Codes whose message is about what was asked, and may be shown to whoever asked. */
const open: ReadonlySet<string> = new Set([
  'INVALID_PARAMS',
  'INVALID_VALUE',
  'UNSUPPORTED_MARKET',
  'MISSING_COLUMN',
  'USAGE',
  'SQL',
  'BUDGET',
  'TRUNCATED',
  'FORBIDDEN',
  'ARCHIVE_CHANGED',
])

function checkNames(tool: AgentTool, given: Given): void {
  const names = Object.keys(tool.input.properties as Schema)
  for (const name of Object.keys(given))
    if (!names.includes(name)) throw unknownName(name, name, names, `argument of ${tool.name}`)
}

/** What conditions and columns may be, the contract says best: it knows what was meant. */
function loosened({ properties, required, ...rest }: Schema): Schema {
  const { params, fields, ...others } = properties as Readonly<Record<string, Schema>>
  return {
    ...rest,
    required: (required as readonly string[]).filter((name) => name !== 'params'),
    properties: {
      ...others,
      ...(params && { params: params.type === 'array' ? params : { type: ['object', 'null'] } }),
      ...(fields && { fields: { type: ['array', 'null'], items: { type: 'string' } } }),
    },
  }
}

type Validator = (given: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined }

/** The tools of a market, their budget kept: one at a time or a few, the others wait. */
export class AgentDoor {
  readonly tools: readonly AgentTool[]
  readonly #options: DoorOptions
  readonly #turns = semaphore(4)
  /** Of each caller two calls run at once, so that one who asks much leaves room for others. */
  readonly #lanes = new Map<string, { readonly turns: Semaphore; calls: number }>()
  readonly #validators = new Map<string, Validator>()
  readonly #compile: (schema: Schema) => Validator

  /** @param compile makes a validator of a schema */
  constructor(options: DoorOptions, compile: (schema: Schema) => Validator) {
    this.#options = options
    this.#compile = compile
    const hasSql = options.market.archive !== undefined && options.withoutSql === undefined
    this.tools = [...queryTools, ...(hasSql ? [sqlTool] : []), ...workTools]
  }

  get market(): Market {
    return this.#options.market
  }

  /** @throws QuotebookError with a code that says what would be right */
  async call(name: string, given: Given, calling: Calling): Promise<DoorReply> {
    return this.#turn(calling, async (call) => {
      const tool = this.#tool(name, given)
      if (!('rows' in tool)) {
        const { object, text, file } = await tool.answer(given, call)
        return { object, text, links: file === undefined ? [] : [this.#link(tool, file, given)] }
      }
      const answer = await tool.rows(given, call)
      const reply = tableReply(answer, Number(given.offset ?? 0), Number(given.max_rows ?? 50))
      const { max_rows: _, offset: __, ...whole } = given
      const links = ['csv', 'parquet'].map((form) => this.#link(tool, form, whole, provenance(answer.table)?.state))
      return { ...reply, links }
    })
  }

  /** The file behind a link. @throws QuotebookError ARCHIVE_CHANGED where the archive is no longer what the answer was of */
  async file(uri: string, calling: Calling): Promise<AgentFile> {
    const { tool: name, form, given, state } = readLink(uri)
    return this.#turn(calling, async (call) => {
      const tool = this.#tool(name, given)
      const file = 'rows' in tool ? await this.#rows(tool, form, given, state, call) : await tool.file?.(given, call)
      if (!file || file.type !== types[form])
        throw new ParamsError('uri', `${name} has no ${form}; take a link as it is`)
      if (file.content.length > budget.fileBytes) overspent(`the file has more than ${budget.fileBytes} bytes`)
      return file
    })
  }

  async #rows(
    tool: TableTool,
    form: string,
    given: Given,
    state: string | undefined,
    call: ToolCall,
  ): Promise<AgentFile | undefined> {
    const { table } = await tool.rows(given, call)
    if (state !== undefined && provenance(table)?.state !== state)
      throw new QuotebookError('ARCHIVE_CHANGED', 'the archive has changed since the answer; call the tool again')
    if (form === 'csv') return { type: 'text/csv', content: toCsv(table) }
    return form === 'parquet' ? { type: types.parquet as string, content: await toParquet(table) } : undefined
  }

  #link({ name, title }: AgentTool, form: string, given: Given, state?: string | undefined): LinkBlock {
    const uri = linkTo({ tool: name, form, given, state })
    return {
      type: 'resource_link',
      uri,
      name: `${name}.${form}`,
      mimeType: types[form] as string,
      description: `${title}: all of it`,
    }
  }

  /** A tool, once its arguments are what it takes. */
  #tool(name: string, given: Given): AgentTool {
    const names = this.tools.map((tool) => tool.name)
    const tool = this.tools.find((one) => one.name === name)
    if (!tool) throw unknownName('name', name, names, 'tool')
    checkNames(tool, given)
    const isValid = this.#validators.get(name) ?? this.#compile(loosened(tool.input))
    this.#validators.set(name, isValid)
    const { valid, errorMessage = '' } = isValid(given)
    if (!valid)
      throw new ParamsError(name, `${name}: ${errorMessage.replaceAll(/\bdata\/?/g, '') || 'wrong arguments'}`)
    return tool
  }

  async #turn<T>(calling: Calling, work: (call: ToolCall) => Promise<T>): Promise<T> {
    const { caller, hasTicks } = calling
    const lane = this.#lanes.get(caller) ?? { turns: semaphore(2), calls: 0 }
    if (lane.calls >= budget.waiting)
      throw new QuotebookError('UNAVAILABLE', 'busy: too many calls at once; ask again in a second')
    const patience = this.#options.patience ?? budget.milliseconds
    const late = AbortSignal.timeout(patience)
    const signal = AbortSignal.any([calling.signal, late])
    const onStep: Calling['onStep'] = (done, of, what) => {
      signal.throwIfAborted()
      calling.onStep(done, of, what)
    }
    lane.calls++
    this.#lanes.set(caller, lane)
    try {
      const call = { signal, hasTicks, onStep }
      const market = budgetedMarket(this.#options.market.source, call)
      return await lane.turns.run(() => this.#turns.run(() => work({ ...call, market }), signal), signal)
    } catch (error) {
      if (late.aborted && !(error instanceof ParamsError)) overspent(`it takes longer than ${patience / 1000} s`)
      throw error
    } finally {
      if (--lane.calls === 0) this.#lanes.delete(caller)
    }
  }

  /** What a caller hears of an error: a code and a line that says what would be right. */
  told(error: unknown): { readonly code: string; readonly message: string } {
    const { isPublic, onFault } = this.#options
    const code =
      error instanceof QuotebookError
        ? error.code
        : typeof (error as { code?: unknown })?.code === 'string'
          ? String((error as { code: string }).code)
          : 'INTERNAL'
    const isKnown = open.has(code) || code === 'UNAVAILABLE' || (!isPublic && code !== 'INTERNAL')
    // What lies where on the machine is nothing for others.
    const message = isPublic ? messageOf(error).replaceAll(/(?:\/[^\s/"']+){2,}/g, '…') : messageOf(error)
    if (isKnown) return { code, message }
    onFault?.(error)
    return { code: isPublic ? 'UNAVAILABLE' : code, message: 'temporarily unavailable; whoever runs this can see why' }
  }
}

/** The pages that a client may read without a call. */
export const pageUris = datasetNames.map((name) => [name, `quotebook://contract/${name}`] as const)
export const statusUri = 'quotebook://archive/status'
