import { Command } from 'commander'
import { namesOf, objectsOf, texts } from '../../frame/column.js'
import type { CheckSummary } from '../../ticks/verify/result.js'
import { type TickCheck, verifyTicks } from '../../ticks/verify/verify.js'
import { untilInterrupted } from '../interrupt.js'
import { count, formatOption } from '../options.js'
import { emit, type Format, formatFor, grid, out, say } from '../output.js'
import { bar } from '../progress.js'

interface Options {
  readonly format?: Format
  readonly out?: string
  readonly threads?: number
}

function unmadeLine({ check, about, made, notMade, why }: CheckSummary): readonly unknown[] {
  const [first = '', ...more] = why
  return [check, about, made, notMade, more.length > 0 ? `${first}; and ${word(more.length, 'other reason')}` : first]
}

const word = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

const mending = 'a file that is not what the manifest says: delete it, and quotebook ticks fetch brings it again'

/** All findings in lines that nothing is cut from, but the checksums. */
function findingLines(table: TickCheck['table']): string {
  const rows = objectsOf(table).map((row) => Object.values(row).map(shortSum))
  return `${grid(namesOf(table), rows, 1000)}\n`
}

const shortSum = (cell: unknown): unknown =>
  typeof cell === 'string' ? cell.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…') : cell

function summary({ dir, files, rows, from, to, faults, notes, checks, table }: TickCheck): string {
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
  if (texts(table, 'check').some((check) => check === 'size' || check === 'sha256')) lines.push(mending)
  return lines.join('\n')
}

async function verify(dir: string | undefined, { format, out: file, threads }: Options): Promise<void> {
  formatFor(format, file)
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
  const isTable = formatFor(format, file) === 'table' && file === undefined
  if (isTable && found.table.numRows > 0) out(findingLines(found.table))
  if (!isTable) await emit(found.table, format, file)
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
