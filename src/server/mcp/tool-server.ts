import { messageOf, ParamsError, QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import type { Say } from '../../contract/say.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { Market } from '../../market.js'
import { type Semaphore, semaphore } from '../../threads/semaphore.js'
import type { Schema, Schemas } from '../service/openapi/json-schema.js'
import { statusOf } from '../service/refused-error.js'
import { answerPage, tokensOf } from './answer-page.js'
import { budgetedMarket, overspent } from './budgeted-market.js'
import { shownInput } from './input-schema.js'
import { queryTools, sqlTool } from './query-tools.js'
import { type StrategyDesk, strategyTools } from './strategy-tools.js'
import { budget, type FileForm, fileTypes, type Given, type Tool, type ToolCall } from './tool.js'
import { linkTo, readLink } from './tool-link.js'
import { workTools } from './work-tools.js'

/** What a market is open to, whatever the transport. */
export interface ToolServerOptions {
  readonly market: Market
  /** Callers are not those who started it: faults of this machine are for `onFault`, and not for them. */
  readonly isPublic?: boolean
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Why there is no tool `sql`, though the market is of an archive. */
  readonly withoutSql?: Words | undefined
  /** Strategies of the operator, where agents may run them. */
  readonly strategies?: StrategyDesk | undefined
  /** Milliseconds that a call may take. */
  readonly patience?: number
}

/** How a call was made. */
export interface Calling extends Omit<ToolCall, 'market'> {
  /** Whose call it is. */
  readonly caller: string
}

/** Codes whose message is about what was asked, beside those of `statusOf`. */
const open: readonly string[] = ['INVALID_VALUE', 'MISSING_COLUMN', 'USAGE', 'BUDGET', 'ARCHIVE_CHANGED', 'UNAVAILABLE']

/** What conditions and columns may be, the contract says best: it knows what was meant. */
function loosened({ properties, ...rest }: Schema): Schema {
  const { params, fields, ...others } = properties as Schemas
  return {
    ...rest,
    properties: {
      ...others,
      ...(params && { params: params.type === 'array' ? params : { type: ['object', 'null'] } }),
      ...(fields && { fields: { type: ['array', 'null'], items: { type: 'string' } } }),
    },
  }
}

/** @throws ParamsError for an argument that there is not, and for a value that is none of those that an argument may have */
function checkNames(tool: string, properties: Schemas, given: Given): void {
  for (const [argument, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined
    if (!schema) throw unknownName(argument, argument, Object.keys(properties), 'argument', tool)
    const { enum: values, items } = schema as { enum?: readonly string[]; items?: { enum?: readonly string[] } }
    const names = values ?? items?.enum
    for (const one of Array.isArray(value) ? value : [value])
      if (names && typeof one === 'string' && !names.includes(one))
        throw unknownName(argument, one, names, 'value', argument)
  }
}

/** Tools that had a name for each dataset are one by now: their names go on to be understood. */
function asked(name: string, given: Given): readonly [name: string, given: Given] {
  return name.startsWith('query_') ? ['query', { dataset: name.slice(6), ...given }] : [name, given]
}

type Validator = (given: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined }

/** The tools of a market, their budget kept: one at a time or a few, the others wait. */
export class ToolServer {
  readonly market: Market
  readonly tools: readonly Tool[]
  readonly #options: ToolServerOptions
  readonly #turns = semaphore(4)
  /** Of each caller two calls run at once, so that one who asks much leaves room for others. */
  readonly #lanes = new Map<string, { readonly turns: Semaphore; calls: number }>()
  readonly #validators = new Map<string, Validator>()
  readonly #compile: (schema: Schema) => Validator

  /** @param compile makes a validator of a schema */
  constructor(options: ToolServerOptions, compile: (schema: Schema) => Validator) {
    this.#options = options
    this.#compile = compile
    this.market = options.market
    const hasSql = options.market.archive !== undefined && options.withoutSql === undefined
    const all = [...queryTools, ...(hasSql ? [sqlTool] : []), ...workTools, ...strategyTools(options.strategies)]
    this.tools = all.map((tool) => {
      const properties = { ...(tool.input.properties as Schemas), ...shownInput }
      return { ...tool, input: { ...tool.input, properties } }
    })
  }

  /** What a tool says, and links to all of it. @throws QuotebookError with a code that says what would be right */
  async call(called: string, args: Given, calling: Calling, say: Say) {
    const [name, given] = asked(called, args)
    const { title, answer } = this.#tool(name, given)
    return this.#turn(calling, async (call) => {
      const { max_rows: _, budget: own = budget.tokens, next: __, ...whole } = given
      const found = await answer(whole, call)
      const made = (Object.keys(found.files ?? {}) as FileForm[]).map((form) => ({
        type: 'resource_link' as const,
        uri: linkTo({ tool: name, form, given: whole, state: found.state }),
        name: `${name}.${form}`,
        mimeType: fileTypes[form],
      }))
      // A link holds what was asked: a long one would take the room of the rows.
      const spare = tokensOf(JSON.stringify(made)) + 40
      const links = spare * 4 > Number(own) ? [] : made
      const text = answerPage(found, given, { tool: name, spare: links.length === 0 ? 0 : spare, say })
      return { title, text, links, picture: found.picture }
    })
  }

  /** The file behind a link. @throws QuotebookError ARCHIVE_CHANGED where the archive is no longer what the answer was of */
  async file(uri: string, calling: Calling) {
    const { tool: called, form, given: args, state } = readLink(uri)
    const [name, given] = asked(called, args)
    const { answer } = this.#tool(name, given)
    return this.#turn(calling, async (call) => {
      const { files = {}, state: own } = await answer(given, call)
      const file = Object.hasOwn(files, form) ? files[form as FileForm] : undefined
      if (!file) throw new ParamsError('uri', sentence`${name} has no ${form}; take a link as it is`)
      if (state !== undefined && state !== own)
        throw new QuotebookError(
          'ARCHIVE_CHANGED',
          sentence`the archive has changed since the answer; call the tool again`,
        )
      const content = await file()
      if (content.length > budget.fileBytes) overspent(sentence`the file has more than ${budget.fileBytes} bytes`)
      return { type: fileTypes[form as FileForm], content }
    })
  }

  /** A tool, once its arguments are what it takes. */
  #tool(name: string, given: Given): Tool {
    const names = this.tools.map((tool) => tool.name)
    const tool = this.tools.find((one) => one.name === name)
    if (!tool) throw unknownName('name', name, names, sentence`tool`)
    checkNames(name, tool.input.properties as Schemas, given)
    const isValid = this.#validators.get(name) ?? this.#compile(loosened(tool.input))
    this.#validators.set(name, isValid)
    const { valid, errorMessage = '' } = isValid(given)
    if (!valid)
      throw new ParamsError(
        name,
        sentence`${name}: ${errorMessage.replaceAll(/\bdata\/?/g, '') || sentence`wrong arguments`}`,
      )
    return tool
  }

  async #turn<T>({ caller, ...calling }: Calling, work: (call: ToolCall) => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(caller) ?? { turns: semaphore(2), calls: 0 }
    if (lane.calls >= budget.waiting)
      throw new QuotebookError('UNAVAILABLE', sentence`busy: too many calls at once; ask again in a second`)
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
      const call = { ...calling, signal, onStep }
      const market = budgetedMarket(this.market.source, call)
      return await lane.turns.run(() => this.#turns.run(() => work({ ...call, market }), signal), signal)
    } catch (error) {
      if (late.aborted && !(error instanceof ParamsError))
        overspent(sentence`it takes longer than ${patience / 1000} s`)
      throw error
    } finally {
      if (--lane.calls === 0) this.#lanes.delete(caller)
    }
  }

  /** What a caller hears of an error: a code and a line that says what would be right. */
  refusal(error: unknown, say: Say): { readonly code: string; readonly message: string } {
    const { isPublic, onFault } = this.#options
    const own = (error as { code?: unknown } | undefined)?.code
    const code = typeof own === 'string' ? own : 'INTERNAL'
    if (statusOf(error).about.fault === undefined || open.includes(code) || (!isPublic && code !== 'INTERNAL')) {
      // What lies where on the machine is nothing for others.
      const message = say(messageOf(error))
      return { code, message: isPublic ? message.replaceAll(/(?:\/[^\s/"']+){2,}/g, '…') : message }
    }
    onFault?.(error)
    return {
      code: isPublic ? 'UNAVAILABLE' : code,
      message: say(sentence`temporarily unavailable; whoever runs this can see why`),
    }
  }
}
