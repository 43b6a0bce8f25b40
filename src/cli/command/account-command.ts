import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { wordsIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { type LineKind, lineKinds } from '../../contract/statement-kinds.js'
import { textEncodings } from '../../contract/text-encodings.js'
import { readHoldings } from '../../data/archive/import/read-form.js'
import type { Market } from '../../market.js'
import { codeIn } from '../../research/backtest/plan-orders.js'
import { holdingsIn } from '../../research/backtest/real-fills.js'
import type { TradedAccount } from '../../research/backtest/traded-account.js'
import type { TearSheetOptions } from '../../research/report/tear-sheet/sheet-input.js'
import { benchmarkFor, tripsWord } from '../account-words.js'
import { language, say } from '../chosen-language.js'
import { date, interactiveWord, nameValuePair, sourceWords } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import type { Library } from '../library.js'
import { out, plainGrid, tell, textGrid } from '../output.js'
import { writeTogether } from '../run-files.js'
import { sheetSource, userLibrary } from '../run-strategy.js'
import { withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'
import { benchmarkText, percent, spanText } from './backtest-command.js'

type Options = OptionsOf<typeof words>
type Benchmark = TearSheetOptions['benchmark']

/** Kinds of lines as they were typed. @throws QuotebookError USAGE for an unknown kind */
function kindsOf({ kind = {} }: Options): Readonly<Record<string, LineKind>> {
  const wrong = Object.values(kind).find((one) => !(lineKinds as readonly string[]).includes(one))
  if (wrong === undefined) return kind as Readonly<Record<string, LineKind>>
  throw wrongUse("--kind has no kind '{kind}'; kinds are {kinds}", { kind: wrong, kinds: lineKinds.join(', ') })
}

/** What the account came to, and its lines by kind. */
function summary({ numbers, performanceStats }: Library, result: TradedAccount, benchmark: Benchmark): string {
  const { days, real, roundTrips, account, fills, lines } = result
  const figured = performanceStats(result, benchmark ? { benchmark } : {})
  const { total, cagr, maxDrawdown } = figured
  const sum = (all: Iterable<number>): string => [...all].reduce((a, b) => a + b, 0).toFixed(2)
  const trips = (way: keyof typeof roundTrips): string => {
    const pnl = numbers(roundTrips[way], 'pnl')
    const share = percent(pnl.filter((one) => one > 0).length / pnl.length)
    return say('{count}, won {share}, {gained} yuan', { count: pnl.length, share, gained: sum(pnl) })
  }
  const [commission, stamp, transfer] = ['commission', 'stamp', 'transfer'].map((kind) => sum(numbers(account, kind)))
  const figures = [
    [say(fact('RUN', 'days')), spanText(days)],
    [say('worth at the end'), real.worth.toFixed(2)],
    [say('paid in, taken out'), `${real.paidIn.toFixed(2)}, ${real.takenOut.toFixed(2)}`],
    [say('gain'), real.gain.toFixed(2)],
    [say('total, time-weighted'), percent(total)],
    [say('cagr'), percent(cagr)],
    [say('max drawdown'), percent(maxDrawdown.depth)],
    [say('round trips, flat to flat'), trips('flat')],
    [say('round trips, first in first out'), trips('fifo')],
    [say('costs'), say('commission {commission}, stamp {stamp}, transfer {transfer}', { commission, stamp, transfer })],
    [say('fills'), String(fills.numRows)],
    ...(benchmark ? [[say('benchmark'), benchmarkText(benchmark, figured)]] : []),
  ]
  const rows = lines.map(({ kind, lines: count, cash }) => {
    const isLeft = kind === 'note' || kind === 'margin'
    const name = [...new Set([say(fact('LINE', kind)), kind])].join(' ')
    return [name, count, cash.toFixed(2), isLeft ? say('left') : say('kept')]
  })
  const heads = [say(fact('LINE', 'kind')), say(fact('LINE', 'lines')), say('yuan'), '']
  return `${plainGrid(figures)}\n${textGrid(heads, rows)}\n`
}

/** Compares the broker's holdings with those that the lines come to. */
async function sayHoldings(library: Library, { positions, days }: TradedAccount, file: string): Promise<void> {
  const own = new Map<string, number>()
  for (const { tradedate, symbol, shares } of library.toObjects(positions))
    if (tradedate === days.at(-1)) own.set(String(symbol), Number(shares))
  const told = holdingsIn(await readHoldings(file)).filter(({ symbol }) => symbol !== '')
  const broker = new Map(told.map(({ symbol, shares }) => [codeIn([...own.keys()], symbol) ?? symbol, shares]))
  const all = [...new Set([...own.keys(), ...broker.keys()])].sort()
  const unequal = all.filter((code) => (own.get(code) ?? 0) !== (broker.get(code) ?? 0))
  for (const code of unequal)
    tell('{code}: the lines come to {own}, the holdings have {told}', {
      code,
      own: own.get(code) ?? 0,
      told: broker.get(code) ?? 0,
    })
  if (unequal.length === 0) tell('holdings agree with the lines: {count} instruments', { count: broker.size })
  else process.exitCode = 1
}

/** Writes the tables and the tear sheet. */
async function writeAll(
  library: Library,
  market: Market,
  result: TradedAccount,
  options: TearSheetOptions,
  dir: string,
) {
  const { account, fills, positions, trips, events, names } = result
  const source = await sheetSource(market)
  const sheet = await library.tearSheet(result as never, { ...options, lang: language, names, source })
  const tables = Object.entries({ account, fills, positions, trips, events })
  const csvs = tables.map(([name, table]) => [`${name}.csv`, library.toCsv(table)] as const)
  const files = new Map([...csvs, ['tear-sheet.html', sheet]])
  await writeTogether(dir, files)
  tell('wrote {files} to {dir}', { files: [...files.keys()].join(', '), dir })
}

async function run(files: readonly string[], options: Options): Promise<void> {
  const library = await userLibrary()
  const kinds = kindsOf(options)
  const { encoding, cash, to, trips, holdings } = options
  if (cash !== undefined && !(Number(cash) >= 0))
    throw wrongUse("--cash takes {right}, not '{text}'", { right: '50000', text: cash })
  const statement = await library.readStatement(files, encoding ? { encoding } : {})
  const work = async (market: Market): Promise<void> => {
    const own = { kinds, ...(cash !== undefined && { cash: Number(cash) }), ...(to && { to }), ...(trips && { trips }) }
    const result = await library.tradedAccount(market, statement, own)
    for (const what of result.warnings) tell('warning: {what}', { what: wordsIn(what, language) })
    const places = { days: result.days, begin: 0, symbols: [], instruments: [] }
    const benchmark = await benchmarkFor(library, market, places as never, options.benchmark ?? 'none')
    out(summary(library, result, benchmark))
    if (holdings !== undefined) await sayHoldings(library, result, holdings)
    const [file = ''] = files
    const { out: dir, interactive = false } = options
    const sheet = { title: basename(file, extname(file)), interactive, ...(benchmark && { benchmark }) }
    if (dir !== undefined) await writeAll(library, market, result, sheet, dir)
  }
  await withMarket(options, work, library.connect)
}

// biome-ignore format: a table, one word a line
const words = {
  account: ['analyse your real trades from statements (交割单) of terminals and brokers: round trips, income, returns, a tear sheet'],
  '<files...>': ['statements of 同花顺, 通达信, 东方财富, QMT or a CSV: text tables in GBK or UTF-8, also those named .xls, or .xlsx; lines that several files share count once'],
  '--holdings <file>': ["the broker's holdings, to compare with those that result from the lines"],
  '--cash <yuan>': ['cash in yuan before the first line, if the file has no column of cash'],
  '--kind <WORD=KIND>': ['kind of lines with an unknown word (repeatable): 某业务=fee', nameValuePair],
  '--to <day>': ['last day, YYYYMMDD (default: that of the last line or the last price)', date],
  ...tripsWord,
  '--benchmark <what>': ['compare with an index by name or code (可转债), or a .csv or .parquet file with tradedate and close'],
  '--encoding <encoding>': ['encoding of the files, if their words do not show it', { choices: textEncodings }],
  '--out <dir>': ['directory for the tables and the tear sheet'],
  ...interactiveWord,
  ...sourceWords,
} as const satisfies CommandWords

export const accountCommand = (): Command => declare(words).action(run)
