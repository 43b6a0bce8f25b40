import { Command, Option } from 'commander'
import { laws } from '../../../checks/dataset/laws.js'
import type { Law } from '../../../checks/law.js'
import { interruptible } from '../../interrupt.js'
import { count, formatOption, jsonObject, pair, ratio } from '../../options.js'
import { withSource } from '../../source.js'
import { all } from './all.js'
import { anomaly } from './anomaly.js'
import { bars } from './bars.js'
import { orDays } from './days.js'
import { type LawOptions, law } from './law.js'
import type { CheckOptions } from './read.js'
import { southbound } from './southbound.js'
import { transitions } from './st.js'
import { vwap } from './vwap.js'

function withOutput(command: Command): Command {
  return withSource(command.addOption(formatOption()).option('--out <file>', 'write to a file instead of stdout'))
}

function check(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option('--file <file>', 'a CSV, Parquet or saved reply of your own')
    .option('--params <json>', 'what to query from the source; without it the latest', jsonObject)
    .option('--rename <name=column>', "a column of the file under the contract's name (repeatable)", pair)
  return withOutput(command)
}

/** Which minute bars, and what their volumes count in. */
function withBars(command: Command): Command {
  return command
    .addOption(new Option('--dataset <name>', 'what the bars are').choices(['etf_minute', 'convertible_minute']))
    .option('--factor <n>', 'units in a unit of volume: 100 for ETF lots, 10 for bond lots, 1 for shares', count(1))
}

function days(command: Command, usual: number): Command {
  return command.option('--days <n>', 'trading days up to the latest of the source', count(1), usual)
}

/** Names that a command of their own has. */
const own = ['vwap', 'bars', 'anomaly', 'southbound']

/** A check of the latest rows, or with `--days` of more. */
function latest<O extends CheckOptions>(command: Command, way: (options: O) => Promise<void>): Command {
  const some = named().get(command.name()) ?? []
  return command
    .option('--days <n>', 'instead of the latest: trading days up to it', count(1))
    .action(interruptible(orDays(some, way)))
}

/** `convertible daily` is called as convertible-daily. */
function commandOf(name: string, some: readonly Law[]): Command {
  const [first] = some
  const command = check(name.replaceAll(' ', '-'), first?.brief ?? name)
  const minutes = some.some(({ dataset }) => dataset.endsWith('_minute'))
  const beside = [...new Set(some.flatMap(({ beside = [] }) => beside))]
  if (beside.length > 0) {
    command.option(
      '--with <dataset=file>',
      `a file of ${beside.join(', ')} to hold the rows against (repeatable)`,
      pair,
    )
  }
  if (name === 'st list') command.option('--transitions', 'who came, left and changed instead of the check')
  const run = (options: LawOptions): Promise<void> => (options.transitions ? transitions(options) : law(some, options))
  return days(command, minutes ? 1 : 20).action(interruptible(run))
}

function named(): Map<string, Law[]> {
  const found = new Map<string, Law[]>()
  for (const one of laws) found.set(one.name, [...(found.get(one.name) ?? []), one])
  return found
}

export function checkCommand(): Command {
  const command = new Command('check')
    .description("the vendor's numbers held against their rules; exit code 1 when some rows contradict one")
    .addCommand(
      days(withOutput(new Command('all').description('every check over the last days of a source')), 20).action(
        interruptible(all),
      ),
    )
    .addCommand(
      latest(
        withBars(check('vwap', 'average price of minute bars, exact in decimal'))
          .addOption(new Option('--lots <which>', 'what was rounded to whole lots').choices(['total', 'each bar']))
          .addOption(
            new Option('--resample <period>', 'make longer bars of one-minute bars first').choices(['15m', '30m']),
          ),
        vwap,
      ),
    )
    .addCommand(days(withBars(check('bars', 'each bar by itself and in its place')), 1).action(interruptible(bars)))
    .addCommand(
      latest(
        check('anomaly', 'what must hold inside and between candidates; with prices, against their recomputation')
          .option(
            '--prices <file>',
            'daily closes of stocks: tradedate, symbol, close, and maybe pre_close or adj_factor',
          )
          .option('--benchmarks <file>', 'daily closes of their indices: tradedate, code, close')
          .option('--st <file>', 'days on which stocks are ST, as dataset st has them; without it names tell')
          .option(
            '--halts <file>',
            'verification halts, which restart all measures: symbol, tradedate of a day without trade',
          )
          .addOption(
            new Option('--resets <which>', 'what ends a measure: its own movements, or nothing').choices([
              'computed',
              'none',
            ]),
          )
          .option('--computed', 'the candidates that follow from the prices instead of the check'),
        anomaly,
      ),
    )
    .addCommand(
      latest(
        check('southbound', 'net = buy - sell, turnover = buy + sell, no channel counted twice')
          .option('--flows', 'the flows by day and channel instead of the check')
          .addOption(
            new Option('--unit <unit>', 'what amounts are in').choices(['yuan', 'Hong Kong dollar']).default('yuan'),
          )
          .option('--rate <n>', 'yuan per Hong Kong dollar, to have flows in yuan', ratio),
        southbound,
      ),
    )
  for (const [name, some] of named()) if (!own.includes(name)) command.addCommand(commandOf(name, some))
  return command
}
