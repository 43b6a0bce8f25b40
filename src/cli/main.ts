#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { messageOf, ParamsError, QuotebookError } from '../contract/error.js'
import { version } from '../contract/version.js'
import { archiveCommand, cacheCommand, importCommand, sampleCommand } from './command/archive-commands.js'
import { checkCommand } from './command/check-command.js'
import { datasetsCommand } from './command/datasets-command.js'
import { keysCommand } from './command/keys-command.js'
import { queryCommand } from './command/query-command.js'
import { reportCommand } from './command/report-command.js'
import { serveCommand } from './command/serve-command.js'
import { ticksCommand } from './command/ticks-command.js'
import { InterruptedError } from './interrupt.js'
import { log } from './output.js'

function program(): Command {
  const root = new Command('quotebook')
    .description('Research workbench for Chinese securities data')
    .version(version)
    .addCommand(reportCommand())
    .addCommand(datasetsCommand())
    .addCommand(queryCommand())
    .addCommand(checkCommand())
    .addCommand(importCommand())
    .addCommand(archiveCommand())
    .addCommand(cacheCommand())
    .addCommand(ticksCommand())
    .addCommand(sampleCommand())
    .addCommand(serveCommand())
    .addCommand(keysCommand())
  return strict(root)
}

/** Wrong usage of a command, and of those below it, is told in one way. */
function strict(command: Command): Command {
  for (const below of command.commands) strict(below)
  return command.exitOverride().showHelpAfterError('(--help shows what there is)')
}

/** 0 done, 1 failed, 2 usage. One clear line, never a stack trace; DEBUG=quotebook shows where an unforeseen one came from. */
function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof InterruptedError) {
    log(`quotebook: ${error.message}`)
    // What was under way is not waited for: it has been undone, or only read.
    setImmediate(() => process.exit(130))
    return 130
  }
  log(`quotebook: ${messageOf(error).replaceAll('\n', ' ')}`)
  if (!(error instanceof QuotebookError) && process.env.DEBUG === 'quotebook') log(String((error as Error).stack))
  if (error instanceof ParamsError) return 2
  return error instanceof QuotebookError && (error.code === 'USAGE' || error.code === 'INVALID_VALUE') ? 2 : 1
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  log(`quotebook: can not write to stdout: ${error.message}`)
  process.exit(1)
})
// What nobody hears can not be told; the work goes on.
process.stderr.on('error', () => undefined)

program()
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = exitCode(error)
  })
