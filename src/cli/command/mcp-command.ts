import type { Command } from 'commander'
import { sayIn, wordsIn } from '../../contract/say.js'
import type { Words } from '../../contract/sentence.js'
import type { Source } from '../../data/source/source.js'
import { Market } from '../../market.js'
import type { HttpTools } from '../../server/mcp/http-tools.js'
import type { Protocol } from '../../server/mcp/protocol-server.js'
import type { StrategyDesk } from '../../server/mcp/strategy-tools.js'
import type { Authenticator } from '../../server/service/authenticator.js'
import type { ServiceOptions } from '../../server/service/server.js'
import type { WorkerLink } from '../../server/service/workers/worker-link.js'
import { language, say } from '../chosen-language.js'
import { sourceWords, strategiesWord } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { inLanguage, whyOf } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { out, plainGrid, tell } from '../output.js'
import { openSource, sourceElsewhere } from '../source-option.js'
import { strategyDesk } from '../strategy-desk.js'

async function loadProtocol(): Promise<Protocol> {
  return import('#mcp')
}

const sayFault = (error: unknown): void => tell('fault: {why}', { why: whyOf(error).replaceAll('\n', ' ') })

/** `/mcp` of the service, over what it serves; the protocol is loaded when the first client comes. `link`: to the other workers. */
export function agentsOf(
  source: Source,
  authenticator: Authenticator,
  link?: Pick<WorkerLink, 'cancelElsewhere' | 'onCancel'>,
  strategies?: StrategyDesk,
): NonNullable<ServiceOptions['agents']> {
  const load = async (): Promise<HttpTools> => {
    const [protocol, { toolServer }, { HttpTools: Tools }] = await Promise.all([
      loadProtocol(),
      import('../../server/mcp/protocol-server.js'),
      import('../../server/mcp/http-tools.js'),
    ])
    const market = new Market(source)
    const options = { market, isPublic: true, onFault: sayFault, withoutSql: await withoutSql(market), strategies }
    const tools = toolServer(protocol, options)
    const own = new Tools(protocol, tools, authenticator, link?.cancelElsewhere)
    if (link) link.onCancel = (call) => own.cancel(call)
    return own
  }
  let loading: Promise<HttpTools> | undefined
  return {
    handle: async (request, response) => {
      loading ??= load()
      await (await loading).handle(request, response)
    },
  }
}

/** Why an archive is given without its tool `sql`, said in a line. */
async function withoutSql({ archive }: Market): Promise<Words | undefined> {
  const why = archive && (await import('../../data/sql/duckdb.js')).withoutDuckDb()
  if (why !== undefined) tell('agents get no tool sql: {why}', { why: inLanguage(why) })
  return why
}

async function check(market: Market, strategies: StrategyDesk | undefined): Promise<void> {
  const { toolServer } = await import('../../server/mcp/protocol-server.js')
  const { checkTools } = await import('../../server/mcp/self-check.js')
  const protocol = await loadProtocol()
  const tools = toolServer(protocol, { market, withoutSql: await withoutSql(market), strategies })
  const tried = await checkTools(tools, language, sayIn(language))
  out(plainGrid(tried.map(({ name, ok, said }) => [name, ok ? say('ok') : say('FAILED'), said])))
  if (tried.some(({ ok }) => !ok)) process.exitCode = 1
}

type Options = OptionsOf<typeof words>

function deskOf({ strategies, source, asOf }: Options): StrategyDesk | undefined {
  const then = asOf === undefined ? [] : [`--as-of=${asOf}`]
  return strategies === undefined
    ? undefined
    : strategyDesk(strategies, [`--source=${sourceElsewhere(source)}`, ...then])
}

async function speak(given: Options): Promise<void> {
  const strategies = deskOf(given)
  const market = await openSource(given)
  if (given.check) return check(market, strategies).finally(() => market.close())
  const { toolServer, protocolServer } = await import('../../server/mcp/protocol-server.js')
  const protocol = await loadProtocol()
  const options = { market, onFault: sayFault, withoutSql: await withoutSql(market), strategies }
  const server = protocolServer(protocol, toolServer(protocol, options), language, sayIn(language))
  const ended = new Promise<void>((resolve) => {
    // A client that goes closes this end.
    process.stdin.once('end', resolve).once('close', resolve)
    untilInterrupted().addEventListener('abort', () => resolve(), { once: true })
    server.onclose = resolve
  })
  server.onerror = sayFault
  await server.connect(new protocol.StdioServerTransport() as never)
  tell("agents may ask {name}; stdin and stdout are the protocol's", { name: wordsIn(market.source.name, language) })
  await ended
  await server.close()
  await market.close()
  process.stdin.destroy()
}

// biome-ignore format: a table, one word a line
const words = {
  mcp: ['serve tools for agents (Model Context Protocol) on stdin and stdout; quotebook serve has the same at /mcp'],
  '--check': ['list the tools, call each of them once, and report the results'],
  ...strategiesWord,
  ...sourceWords,
} as const satisfies CommandWords

export const mcpCommand = (): Command => declare(words).action(speak)
