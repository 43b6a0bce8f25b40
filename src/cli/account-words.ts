import { existsSync } from 'node:fs'
import type { Market } from '../market.js'
import type { BacktestOptions } from '../research/backtest/backtest-options.js'
import { benchmarkOfTable } from '../research/backtest/load/load-benchmark.js'
import type { TripWay } from '../research/backtest/lot-book.js'
import type { Panel } from '../research/backtest/panel.js'
import type { RunWords, TearSheetOptions } from '../research/report/tear-sheet/sheet-input.js'
import { readQuotesFile } from './command/check-rows.js'
import { date } from './command-options.js'
import type { CommandWords } from './declare-command.js'
import { whyOf } from './error-text.js'
import type { Library } from './library.js'
import { tell } from './output.js'
import { wrongUse } from './wrong-use.js'

const fills = ['nextOpen', 'nextClose', 'nextVwap', 'nextAuction', 'sameClose']
const sizes = ['decision', 'fill']
const trips = ['flat', 'fifo'] as const satisfies readonly TripWay[]

/** The days of a run. */
// biome-ignore format: a table, one word a line
export const runDayWords = {
  '--from <day>': ['first day of the account, YYYYMMDD (default: first day of the source)', date],
  '--to <day>': ['last day, YYYYMMDD; the strategy never sees later data', date],
} as const satisfies CommandWords

/** How an account is run. */
// biome-ignore format: a table, one word a line
export const accountWords = {
  '--cash <yuan>': ['cash in yuan at the start (default: that of the file, or 1000000)'],
  '--fill <when>': ['when orders are filled', { choices: fills }],
  '--slippage <n>': ['slippage in ticks, or in basis points as 5bps'],
  '--commission <rate>': ['share of the amount, and the minimum in yuan after a comma: 0.0002,5'],
  '--size-at <when>': ['prices that convert a portfolio to orders: those of the decision (default) or of the fill', { choices: sizes }],
  '--min-trade-lots <n>': ['smallest trade in lots: holdings closer to their target stay unchanged (default: that of the file, or 0)'],
  '--strict': ['reject the run if any price or volume contradicts its own day, even one that the account does not use'],
} as const satisfies CommandWords

/** Words by which an account goes on, evening after evening. */
export const accountNames = ['fill', 'slippage', 'commission', 'sizeAt', 'minTradeLots'] as const

/** What counts as a round trip. */
// biome-ignore format: a table, one word a line
export const tripsWord = {
  '--trips <way>': ['round trips: flat, from the first purchase to the sale of the last share; fifo, each sale with its purchases', { choices: trips }],
} as const satisfies CommandWords

/** The same as they are typed, where `strict` is a mark. */
export type TypedRun = Omit<RunWords, 'strict'> & { readonly strict?: string | true | undefined }

/** The words of a run among the options of a command. */
export function runWords(options: TypedRun): RunWords {
  const names = ['from', 'to', 'cash', 'benchmark', ...accountNames, 'strict', 'trips'] as const
  const given = names.flatMap((name) => (options[name] === undefined ? [] : [[name, String(options[name])]]))
  return Object.fromEntries(given)
}

function wrong(option: string, text: string, right: string): never {
  throw wrongUse("{option} takes {right}, not '{text}'", { option, text, right })
}

const isNumber = (text: string): boolean => /^\d+(\.\d+)?(e\d+)?$/i.test(text)

/** The options of an account: those of the file, and over them those that were typed. */
export function accountOptions(of: Partial<BacktestOptions> = {}, run: RunWords): BacktestOptions {
  const { cash, fill, slippage, commission, sizeAt, minTradeLots, strict, trips } = run
  if (cash !== undefined && !isNumber(cash)) wrong('--cash', cash, '1000000')
  if (minTradeLots !== undefined && !/^\d+$/.test(minTradeLots)) wrong('--min-trade-lots', minTradeLots, '0, 1')
  const [, size = '', unit] =
    /^(\d+(?:\.\d+)?)(bps)?$/.exec(slippage ?? '0') ?? wrong('--slippage', slippage ?? '', '1, 5bps')
  const { slippageTicks: _, slippageBps: __, ...others } = of
  const slipped = unit ? { slippageBps: Number(size) } : { slippageTicks: Number(size) }
  const [rate = '', min, more] = (commission ?? '').split(',')
  if (commission !== undefined && (!isNumber(rate) || !isNumber(min ?? '0') || more !== undefined))
    wrong('--commission', commission, '0.0002, 0.0002,5')
  return {
    ...(slippage === undefined ? of : { ...others, ...slipped }),
    cash: cash === undefined ? (of.cash ?? 1_000_000) : Number(cash),
    ...(sizeAt !== undefined && { sizeAt: sizeAt as never }),
    ...(minTradeLots !== undefined && { minTradeLots: Number(minTradeLots) }),
    ...(strict !== undefined && { strict: true }),
    ...(trips !== undefined && { trips: trips as TripWay }),
    ...(fill !== undefined && { exec: { decide: of.exec?.decide ?? 'close', fill: fill as never } }),
    ...(commission !== undefined && {
      commission: { rate: Number(rate), ...(min !== undefined && { min: Number(min) }) },
    }),
  }
}

/**
 * What an account is compared with: a file of one's own, an index, an instrument, or nothing. The usual index may be missing; then it is
 * said, and nothing is compared.
 */
export async function benchmarkFor(
  library: Library,
  market: Market,
  panel: Panel,
  asked: string | TearSheetOptions['benchmark'],
): Promise<TearSheetOptions['benchmark']> {
  if (typeof asked === 'object' || asked === 'none') return asked === 'none' ? undefined : asked
  if (asked !== undefined && /\.(csv|parquet)$/.test(asked)) {
    if (!existsSync(asked)) throw wrongUse('{file}: there is no such file', { file: asked })
    return benchmarkOfTable(await readQuotesFile(asked), asked, panel)
  }
  try {
    return await library.loadBenchmark(market, panel, asked)
  } catch (error) {
    if (asked !== undefined) throw error
    tell('no benchmark: {why}', { why: whyOf(error) })
    return undefined
  }
}
