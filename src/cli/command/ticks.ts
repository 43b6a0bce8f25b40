import { Command } from 'commander'
import { ticksFetchCommand } from './ticks-fetch.js'
import { ticksReadCommand } from './ticks-read.js'
import { ticksVerifyCommand } from './ticks-verify.js'

/** `quotebook ticks`. */
export function ticksCommand(): Command {
  return new Command('ticks')
    .description('the auction-tick files: bring a year home, prove it, read it')
    .addCommand(ticksFetchCommand())
    .addCommand(ticksVerifyCommand())
    .addCommand(ticksReadCommand())
}
