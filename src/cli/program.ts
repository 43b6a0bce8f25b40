import { type Command, CommanderError, Option } from 'commander'
import { ParamsError, QuotebookError } from '../contract/error.js'
import { languages } from '../contract/language.js'
import { version } from '../contract/version.js'
import { terminalWidth } from '../frame/show/terminal.js'
import { say } from './chosen-language.js'
import { commands } from './commands.js'
import { declare, hiddenCommands } from './declare-command.js'
import { usageText, whyOf } from './error-text.js'
import { helpLayout } from './help-layout.js'
import { InterruptedError } from './interrupt.js'
import { log } from './output.js'

const versionText = say('output the version number')
const helpText = say('display help for command')
const languageText = say('language of help and notes (default: from QUOTEBOOK_LANG, LC_ALL, LC_MESSAGES or LANG)')

/** Commands as the help has them; what is not named here comes after these, by its file. */
const order =
  'report verify backtest factor plan account worker datasets query watch check sync import archive copy clickhouse status cache ticks sample desk serve keys mcp notebook completion'.split(
    ' ',
  )

/** The command with all that it has. @param words the line that it is to read; without it, any */
export function program(words?: readonly string[]): Command {
  const root = declare({ quotebook: ['Research workbench for Chinese securities data'] })
    .version(version, '-V, --version', versionText)
    .addOption(new Option('--lang <language>', languageText).choices(languages))
  const placeOf = (one: Command): number => (order.includes(one.name()) ? order.indexOf(one.name()) : order.length)
  const all = commands.map((make) => make(words)).sort((a, b) => placeOf(a) - placeOf(b))
  for (const one of all) root.addCommand(one, { hidden: hiddenCommands.includes(one.name()) })
  return strict(root)
}

/** Help and wrong usage of a command, and of those below it, are told in one way. */
function strict(command: Command): Command {
  for (const below of command.commands) strict(below)
  if (command.commands.length > 0) command.helpCommand('help [command]', helpText)
  return command
    .helpOption('-h, --help', helpText)
    .configureHelp(helpLayout)
    .configureOutput({
      getOutHelpWidth: () => terminalWidth() ?? 80,
      outputError: (text, write) => write(usageText(text)),
    })
    .exitOverride()
    .showHelpAfterError(say('(--help shows what there is)'))
}

/** What is said of an error, and the exit code: 0 done, 1 failed, 2 usage. One clear line, never a stack trace; DEBUG=quotebook shows where an unforeseen one came from. */
export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof InterruptedError) {
    log(`quotebook: ${error.message}`)
    // What was under way is not waited for: it has been undone, or only read.
    setImmediate(() => process.exit(130))
    return 130
  }
  log(`quotebook: ${whyOf(error).replaceAll('\n', ' ')}`)
  if (!(error instanceof QuotebookError) && process.env.DEBUG === 'quotebook') log(String((error as Error).stack))
  if (error instanceof ParamsError) return 2
  return error instanceof QuotebookError && (error.code === 'USAGE' || error.code === 'INVALID_VALUE') ? 2 : 1
}
