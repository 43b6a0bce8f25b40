import { Command } from 'commander'
import type { CheckSummary } from '../../ticks/verify/result.js'
import { type TickCheck, verifyTicks } from '../../ticks/verify/verify.js'
import { untilInterrupted } from '../interrupt.js'
import { count, formatOption } from '../options.js'
import { emit, type Format, formatFor, grid, say } from '../output.js'
import { bar } from '../progress.js'

interface Options {
  readonly format?: Format
  readonly out?: string
  readonly threads?: number
}

function unmadeLine({ check, about, made, notMade, why }: CheckSummary): readonly unknown[] {
  const [first = '', ...more] = why
  return [check, about, made, notMade, more.length > 0 ? `${first}; and ${more.length} other reasons` : first]
}

const word = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

function summary({ dir, files, rows, from, to, faults, notes, checks }: TickCheck): string {
  const span = from === to ? from : `${from} to ${to}`
  const lines = [`${dir}: ${word(files, 'file')}, ${word(rows, 'row')}, ${span}`]
  const unmade = checks.filter(({ notMade }) => notMade > 0)
  if (unmade.length > 0) {
    lines.push('not checked, or not of all files:')
    lines.push(grid(['check', 'that', 'made', 'not', 'because'], unmade.map(unmadeLine)))
  }
  const open = checks.some(({ check, made, notMade }) => check === 'sha256' && made === 0 && notMade > 0)
  const sums = checks.some(({ check, notMade }) => check === 'crc' && notMade > 0)
  if (open && sums) lines.push('without checksums a changed number inside a page can not be seen')
  lines.push(faults + notes === 0 ? 'nothing is wrong' : `${word(faults, 'fault')}, ${word(notes, 'note')}`)
  return lines.join('\n')
}

async function verify(dir: string | undefined, { format, out, threads }: Options): Promise<void> {
  formatFor(format, out)
  const signal = untilInterrupted()
  const progress = bar('verify')
  const onProgress = ({ done, files, day }: { done: number; files: number; day: string }): void =>
    progress.update(done, files, day)
  let found: TickCheck
  try {
    found = await verifyTicks(dir ?? 'auction_ticks', { signal, onProgress, ...(threads ? { threads } : {}) })
  } finally {
    progress.stop()
  }
  if (found.table.numRows > 0 || format !== undefined || out !== undefined) await emit(found.table, format, out)
  say(summary(found))
  if (!found.ok) process.exitCode = 1
}

export function ticksVerifyCommand(): Command {
  return new Command('verify')
    .description('is every file whole, of its day, and what the manifest says? exit code 1 when something is wrong')
    .argument('[dir]', 'an archive, or a folder of YYYYMMDD_aucde.parquet files (default: auction_ticks)')
    .option('--threads <n>', 'files read at the same time (default: one a core, four at most)', count(1))
    .addOption(formatOption())
    .option('--out <file>', 'write the findings to a file instead of stdout')
    .action(verify)
}
