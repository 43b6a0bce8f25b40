import { accountCommand } from './command/account-command.js'
import {
  archiveCommand,
  cacheCommand,
  copyCommand,
  importCommand,
  repairCommand,
  sampleCommand,
} from './command/archive-commands.js'
import { backtestCommand } from './command/backtest-command.js'
import { checkCommand } from './command/check-command.js'
import { clickHouseCommand } from './command/clickhouse-command.js'
import { completeCommand, completionCommand } from './command/completion-command.js'
import { datasetsCommand } from './command/datasets-command.js'
import { deskCommand } from './command/desk-command.js'
import { factorCommand } from './command/factor-command.js'
import { keysCommand } from './command/keys-command.js'
import { mcpCommand } from './command/mcp-command.js'
import { notebookCommand } from './command/notebook-command.js'
import { planCommand } from './command/plan-command.js'
import { queryCommand } from './command/query-command.js'
import { reportCommand } from './command/report-command.js'
import { serveCommand } from './command/serve-command.js'
import { statusCommand } from './command/status-command.js'
import { syncCommand } from './command/sync-command.js'
import { ticksCommand } from './command/ticks-command.js'
import { verifyCommand } from './command/verify-command.js'
import { watchCommand } from './command/watch-command.js'
import { workerCommand } from './command/worker-command.js'

/** Every command, made by `npm run build` of what there is in command/; program.ts has their order. */
export const commands = [
  accountCommand,
  repairCommand,
  archiveCommand,
  importCommand,
  copyCommand,
  cacheCommand,
  sampleCommand,
  backtestCommand,
  checkCommand,
  clickHouseCommand,
  completionCommand,
  completeCommand,
  datasetsCommand,
  deskCommand,
  factorCommand,
  keysCommand,
  mcpCommand,
  notebookCommand,
  planCommand,
  queryCommand,
  reportCommand,
  serveCommand,
  statusCommand,
  syncCommand,
  ticksCommand,
  verifyCommand,
  watchCommand,
  workerCommand,
]
