import { mkdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Command } from 'commander'
import { wordsIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { type LineKind, lineKinds } from '../../contract/statement-kinds.js'
import { textEncodings } from '../../contract/text-encodings.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { readHoldings } from '../../data/archive/import/read-form.js'
import type { Market } from '../../market.js'
import { codeIn } from '../../research/backtest/plan-orders.js'
import { holdingsIn } from '../../research/backtest/real-fills.js'
import type { TradedAccount } from '../../research/backtest/traded-account.js'
import { tripsWord } from '../account-words.js'
import { language, say } from '../chosen-language.js'
import { date, interactiveWord, nameValuePair, sourceWords } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import type { Library } from '../library.js'
import { out, plainGrid, tell, textGrid } from '../output.js'
import { sheetSource, userLibrary } from '../run-strategy.js'
import { withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type Options = OptionsOf<typeof words>

const percent = (value: number): string => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(2)} %`)

/** Kinds of lines as they were typed. @throws QuotebookError USAGE for a kind that there is not */
function kindsOf({ kind = {} }: Options): Readonly<Record<string, LineKind>> {
  const wrong = Object.values(kind).find((one) => !(lineKinds as readonly string[]).includes(one))
  if (wrong !== undefined)
    throw wrongUse("--kind has no kind '{kind}'; kinds are {kinds}", { kind: wrong, kinds: lineKinds.join(', ') })
  return kind as Readonly<Record<string, LineKind>>
}

/** What there was, what came of it, and of how many round trips. */
function summary(library: Library, result: TradedAccount): readonly (readonly [string, string])[] {
  const { days, real, roundTrips, account } = result
  const figures = library.performanceStats(result)
  const trips = (way: keyof typeof roundTrips): string => {
    const pnl = [...library.numbers(roundTrips[way], 'pnl')]
    const gained = pnl.reduce((sum, one) => sum + one, 0).toFixed(2)
    const share = percent(pnl.filter((one) => one > 0).length / pnl.length)
    return say('{count}, won {share}, {gained} yuan', { count: pnl.length, share, gained })
  }
  const costs = ['commission', 'stamp', 'transfer'].map((kind) =>
    library
      .numbers(account, kind)
      .reduce((sum, one) => sum + one, 0)
      .toFixed(2),
  )
  const [commission, stamp, transfer] = costs as [string, string, string]
  return [
    [
      say(fact('RUN', 'days')),
      say('{from} to {to} ({count})', { from: days[0] as string, to: days.at(-1) as string, count: days.length }),
    ],
    [say('worth at the end'), real.worth.toFixed(2)],
    [say('paid in, taken out'), `${real.paidIn.toFixed(2)}, ${real.takenOut.toFixed(2)}`],
    [say('gain'), real.gain.toFixed(2)],
    [say('total, time-weighted'), percent(figures.total)],
    [say('cagr'), percent(figures.cagr)],
    [say('max drawdown'), percent(figures.maxDrawdown.depth)],
    [say('round trips, flat to flat'), trips('flat')],
    [say('round trips, first in first out'), trips('fifo')],
    [say('costs'), say('commission {commission}, stamp {stamp}, transfer {transfer}', { commission, stamp, transfer })],
    [say('fills'), String(result.fills.numRows)],
  ]
}

// biome-ignore format: a table, one kind a line
const kindWords: Readonly<Record<LineKind, () => string>> = {
  trade: () => say(fact('LINE', 'trade')),
  dividend: () => say(fact('LINE', 'dividend')),
  coupon: () => say(fact('LINE', 'coupon')),
  interest: () => say(fact('LINE', 'interest')),
  tax: () => say(fact('LINE', 'tax')),
  fee: () => say(fact('LINE', 'fee')),
  repo: () => say(fact('LINE', 'repo')),
  transfer: () => say(fact('LINE', 'transfer')),
  subscription: () => say(fact('LINE', 'subscription')),
  shares: () => say(fact('LINE', 'shares')),
  redemption: () => say(fact('LINE', 'redemption')),
  margin: () => say(fact('LINE', 'margin')),
  note: () => say(fact('LINE', 'note')),
}

/** Lines by their kinds, and what the account takes of each. */
function kindsText({ lines }: TradedAccount): string {
  const rows = lines.map(({ kind, lines: count, cash }) => {
    const isLeft = kind === 'note' || kind === 'margin'
    return [kindWords[kind](), count, cash.toFixed(2), isLeft ? say('left') : say('kept')]
  })
  return `${textGrid([say(fact('LINE', 'kind')), say(fact('LINE', 'lines')), say('yuan'), ''], rows)}\n`
}

/** Holdings of the broker beside those that the lines come to. */
async function sayHoldings(library: Library, { positions, days }: TradedAccount, { holdings }: Options): Promise<void> {
  if (holdings === undefined) return
  const told = holdingsIn(await readHoldings(holdings)).filter(({ symbol }) => symbol !== '')
  const own = new Map(
    library
      .toObjects(positions)
      .flatMap((row) => (row['tradedate'] === days.at(-1) ? [[String(row['symbol']), Number(row['shares'])]] : [])),
  )
  const broker = new Map(told.map(({ symbol, shares }) => [codeIn([...own.keys()], symbol) ?? symbol, shares]))
  const unequal = [...new Set([...own.keys(), ...broker.keys()])].filter(
    (code) => (own.get(code) ?? 0) !== (broker.get(code) ?? 0),
  )
  for (const code of unequal.sort())
    tell('{code}: the lines come to {own}, the holdings have {told}', {
      code,
      own: own.get(code) ?? 0,
      told: broker.get(code) ?? 0,
    })
  if (unequal.length === 0) tell('holdings agree with the lines: {count} instruments', { count: broker.size })
  else process.exitCode = 1
}

async function writeAll(
  library: Library,
  market: Market,
  result: TradedAccount,
  options: Options,
  title: string,
): Promise<void> {
  const { out: dir, benchmark: asked, interactive } = options
  if (dir === undefined) return
  const { account, fills, positions, trips, events, names } = result
  const benchmark = asked === undefined || asked === 'none' ? undefined : await indexOf(library, market, result, asked)
  const sheet = await library.tearSheet(result as never, {
    title,
    lang: language,
    names,
    source: await sheetSource(market),
    ...(interactive && { interactive }),
    ...(benchmark && { benchmark }),
  })
  await mkdir(dir, { recursive: true })
  for (const [name, table] of Object.entries({ account, fills, positions, trips, events }))
    await writeFileAtomically(join(dir, `${name}.csv`), library.toCsv(table))
  await writeFileAtomically(join(dir, 'tear-sheet.html'), sheet)
  tell('wrote {files} to {dir}', { files: 'account, fills, positions, trips, events, tear-sheet.html', dir })
}

/** Levels of an index of the vendor on the days of the account. */
async function indexOf(library: Library, market: Market, { days }: TradedAccount, asked: string) {
  return library.loadBenchmark(market, { days, begin: 0, symbols: [], instruments: [] } as never, asked)
}

async function run(files: readonly string[], options: Options): Promise<void> {
  const library = await userLibrary()
  const kinds = kindsOf(options)
  const { encoding, cash, to, trips } = options
  const statement = await library.readStatement(files, encoding ? { encoding } : {})
  const yuan = cash === undefined ? undefined : Number(cash)
  if (yuan !== undefined && !(yuan >= 0))
    throw wrongUse("--cash takes {right}, not '{text}'", { right: '50000', text: String(cash) })
  const work = async (market: Market): Promise<void> => {
    const { panels, notes } = await library.loadTradedPrices(market, statement, { to, kinds })
    const own = { kinds, ...(yuan !== undefined && { cash: yuan }), ...(to && { to }), ...(trips && { trips }) }
    const result = library.tradedAccount(statement, panels, own)
    for (const what of [...notes, ...result.warnings]) tell('warning: {what}', { what: wordsIn(what, language) })
    out(plainGrid(summary(library, result)))
    out(`\n${kindsText(result)}`)
    await sayHoldings(library, result, options)
    const [file = ''] = files
    await writeAll(library, market, result, options, basename(file, extname(file)))
  }
  await withMarket(options, work, library.connect)
}

// biome-ignore format: a table, one word a line
const words = {
  account: ['what was really done, by the statements (交割单) that terminals and brokers export: round trips, income, returns, a tear sheet'],
  '<files...>': ['statements of 同花顺, 通达信, 东方财富, QMT or a CSV: tables of text in GBK or UTF-8, also those called .xls, or .xlsx; lines that stand in several files count once'],
  '--holdings <file>': ["the broker's holdings: what the lines come to is held against them"],
  '--cash <yuan>': ['yuan before the first line, where no column tells it'],
  '--kind <WORD=KIND>': ['what a line is whose word is not known (repeatable): 某业务=fee', nameValuePair],
  '--to <day>': ['last day, YYYYMMDD; that of the last line or the last price unless given', date],
  ...tripsWord,
  '--benchmark <what>': ['an index of the vendor by name or code (可转债), beside the curve on the tear sheet'],
  '--encoding <encoding>': ['of the files, where their words do not tell it', { choices: textEncodings }],
  '--out <dir>': ['directory for the tables and the tear sheet'],
  ...interactiveWord,
  ...sourceWords,
} as const satisfies CommandWords

export const accountCommand = (): Command => declare(words).action(run)
